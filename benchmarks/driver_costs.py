"""Measures what a driver, and a node, spend on each unit of work: the parameters of `benchmarks.simulation`.

    python -m benchmarks.driver_costs RUN           # RUN: a run directory of one position, with its journal
    python -m benchmarks.driver_costs RUN --out costs.json

All times are in milliseconds. Ray runs on this machine: with one actor that does nothing for what is the driver's, with
one of a cluster's solver actors for what is a node's. With --out they are kept as `benchmarks.simulation --costs` takes
them: those of the driver twice as large, since Ray's other threads in its process take as much again.
"""

from __future__ import annotations

import argparse
import logging
import pickle
import statistics
import tempfile
import time
from collections.abc import Iterable
from concurrent.futures import Future
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import ray

from benchmarks.simulation.costs import Costs
from benchmarks.simulation.recording import orders_known
from pegray.cluster.actors import Visit
from pegray.cluster.bundles import BUNDLES_PER_THREAD
from pegray.cluster.nodes import solver_class, start_solver
from pegray.kernels.memory import NO_BOUND
from pegray.preendgame.ledger import Ledger
from pegray.preendgame.problem import Problem
from pegray.preendgame.ranking import build_result
from pegray.preendgame.work import Settled, Unit
from pegray.results.model import SolveStats
from pegray.results.write import RunWriter
from pegray.runs.directories import take_up
from pegray.runs.journal import Journal
from pegray.terms import UnitKind

_CALLS = 500
_ROUNDS = 5
_MANY = 32  # units in a visit
_BUNDLES = 16  # that a node has
_TABLE_GIB = 0.1
_UNITS = 320
_NODES = 1000
_SOME = 8
_MOMENT = 0.01
# All threads of Ray's in the driver's process, by what its steps take.
_TIMES_DRIVER = 2.0


class Echo:
    """Stands for a solver actor whose work takes no time."""

    def __init__(self, answer: bytes) -> None:
        self._answer = answer

    def visit(self, asked: bytes) -> bytes:
        return self._answer


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run_directory", metavar="RUN")
    parser.add_argument("--out", type=Path, metavar="FILE.json", help="for `benchmarks.simulation --costs`")
    arguments = parser.parse_args()
    out, plan = take_up(arguments.run_directory)
    problem = plan.maker().of(plan.positions[0])
    assert isinstance(problem, Problem)
    units = Journal(out, problem.key).load()
    report("units in the journal", len(units), "")
    costs = measured(problem, units)
    if arguments.out:
        costs.write(arguments.out)


def measured(problem: Problem, units: list[Settled]) -> Costs:
    """Report all there is, and return what a simulation needs."""
    hand_out = report("ledger: handing out, a unit", handing_out(problem, len(units)), "ms")
    record = report("ledger: taking in, a unit", taking_in(problem, units), "ms")
    keep = report("journal: keeping, a unit", keeping(problem, units), "ms")
    flush = report("journal: writing a part of 1,000 units", flushing(problem, units), "ms")
    empty, full, orders = tables(problem, units)
    report("tables: writing them at first", empty, "ms")
    report("tables: writing them at last", full, "ms")
    report("the problem, sent to each node once", len(pickle.dumps(problem)) / 2**20, "MiB")
    start_ray()
    (send, take), (send_many, take_many) = [ray_costs(units[:number]) for number in (1, _MANY)]
    there = report("Ray: from here to an actor, or back", latency(), "ms")
    between, around = of_a_node(problem, units)
    report("a node's thread: between two bundles", between, "ms")
    report("a node's thread: around a unit", around, "ms")
    send_unit, take_unit = [max(0.0, many - one) / (_MANY - 1) for many, one in ((send_many, send), (take_many, take))]
    of_driver = {
        "hand_out_unit": hand_out,
        "send_call": send - send_unit,
        "send_unit": send_unit,
        "take_call": take - take_unit,
        "take_unit": take_unit,
        "record_unit": record,
        "keep_unit": keep,
        "write_journal_unit": flush / 1000,
    }
    of_others = {
        "write_tables": empty,
        "write_order": max(0.0, full - empty) / orders,
        "between_bundles": between,
        "around_unit": around,
        "latency": there,
    }
    milliseconds = {name: _TIMES_DRIVER * cost for name, cost in of_driver.items()} | of_others
    costs = Costs()
    costs.set({name: cost / 1000 for name, cost in milliseconds.items()})
    return costs


def report(what: str, value: float, unit: str) -> float:
    """Print it."""
    print(f"{what:<50}{value:10.3f} {unit}")
    return value


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


