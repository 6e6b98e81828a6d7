"""A solve from start to result: ledger, journal, executor, and a clean stop."""

from __future__ import annotations

import math
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

import pegray
from pegray.cluster.journal import Journal
from pegray.preendgame.engine import default_table_gib, new_table
from pegray.preendgame.inprocess import InProcessExecutor
from pegray.preendgame.ledger import Ledger, Progress
from pegray.preendgame.problem import Problem
from pegray.preendgame.ranking import build_result
from pegray.preendgame.session import Executor, run_session
from pegray.preendgame.work import STOP_NOW, Settled
from pegray.results.model import SolveResult, SolveStats
from pegray.results.write import RunWriter

_WRITE_SECONDS = 10.0
_WRITE_SHARE = 50.0  # of the time that writing the tables takes, at least so much goes by before the next time
_WATCH_SECONDS = 0.2
_LAST_SECONDS = 2.0


def solve(
    problem: Problem,
    address: str = "local",
    workers: int | None = None,
    out: RunWriter | None = None,
    time_limit: float | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    table_gib: float | None = None,
    name: str = "position",
    source: str = "",
    position_id: int | None = None,
) -> SolveResult:
    """Solve a problem and, if ``out`` is given, write it to a run directory as it goes on.

    What the journal of ``out`` holds of the same problem already is not worked on again.

    address: ``none`` (in this process), ``local`` (a private Ray), ``auto`` or ``HOST:PORT`` (a running cluster)
    workers: solver threads on a private Ray, by default one a core
    time_limit: seconds; what is settled then is the result
    table_gib: size of each node's transposition table
    position_id: where the position stands in ``out``, if its row has been written

    Ctrl-C once stops cleanly with what is settled; twice, at once. Raises PegrayError if the run cannot go on.
    """
    started, cpu_started = time.monotonic(), time.process_time()
    deadline = math.inf if time_limit is None else started + time_limit
    ledger = Ledger(problem)

    def stats(interrupted: bool) -> SolveStats:
        cpu = ledger.cpu_seconds if address != "none" else time.process_time() - cpu_started
        return SolveStats(time.monotonic() - started, cpu, ledger.endgames, ledger.nodes, interrupted)

    with _executor(problem, address, workers, table_gib) as executor, _stop_on_interrupt() as stop:
        recorder = None if out is None else _Recorder(ledger, out, name, source, position_id)

        def settled(results: list[Settled]) -> None:
            if recorder is not None:
                recorder.settled(results, stats(interrupted=True))

        def progress(snapshot: Progress) -> None:
            if recorder is not None:
                recorder.tick()
            if on_progress is not None:
                on_progress(snapshot)

        try:
            done = _watched(
                lambda: run_session(ledger, executor, progress, settled, deadline, stop),
                lambda: executor.publish_bound(STOP_NOW),
                deadline,
                stop,
            )
        finally:
            if recorder is not None:
                recorder.close(stats(interrupted=not ledger.done))
    return build_result(ledger, stats(interrupted=not done))


def _watched(
    session: Callable[[], bool], stop_kernels: Callable[[], None], deadline: float, stop: threading.Event
) -> bool:
    """Run a session in a thread and stop its kernels at the deadline or when told to.

    A kernel in this thread would keep Python from noticing Ctrl-C until it ends.
    """
    outcome: list[bool] = []
    failure: list[BaseException] = []

    def run() -> None:
        try:
            outcome.append(session())
        except BaseException as error:
            failure.append(error)

    thread = threading.Thread(target=run, name="session", daemon=True)
    thread.start()
    try:
        while thread.is_alive():
            thread.join(_WATCH_SECONDS)
            if stop.is_set() or time.monotonic() >= deadline:
                # again and again: the session may have published a bound in between
                stop_kernels()
    except KeyboardInterrupt:
        stop_kernels()
        thread.join(_LAST_SECONDS)
        raise
    if failure:
        raise failure[0]
    return outcome[0]


def position_row(problem: Problem, name: str, source: str) -> dict[str, Any]:
    """The row of positions.parquet, without its id."""
    position = problem.position
    return {
        "name": name,
        "cgp": position.to_cgp(),
        "lexicon": problem.lexicon_name,
        "bag": problem.bag,
        "unseen": position.distribution.format_rack(position.unseen),
        "total": problem.total,
        "source": source,
    }


def has_finished(out: RunWriter, position_id: int) -> bool:
    """Whether everything of a position is settled and written."""
    return not out.stats.get(str(position_id), {"interrupted": True})["interrupted"]


def is_finished(out: RunWriter) -> bool:
    """Whether all positions of a run are."""
    return all(has_finished(out, position_id) for position_id in range(out.position_count))


class _Recorder:
    """Keeps the run directory up to date with a ledger."""

    def __init__(self, ledger: Ledger, out: RunWriter, name: str, source: str, position_id: int | None) -> None:
        problem = ledger.problem
        self._ledger = ledger
        self._out = out
        self._journal = Journal(out, problem.key)
        for result in self._journal.load():
            ledger.record(result)
        if position_id is None:
            position_id = out.add_position(position_row(problem, name, source))
        self._position_id = position_id
        self._next_write = 0.0
        self._write_manifest("running")

    def settled(self, results: list[Settled], stats: SolveStats) -> None:
        """Journal results at once, and write the tables every few seconds."""
        self._journal.append(results)
        started = time.monotonic()
        if started >= self._next_write:
            self._out.write_solve(self._position_id, build_result(self._ledger, stats))
            ended = time.monotonic()
            self._next_write = ended + max(_WRITE_SECONDS, _WRITE_SHARE * (ended - started))

    def tick(self) -> None:
        """Keep the journal up to date while nothing is settled."""
        self._journal.flush_when_due()

    def close(self, stats: SolveStats) -> None:
        """Write everything for the last time."""
        self._journal.close()
        self._out.write_solve(self._position_id, build_result(self._ledger, stats))
        self._out.stats[str(self._position_id)] = asdict(stats)
        self._write_manifest("finished" if is_finished(self._out) else "interrupted")

    def _write_manifest(self, state: str) -> None:
        problem = self._ledger.problem
        self._out.write_manifest(
            {
                "program": f"pegray {pegray.__version__}",
                "options": asdict(problem.options),
                "lexicon": {"name": problem.lexicon_name, "hash": problem.lexicon_hash},
                "distribution": problem.position.distribution.name,
                "layout": problem.position.layout.name,
                "positions": self._out.position_count,
                "state": state,
                "stats": self._out.stats,
            }
        )


@contextmanager
def _executor(problem: Problem, address: str, workers: int | None, table_gib: float | None) -> Iterator[Executor]:
    executor: Executor
    if address == "none":
        executor = InProcessExecutor(problem, new_table(default_table_gib() if table_gib is None else table_gib))
    else:
        from pegray.cluster.executor import RayExecutor

        executor = RayExecutor(problem, address, workers, table_gib)
    try:
        yield executor
    finally:
        executor.close()


@contextmanager
def _stop_on_interrupt() -> Iterator[threading.Event]:
    """An event that the first Ctrl-C sets; after it the old handler is back in place."""
    stop = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    before = signal.getsignal(signal.SIGINT) or signal.SIG_DFL

    def interrupted(number: int, frame: object) -> None:
        stop.set()
        signal.signal(signal.SIGINT, before)

    signal.signal(signal.SIGINT, interrupted)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)
