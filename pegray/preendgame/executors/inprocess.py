"""Solving in this process: the same work without Ray, for tests, notebooks and ``--address none``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pegray.kernels.memory import Memory, new_memory
from pegray.preendgame.engine import default_table_gib
from pegray.preendgame.executors.base import Crew, Lost
from pegray.preendgame.problem import Problem
from pegray.preendgame.solver import PositionSolver
from pegray.preendgame.work import Settled, Unit

_TOGETHER = 16


class InProcessExecutor:
    """Works on one unit at a time, or some quick draws, so that choices of the ledger know what came before.

    solver: the one that does the work, with its counters
    """

    capacity = 1
    crew = Crew(machines=1, threads=1, together=_TOGETHER)

    def __init__(self, problem: Problem, memory: Memory) -> None:
        self.problem = problem
        self.solver = PositionSolver(problem, memory)
        self._queue: list[Unit] = []

    def submit(self, units: list[Unit]) -> None:
        """Queue units; they are worked on in :meth:`collect`."""
        self._queue += units

    def collect(self, timeout: float) -> list[Settled | Lost]:
        """Settle what is queued, however long it takes."""
        units, self._queue = self._queue, []
        return [*self.solver.settle(units)]

    def publish_bound(self, losses: int) -> None:
        """Let running work know the fewest losses found (half weights)."""
        self.solver.memory.bound[0] = losses

    def withdraw(self, units: list[Unit]) -> None:
        """Nothing to do: no two units are in flight at once."""

    def leave_off(self) -> None:
        """Make what is worked on, now or later, come back at once, unfinished. From any thread."""
        self.solver.halt(True)

    def close(self) -> None:
        """Nothing to release."""


class ThisProcess:
    """One position after another, without Ray."""

    def __init__(self, table_gib: float | None) -> None:
        self._table_gib = default_table_gib() if table_gib is None else table_gib
        self._in_use = False

    def has_room(self) -> bool:
        """Whether nothing is being solved."""
        return not self._in_use

    @contextmanager
    def open(self, problem: Problem) -> Iterator[InProcessExecutor]:
        """An executor with a memory of its own."""
        executor = InProcessExecutor(problem, new_memory(self._table_gib))
        self._in_use = True
        try:
            yield executor
        finally:
            self._in_use = False
            executor.close()
