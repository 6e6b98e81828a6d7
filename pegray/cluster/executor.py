"""Work items on a Ray cluster: one solver actor a node, bounded calls in flight, lost calls given back."""

from __future__ import annotations

import logging
import os
import socket
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import ray
from ray.exceptions import ActorDiedError, ActorUnschedulableError, RayError, RayTaskError
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from pegray.cluster.actors import CONTROL, BoundActor, SolverActor
from pegray.errors import PegrayError, RunError
from pegray.preendgame.engine import NO_BOUND
from pegray.preendgame.problem import Problem
from pegray.preendgame.session import Lost
from pegray.preendgame.work import Settled, WorkItem

_CONNECT_SECONDS = 12.0
_DIAL_SECONDS = 5.0
_OBJECT_STORE_BYTES = 200 * 2**20
_CONTROL_THREADS = 4
_CALLS_PER_THREAD = 2
_SHORT_CALL_SECONDS = 0.1
_LONG_CALL_SECONDS = 0.5
_MAX_ITEMS_PER_CALL = 32
_MAX_DEATHS = 5
_PING_SECONDS = 1.0
_SCAN_SECONDS = 10.0


@dataclass(eq=False)
class _Node:
    """A node's solver actor.

    ready: it has answered since it was last found dead
    ping: the pending call that asks it to prepare
    """

    node_id: str
    actor: Any
    threads: int
    ready: bool = False
    calls: int = 0
    ping: Any = None
    next_ping: float = 0.0


