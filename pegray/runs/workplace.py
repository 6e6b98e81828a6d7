"""Where positions are solved: in this process, on Ray, or on one after the other."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

from pegray.kernels.memory import new_memory
from pegray.preendgame.engine import default_table_gib
from pegray.preendgame.executors.inprocess import InProcessExecutor
from pegray.preendgame.problem import Problem
from pegray.preendgame.session import Executor


class Workplace(Protocol):
    """Where positions are solved."""

    def has_room(self) -> bool:
        """Whether another position can begin now."""

    def open(self, problem: Problem) -> AbstractContextManager[Executor]:
        """An executor for one position, while it is being solved."""


class ThisProcess:
    """One position after another, without Ray."""

    def __init__(self, table_gib: float | None) -> None:
        self._table_gib = default_table_gib() if table_gib is None else table_gib
        self._in_use = False

    def has_room(self) -> bool:
        """Whether nothing is being solved."""
        return not self._in_use

    @contextmanager
    def open(self, problem: Problem) -> Iterator[Executor]:
        """An executor with a memory of its own."""
        executor = InProcessExecutor(problem, new_memory(self._table_gib))
        self._in_use = True
        try:
            yield executor
        finally:
            self._in_use = False
            executor.close()


@contextmanager
def workplace(
    address: str,
    workers: int | None,
    table_gib: float | None,
    most: int,
    tell: Callable[[str], None] = lambda line: None,
) -> Iterator[Workplace]:
    """The workplace at an address (see :func:`pegray.runs.driver.solve`) for at most ``most`` positions at once.

    tell: is told in one line when work that began in this process goes on elsewhere
    """
    if address == "none" or (address == "local" and (workers or os.cpu_count()) == 1):
        yield ThisProcess(table_gib)
    elif address == "local" and not _has_joined_ray():
        with _moving(workers, table_gib, most, tell) as place:
            yield place
    else:
        from pegray.cluster.executor import ray_pool

        with ray_pool(address, workers, table_gib, most) as pool:
            yield pool


@contextmanager
def _moving(
    workers: int | None, table_gib: float | None, most: int, tell: Callable[[str], None]
) -> Iterator[Workplace]:
    """This process until a private Ray is there."""
    from pegray.preendgame.executors.moving import MovingWorkplace, Pool

    def start(given_up: threading.Event) -> AbstractContextManager[Pool]:
        from pegray.cluster.executor import ray_pool  # imports Ray, which takes long

        return ray_pool("local", workers, table_gib, most, given_up)

    place = MovingWorkplace(start, default_table_gib() if table_gib is None else table_gib, tell)
    try:
        yield place
    finally:
        place.close()


def _has_joined_ray() -> bool:
    """Whether this process has joined a Ray that stays, not one that ends with another solve; without importing it."""
    from pegray.preendgame.executors.moving import has_pool

    ray = sys.modules.get("ray")
    return ray is not None and ray.is_initialized() and not has_pool()
