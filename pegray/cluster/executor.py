"""Units on a Ray cluster: bundles that are placed on nodes, shared fairly by the positions, given back if lost.

At every node at which a position has bundles a visit waits for those that are done; the next one brings others. So the
busier the driver is, the more a visit brings.
"""

from __future__ import annotations

import pickle
import threading
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any

import ray
from ray.exceptions import RayError, RayTaskError
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from pegray.cluster.actors import BoundActor, Visit
from pegray.cluster.bundles import IDLE_SECONDS, Packing, gather_seconds
from pegray.cluster.connect import joined
from pegray.cluster.metrics import PoolMetrics
from pegray.cluster.nodes import Node, Nodes
from pegray.cluster.scaling import Wish, wanted
from pegray.cluster.sharing import fair_share, positions_at_once
from pegray.cluster.workshop import Results
from pegray.errors import PegrayError, first_line
from pegray.kernels.memory import NO_BOUND
from pegray.preendgame.executors.base import Crew, Lost
from pegray.preendgame.problem import Problem
from pegray.preendgame.work import Settled, Unit

_MAX_DEATHS = 5
_START_SECONDS = 0.2


class RayPool:
    """The solver actors and the bound actor of a Ray, for one position after another or several at once.

    table_gib: size of each node's transposition tables (None: an eighth of its memory)
    most: how many positions may be solved at once, more of them on many threads; each gets its share of the tables
    tell: is told in one line which node compiles before it can work
    wish: how large the cluster is asked to be, if it may grow and shrink

    Waits until the first node is ready, or ``given_up`` is set. Raises RunError if there is none.
    """

    def __init__(
        self,
        table_gib: float | None,
        most: int,
        given_up: threading.Event,
        tell: Callable[[str], None],
        wish: Wish | None = None,
    ) -> None:
        self._most = most
        self._wish = wish
        self._metrics = PoolMetrics()
        self.lock = threading.RLock()
        self.live: list[RayExecutor] = []
        self._opened = 0
        here = NodeAffinitySchedulingStrategy(ray.get_runtime_context().get_node_id(), soft=True)
        bound = ray.remote(BoundActor).options(num_cpus=0, max_restarts=-1, scheduling_strategy=here)
        self.bound: Any = bound.remote(NO_BOUND)
        self.nodes = Nodes(table_gib, most, tell)
        self.nodes.look_after()
        while not self.nodes.workers and not given_up.wait(_START_SECONDS):
            self.nodes.look_after()

    @property
    def workers(self) -> int:
        """Solver threads that are ready."""
        return self.nodes.workers

    def has_room(self) -> bool:
        """Whether another position can begin.

        Even if those that are being solved could fill every slot by themselves: it may be a short one behind long ones.
        """
        with self.lock:
            return len(self.live) < positions_at_once(self._most, self.workers)

    @contextmanager
    def open(self, problem: Problem) -> Iterator[RayExecutor]:
        """An executor for one position, while it is being solved."""
        with self.lock:
            self._opened += 1
            executor = RayExecutor(self, f"{self._opened}-{problem.key[:8]}", problem)
            self.live.append(executor)
        try:
            yield executor
        finally:
            with self.lock:
                self.live.remove(executor)
            executor.close()

    def share_of(self, executor: RayExecutor) -> int:
        """Bundles that a position may have in flight."""
        with self.lock:
            others = [other.packing.bundles_out for other in self.live if other is not executor]
            return fair_share(self.nodes.slots, others)

    def look_after(self) -> None:
        """See to the nodes, and to how many of them are useful."""
        self.nodes.look_after()
        with self.lock:
            bundles = sum(executor.packing.bundles_out for executor in self.live)
            units = sum(executor.packing.units_out for executor in self.live)
            self._metrics.tell(self.nodes.crew, units)
            if self._wish is None:
                return
            useful = self._wish.follow(bundles, self.nodes.workers, units)
        if useful is None:
            self.nodes.take_back()
        else:
            self.nodes.let_go(useful)

    def close(self) -> None:
        """End the actors."""
        ray.kill(self.bound)
        self.nodes.close()


@contextmanager
def ray_pool(
    address: str,
    workers: int | None,
    table_gib: float | None,
    most: int,
    given_up: threading.Event | None = None,
    tell: Callable[[str], None] = lambda line: None,
    cpus: int | None = None,
) -> Iterator[RayPool]:
    """A pool on a Ray that is started or joined for it (see :func:`pegray.cluster.connect.joined`).

    given_up: once it is set, nobody needs the pool to be ready
    tell: is told in one line which node compiles before it can work
    cpus: that a cluster with an autoscaler is asked for, as long as they are useful
    """
    with joined(address, workers), wanted(cpus) as wish:
        pool = RayPool(table_gib, most, given_up or threading.Event(), tell, wish)
        try:
            yield pool
        finally:
            pool.close()


