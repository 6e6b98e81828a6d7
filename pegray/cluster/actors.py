"""The Ray actors: one solver actor per node with all that node's threads, and the bound actor.

Everything they are asked is idempotent or monotone, so that a restarted actor, or a call that runs twice,
changes nothing but the time.
"""

from __future__ import annotations

import queue
import threading
from typing import Any

import numpy as np
import ray

from pegray.preendgame.engine import NO_BOUND, default_table_gib, new_table
from pegray.preendgame.problem import Problem
from pegray.preendgame.solver import PositionSolver, warm_up
from pegray.preendgame.work import Settled, WorkItem

CONTROL = "control"
"""The concurrency group of the calls that must be answered while every solver thread is busy."""


class SolverActor:
    """One node's solvers: ``threads`` of them over one transposition table and one bound cell.

    Kernels run without the GIL, so a bound is written while they run, and they look at it. The actor needs a
    ``max_concurrency`` of ``threads`` and a concurrency group ``CONTROL``.

    table_gib: size of the table; None: an amount that suits the node
    """

    def __init__(self, threads: int, table_gib: float | None) -> None:
        self._threads = threads
        self._table_gib = default_table_gib() if table_gib is None else table_gib
        self._bound = np.full(1, NO_BOUND, np.int64)
        self._solvers: queue.SimpleQueue[PositionSolver] = queue.SimpleQueue()
        self._preparing = threading.Lock()
        self._prepared = False

    @ray.method(concurrency_group=CONTROL)
    def prepare(self, problem: Problem) -> None:
        """Answers when work on the problem can begin. Again after each restart of the actor."""
        with self._preparing:
            if self._prepared:
                return
            warm_up()
            table = new_table(self._table_gib)
            for _ in range(self._threads):
                self._solvers.put(PositionSolver(problem, table, self._bound))
            self._prepared = True

    def settle(self, items: list[WorkItem]) -> list[Settled]:
        """Work on items in turn, on a solver that is free."""
        solver = self._solvers.get()
        try:
            return solver.settle(items)
        finally:
            self._solvers.put(solver)

    @ray.method(concurrency_group=CONTROL)
    def set_bound(self, losses: int) -> None:
        """Lower the bound that running kernels look at (half weights, or STOP_NOW)."""
        self._bound[0] = min(int(self._bound[0]), losses)


class BoundActor:
    """The fewest losses of a finished play (half weights) of one problem, passed on to all solver actors."""

    def __init__(self) -> None:
        self._losses = NO_BOUND
        self._solvers: list[Any] = []

    def register(self, solvers: list[Any], losses: int) -> None:
        """Pass improvements on to these solver actors from now on, and the bound so far at once."""
        self._solvers = solvers
        self._losses = min(self._losses, losses)
        self._publish()

    def improve(self, losses: int) -> None:
        """A play has finished with ``losses``, or STOP_NOW."""
        if losses < self._losses:
            self._losses = losses
            self._publish()

    def _publish(self) -> None:
        for solver in self._solvers:
            solver.set_bound.remote(self._losses)
