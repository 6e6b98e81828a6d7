"""What it costs to lose a process in the middle of long units of work, again and again.

python benchmarks/legs.py nested --leg 200000

Each draw of the plays of a bench position is settled to its end; then in legs, each in an empty memory, with what the
legs before it have settled; and without, as long as that takes no more than MOST_TIMES as many nodes.
"""

from __future__ import annotations

import argparse

from pegray.bench.positions import bench_positions
from pegray.game.position import Position
from pegray.kernels.memory import new_memory
from pegray.lexicon.find import find_lexicon
from pegray.preendgame.checkpoints import merged
from pegray.preendgame.problem import Problem
from pegray.preendgame.solver import PositionSolver
from pegray.preendgame.work import Settled, Unit
from pegray.terms import UnitKind

MOST_TIMES = 3
_TABLE_GIB = 0.25
_BUDGET = 100_000_000


def main() -> None:
    """Print a row of nodes for each draw, and the sums."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", metavar="NAME")
    parser.add_argument("--leg", type=int, default=200_000, help="nodes of a leg")
    parser.add_argument("--least", type=int, default=400_000, help="that a unit takes in one go")
    parser.add_argument("--units", type=int, default=8)
    arguments = parser.parse_args()
    bench = next(bench for bench in bench_positions() if bench.name == arguments.name)
    position = Position.from_cgp(bench.cgp)
    problem = Problem.create(position, find_lexicon(bench.lexicon, position.distribution), bench.options)
    long = 0
    for unit in units_of(problem):
        whole = in_legs(problem, unit, _BUDGET, _BUDGET, goes_on=True)
        if whole[-1].nodes < arguments.least or not whole[-1].finished:
            continue
        most = MOST_TIMES * whole[-1].nodes
        legs = in_legs(problem, unit, arguments.leg, most, goes_on=True)
        again = in_legs(problem, unit, arguments.leg, most, goes_on=False)
        differ = legs[-1].finished and legs[-1].outcomes != whole[-1].outcomes
        kilobytes = max(len(leg.unit.checkpoints) for leg in legs) / 1000
        print(
            f"| {unit.candidate}, {unit.draw} | {whole[-1].nodes:,} | {_sum(legs)} | {len(legs)} | {kilobytes:.0f} | "
            f"{_sum(again)} | {'DIFFERS' if differ else ''}",
            flush=True,
        )
        long += 1
        if long == arguments.units:
            break


def units_of(problem: Problem) -> list[Unit]:
    """A unit for each draw of the plays of a problem."""
    draws = {drawn: len(of.packed) for drawn, of in _draws(problem).items()}
    return [
        Unit(candidate, draw, UnitKind.VERDICT, 0)
        for candidate in range(len(problem.candidates))
        if not problem.candidates.skipped[candidate]
        for draw in range(draws[min(problem.bag, int(problem.candidates.tiles[candidate]))])
    ]


def _draws(problem: Problem):  # type: ignore[no-untyped-def]
    eventualities = PositionSolver(problem, new_memory(0)).eventualities
    return {drawn: eventualities.draws(drawn) for drawn in range(problem.bag + 1)}


def in_legs(problem: Problem, unit: Unit, leg: int, most: int, goes_on: bool) -> list[Settled]:
    """Results of tries at a unit, each by a solver that knows nothing, until it is settled or takes too many nodes."""
    results: list[Settled] = []
    checkpoints = b""
    while sum(result.nodes for result in results) < most:
        solver = PositionSolver(problem, new_memory(_TABLE_GIB))
        results += solver.settle([unit._replace(budget=leg, checkpoints=checkpoints)])
        if results[-1].finished:
            break
        if goes_on:
            checkpoints = merged(checkpoints, results[-1].checkpoints)
    return results


def _sum(results: list[Settled]) -> str:
    nodes = sum(result.nodes for result in results)
    return f"{nodes:,}" if results[-1].finished else f"more than {nodes:,}"


if __name__ == "__main__":
    main()
