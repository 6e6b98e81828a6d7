"""One position on several nodes of this machine, one of which is lost and another added again and again.

``python -m tests.cluster.one_position POSITION.cgp --nodes 3 --seconds 60`` solves it undisturbed first, and
compares all outcomes. With ``--nodes 1 2 4 --steady`` it says how busy so many nodes are: their solvers then get what
the driver and Ray leave of this machine's cores, so that more nodes than cores do not keep these waiting.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path

import pyarrow.compute as pc

from pegray.game.position import Position
from pegray.lexicon.find import lexicon_for
from pegray.preendgame.options import SolveOptions
from pegray.preendgame.problem import Problem
from pegray.results.events import events_of
from pegray.results.model import SolveResult
from pegray.results.read import open_run
from pegray.results.write import RunWriter
from pegray.runs.driver import solve_at
from pegray.runs.workplace import workplace
from pegray.terms import Until

from .nodes import cluster_of, let_others_first, replace_one


@dataclass(frozen=True)
class Solve:
    """What came of a solve, and what it took.

    busy: share of the nodes' time that was work on units which came back; lost: nodes that were lost
    """

    directory: Path
    result: SolveResult
    busy: float
    lost: int

    def __str__(self) -> str:
        stats, best = self.result.stats, self.result.best
        return (
            f"{self.result.state}, {best.move if best else None} {best.points if best else None} of "
            f"{self.result.total}: {stats.seconds:.0f} s, {stats.cpu_seconds:.0f} CPU s, {stats.nodes:,} nodes, "
            f"{self.busy:.0%} busy, {self.lost} nodes lost"
        )


def solve(problem: Problem, directory: Path, nodes: int, seconds: float | None, behind: bool = False) -> Solve:
    """On so many nodes with one core each; every so many ``seconds`` one of them is lost and another added.

    behind: solvers come behind everything else on this machine
    """
    out = RunWriter(directory)

    def work() -> SolveResult:
        with events_of(out), workplace("auto", None, None, 1) as place:
            return solve_at(place, problem, out)

    lost = 0
    with cluster_of(nodes) as cluster, ThreadPoolExecutor(1) as thread:
        solving = thread.submit(work)
        if behind:
            let_others_first(nodes)
        while not wait([solving], seconds).done:
            replace_one(cluster)
            lost += 1
        result = solving.result()
    worked = pc.sum(open_run(directory).units()["seconds"]).as_py()
    return Solve(directory, result, worked / (nodes * result.stats.seconds), lost)


def differences(calm: Solve, disturbed: Solve) -> tuple[int, list[str]]:
    """How many outcomes both solves have settled, and where they contradict each other there, or in the answer.

    Which draws of a play that is cut off are settled, and which of several best plays is found first, is up to the
    order of the work.
    """
    points = [solve.result.best.points if solve.result.best else None for solve in (calm, disturbed)]
    found = [] if points[0] == points[1] else [f"points of the best play: {points[0]} and {points[1]}"]
    ours, theirs = _outcomes(calm), _outcomes(disturbed)
    both = ours.keys() & theirs.keys()
    found += [f"{where}: {ours[where]} and {theirs[where]}" for where in sorted(both) if ours[where] != theirs[where]]
    return len(both), found


def _outcomes(solve: Solve) -> dict[tuple[str, str], str]:
    """The outcome of each eventuality of each play that is settled."""
    table = open_run(solve.directory).outcomes().select(["move", "draw", "outcome"])
    return {(row["move"], row["draw"]): row["outcome"] for row in table.to_pylist()}


def main() -> int:
    """Print the figures; 1 if there was a difference."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("position", type=Path)
    parser.add_argument("--lexicon", help="default: the position's, else the bundled one")
    parser.add_argument("--nodes", type=int, nargs="+", default=[3])
    parser.add_argument("--seconds", type=float, default=60.0, help="between two nodes that are lost")
    parser.add_argument("--until", choices=[Until.ANSWER.value, Until.LEVEL.value], default=Until.ANSWER.value)
    parser.add_argument("--steady", action="store_true", help="no node is lost")
    arguments = parser.parse_args()
    position = Position.from_cgp(arguments.position.read_text().strip().splitlines()[-1])
    lexicon = lexicon_for(position, arguments.lexicon)
    options = SolveOptions(until=arguments.until, tiebreak=False)
    problem = Problem.create(position, lexicon, options)
    found: list[str] = []
    with tempfile.TemporaryDirectory(prefix="pegray-one-position-") as folder:
        for nodes in arguments.nodes:
            calm = solve(problem, Path(folder) / f"calm-{nodes}", nodes, None, arguments.steady)
            print(f"{nodes} nodes, undisturbed: {calm}", flush=True)
            if arguments.steady:
                continue
            disturbed = solve(problem, Path(folder) / f"disturbed-{nodes}", nodes, arguments.seconds)
            print(f"{nodes} nodes, one replaced every {arguments.seconds:g} s: {disturbed}", flush=True)
            compared, differ = differences(calm, disturbed)
            print(f"{compared:,} outcomes that both have settled, {len(differ)} differences", flush=True)
            found += differ
    for difference in found:
        print(difference)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