def tables(problem: Problem, units: list[Settled]) -> tuple[float, float, int]:
    """Milliseconds when nothing is known and when all is, and how many outcomes that are."""
    ledger, times = Ledger(problem), []
    for known in ([], units):
        for unit in known:
            ledger.record(unit)
        with tempfile.TemporaryDirectory() as folder:
            out = RunWriter(folder)
            started = time.perf_counter()
            out.write_solve(0, build_result(ledger, SolveStats(0, 0, 0, 0, True)))
            times.append((time.perf_counter() - started) * 1000)
    return times[0], times[1], orders_known(ledger)


def start_ray() -> None:
    """On this machine, for this process alone."""
    ray.init(address="local", num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR)


def ray_costs(units: list[Settled]) -> tuple[float, float]:
    """Milliseconds of this process for a visit to a node: to send units, and to take their results."""
    actor = an_echo(pickle.dumps({0: units}))
    asked = [row.unit for row in units]
    sending, taking = [], []
    for _ in range(_ROUNDS):
        ended: SimpleQueue[Future[bytes]] = SimpleQueue()
        started = time.perf_counter()
        for _ in range(_CALLS):
            actor.visit.remote(asking({0: asked}, range(_BUNDLES))).future().add_done_callback(ended.put)
        sending.append((time.perf_counter() - started) * 1000 / _CALLS)
        while ended.qsize() < _CALLS:
            time.sleep(_MOMENT)
        answered = time.perf_counter()
        for _ in range(_CALLS):
            pickle.loads(ended.get().result())
        taking.append((time.perf_counter() - answered) * 1000 / _CALLS)
    ray.kill(actor)
    report(f"Ray: sending {len(units)} units to a node", min(sending), "ms")
    report("Ray: taking their results", min(taking), "ms")
    return min(sending), min(taking)


def latency() -> float:
    """Milliseconds from this process to an actor with nothing else to do, or back."""
    actor = an_echo()
    times = []
    for _ in range(_CALLS):
        started = time.perf_counter()
        ray.get(actor.visit.remote(b""))
        times.append((time.perf_counter() - started) * 1000)
    ray.kill(actor)
    return statistics.median(times) / 2


def beside(actor: Any, problem: list[Any], bundles: list[list[Unit]]) -> float:
    """Milliseconds that a solver with one thread takes for bundles, beside what it takes for their units."""
    new = dict(enumerate(bundles))
    out: set[int] = set()
    started, seconds = time.perf_counter(), 0.0
    while new or out:
        sent = {number: new.pop(number) for number in [*new][: BUNDLES_PER_THREAD - len(out)]}
        out |= sent.keys()
        answer = pickle.loads(ray.get(actor.visit.remote(asking(sent, out), problem)))
        out -= answer.keys()
        seconds += sum(result.seconds for results in answer.values() for result in results)
    return (time.perf_counter() - started - seconds) * 1000


def an_echo(answer: bytes = b"") -> Any:
    """Started, and asked once."""
    remote: Any = ray.remote
    actor = remote(Echo).remote(answer)
    ray.get(actor.visit.remote(b""))
    return actor


def asking(new: dict[int, list[Unit]], expected: Iterable[int]) -> bytes:
    """What goes to a node."""
    return pickle.dumps(Visit("1-name", NO_BOUND, new, [*expected], gather=0.0))


def of_a_node(problem: Problem, units: list[Settled]) -> tuple[float, float]:
    """Milliseconds of a solver's only thread between two bundles, and around each unit, beside the time of the units.

    By bundles of one unit and of several: of units that were not done at once, with a few nodes for each.
    """
    actor: Any = start_solver(solver_class(), ray.get_runtime_context().get_node_id(), 1, _TABLE_GIB, 1)
    ray.get(actor.prepare.remote())
    where = [ray.put(problem)]
    long = [row.unit for row in units if row.unit.kind == UnitKind.VERDICT and row.nodes >= _NODES][: 2 * _UNITS]
    wanted = [unit._replace(budget=_NODES, lost=0, tried=0) for unit in dict.fromkeys(long)]
    beside(actor, where, [wanted[:_SOME]])
    each = []
    for some, size in ((wanted[::2], 1), (wanted[1::2], _SOME)):
        bundles = [some[at : at + size] for at in range(0, len(some), size)]
        each.append(beside(actor, where, bundles) / len(some))
    ray.kill(actor)
    between = (each[0] - each[1]) * _SOME / (_SOME - 1)
    return between, max(0.0, each[0] - between)


if __name__ == "__main__":
    main()
