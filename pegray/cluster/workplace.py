"""Where positions are solved: in this process, or on Ray."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

from pegray.kernels.memory import new_memory
from pegray.preendgame.engine import default_table_gib
from pegray.preendgame.inprocess import InProcessExecutor
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
def workplace(address: str, workers: int | None, table_gib: float | None, most: int) -> Iterator[Workplace]:
    """The workplace at an address (see :func:`pegray.cluster.driver.solve`) for at most ``most`` positions at once."""
    if address == "none":
        yield ThisProcess(table_gib)
        return
    from pegray.cluster.executor import ray_pool

    with ray_pool(address, workers, table_gib, most) as pool:
        yield pool
