"""Work items on a Ray cluster: one solver actor a node, bounded calls in flight, lost calls given back."""

from __future__ import annotations

import logging
import os
import threading
from collections import deque
from typing import Any

from pegray.cluster.actors import CONTROL_CALLS, BoundActor, SolverActor
from pegray.errors import PegrayError
from pegray.preendgame.problem import Problem
from pegray.preendgame.session import Lost
from pegray.preendgame.work import Settled, WorkItem

# Both must be set before Ray is imported.
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
os.environ.setdefault("RAY_AUTH_MODE", "disabled")
os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")

import ray
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

_CONNECT_SECONDS = 15.0
_OBJECT_STORE_BYTES = 200 * 2**20
_CALLS_PER_THREAD = 2
_SHORT_CALL_SECONDS = 0.1
_LONG_CALL_SECONDS = 0.5
_MAX_ITEMS_PER_CALL = 32


class RayExecutor:
    """Implements :class:`pegray.preendgame.session.Executor` on Ray.

    address: ``local`` starts a private Ray with ``workers`` threads on this machine; ``auto`` or ``HOST:PORT`` joins
    a running cluster and uses all CPUs of all its nodes.
    Raises PegrayError if the cluster cannot be reached.
    """

    def __init__(self, problem: Problem, address: str, workers: int, table_gib: float | None) -> None:
        self._private = address == "local"
        if self._private:
            _start_private(workers)
        else:
            _connect(address)
        shared_problem = ray.put(problem)
        self._solvers: list[Any] = []  # actor handles
        self._threads = 0
        for node in ray.nodes():
            threads = int(node["Resources"].get("CPU", 0)) if node["Alive"] else 0
            if threads == 0:
                continue
            options = {
                "num_cpus": 0,
                "max_restarts": -1,
                "max_concurrency": threads + CONTROL_CALLS,
                "scheduling_strategy": NodeAffinitySchedulingStrategy(node["NodeID"], soft=False),
            }
            self._solvers.append(ray.remote(SolverActor).options(**options).remote(shared_problem, threads, table_gib))
            self._threads += threads
        bound: Any = ray.remote(BoundActor).options(num_cpus=0, max_restarts=-1).remote()
        self._bound = bound
        ray.get([bound.register.remote(self._solvers), *(solver.ready.remote() for solver in self._solvers)])
        self._losses: int | None = None
        self._calls: dict[Any, tuple[list[WorkItem], int]] = {}
        self._busy = [0] * len(self._solvers)
        self._waiting: deque[WorkItem] = deque()
        self._items_per_call = 1

    @property
    def capacity(self) -> int:
        """Items to keep in flight: every thread busy, with the next call waiting at its actor."""
        return self._threads * _CALLS_PER_THREAD * self._items_per_call

    def submit(self, items: list[WorkItem]) -> None:
        """Send items to the least busy actors, a few in each call."""
        self._waiting.extend(items)
        while self._waiting:
            count = min(self._items_per_call, len(self._waiting))
            unit = [self._waiting.popleft() for _ in range(count)]
            solver = min(range(len(self._solvers)), key=self._busy.__getitem__)
            self._calls[self._solvers[solver].settle.remote(unit)] = (unit, solver)
            self._busy[solver] += 1

    def collect(self, timeout: float) -> list[Settled | Lost]:
        """Results of the calls that have ended; items of a call whose actor died come back as Lost."""
        if not self._calls:
            return []
        ready, _ = ray.wait(list(self._calls), num_returns=1, timeout=max(0.0, timeout))
        if ready:
            ready, _ = ray.wait(list(self._calls), num_returns=len(self._calls), timeout=0)
        results: list[Settled | Lost] = []
        for call in ready:
            items, solver = self._calls.pop(call)
            self._busy[solver] -= 1
            try:
                settled = ray.get(call)
            except (ray.exceptions.RayActorError, ray.exceptions.RayTaskError) as error:
                if isinstance(error, ray.exceptions.RayTaskError):
                    raise PegrayError(f"a solver failed: {str(error.cause)}") from error
                results += [Lost(item, str(error)) for item in items]
                self._refresh_bound()
                continue
            self._adapt(sum(result.seconds for result in settled))
            results += settled
        return results

    def _adapt(self, seconds: float) -> None:
        """Calls should last long enough to be worth their overhead, and no longer."""
        if seconds < _SHORT_CALL_SECONDS:
            self._items_per_call = min(_MAX_ITEMS_PER_CALL, self._items_per_call + 1)
        elif seconds > _LONG_CALL_SECONDS:
            self._items_per_call = max(1, self._items_per_call // 2)

    def publish_bound(self, losses: int) -> None:
        """Pass the bound to every node."""
        self._losses = losses
        self._bound.improve.remote(losses)

    def _refresh_bound(self) -> None:
        """A restarted actor knows no bound: tell it again."""
        self._bound.register.remote(self._solvers)
        if self._losses is not None:
            self._bound.improve.remote(self._losses)

    def close(self) -> None:
        """End the actors, and the private Ray with them."""
        for actor in [*self._solvers, self._bound]:
            ray.kill(actor)
        ray.shutdown()


def _start_private(workers: int) -> None:
    ray.init(
        address="local",
        num_cpus=workers,
        include_dashboard=False,
        object_store_memory=_OBJECT_STORE_BYTES,
        log_to_driver=False,
        logging_level=logging.ERROR,
        configure_logging=True,
    )


def _connect(address: str) -> None:
    """Join a cluster; Ray itself retries a dead address for minutes, so the wait is bounded here."""
    failure: list[BaseException] = []

    def connect() -> None:
        try:
            ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
        except (ConnectionError, RuntimeError, ValueError, OSError) as error:
            failure.append(error)

    thread = threading.Thread(target=connect, daemon=True)
    thread.start()
    thread.join(_CONNECT_SECONDS)
    if thread.is_alive():
        raise PegrayError(f"--address {address}: no Ray cluster answered within {_CONNECT_SECONDS:.0f} s")
    if failure:
        raise PegrayError(f"--address {address}: {str(failure[0]).splitlines()[0]}")
