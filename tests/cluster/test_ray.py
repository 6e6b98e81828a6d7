"""Solves on a real Ray, with and without the death of a solver."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from pegray.cluster import driver
from pegray.cluster.executor import RayExecutor, RayPool, ray_pool
from pegray.errors import PegrayError
from pegray.preendgame.ledger import Ledger
from pegray.preendgame.problem import Problem
from pegray.preendgame.session import Lost, run_session
from pegray.preendgame.work import Settled, WorkItem

TABLE_GIB = 1 / 64


def test_a_cluster_that_is_not_there_is_said_in_one_line(problem: Problem) -> None:
    started = time.monotonic()
    with pytest.raises(PegrayError, match=r"^--address 127\.0\.0\.1:1: no Ray cluster there [^\n]*$"):
        driver.solve(problem, address="127.0.0.1:1")
    assert time.monotonic() - started < 15


@pytest.fixture(scope="module")
def local_ray() -> Iterator[None]:
    """A private Ray that the solves of this module share."""
    import ray

    ray.init(address="local", num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=100 * 2**20)
    yield
    ray.shutdown()


@pytest.mark.ray
def test_ray_gives_the_same_result(problem: Problem, local_ray: None) -> None:
    here = driver.solve(problem, address="none", table_gib=TABLE_GIB)
    there = driver.solve(problem, address="local", table_gib=TABLE_GIB)
    assert not there.stats.interrupted
    assert there.best is not None and here.best is not None
    assert (there.best.move, there.best.points, there.best.spread) == ("13L ONYX", 7.5, here.best.spread)
    assert there.best.outcomes != []


@pytest.mark.ray
def test_a_dead_solver_costs_its_units_only(problem: Problem, local_ray: None) -> None:
    import ray

    ledger = Ledger(problem)
    with ray_pool("local", None, TABLE_GIB, most=1) as pool, pool.open(problem) as executor:
        killing = Killing(pool, executor)
        done = run_session(ledger, killing, ignore, ignore, time.monotonic() + 60, threading.Event())
    assert ray.is_initialized()
    assert done
    assert killing.lost > 0
    assert [problem.candidates.scores[play] for play in ledger.level_at_top()] == [33]


class Killing:
    """Kills the first solver with the first items on it; Ray starts it again."""

    def __init__(self, pool: RayPool, executor: RayExecutor) -> None:
        self.lost = 0
        self._pool = pool
        self._executor = executor
        self._killed = False

    @property
    def capacity(self) -> int:
        return self._executor.capacity

    def submit(self, items: list[WorkItem]) -> None:
        import ray

        self._executor.submit(items)
        if not self._killed:
            self._killed = True
            (solver,) = self._pool.nodes.actors
            ray.kill(solver, no_restart=False)

    def collect(self, timeout: float) -> list[Settled | Lost]:
        results = self._executor.collect(timeout)
        self.lost += sum(isinstance(result, Lost) for result in results)
        return results

    def publish_bound(self, losses: int) -> None:
        self._executor.publish_bound(losses)

    def close(self) -> None:
        pass


def ignore(news: object) -> None:
    pass
