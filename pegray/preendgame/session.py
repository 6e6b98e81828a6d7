"""The loop of a solve: hand out work, take results, until the ledger is done or told to stop."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from pegray.kernels.memory import new_memory
from pegray.preendgame.executors.base import Executor, Lost
from pegray.preendgame.executors.inprocess import InProcessExecutor
from pegray.preendgame.ledger import Ledger, Progress
from pegray.preendgame.problem import Problem
from pegray.preendgame.work import STOP_NOW, Settled

_WAIT_SECONDS = 0.2
_PROGRESS_SECONDS = 0.2
_STOP_SECONDS = 10.0


def run_session(
    ledger: Ledger,
    executor: Executor,
    on_progress: Callable[[Progress], None],
    on_settled: Callable[[list[Settled]], None],
    deadline: float | None,
    stop: threading.Event,
) -> bool:
    """Work until the ledger is done (True), or the deadline (time.monotonic) or ``stop`` comes first (False).

    What is still in flight then is not needed: running kernels are told to quit, and what they settled is recorded.
    """
    in_flight = 0
    bound = ledger.book.bound
    executor.publish_bound(bound)
    next_progress = 0.0
    while not ledger.done:
        now = time.monotonic()
        if stop.is_set() or (deadline is not None and now >= deadline):
            break
        room = executor.capacity - in_flight
        crew = executor.crew
        units = ledger.next_units(room, crew.threads, crew.together, crew.machines) if room > 0 else []
        if units:
            executor.submit(units)
            in_flight += len(units)
        results = executor.collect(_WAIT_SECONDS if deadline is None else min(_WAIT_SECONDS, deadline - now))
        in_flight -= len(results)
        _record(ledger, results, on_settled)
        if withdrawn := ledger.withdrawn():
            executor.withdraw(withdrawn)
        if results and ledger.book.bound != bound:
            bound = ledger.book.bound
            executor.publish_bound(bound)
        if now >= next_progress:
            next_progress = now + _PROGRESS_SECONDS
            on_progress(ledger.progress())
    if in_flight:
        _wind_down(ledger, executor, in_flight, on_settled)
    on_progress(ledger.progress())
    return ledger.done


def solve_in_process(problem: Problem, table_gib: float = 0.5) -> Ledger:
    """Solve a problem to the end and return its ledger."""
    ledger = Ledger(problem)
    executor = InProcessExecutor(problem, new_memory(table_gib))
    run_session(ledger, executor, _ignore, _ignore, None, threading.Event())
    return ledger


def _record(ledger: Ledger, results: list[Settled | Lost], on_settled: Callable[[list[Settled]], None]) -> None:
    settled = []
    for result in results:
        if isinstance(result, Lost):
            ledger.give_back(result.unit)
        else:
            ledger.record(result)
            settled.append(result)
    if settled:
        on_settled(settled)


def _wind_down(ledger: Ledger, executor: Executor, in_flight: int, on_settled: Callable[[list[Settled]], None]) -> None:
    """Stop running kernels and take what they have settled."""
    executor.publish_bound(STOP_NOW)
    until = time.monotonic() + _STOP_SECONDS
    while in_flight > 0 and time.monotonic() < until:
        results = executor.collect(_WAIT_SECONDS)
        in_flight -= len(results)
        _record(ledger, results, on_settled)


def _ignore(news: object) -> None:
    pass
