"""The nodes of a Ray cluster, each with its solver actor: nodes join, actors die and come back, nodes are lost."""

from __future__ import annotations

import itertools
import math
import threading
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import ray
from ray.exceptions import ActorDiedError, ActorUnschedulableError, RayError, RayTaskError
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from pegray.cluster.actors import CONTROL, SolverActor
from pegray.cluster.bundles import BUNDLES_PER_THREAD
from pegray.cluster.notices import nodes_to_go
from pegray.cluster.sharing import MOST_POSITIONS, least_busy, positions_at_once
from pegray.errors import RunError, first_line
from pegray.preendgame.executors.base import Crew
from pegray.results.events import log_event
from pegray.text.numbers import count

_CONTROL_THREADS = 4
_PING_SECONDS = 1.0
_SCAN_SECONDS = 10.0
_NOTICES_SECONDS = 2.0
# Before a node is taken away: what it is at then comes back with what is settled, and this is how long that may take.
_LEAVE_SECONDS = 20.0
# Of each position one waits at the node, and another may come.
_VISITS_PER_POSITION = 2


@dataclass(eq=False)
class Node:
    """A node's solver actor.

    ready: it has answered since it was last found dead
    bundles: the numbers of the bundles that have not come back, in the order in which they were placed; each with what
        to do if the actor has died while it was there
    ping: the pending call that asks it to prepare
    to_compile: the pending call that asks how many kernels it has to compile first
    blamed: what is to be done when it turns out that the actor alone has died, not its node
    leave_at: time.monotonic() by which what it is at has to be back, once it is to be taken away
    """

    node_id: str
    actor: Any
    threads: int
    address: str = ""
    to_compile: Any = None
    ready: bool = False
    bundles: dict[int, Callable[[], None]] = field(default_factory=dict)
    ping: Any = None
    next_ping: float = 0.0
    blamed: list[Callable[[], None]] = field(default_factory=list)
    leave_at: float | None = None


