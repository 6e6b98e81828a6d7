"""Where positions are solved: in this process, on Ray, or on one after the other."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

from pegray.addresses import is_here
from pegray.preendgame.engine import default_table_gib
from pegray.preendgame.executors.base import Pool, Workplace
from pegray.preendgame.executors.inprocess import ThisProcess
from pegray.preendgame.executors.moving import MovingWorkplace, has_pool


@contextmanager
def workplace(
    address: str,
    workers: int | None,
    table_gib: float | None,
    most: int,
    tell: Callable[[str], None] = lambda line: None,
    cpus: int | None = None,
) -> Iterator[Workplace]:
    """The workplace at an address (see :func:`pegray.runs.driver.solve`) for at most ``most`` positions at once.

    tell: is told in one line when work that began in this process goes on elsewhere, and which node of a cluster has to
        compile before it can work
    cpus: that a cluster is asked to grow to, as long as they are useful; this machine cannot
    """
    if address == "none" or (address == "local" and (workers or os.cpu_count()) == 1):
        yield ThisProcess(table_gib)
    elif address == "local" and not _has_joined_ray():
        with _moving(workers, table_gib, most, tell) as place:
            yield place
    else:
        from pegray.cluster.executor import ray_pool

        with ray_pool(address, workers, table_gib, most, tell=tell, cpus=None if is_here(address) else cpus) as pool:
            yield pool


@contextmanager
def _moving(
    workers: int | None, table_gib: float | None, most: int, tell: Callable[[str], None]
) -> Iterator[Workplace]:
    """This process until a private Ray is there."""

    def start(given_up: threading.Event) -> AbstractContextManager[Pool]:
        from pegray.cluster.executor import ray_pool  # imports Ray, which takes long

        return ray_pool("local", workers, table_gib, most, given_up, tell)

    place = MovingWorkplace(start, default_table_gib() if table_gib is None else table_gib, tell)
    try:
        yield place
    finally:
        place.close()


def _has_joined_ray() -> bool:
    """Whether this process has joined a Ray that stays, not one that ends with another solve; without importing it."""
    ray = sys.modules.get("ray")
    return ray is not None and ray.is_initialized() and not has_pool()
