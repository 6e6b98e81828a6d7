"""Threads of a node that no call keeps busy help with the units that take long.

A helper searches the unit that another thread is at, on the same memory. Both find each other's answers there, and each
leaves alone what the other is at (see pegray/kernels/taken.py), so that several threads share one endgame. What a
helper itself finds is thrown away.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field

from pegray.preendgame.solver import Help, PositionSolver
from pegray.preendgame.work import Unit

_LOOK_SECONDS = 0.1
LONG_SECONDS = 0.3
_MOST_HELPERS = 7  # at one unit: each needs a solver, and its memory

SolverLoan = Callable[[str], AbstractContextManager[PositionSolver | None]]
"""Lends a free solver of a position, or None if the position has ended."""


def next_to_help(units: Sequence[tuple[int, float]], long_ago: float) -> int | None:
    """Which of some units that threads are at an idle thread helps with, or None.

    That with the fewest helpers, of these the one that began first, if it began before ``long_ago``.

    units: how many helpers each has, and when it began
    """
    wanting = [place for place, (helpers, began) in enumerate(units) if began <= long_ago and helpers < _MOST_HELPERS]
    return min(wanting, key=units.__getitem__, default=None)


@dataclass(eq=False)
class _Begun:
    """A unit that a thread is at since time.monotonic() ``began``; ``searched``: a helper has come to its end."""

    name: str
    unit: Unit
    began: float
    help: Help = field(default_factory=Help)
    helpers: list[_Helper] = field(default_factory=list)
    searched: bool = False


class Helpers:
    """Knows the units that threads are at, and starts helpers where there are fewer units than threads.

    threads: how many may be at work, helpers included
    """

    def __init__(self, threads: int, lend_solver: SolverLoan) -> None:
        self._threads = threads
        self._lend_solver = lend_solver
        self._lock = threading.Lock()
        self._begun: list[_Begun] = []
        if threads > 1:
            threading.Thread(target=self._look_out, name="look-out", daemon=True).start()

    @contextmanager
    def working(self, name: str, unit: Unit) -> Iterator[Help]:
        """While a thread is at a unit of a position; afterwards the Help says what helpers have spent on it."""
        begun = _Begun(name, unit, time.monotonic())
        with self._lock:
            self._begun.append(begun)
            if self._idle_threads() < 0:
                for helper in self._at_work()[:1]:
                    helper.stop()
        try:
            yield begun.help
        finally:
            with self._lock:
                self._begun.remove(begun)
                helpers = list(begun.helpers)
                for helper in helpers:
                    helper.stop()
            for helper in helpers:
                helper.join()

    def _at_work(self) -> list[_Helper]:
        return [helper for begun in self._begun for helper in begun.helpers if not helper.stopped]

    def _idle_threads(self) -> int:
        return self._threads - len(self._begun) - len(self._at_work())

    def _look_out(self) -> None:
        while True:
            time.sleep(_LOOK_SECONDS)
            with self._lock:
                self._start_helpers()

    def _start_helpers(self) -> None:
        """Let every idle thread help."""
        long_ago = time.monotonic() - LONG_SECONDS
        for _ in range(self._idle_threads()):
            wanting = [begun for begun in self._begun if not begun.searched]
            place = next_to_help([(len(begun.helpers), begun.began) for begun in wanting], long_ago)
            if place is None:
                return
            begun = wanting[place]
            helper = _Helper(begun, self._lend_solver, self._lock)
            begun.helpers.append(helper)
            helper.start()


class _Helper(threading.Thread):
    """One thread at one unit.

    lock: of the units and their helpers
    """

    def __init__(self, begun: _Begun, lend_solver: SolverLoan, lock: threading.Lock) -> None:
        super().__init__(name="helper", daemon=True)
        self.stopped = False
        self._begun = begun
        self._lend_solver = lend_solver
        self._lock = lock
        self._solver: PositionSolver | None = None

    def stop(self) -> None:
        """Make it end at once. The lock is held."""
        self.stopped = True
        if self._solver is not None:
            self._solver.halt(True)

    def run(self) -> None:
        """Work on the unit to its end, or until stopped."""
        try:
            with self._lend_solver(self._begun.name) as solver:
                if solver is not None:
                    self._help(solver)
        finally:
            with self._lock:
                self._begun.helpers.remove(self)

    def _help(self, solver: PositionSolver) -> None:
        begun = self._begun
        with self._lock:
            self._solver = solver
            solver.halt(self.stopped)
            solver.memory.count_helpers(+1)
        try:
            result = solver.help(begun.unit)
            with self._lock:
                begun.searched |= not self.stopped
                begun.help.nodes += result.nodes
                begun.help.cpu_seconds += result.cpu_seconds
        finally:
            with self._lock:
                self._solver = None
                solver.halt(False)
                solver.memory.count_helpers(-1)
