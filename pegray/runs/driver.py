"""A solve from start to result: ledger, journal, executor, and a clean stop."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, replace

from pegray.preendgame.effort import Meter
from pegray.preendgame.executors.base import Executor, Workplace
from pegray.preendgame.ledger import Ledger, Progress
from pegray.preendgame.problem import Problem
from pegray.preendgame.ranking import build_result
from pegray.preendgame.session import run_session
from pegray.preendgame.work import STOP_NOW, Settled
from pegray.results.events import events_of
from pegray.results.model import SolveResult, SolveStats
from pegray.results.state import Milestones
from pegray.results.write import RunWriter
from pegray.runs.recorder import Recorder, state_kept
from pegray.runs.underway import LAST_SECONDS, WATCH_SECONDS, Underway
from pegray.runs.workplace import workplace


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
    tell: Callable[[str], None] = lambda line: None,
) -> SolveResult:
    """Solve a problem and, if ``out`` is given, write it to a run directory as it goes on.

    address: ``none`` (in this process), ``local`` (in this process, on a private Ray once that is worth its start),
        ``auto`` or ``HOST:PORT`` (a running cluster)
    workers: solver threads on a private Ray, by default one a core; one needs no Ray
    table_gib: size of each node's transposition table
    tell: is told in one line when work that began in this process goes on elsewhere

    The rest is as for :func:`solve_at`, which solves one problem after another at the same workplace.
    """
    with (
        nullcontext() if out is None else events_of(out),
        workplace(address, workers, table_gib, 1, tell) as place,
    ):
        return solve_at(place, problem, out, time_limit, on_progress, name, source, position_id)


def solve_at(
    place: Workplace,
    problem: Problem,
    out: RunWriter | None = None,
    time_limit: float | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    name: str = "position",
    source: str = "",
    position_id: int | None = None,
    stop: threading.Event | None = None,
) -> SolveResult:
    """Solve a problem at a workplace that is there.

    What the journal of ``out`` holds of the same problem already is not worked on again.

    time_limit: seconds; what is settled then is the result
    position_id: where the position stands in ``out``, if its row has been written
    stop: set by the first Ctrl-C, for whoever has to know of it

    Ctrl-C once stops cleanly with what is settled; twice, at once. Raises PegrayError if the run cannot go on.
    """
    started = time.monotonic()
    with place.open(problem) as executor, stop_on_interrupt(stop) as stop:
        recorder = None if out is None else Recorder(problem, out, name, source, position_id)
        with nullcontext() if out is None else state_kept(out, problem.options.until):
            solving = Solving(problem, executor, recorder, stop, started, time_limit, on_progress)
            return solving.wait()


class Solving(Underway):
    """One pre-endgame on its way: the session runs in the thread."""

    def __init__(
        self,
        problem: Problem,
        executor: Executor,
        recorder: Recorder | None,
        stop: threading.Event,
        started: float,
        time_limit: float | None,
        on_progress: Callable[[Progress], None] | None,
        ended: threading.Event | None = None,
    ) -> None:
        super().__init__(stop, started, time_limit, ended)
        self._ledger = Ledger(problem, estimates=True)
        self._meter = Meter(self._ledger.book)
        self._executor = executor
        self._recorder = recorder
        self._on_progress = on_progress
        self._reached = Milestones() if recorder is None else recorder.reached
        self._earlier = 0.0 if recorder is None else recorder.earlier_seconds
        self._until = problem.options.until
        self._stats: SolveStats | None = None
        self.begin()

    def stop_kernels(self) -> None:
        """Make running kernels come back at once with what they have settled.

        Every time anew: the session may have published a bound over it.
        """
        self._executor.publish_bound(STOP_NOW)

    def _found(self) -> SolveResult:
        assert self._stats is not None
        return build_result(self._ledger, self._stats, self._reached)

    def _solve(self) -> None:
        ledger, recorder = self._ledger, self._recorder
        if recorder is not None:
            recorder.begin(ledger)
        try:
            run_session(ledger, self._executor, self._progress, self._settled, self._deadline, self._stop)
        finally:
            self._stats = self._stats_now(interrupted=not ledger.done)
            if recorder is not None:
                recorder.close(ledger, self._stats)

    def _settled(self, results: list[Settled]) -> None:
        stats = self._stats_now(interrupted=True)
        if self._recorder is not None:
            self._recorder.settled(self._ledger, results, stats)

    def _progress(self, snapshot: Progress) -> None:
        """Tell of it, with the effort that it takes; also at the very end of the session."""
        if self._recorder is None and self._on_progress is None:
            return
        measured = replace(snapshot, effort=self._meter.read(self._executor.crew, snapshot.state))
        if self._recorder is not None:
            self._recorder.tick(measured, time.monotonic() - self._started)
        if self._on_progress is not None:
            self._on_progress(measured)

    def _stats_now(self, interrupted: bool) -> SolveStats:
        """What it has cost so far; takes down when the position was answered, and complete."""
        book = self._ledger.book
        seconds = time.monotonic() - self._started
        self._reached.note(self._ledger.state, self._earlier + seconds)
        return SolveStats(seconds, book.cpu_seconds, book.endgames, book.nodes, interrupted, self._earlier, self._until)


@dataclass
class Live:
    """A position that is being solved beside others, and what has to be left when it has ended."""

    solving: Underway
    leave: ExitStack

    def end(self) -> SolveResult:
        """Leave it; the result, once it has ended. Raises what it failed with."""
        with self.leave:
            return self.solving.result()


def abandon(live: Collection[Live], stop: threading.Event) -> None:
    """Stop positions at once, and keep what is settled so far as can be done quickly. ``stop``: that of all of them."""
    stop.set()
    until = time.monotonic() + LAST_SECONDS
    while sum(one.solving.watch() for one in live) and time.monotonic() < until:  # sum, not any: each is told to stop
        time.sleep(WATCH_SECONDS)
    for one in live:
        one.leave.close()


@contextmanager
def stop_on_interrupt(stop: threading.Event | None = None) -> Iterator[threading.Event]:
    """An event that the first Ctrl-C sets, ``stop`` if given; after it the old handler is back in place."""
    stop = threading.Event() if stop is None else stop
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
