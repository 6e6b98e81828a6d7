"""Work that begins in this process, and moves to a private Ray once it has lasted long enough to be worth its start.

Most solves take less than a Ray needs to start. What is settled here stays in the ledger; Ray goes on with the rest.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager

from pegray.errors import first_line
from pegray.kernels.memory import NO_BOUND, Memory, new_memory
from pegray.preendgame.executors.base import Crew, Executor, Lost, Pool
from pegray.preendgame.executors.inprocess import InProcessExecutor
from pegray.preendgame.problem import Problem
from pegray.preendgame.work import STOP_NOW, Settled, Unit
from pegray.results.events import log_event

WORTH_SECONDS = 5.0
"""CPU seconds of work after which a Ray is started: about what its start takes.

So if the work is over just then, it has taken about twice as long as it need have. On a busy machine, where a start
takes longer, it is put off."""

_LOOK_SECONDS = 0.2
_LEAVE_SECONDS = 15.0

# A process can have one Ray at a time: held from before a pool of this module starts until it has ended.
_one_pool = threading.Lock()


Start = Callable[[threading.Event], AbstractContextManager[Pool]]
"""Starts a pool, and ends it; once the event is set nobody waits for it any more."""


def has_pool() -> bool:
    """Whether a pool of this process is there, or on its way up or down."""
    return _one_pool.locked()


class MovingWorkplace:
    """A :class:`pegray.preendgame.executors.base.Workplace`: this process, and later a pool that is started meanwhile.

    start: starts the pool, in a thread that lives as long as the pool does
    table_gib: size of the transposition table in this process
    tell: is told in one line where the work goes on
    """

    def __init__(self, start: Start, table_gib: float, tell: Callable[[str], None]) -> None:
        self._start = start
        self._table_gib = table_gib
        self._tell = tell
        self._lock = threading.Lock()
        self._pool: Pool | None = None
        self._here: MovingExecutor | None = None
        self._working = threading.Event()
        self._closing = threading.Event()
        # not a thread that ends earlier: Linux ends the processes of a Ray with the thread that has started them
        self._thread = threading.Thread(target=self._run, name="pool", daemon=True)
        self._thread.start()

    def has_room(self) -> bool:
        """Whether another position can begin: one at a time in this process."""
        with self._lock:
            return self._here is None and (self._pool is None or self._pool.has_room())

    @contextmanager
    def open(self, problem: Problem) -> Iterator[Executor]:
        """An executor for one position, while it is being solved."""
        with self._lock:
            pool = self._pool
            if pool is None:
                executor = MovingExecutor(problem, new_memory(self._table_gib), self._working.set)
                self._here = executor
        if pool is not None:
            with pool.open(problem) as there:
                yield there
            return
        try:
            yield executor
        finally:
            with self._lock:
                self._here = None
            executor.close()

    def close(self) -> None:
        """End the pool, if one has been started.

        A start cannot be cut short, and on a machine that is busy a Ray tries for minutes: after a while nobody waits
        for it any more. It then ends as soon as it is there, or with this process.
        """
        self._closing.set()
        self._working.set()
        self._thread.join(_LEAVE_SECONDS)

    def _run(self) -> None:
        self._working.wait()
        begun = time.process_time()
        while time.process_time() - begun < WORTH_SECONDS and not self._closing.is_set():
            self._closing.wait(_LOOK_SECONDS)
        while not self._closing.is_set():
            if _one_pool.acquire(timeout=_LOOK_SECONDS):
                try:
                    self._use_pool()
                finally:
                    _one_pool.release()
                return

    def _use_pool(self) -> None:
        try:
            with self._start(self._closing) as pool:
                if not self._closing.is_set():
                    self._arrive(pool)
                self._closing.wait()
        except Exception as error:
            # what a Ray raises that cannot start is not of one kind; without it the work goes on all the same
            log_event("no pool", reason=repr(error))
            if self._pool is None and not self._closing.is_set():
                self._tell(f"going on in this process: no Ray could be started here ({first_line(error)})")

    def _arrive(self, pool: Pool) -> None:
        log_event("going on in a pool", workers=pool.workers)
        self._tell(f"long enough for a private Ray: going on with {pool.workers} workers")
        with self._lock:
            self._pool = pool
            if self._here is not None:
                self._here.move_to(pool)
                self._here = None  # others may begin beside it


class MovingExecutor:
    """Implements :class:`pegray.preendgame.executors.base.Executor`: in this process, after :meth:`move_to` in a pool.

    memory: for the work in this process; let go when it moves
    on_work: called when something has been settled here: kernels are compiled, and work has begun
    """

    def __init__(self, problem: Problem, memory: Memory, on_work: Callable[[], None]) -> None:
        self._problem = problem
        self._here: InProcessExecutor | None = InProcessExecutor(problem, memory)
        self._now: Executor = self._here
        self._on_work = on_work
        self._lock = threading.Lock()
        self._pool: Pool | None = None
        self._in_flight = 0
        self._bound = NO_BOUND
        self._leave = ExitStack()

    @property
    def capacity(self) -> int:
        """Units to keep in flight; none before it moves."""
        return 0 if self._pool is not None else self._now.capacity

    @property
    def crew(self) -> Crew:
        """Who does the work, here or there."""
        return self._now.crew

    def submit(self, units: list[Unit]) -> None:
        """Begin to work on units."""
        self._in_flight += len(units)
        self._now.submit(units)

    def collect(self, timeout: float) -> list[Settled | Lost]:
        """Results that have come in; moves when nothing is in flight any more."""
        results = self._now.collect(timeout)
        self._in_flight -= len(results)
        if results and self._here is not None:
            self._on_work()
        if self._pool is not None and not self._in_flight and self._bound != STOP_NOW:
            self._move(self._pool)
        return results

    def publish_bound(self, losses: int) -> None:
        """Tell all running work the fewest losses found (half weights), or STOP_NOW."""
        with self._lock:
            self._bound = min(self._bound, losses)
            self._now.publish_bound(self._bound)

    def withdraw(self, units: list[Unit]) -> None:
        """Nobody needs what comes of these any more."""
        self._now.withdraw(units)

    def move_to(self, pool: Pool) -> None:
        """Move as soon as what is worked on here has come back, unfinished if need be. From any thread."""
        with self._lock:
            self._pool = pool
            if self._here is not None:
                self._here.leave_off()

    def _move(self, pool: Pool) -> None:
        there = self._leave.enter_context(pool.open(self._problem))
        with self._lock:
            self._here = self._pool = None
            self._now = there
            there.publish_bound(self._bound)

    def close(self) -> None:
        """Release what it holds, here or there."""
        self._leave.close()