class Nodes:
    """All nodes of the Ray that this process has joined, those that come later too. Thread-safe.

    table_gib: size of each node's transposition tables (None: an eighth of its memory)
    most: how many positions may be solved at once, more of them on many threads
    tell: is told in one line which node compiles before it can work
    """

    def __init__(self, table_gib: float | None, most: int, tell: Callable[[str], None] = lambda line: None) -> None:
        self._solver = solver_class()
        self._table_gib = table_gib
        self._most = most
        self._tell = tell
        self._lock = threading.RLock()
        self._nodes: list[Node] = []
        self._gone: set[str] = set()
        self._spare: set[str] = set()
        self._numbers = itertools.count()
        self._next_scan = 0.0
        self._next_notices = 0.0

    @property
    def workers(self) -> int:
        """Solver threads that are ready."""
        return self.crew.threads

    @property
    def crew(self) -> Crew:
        """The solver threads that are ready, and on how many nodes."""
        with self._lock:
            ready = [node for node in self._nodes if node.ready and node.leave_at is None]
            return Crew(len(ready), sum(node.threads for node in ready))

    @property
    def slots(self) -> int:
        """Bundles to keep in flight."""
        return BUNDLES_PER_THREAD * self.workers

    @property
    def actors(self) -> list[Any]:
        """The solver actors."""
        with self._lock:
            return [node.actor for node in self._nodes]

    def look_after(self) -> None:
        """Start actors on new nodes, ask those that are starting whether they are ready, forget dead nodes.

        Nodes that are to be taken away get no more bundles, and what they are at comes back in time.

        Raises RunError when none is left.
        """
        with self._lock:
            now = time.monotonic()
            if now >= self._next_scan:
                self._next_scan = now + _SCAN_SECONDS
                self._scan()
            if now >= self._next_notices:
                self._next_notices = now + _NOTICES_SECONDS
                self._heed_notices(now)
            for node in [node for node in self._nodes if not node.ready]:
                self._say_if_it_compiles(node)
                if node.ping is None:
                    if now >= node.next_ping:
                        node.ping = node.actor.prepare.remote()
                        node.next_ping = now + _PING_SECONDS
                elif ray.wait([node.ping], timeout=0)[0]:
                    self._answer(node)

    def let_go(self, threads: int) -> None:
        """Let nodes without a bundle go, for an autoscaler to end them, while so many threads (at least one) stay.

        Those that are still there when more are needed come back: :meth:`take_back`.
        """
        with self._lock:
            for node in [node for node in self._nodes if node.ready and not node.bundles]:
                if self.workers - node.threads >= max(1, threads):
                    self._spare.add(node.node_id)
                    self._end(node, "node let go")

    def take_back(self) -> None:
        """All nodes are needed again."""
        with self._lock:
            self._spare.clear()

    def place(self, blames: Sequence[Callable[[], None]], wanted: Sequence[Node | None] = ()) -> list[tuple[int, Node]]:
        """A number and a node for each of some bundles: in turn those that are the least busy.

        blames: for each bundle what is called if the process of its node's actor dies at it
        wanted: for each bundle the node that it goes to if that has an idle thread

        Raises RunError if no node is left.
        """
        with self._lock:
            staying = [node for node in self._nodes if node.leave_at is None] or self._nodes
            nodes = [node for node in staying if node.ready] or staying
            if not nodes:
                raise RunError("no node is left")
            places: dict[Node | None, int] = {node: place for place, node in enumerate(nodes)}
            wished = [places.get(node) for node in wanted or [None] * len(blames)]
            chosen = least_busy(wished, [(len(node.bundles), node.threads) for node in nodes])
            placed = [(next(self._numbers), nodes[place]) for place in chosen]
            for (number, node), blame in zip(placed, blames, strict=True):
                node.bundles[number] = blame
            return placed

    def done(self, numbers: Collection[int], node: Node) -> None:
        """Bundles have come back, or are not waited for any more."""
        with self._lock:
            for number in numbers:
                node.bundles.pop(number, None)

    def died(self, numbers: Collection[int], node: Node) -> None:
        """Bundles will not come back, because their actor is dead.

        It worked on as many bundles as it has threads, the first of those that had not come back: one of them may be to
        blame, the others were waiting.
        """
        with self._lock:
            if node.bundles.keys().isdisjoint(numbers):
                return  # another position has said so
            node.ready = False
            log_event("solver died", node=node.node_id, bundles=len(node.bundles))
            node.blamed += list(node.bundles.values())[: node.threads]
            node.bundles.clear()

    def close(self) -> None:
        """End the actors."""
        for actor in self.actors:
            ray.kill(actor)

    def _say_if_it_compiles(self, node: Node) -> None:
        """A node that solves for the first time is not ready for half a minute or more."""
        if node.to_compile is None or not ray.wait([node.to_compile], timeout=0)[0]:
            return
        asked, node.to_compile = node.to_compile, None
        with suppress(RayError):  # whether it has died is for the ping to tell
            kernels = ray.get(asked)
            if kernels:
                log_event("node compiles", node=node.node_id, kernels=kernels)
                self._tell(f"compiling {count(kernels, 'kernel')} on {node.address}, once on that machine")

    def _answer(self, node: Node) -> None:
        """Take the answer to a ping."""
        ping, node.ping = node.ping, None
        try:
            ray.get(ping)
        except RayTaskError as error:
            raise RunError(f"a solver cannot be set up: {error.cause!r}") from error
        except (ActorDiedError, ActorUnschedulableError) as error:
            self._nodes.remove(node)
            self._gone.add(node.node_id)
            log_event("node lost", node=node.node_id, reason=first_line(error))
            if not self._nodes:
                raise RunError(f"no node is left: {first_line(error)}") from error
        except RayError:
            return  # it is being restarted
        else:
            node.ready = True
            for blame in node.blamed:
                blame()
            node.blamed = []

    def _heed_notices(self, now: float) -> None:
        """Let go of the nodes that are to be taken away."""
        to_go = nodes_to_go()
        for node in self._nodes:
            if node.leave_at is None and node.node_id in to_go:
                seconds = to_go[node.node_id]
                node.leave_at = now + max(0.0, seconds - _LEAVE_SECONDS)
                log_event("node is to go", node=node.node_id, seconds=None if math.isinf(seconds) else round(seconds))
            if node.leave_at is not None and now >= node.leave_at:
                node.leave_at = math.inf
                node.actor.leave_off.remote()
        for node in [node for node in self._nodes if node.leave_at is not None and not node.bundles]:
            self._gone.add(node.node_id)
            self._end(node, "node left")

    def _end(self, node: Node, event: str) -> None:
        """End a node's actor: as long as there is one, Ray takes the node for busy and does not let it go."""
        self._nodes.remove(node)
        ray.kill(node.actor)
        log_event(event, node=node.node_id)

    def _scan(self) -> None:
        """Start an actor on every node that has none."""
        known = self._gone | self._spare | {node.node_id for node in self._nodes}
        entries = [entry for entry in ray.nodes() if entry["Alive"]]
        positions = positions_at_once(self._most, sum(map(_threads_of, entries)))
        for entry in entries:
            node_id, threads = entry["NodeID"], _threads_of(entry)
            if threads == 0 or node_id in known:
                continue
            actor = start_solver(self._solver, node_id, threads, self._table_gib, positions)
            address = str(entry.get("NodeManagerAddress", node_id))
            self._nodes.append(Node(node_id, actor, threads, address, actor.to_compile.remote()))
            log_event("node joined", node=node_id, threads=threads)
        if not self._nodes:
            raise RunError("the Ray cluster has no node with CPUs")


def solver_class() -> Any:
    """SolverActor as Ray knows it; Ray sends each that is made to the cluster."""
    remote: Any = ray.remote  # its types do not know concurrency groups
    return remote(concurrency_groups={CONTROL: _CONTROL_THREADS})(SolverActor)


def start_solver(solver: Any, node_id: str, threads: int, table_gib: float | None, positions: int) -> Any:
    """An actor of a :func:`solver_class` on a node.

    positions: how many are likely to be solved at once; several may become more when the cluster grows
    """
    most_positions = positions if positions == 1 else max(positions, MOST_POSITIONS)
    options = {
        "num_cpus": 0,
        "max_restarts": -1,
        "max_concurrency": _VISITS_PER_POSITION * most_positions,
        "scheduling_strategy": NodeAffinitySchedulingStrategy(node_id, soft=False),
    }
    return solver.options(**options).remote(threads, table_gib, positions)


def _threads_of(entry: dict[str, Any]) -> int:
    """Of a node as Ray lists it."""
    return int(entry["Resources"].get("CPU", 0))
