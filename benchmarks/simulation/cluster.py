"""A cluster in a time of its own: its nodes, the network, and the driver's one thread."""

from __future__ import annotations

import heapq
import itertools
import threading
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Sequence

from benchmarks.simulation.costs import COSTS
from benchmarks.simulation.nodes import Bundle, Event, Node
from benchmarks.simulation.recorded import Recorded
from pegray.cluster.bundles import BUNDLES_PER_THREAD, IDLE_SECONDS, Packing, gather_seconds
from pegray.cluster.sharing import fair_share, least_busy, positions_at_once
from pegray.kernels.memory import NO_BOUND
from pegray.preendgame.executors.base import Crew, Lost
from pegray.preendgame.problem import Problem
from pegray.preendgame.work import Settled, Unit

CPUS_OF_A_NODE = 16


class Cluster:
    """Nodes of a few CPUs each, and the driver, at which the sessions of several positions take turns.

    Of the sessions, each in a thread of its own, one goes on at any time, while it is the driver's turn to work at it:
    as if all that a driver does were Python.

    now: seconds since the start; work: seconds of all threads on units of theirs; help: on those of other threads
    driver: seconds of the driver, by what it did
    """

    def __init__(self, cpus: int, per_node: int = CPUS_OF_A_NODE) -> None:
        self.cpus = cpus
        self.now = 0.0
        self.work = 0.0
        self.help = 0.0
        self.units = 0
        self.driver: Counter[str] = Counter()
        self.live: list[SimulatedExecutor] = []
        per_node = min(cpus, per_node)
        number = cpus // per_node
        self._nodes = [Node(self, per_node, gather_seconds(number)) for _ in range(number)]
        self._events: list[tuple[float, int, Event]] = []
        self._numbers = itertools.count()
        self._ready: deque[SimulatedExecutor] = deque()
        self._turn_is_over = threading.Semaphore(0)

    @property
    def crew(self) -> Crew:
        """All CPUs."""
        return Crew(len(self._nodes), self.cpus)

    def run(self, sessions: deque[Opening], most: int) -> None:
        """Run sessions to their end, in their order, as many at a time as a pool would; ``most``: on few CPUs."""
        most = positions_at_once(most, self.cpus)
        while sessions or self.live:
            while sessions and len(self.live) < most:
                executor, session = sessions.popleft()()
                self.live.append(executor)
                threading.Thread(target=self._begin_session, args=(executor, session), daemon=True).start()
                self._ready.append(executor)
            while not self._ready:
                self._next_event()
            executor = self._ready.popleft()
            executor.turn.release()
            self._turn_is_over.acquire()
            if executor.fault is not None:
                raise executor.fault

    def _begin_session(self, executor: SimulatedExecutor, session: Session) -> None:
        executor.turn.acquire()
        try:
            session()
        except BaseException as fault:
            executor.fault = fault
        self.live.remove(executor)
        self._turn_is_over.release()

    def wait(self, executor: SimulatedExecutor, timeout: float) -> None:
        """It is others' turn until a visit of this position has come back, or the time is over.

        A session whose time is over looks whether it may hand out more; where it may not it goes on waiting here.
        """
        executor.waits = True
        number = executor.waited = executor.waited + 1

        def look(moment: float) -> None:
            if executor.waited == number and executor.waits:
                if executor.may_hand_out:
                    self.wake(executor)
                else:
                    self.at(moment + timeout, look)

        self.at(self.now + timeout, look)
        self._end_turn(executor)

    def let_others(self, executor: SimulatedExecutor) -> None:
        """It is the turn of the sessions that may go on already: to ask Ray lets other threads go on."""
        self._ready.append(executor)
        self._end_turn(executor)

    def _end_turn(self, executor: SimulatedExecutor) -> None:
        """Let others go on until it is this session's turn again."""
        self._turn_is_over.release()
        executor.turn.acquire()

    def wake(self, executor: SimulatedExecutor) -> None:
        """A session that waits may go on."""
        if executor.waits:
            executor.waits = False
            self._ready.append(executor)

    def spend(self, what: str, seconds: float) -> None:
        """The driver is at something."""
        self.now += seconds
        self.driver[what] += seconds  # type: ignore[assignment]

    def at(self, time: float, event: Event) -> None:
        """Something happens then."""
        heapq.heappush(self._events, (time, next(self._numbers), event))

    def catch_up(self) -> None:
        """Whatever has happened by now."""
        while self._events and self._events[0][0] <= self.now:
            self._next_event()

    def _next_event(self) -> None:
        moment, _, event = heapq.heappop(self._events)
        event(moment)
        self.now = max(self.now, moment)

    def place(self, wanted: Sequence[Node | None]) -> list[Node]:
        """A node for each of some bundles: the one that is wanted, if it is idle, or in turn the least busy."""
        places = [None if node is None else self._nodes.index(node) for node in wanted]
        nodes = [
            self._nodes[place] for place in least_busy(places, [(node.placed, node.threads) for node in self._nodes])
        ]
        for node in nodes:
            node.placed += 1
        return nodes

    def send(self, executor: SimulatedExecutor, node: Node, bundles: list[Bundle]) -> None:
        """Make a visit to a node."""
        self.at(self.now + COSTS.latency, lambda moment: node.visit(executor, bundles, moment))

    def stop_idle(self, executor: SimulatedExecutor, moment: float) -> None:
        """Stop the work of a position on units that nobody needs any more."""
        for node in self._nodes:
            node.stop_idle(executor, moment)


