"""How many times as fast several threads settle a unit of work: it is one's own, and the others help.

python benchmarks/helpers.py benchmarks/traces/walks-position.parquet --units 20 --threads 1 2 4 8

The units are single replies that a recorded solve has settled by many nodes; each is settled with an empty memory. With
more threads than cores the time says nothing, so nodes are counted: as if all threads were as fast as one another.
"""

from __future__ import annotations

import argparse
import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.simulation.traces import read_solved
from pegray.kernels.memory import new_memory
from pegray.preendgame.problem import Problem
from pegray.preendgame.solver import Help, PositionSolver
from pegray.preendgame.work import Settled, Unit

_TABLE_GIB = 0.5
_BUDGET = 10_000_000


def main() -> None:
    """Print a row of nodes for each unit, and how many times as fast as one thread all of them were."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trace", type=Path, metavar="TRACE")
    parser.add_argument("--units", type=int, default=20)
    parser.add_argument("--nodes", type=int, default=9_000, help="that a unit took at the least")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2, 4, 8])
    arguments = parser.parse_args()
    problem, units = dear_replies(arguments.trace, arguments.nodes)
    random.Random(1).shuffle(units)
    totals = dict.fromkeys(arguments.threads, 0)
    shares = dict.fromkeys(arguments.threads, 0.0)
    for unit in units[: arguments.units]:
        nodes = {threads: shared_nodes(problem, unit, threads) for threads in arguments.threads}
        alone = nodes[arguments.threads[0]]
        for threads, count in nodes.items():
            totals[threads] += count
            shares[threads] += alone * threads / max(1, count) / min(arguments.units, len(units))
        print("|", " | ".join(f"{count:,}" for count in nodes.values()), "|", flush=True)
    alone = totals[arguments.threads[0]]
    for threads, count in totals.items():
        print(f"{threads} threads: {alone * threads / count:.2f} times as fast, the mean {shares[threads]:.2f}")


def dear_replies(path: Path, least: int) -> tuple[Problem, list[Unit]]:
    """The problem of a trace, and a unit for each single reply that took so many nodes."""
    problem, rows = read_solved(path)
    dear = {row.unit.key: row for row in rows if len(row.unit.portion) == 1 and row.finished and row.nodes >= least}
    return problem, [_alone(row) for row in dear.values()]


def _alone(row: Settled) -> Unit:
    orders = len(row.outcomes)
    nothing = (bytes([0xFF]) * orders, (-1,) * orders)
    return row.unit._replace(budget=_BUDGET, known=nothing)


def shared_nodes(problem: Problem, unit: Unit, threads: int) -> int:
    """Nodes that all threads together take."""
    memory = new_memory(_TABLE_GIB)
    owner, *helpers = (PositionSolver(problem, memory) for _ in range(threads))
    helped = 0

    def help(solver: PositionSolver) -> None:
        nonlocal helped
        memory.count_helpers(+1)
        nodes = solver.help(unit).nodes
        memory.count_helpers(-1)
        with lock:
            helped += nodes

    @contextmanager
    def with_help(_: Unit) -> Iterator[Help]:
        at_work = [threading.Thread(target=help, args=(solver,)) for solver in helpers]
        for thread in at_work:
            thread.start()
        yield Help()
        for solver in helpers:
            solver.halt(True)
        for thread in at_work:
            thread.join()

    lock = threading.Lock()
    (result,) = owner.settle([unit], with_help)
    return result.nodes + helped


if __name__ == "__main__":
    main()
