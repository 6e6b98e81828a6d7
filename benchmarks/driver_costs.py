"""Measures what a driver, and a node, spend on each unit of work: the parameters of `benchmarks.simulation`.

    python benchmarks/driver_costs.py RUN           # RUN: a run directory of one position, with its journal

All times are of one process, in milliseconds; Ray runs on this machine with one actor that does nothing.
"""

from __future__ import annotations

import argparse
import logging
import pickle
import tempfile
import time
from dataclasses import replace
from typing import Any

import ray

from pegray.kernels.memory import new_memory
from pegray.preendgame.ledger import Ledger
from pegray.preendgame.problem import Problem
from pegray.preendgame.ranking import build_result
from pegray.preendgame.solver import PositionSolver
from pegray.preendgame.work import Settled
from pegray.results.model import SolveStats
from pegray.results.write import RunWriter
from pegray.runs.batch import maker_of, take_up
from pegray.runs.journal import Journal
from pegray.terms import UnitKind

_CALLS = 500
_ROUNDS = 5
_TABLE_GIB = 0.1


class Echo:
    """Stands for a solver actor whose work takes no time."""

    def settle(self, results: bytes) -> bytes:
        return results

    def settle_for(self, seconds: float) -> None:
        time.sleep(seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run_directory", metavar="RUN")
    arguments = parser.parse_args()
    out, plan = take_up(arguments.run_directory)
    problem = maker_of(plan).of(plan.positions[0])
    assert isinstance(problem, Problem)
    units = Journal(out, problem.key).load()
    report("units in the journal", len(units), "")
    report("ledger: handing out, a unit", handing_out(problem, len(units)), "ms")
    report("ledger: taking in, a unit", taking_in(problem, units), "ms")
    report("a node: around a unit", around(problem, units), "ms")
    report("journal: keeping, a unit", keeping(problem, units), "ms")
    report("journal: writing a part of 1,000 units", flushing(problem, units), "ms")
    report("tables: writing them", tables(problem, units), "ms")
    report("the problem, sent to each node once", len(pickle.dumps(problem)) / 2**20, "MiB")
    for number in (1, 4, 32):
        sent, between, taken = calls(units[:number])
        report(f"Ray: sending a call of {number} units", sent, "ms")
        report("Ray: an actor's thread, between two such calls", between, "ms")
        report("Ray: taking its answer", taken, "ms")
    report("Ray: asking for answers, 1,000 calls in flight", waiting() * 1000, "ms")


def report(what: str, value: float, unit: str) -> None:
    print(f"{what:<45}{value:10.3f} {unit}")


def handing_out(problem: Problem, count: int) -> float:
    """Milliseconds a unit, in the portions in which an executor asks for them."""
    ledger, handed = Ledger(problem), 0
    started = time.perf_counter()
    while handed < count and (units := ledger.next_units(8)):
        handed += len(units)
    return (time.perf_counter() - started) * 1000 / max(1, handed)


def taking_in(problem: Problem, units: list[Settled]) -> float:
    ledger = Ledger(problem)
    started = time.perf_counter()
    for unit in units:
        ledger.record(unit)
    return (time.perf_counter() - started) * 1000 / len(units)


def around(problem: Problem, units: list[Settled]) -> float:
    """Of a solver that is asked for units, without what is told of them as their time."""
    solver = PositionSolver(problem, new_memory(_TABLE_GIB))
    wanted = [replace(row.unit, budget=1) for row in units if row.unit.kind == UnitKind.VERDICT][:_CALLS]
    seconds = 0.0
    for unit in wanted:
        started = time.perf_counter()
        (result,) = solver.settle([unit])
        seconds += time.perf_counter() - started - result.seconds
    return seconds * 1000 / len(wanted)


def keeping(problem: Problem, units: list[Settled]) -> float:
    with tempfile.TemporaryDirectory() as folder:
        journal = Journal(RunWriter(folder), problem.key)
        portion = units[:900]  # fewer than it writes at once
        started = time.perf_counter()
        journal.append(portion)
        return (time.perf_counter() - started) * 1000 / len(portion)


def flushing(problem: Problem, units: list[Settled]) -> float:
    with tempfile.TemporaryDirectory() as folder:
        journal = Journal(RunWriter(folder), problem.key)
        rows = (units * (1 + 1000 // len(units)))[:999]
        times = []
        for _ in range(_ROUNDS):
            journal.append(rows)
            started = time.perf_counter()
            journal.flush()
            times.append(time.perf_counter() - started)
    return min(times) * 1000


def tables(problem: Problem, units: list[Settled]) -> float:
    ledger = Ledger(problem)
    for unit in units:
        ledger.record(unit)
    with tempfile.TemporaryDirectory() as folder:
        out = RunWriter(folder)
        started = time.perf_counter()
        out.write_solve(0, build_result(ledger, SolveStats(0, 0, 0, 0, True)))
        return (time.perf_counter() - started) * 1000


def calls(units: list[Settled]) -> tuple[float, float, float]:
    """Milliseconds of this process for sending a call, of its actor, and of this process for taking the answer.

    Many are in flight, so that the actor has the next one when it has answered.
    """
    if not ray.is_initialized():
        ray.init(address="local", num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR)
    remote: Any = ray.remote
    actor = remote(Echo).remote()
    ray.get(actor.settle.remote(pickle.dumps(units)))
    sending, between, taking = [], [], []
    for _ in range(_ROUNDS):
        started = time.perf_counter()
        references = [actor.settle.remote(pickle.dumps(units)) for _ in range(_CALLS)]
        sent = time.perf_counter()
        ray.wait(references, num_returns=_CALLS)
        answered = time.perf_counter()
        for reference in references:
            pickle.loads(ray.get(reference))
        sending.append((sent - started) * 1000 / _CALLS)
        between.append((answered - started) * 1000 / _CALLS)
        taking.append((time.perf_counter() - answered) * 1000 / _CALLS)
    return min(sending), min(between), min(taking)


def waiting() -> float:
    """Milliseconds for each of many calls in flight, every time that it is asked which have ended."""
    remote: Any = ray.remote
    actor = remote(Echo).remote()
    references = [actor.settle_for.remote(5) for _ in range(_CALLS)]
    times = []
    for _ in range(_ROUNDS):
        started = time.perf_counter()
        ray.wait(references, num_returns=_CALLS, timeout=0)
        times.append(time.perf_counter() - started)
    ray.kill(actor)
    return min(times) * 1000 / _CALLS


if __name__ == "__main__":
    main()