class SimulatedExecutor:
    """Implements :class:`pegray.preendgame.executors.base.Executor` for one position of a cluster.

    turn, waits, waited, fault: of its session, for the cluster
    """

    def __init__(self, cluster: Cluster, problem: Problem, kernels: Recorded) -> None:
        self.kernels = kernels
        self.turn = threading.Semaphore(0)
        self.waits = False
        self.waited = 0
        self.fault: BaseException | None = None
        self._cluster = cluster
        self.packing = Packing(len(problem.candidates))
        self._bundles: Counter[Node] = Counter()
        self._visits: Counter[Node] = Counter()
        self._answers: deque[tuple[Node, list[Bundle]]] = deque()
        self._bound = NO_BOUND
        self._withdrawn: set[str] = set()
        self._begun: dict[str, Node] = {}  # units that go on from what they have settled, and where they last were

    @property
    def crew(self) -> Crew:
        """All CPUs."""
        return self._cluster.crew

    @property
    def _share(self) -> int:
        others = [other.packing.bundles_out for other in self._cluster.live if other is not self]
        return fair_share(BUNDLES_PER_THREAD * self._cluster.cpus, others)

    @property
    def may_hand_out(self) -> bool:
        """Whether the position has less in flight than it may have."""
        return self.packing.free(self._share) > 0

    @property
    def capacity(self) -> int:
        """Units to keep in flight."""
        return self.packing.capacity(self._share)

    def submit(self, units: list[Unit]) -> None:
        """Send units to the least busy nodes, in bundles."""
        self._cluster.spend("ledger", COSTS.hand_out_unit * len(units))
        bundles = [Bundle(self, together) for together in self.packing.pack(units, self._share, lambda unit: False)]
        new: defaultdict[Node, list[Bundle]] = defaultdict(list)
        wanted = [self._begun.pop(bundle.unit.key, None) for bundle in bundles]
        for node, bundle in zip(self._cluster.place(wanted), bundles, strict=True):
            new[node].append(bundle)
        for node, of_node in new.items():
            self._bundles[node] += len(of_node)
            self._visit(node, of_node)

    def _visit(self, node: Node, bundles: list[Bundle]) -> None:
        units = sum(len(bundle.units) for bundle in bundles)
        self._cluster.spend("Ray", COSTS.send_call + COSTS.send_unit * units)
        self._visits[node] += 1
        self._cluster.send(self, node, bundles)

    def collect(self, timeout: float) -> list[Settled | Lost]:
        """Let the time go on until a visit has come back."""
        cluster = self._cluster
        for node in [node for node in self._bundles if not self._visits[node]]:
            self._visit(node, [])
        cluster.catch_up()
        if self._answers:
            cluster.let_others(self)
        else:
            cluster.wait(self, timeout if self._bundles else min(timeout, IDLE_SECONDS))
        results: list[Settled | Lost] = []
        while self._answers:
            node, bundles = self._answers.popleft()
            self._visits[node] -= 1
            cluster.spend("Ray", COSTS.take_call)
            for bundle in bundles:
                self._take_back(node, bundle)
                results += bundle.results
        return results

    def _take_back(self, node: Node, bundle: Bundle) -> None:
        units = len(bundle.units)
        self._cluster.spend("Ray", COSTS.take_unit * units)
        self._cluster.spend("ledger", COSTS.record_unit * units)
        self._cluster.units += units
        self._begun |= {result.unit.key: node for result in bundle.results if result.checkpoints}
        self.packing.learn(sum(result.seconds for result in bundle.results), self._cluster.cpus)
        self.packing.come_back(bundle.units)
        node.placed -= 1
        self._bundles[node] -= 1
        if not self._bundles[node]:
            del self._bundles[node]

    def answered(self, node: Node, bundles: list[Bundle]) -> None:
        """A visit to a node has come back."""
        self._answers.append((node, bundles))
        self._cluster.wake(self)

    def is_idle(self, unit: Unit) -> bool:
        """Whether nobody needs what comes of a unit, as far as the nodes know."""
        return unit.lost > self._bound or unit.key in self._withdrawn

    def forget(self, unit: Unit) -> None:
        """It has ended: handed out again, it is needed."""
        self._withdrawn.discard(unit.key)

    def publish_bound(self, losses: int) -> None:
        """Tell the nodes."""

        def take(moment: float) -> None:
            self._bound = min(self._bound, losses)
            self._cluster.stop_idle(self, moment)

        self._cluster.at(self._cluster.now + COSTS.latency, take)

    def withdraw(self, units: list[Unit]) -> None:
        """Stop these units."""

        def take(moment: float) -> None:
            self._withdrawn.update(unit.key for unit in units)
            self._cluster.stop_idle(self, moment)

        self._cluster.at(self._cluster.now + COSTS.latency, take)

    def close(self) -> None:
        """Nothing to release."""


Session = Callable[[], object]
Opening = Callable[[], tuple[SimulatedExecutor, Session]]
"""Opens a position: its executor, and the session that is to run."""
