"""The Ray actors: one solver actor per node with all that node's threads, and the bound actor.

Everything they are asked is idempotent or monotone, so that a restarted actor, or a call that runs twice, changes
nothing but the time.
"""

from __future__ import annotations

import queue
from typing import Any

import numpy as np

from pegray.preendgame.engine import NO_BOUND, default_table_gib, new_table
from pegray.preendgame.problem import Problem
from pegray.preendgame.solver import PositionSolver, warm_up
from pegray.preendgame.work import Settled, WorkItem

CONTROL_CALLS = 4
"""Calls that an actor answers beside its solver threads: bounds, statistics."""


class SolverActor:
    """One node's solvers: ``threads`` of them over one transposition table and one bound cell.

    Kernels run without the GIL, so a bound is written while they run, and they look at it.
    """

    def __init__(self, problem: Problem, threads: int, table_gib: float | None) -> None:
        warm_up()
        self._bound = np.full(1, NO_BOUND, np.int64)
        table = new_table(default_table_gib() if table_gib is None else table_gib)
        self._solvers: queue.SimpleQueue[PositionSolver] = queue.SimpleQueue()
        for _ in range(threads):
            self._solvers.put(PositionSolver(problem, table, self._bound))

    def ready(self) -> bool:
        """Answers when the kernels are compiled."""
        return True

    def settle(self, items: list[WorkItem]) -> list[Settled]:
        """Work on items in turn, on a solver that is free."""
        solver = self._solvers.get()
        try:
            return solver.settle(items)
        finally:
            self._solvers.put(solver)

    def set_bound(self, losses: int) -> None:
        """Lower the bound that running kernels look at (half weights)."""
        self._bound[0] = min(int(self._bound[0]), losses)


class BoundActor:
    """The fewest losses of a finished play (half weights) of one problem, passed on to all solver actors."""

    def __init__(self) -> None:
        self._losses = NO_BOUND
        self._solvers: list[Any] = []

    def register(self, solvers: list[Any]) -> int:
        """Pass improvements on to these solver actors from now on; returns the bound so far."""
        self._solvers = solvers
        self._publish()
        return self._losses

    def improve(self, losses: int) -> None:
        """A play has finished with ``losses``, or STOP_NOW."""
        if losses < self._losses:
            self._losses = losses
            self._publish()

    def _publish(self) -> None:
        for solver in self._solvers:
            solver.set_bound.remote(self._losses)
