"""What the kernels take for the same units of work in any version of them, and whether the outcomes are the same.

python benchmarks/same_work.py benchmarks/traces/batch-*.parquet --nodes 500000

How many nodes a whole position takes varies by a fifth and more with the order in which its plays happen to fall, which
any change of the kernels changes. Here one thread settles units that recorded solves have settled, each to its end and
one after the other. To compare two versions, run both side by side: then a slow moment of the machine is one of both.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.simulation.traces import read_solved
from pegray.kernels.memory import new_memory
from pegray.preendgame.problem import Problem
from pegray.preendgame.solver import PositionSolver
from pegray.preendgame.work import Settled
from pegray.terms import UnitKind

_TABLE_GIB = 0.25
_BUDGET = 100_000_000


@dataclass(frozen=True)
class Work:
    """What some units took, and how many of them came out otherwise than recorded."""

    units: int
    nodes: int
    endgames: int
    cpu_seconds: float
    differ: int

    def __str__(self) -> str:
        each = 1e6 * self.cpu_seconds / max(1, self.nodes)
        return (
            f"{self.units:,} units, {self.nodes:,} nodes, {self.endgames:,} endgames, {self.cpu_seconds:.2f} CPU s, "
            f"{each:.2f} us a node, {self.differ} differ"
        )


def main() -> int:
    """Print a line for each trace; 1 if an outcome was not as it was recorded."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("traces", type=Path, nargs="+", metavar="TRACE")
    parser.add_argument("--nodes", type=int, default=500_000, help="that the units of a trace took, about")
    arguments = parser.parse_args()
    differ = 0
    for path in arguments.traces:
        problem, rows = read_solved(path)
        work = settle_again(problem, some_settled(rows, arguments.nodes))
        differ += work.differ
        print(f"{path.stem}: {work}", flush=True)
    return 1 if differ else 0


def some_settled(rows: Sequence[Settled], nodes: int) -> list[Settled]:
    """Units that are settled and no portions, from all over a solve, which took about so many nodes (or all)."""
    settled = [row for row in rows if row.unit.kind == UnitKind.VERDICT and row.finished and not row.unit.portion]
    return settled[:: max(1, sum(row.nodes for row in settled) // nodes)]


def settle_again(problem: Problem, rows: Sequence[Settled]) -> Work:
    """Settle the units of ``rows`` one after the other, beginning with an empty memory."""
    solver = PositionSolver(problem, new_memory(_TABLE_GIB))
    found = [solver.settle([row.unit._replace(budget=_BUDGET, lost=0)])[0] for row in rows]
    return Work(
        units=len(rows),
        nodes=sum(result.nodes for result in found),
        endgames=sum(result.endgames for result in found),
        cpu_seconds=sum(result.cpu_seconds for result in found),
        differ=sum(result.outcomes != row.outcomes for result, row in zip(found, rows, strict=True)),
    )


if __name__ == "__main__":
    sys.exit(main())