class RayExecutor:
    """Implements :class:`pegray.preendgame.executors.base.Executor` for one position of a pool.

    packing: of its units
    """

    def __init__(self, pool: RayPool, name: str, problem: Problem) -> None:
        self._pool = pool
        self._nodes = pool.nodes
        self._name = name
        # in a list Ray passes the reference on; as an argument by itself it would fetch the problem for every call
        self._problem = [ray.put(problem)]
        self._losses = NO_BOUND
        self.packing = Packing(len(problem.candidates))
        self._bundles: dict[Node, dict[int, list[Unit]]] = {}
        self._visits: dict[Future[bytes], Node] = {}
        self._ended: SimpleQueue[Future[bytes]] = SimpleQueue()  # visits, in the order in which they have ended
        self._introduced: set[Node] = set()  # to the problem
        self._begun: dict[str, Node] = {}  # units that go on from what they have settled, and where they last were
        self._deaths: Counter[str] = Counter()
        # units whose solver died at them, appended by whichever thread notices
        self._blamed: deque[Unit] = deque()

    @property
    def crew(self) -> Crew:
        """The solver threads of the cluster that are ready."""
        return self._nodes.crew

    @property
    def capacity(self) -> int:
        """Units to keep in flight."""
        return self.packing.capacity(self._pool.share_of(self))

    def submit(self, units: list[Unit]) -> None:
        """Send units to the least busy nodes, in bundles; one that goes on, if it can be, to where it was."""
        bundles = self.packing.pack(units, self._pool.share_of(self), lambda unit: self._deaths[unit.key] > 0)
        placed = self._nodes.place(
            [partial(self._blamed.extend, bundle) for bundle in bundles],
            [self._begun.pop(bundle[0].key, None) for bundle in bundles],
        )
        new: defaultdict[Node, dict[int, list[Unit]]] = defaultdict(dict)
        for (number, node), bundle in zip(placed, bundles, strict=True):
            new[node][number] = bundle
        for node, of_node in new.items():
            self._bundles.setdefault(node, {}).update(of_node)
        self._visit(new)

    def _visit(self, new: Mapping[Node, dict[int, list[Unit]]]) -> None:
        """Send bundles to nodes, and wait for those that they have."""
        gather = gather_seconds(self._nodes.crew.machines)
        for node, bundles in new.items():
            asked = pickle.dumps(Visit(self._name, self._losses, bundles, [*self._bundles[node]], gather))
            problem = () if node in self._introduced else (self._problem,)
            visit: Future[bytes] = node.actor.visit.remote(asked, *problem).future()
            self._visits[visit] = node
            visit.add_done_callback(self._ended.put)

    def collect(self, timeout: float) -> list[Settled | Lost]:
        """Results of the bundles that are done; units of those whose actor died come back as Lost.

        Raises PegrayError if solvers die at a unit of this position again and again, RunError if no node is left.
        """
        self._pool.look_after()
        self._count_deaths()
        if not self._bundles:
            time.sleep(max(0.0, min(timeout, IDLE_SECONDS)))
            return []
        if unvisited := self._bundles.keys() - self._visits.values():
            self._visit({node: {} for node in unvisited})
        news: list[Settled | Lost] = []
        with suppress(Empty):
            news += self._finish(self._ended.get(timeout=max(0.0, timeout)))
            # others have come with it: what is handed out next is better chosen by all of them
            while True:
                news += self._finish(self._ended.get_nowait())
        return news

    def publish_bound(self, losses: int) -> None:
        """Pass the bound (half weights, or STOP_NOW) to every node."""
        self._losses = min(self._losses, losses)
        self._pool.bound.improve.remote(self._name, self._losses, self._nodes.actors)

    def withdraw(self, units: list[Unit]) -> None:
        """Stop the solvers that are at these units."""
        keys = {unit.key for unit in units}
        for node, bundles in self._bundles.items():
            there = [unit.key for bundle in bundles.values() for unit in bundle if unit.key in keys]
            if there:
                node.actor.withdraw.remote(self._name, there)

    def close(self) -> None:
        """Let the actors forget the position."""
        for node, bundles in self._bundles.items():
            self._nodes.done(bundles, node)
        self._pool.bound.release.remote(self._name, self._nodes.actors)

    def _count_deaths(self) -> None:
        while self._blamed:
            self._deaths[self._blamed.popleft().key] += 1
        for worst, deaths in self._deaths.most_common(1):
            if deaths >= _MAX_DEATHS:
                raise PegrayError(f"{worst}: {deaths} solvers died at it")

    def _finish(self, visit: Future[bytes]) -> list[Settled | Lost]:
        """What a visit that has ended brings; nothing if its node is known to have died."""
        node = self._visits.pop(visit, None)
        if node is None:
            return []
        try:
            answer: dict[int, Results] = pickle.loads(visit.result())
        except RayTaskError as error:
            raise PegrayError(f"a solver failed: {error.cause!r}") from error
        except RayError as error:
            self._visits = {other: there for other, there in self._visits.items() if there is not node}
            return self._lose([*self._bundles.get(node, ())], node, first_line(error))
        self._introduced.add(node)
        missing = [number for number, results in answer.items() if results is None]
        news = self._lose(missing, node, "its solver was started again") if missing else []
        workers = self._nodes.workers
        for number, results in answer.items():
            if results is None or not (units := self._take_back(number, node)):
                continue
            for unit in units:
                del self._deaths[unit.key]
            self._begun |= {result.unit.key: node for result in results if result.checkpoints}
            self.packing.learn(sum(result.seconds for result in results), workers)
            news += results
        self._nodes.done(answer, node)
        return news

    def _lose(self, numbers: list[int], node: Node, reason: str) -> list[Settled | Lost]:
        """The units of bundles that will not come back, since their solver has died."""
        self._nodes.died(numbers, node)
        self._introduced.discard(node)
        return [Lost(unit, reason) for number in numbers for unit in self._take_back(number, node)]

    def _take_back(self, number: int, node: Node) -> list[Unit]:
        """The units of a bundle that is not waited for any more; none if it was given up before."""
        bundles = self._bundles.get(node, {})
        units = bundles.pop(number, [])
        if units:
            self.packing.come_back(units)
            if not bundles:
                del self._bundles[node]
        return units
