"""What it costs to lose a process in the middle of long units of work, and what company at them brings.

python benchmarks/legs.py nested --leg 300000
python benchmarks/legs.py jobs/five-and-six.cgp --only "10F EX" --least 2000000 --leg 250000 500000 --company 1 3

Draws of the plays of a bench position, or of the first position of a file, each of which one thread settles in so many
nodes, are settled again in legs: each in an empty memory, with what the legs before it have settled, and then without
that; and by several processes at a time, each with a memory of its own, that exchange what they have settled after each
leg. Nodes of a thread, one after the other; MOST_TIMES as many as in one go are the end of it.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from pegray.bench.positions import bench_positions, choose
from pegray.game.cgp import read_cgp_file
from pegray.game.position import Position
from pegray.kernels.memory import new_memory
from pegray.lexicon.find import find_lexicon
from pegray.preendgame.checkpoints import merged
from pegray.preendgame.options import SolveOptions
from pegray.preendgame.problem import Problem
from pegray.preendgame.solver import PositionSolver
from pegray.preendgame.work import Settled, Unit
from pegray.terms import UnitKind

MOST_TIMES = 3
_TABLE_GIB = 0.25
_BUDGET = 100_000_000


def main() -> None:
    """Print a row of nodes for each draw: in one go, and each way in legs with how many these were."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("position", metavar="NAME|FILE")
    parser.add_argument("--only", nargs="+", default=[], metavar="MOVE")
    parser.add_argument("--leg", type=int, nargs="+", default=[300_000], help="nodes of a leg")
    parser.add_argument("--least", type=int, default=900_000, help="nodes that a draw takes in one go")
    parser.add_argument("--units", type=int, default=3)
    parser.add_argument("--company", type=int, nargs="*", default=[], help="other processes at the same unit")
    arguments = parser.parse_args()
    problem = _problem_of(arguments.position, tuple(arguments.only))
    rows = 0
    for unit in _units_of(problem):
        whole = _solver(problem).settle([unit._replace(budget=_BUDGET)])[0]
        if whole.nodes < arguments.least:
            continue
        most = MOST_TIMES * whole.nodes
        for leg in arguments.leg:
            ways = [in_legs(problem, unit, leg, most, goes_on) for goes_on in (True, False)]
            ways += [in_company(problem, unit, leg, most, others) for others in arguments.company]
            assert all(way[-1].outcomes == whole.outcomes for way in ways if way[-1].finished)
            kilobytes = max(len(result.unit.checkpoints) for result in ways[0]) / 1000
            cells = [f"{unit.draw}", f"{whole.nodes:,}", f"{leg:,}", *map(_sum, ways), f"{kilobytes:.0f} kB"]
            print("|", " | ".join(cells), "|", flush=True)
        rows += 1
        if rows == arguments.units:
            break


def in_legs(problem: Problem, unit: Unit, leg: int, most: int, goes_on: bool) -> list[Settled]:
    """Results of tries at a unit, each by a solver that knows no more than checkpoints, or not even these."""
    results: list[Settled] = []
    checkpoints = b""
    while sum(result.nodes for result in results) < most:
        results += _solver(problem).settle([unit._replace(budget=leg, checkpoints=checkpoints)])
        if results[-1].finished:
            break
        if goes_on:
            checkpoints = merged(checkpoints, results[-1].checkpoints)
    return results


def in_company(problem: Problem, unit: Unit, leg: int, most: int, others: int) -> list[Settled]:
    """The first result of each round of legs, of those that are finished if any is, by so many processes and others."""
    solvers = [_solver(problem) for _ in range(others + 1)]
    results: list[Settled] = []
    checkpoints = b""
    while sum(result.nodes for result in results) < most:
        units = [unit._replace(budget=leg, checkpoints=checkpoints, company=(k, others)) for k in range(others + 1)]
        with ThreadPoolExecutor() as threads:
            tried = [result for (result,) in threads.map(lambda solver, unit: solver.settle([unit]), solvers, units)]
        results.append(min(tried, key=lambda result: (not result.finished, result.nodes)))
        if results[-1].finished:
            break
        for result in tried:
            checkpoints = merged(checkpoints, result.checkpoints)
    return results


def _solver(problem: Problem) -> PositionSolver:
    return PositionSolver(problem, new_memory(_TABLE_GIB))


def _problem_of(name: str, only: tuple[str, ...]) -> Problem:
    if Path(name).exists():
        (_, cgp), *_ = read_cgp_file(name)
        lexicon, options = "ENABLE", SolveOptions(only=only, early_cutoff=False)
    else:
        (bench,) = choose(bench_positions(), [name], slow=True)
        cgp, lexicon, options = bench.cgp, bench.lexicon, bench.options
    position = Position.from_cgp(cgp)
    return Problem.create(position, find_lexicon(lexicon, position.distribution), options)


def _units_of(problem: Problem) -> Iterator[Unit]:
    """A unit for each draw of the plays of a problem."""
    eventualities = _solver(problem).eventualities
    for candidate, tiles in enumerate(problem.candidates.tiles.tolist()):
        if not problem.candidates.skipped[candidate]:
            for draw in range(len(eventualities.draws(eventualities.drawn(tiles)).packed)):
                yield Unit(candidate, draw, UnitKind.VERDICT, 0)


def _sum(results: list[Settled]) -> str:
    nodes = sum(result.nodes for result in results)
    return f"{nodes:,} ({len(results)})" if results[-1].finished else f"more than {nodes:,}"


if __name__ == "__main__":
    main()
