"""Solving in this process: the same work without Ray, for tests, notebooks and ``--address none``."""

from __future__ import annotations

import threading
import time
from collections import deque

from pegray.kernels.memory import Memory, new_memory
from pegray.preendgame.ledger import Ledger
from pegray.preendgame.problem import Problem
from pegray.preendgame.session import Lost, run_session
from pegray.preendgame.solver import PositionSolver
from pegray.preendgame.work import Settled, WorkItem

_SLICE_SECONDS = 0.1


class InProcessExecutor:
    """Works on one item at a time, so that each choice of the ledger knows all that came before.

    solver: the one that does the work, with its counters
    """

    capacity = 1

    def __init__(self, problem: Problem, memory: Memory) -> None:
        self.problem = problem
        self.solver = PositionSolver(problem, memory)
        self._queue: deque[WorkItem] = deque()

    def submit(self, items: list[WorkItem]) -> None:
        """Queue items; they are worked on in :meth:`collect`."""
        self._queue.extend(items)

    def collect(self, timeout: float) -> list[Settled | Lost]:
        """Settle queued items for about ``timeout`` seconds."""
        until = time.perf_counter() + min(timeout, _SLICE_SECONDS)
        results: list[Settled | Lost] = []
        while self._queue:
            results += self.solver.settle([self._queue.popleft()])
            if time.perf_counter() >= until:
                break
        return results

    def publish_bound(self, losses: int) -> None:
        """Let running work know the fewest losses found (half weights)."""
        self.solver.memory.bound[0] = losses

    def leave_off(self) -> None:
        """Make what is worked on, now or later, come back at once, unfinished. From any thread."""
        self.solver.halt(True)

    def close(self) -> None:
        """Nothing to release."""


def solve_in_process(problem: Problem, table_gib: float = 0.5) -> Ledger:
    """Solve a problem to the end and return its ledger."""
    ledger = Ledger(problem)
    executor = InProcessExecutor(problem, new_memory(table_gib))
    run_session(ledger, executor, _ignore, _ignore, None, threading.Event())
    return ledger


def _ignore(news: object) -> None:
    pass