class RayExecutor:
    """Implements :class:`pegray.preendgame.session.Executor` on Ray.

    address: ``local`` starts a private Ray on this machine; ``auto`` or ``HOST:PORT`` joins a running cluster and
    uses all CPUs of all its nodes, those that come later too. A Ray that this process has joined before is used as
    it is.
    workers: CPUs of the private Ray (None: all)
    table_gib: size of each node's transposition table (None: an eighth of its memory)

    Raises PegrayError if the cluster cannot be reached, and later when all its nodes are lost.
    """

    def __init__(
        self, problem: Problem, address: str, workers: int | None = None, table_gib: float | None = None
    ) -> None:
        self._owns_ray = not ray.is_initialized()
        if self._owns_ray:
            _join(address, workers)
        try:
            self._start(problem, table_gib)
        except BaseException:
            if self._owns_ray:
                ray.shutdown()
            raise

    def _start(self, problem: Problem, table_gib: float | None) -> None:
        self._table_gib = table_gib
        remote: Any = ray.remote  # its types do not know concurrency groups
        self._solver = remote(concurrency_groups={CONTROL: _CONTROL_THREADS})(SolverActor)
        self._problem = ray.put(problem)
        self._losses = NO_BOUND
        self._items_per_call = 1
        self._calls: dict[Any, tuple[list[WorkItem], _Node]] = {}
        self._deaths: Counter[str] = Counter()
        self._nodes: list[_Node] = []
        self._gone: set[str] = set()
        self._next_scan = 0.0
        here = NodeAffinitySchedulingStrategy(ray.get_runtime_context().get_node_id(), soft=True)
        self._bound: Any = (
            ray.remote(BoundActor).options(num_cpus=0, max_restarts=-1, scheduling_strategy=here).remote()
        )
        self._look_after_nodes()
        while not any(node.ready for node in self._nodes):
            self.collect(_PING_SECONDS)

    # -- the executor's interface -----------------------------------------------------------------------------

    @property
    def capacity(self) -> int:
        """Items to keep in flight: every thread busy, with the next call waiting at its actor."""
        return self._slots() * self._items_per_call

    def submit(self, items: list[WorkItem]) -> None:
        """Send items to the least busy actors, a few in each call; few items are spread over many calls."""
        free = max(1, self._slots() - len(self._calls))
        size = min(self._items_per_call, -(-len(items) // free))
        nodes = [node for node in self._nodes if node.ready] or self._nodes
        for start in range(0, len(items), size):
            unit = items[start : start + size]
            node = min(nodes, key=lambda node: node.calls / node.threads)
            self._calls[node.actor.settle.remote(unit)] = (unit, node)
            node.calls += 1

    def collect(self, timeout: float) -> list[Settled | Lost]:
        """Results of the calls that have ended; items of a call whose actor died come back as Lost."""
        self._look_after_nodes()
        waiting = [*self._calls, *(node.ping for node in self._nodes if node.ping is not None)]
        if not waiting:
            time.sleep(max(0.0, min(timeout, _PING_SECONDS)))
            return []
        ready, _ = ray.wait(waiting, num_returns=1, timeout=max(0.0, timeout))
        if ready and self._calls:
            ready, _ = ray.wait(list(self._calls), num_returns=len(self._calls), timeout=0)
            return [result for call in ready for result in self._finish(call)]
        return []

    def publish_bound(self, losses: int) -> None:
        """Pass the bound (half weights, or STOP_NOW) to every node."""
        self._losses = min(self._losses, losses)
        self._bound.improve.remote(losses)

    def close(self) -> None:
        """End the actors, and leave or end the Ray that was joined or started for them."""
        if self._owns_ray:
            ray.shutdown()
            return
        for actor in [self._bound, *(node.actor for node in self._nodes)]:
            ray.kill(actor)

    # -- calls ------------------------------------------------------------------------------------------------

    def _slots(self) -> int:
        return _CALLS_PER_THREAD * sum(node.threads for node in self._nodes if node.ready)

    def _finish(self, call: Any) -> list[Settled | Lost]:
        """The results of a call that has ended."""
        items, node = self._calls.pop(call)
        node.calls -= 1
        try:
            settled: list[Settled] = ray.get(call)
        except RayTaskError as error:
            raise PegrayError(f"a solver failed: {error.cause!r}") from error
        except RayError as error:
            node.ready = False
            self._deaths.update(item.key for item in items)
            worst, deaths = self._deaths.most_common(1)[0]
            if deaths >= _MAX_DEATHS:
                raise PegrayError(f"{worst}: {deaths} solvers died at it: {_reason(error)}") from error
            return [Lost(item, _reason(error)) for item in items]
        self._adapt(sum(result.seconds for result in settled))
        return [*settled]

    def _adapt(self, seconds: float) -> None:
        """Calls should last long enough to be worth their overhead, and no longer."""
        if seconds < _SHORT_CALL_SECONDS:
            self._items_per_call = min(_MAX_ITEMS_PER_CALL, self._items_per_call + 1)
        elif seconds > _LONG_CALL_SECONDS:
            self._items_per_call = max(1, self._items_per_call // 2)

    # -- nodes ------------------------------------------------------------------------------------------------

    def _look_after_nodes(self) -> None:
        """Start actors on new nodes, ask those that are starting whether they are ready, forget dead nodes."""
        now = time.monotonic()
        if now >= self._next_scan:
            self._next_scan = now + _SCAN_SECONDS
            self._scan()
        for node in [node for node in self._nodes if not node.ready]:
            if node.ping is None:
                if now >= node.next_ping:
                    node.ping = node.actor.prepare.remote(self._problem)
                    node.next_ping = now + _PING_SECONDS
            elif ray.wait([node.ping], timeout=0)[0]:
                self._answer(node)

    def _answer(self, node: _Node) -> None:
        """Take the answer to a ping."""
        ping, node.ping = node.ping, None
        try:
            ray.get(ping)
        except RayTaskError as error:
            raise PegrayError(f"a solver cannot be set up: {error.cause!r}") from error
        except (ActorDiedError, ActorUnschedulableError) as error:
            self._nodes.remove(node)
            self._gone.add(node.node_id)
            if not self._nodes:
                raise RunError(f"no node is left: {_reason(error)}") from error
        except RayError:
            return  # it is being restarted
        else:
            node.ready = True
        # a new or restarted actor knows no bound, nor does a restarted bound actor know whom to tell
        self._bound.register.remote([other.actor for other in self._nodes], self._losses)

    def _scan(self) -> None:
        """Start an actor on every node that has none."""
        known = self._gone | {node.node_id for node in self._nodes}
        for entry in ray.nodes():
            node_id, threads = entry["NodeID"], int(entry["Resources"].get("CPU", 0))
            if not entry["Alive"] or threads == 0 or node_id in known:
                continue
            options = {
                "num_cpus": 0,
                "max_restarts": -1,
                "max_concurrency": threads,
                "scheduling_strategy": NodeAffinitySchedulingStrategy(node_id, soft=False),
            }
            actor = self._solver.options(**options).remote(threads, self._table_gib)
            self._nodes.append(_Node(node_id, actor, threads))
        if not self._nodes:
            raise RunError("the Ray cluster has no node with CPUs")


@contextmanager
def joined(address: str, workers: int | None) -> Iterator[None]:
    """A Ray for several solves one after another, joined or started once. Raises RunError."""
    owns_ray = not ray.is_initialized()
    if owns_ray:
        _join(address, workers)
    try:
        yield
    finally:
        if owns_ray:
            ray.shutdown()


def _reason(error: RayError) -> str:
    """The first line of Ray's message."""
    return next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)


def _join(address: str, workers: int | None) -> None:
    """Start a private Ray or join a running one. Raises RunError."""
    if address == "local":
        ray.init(
            address="local",
            num_cpus=workers or os.cpu_count() or 1,
            include_dashboard=False,
            object_store_memory=_OBJECT_STORE_BYTES,
            log_to_driver=False,
            logging_level=logging.ERROR,
        )
        return
    if address != "auto":
        _dial(address)
    failure: list[Exception] = []

    def connect() -> None:
        try:
            ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
        except Exception as error:
            failure.append(error)

    # Ray retries an address that does not answer for minutes
    thread = threading.Thread(target=connect, daemon=True)
    thread.start()
    thread.join(_CONNECT_SECONDS)
    if thread.is_alive():
        raise RunError(f"--address {address}: no Ray cluster answered within {_CONNECT_SECONDS:.0f} s")
    if failure:
        raise RunError(f"--address {address}: {str(failure[0]).splitlines()[0]}")


def _dial(address: str) -> None:
    """Raise RunError if nothing listens at HOST:PORT."""
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host, int(port)), _DIAL_SECONDS).close()
    except (OSError, ValueError) as error:
        raise RunError(f"--address {address}: no Ray cluster there ({error})") from None
