"""A simulated node: its threads work on bundles, and those that have none help with what takes long."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np

from benchmarks.simulation.costs import COSTS
from benchmarks.simulation.recorded import Memory, Recorded
from pegray.cluster.helpers import LONG_SECONDS, next_to_help
from pegray.preendgame.work import Settled, Unit

_TIMES_AS_FAST = ((1, 2, 4, 8), (1.0, 1.5, 1.9, 2.4))
"""A unit on so many threads; `benchmarks/helpers.py` measures it."""
_ALMOST = 0.999


Event = Callable[[float], object]
"""What happens at a moment."""


class Caller(Protocol):
    """The position that a bundle belongs to, at the driver."""

    kernels: Recorded

    def is_idle(self, unit: Unit) -> bool:
        """Whether nobody needs what comes of a unit, as far as the nodes know."""

    def forget(self, unit: Unit) -> None:
        """A unit has ended."""

    def answered(self, node: Node, bundles: list[Bundle]) -> None:
        """A visit to a node has come back."""


class Clock(Protocol):
    """The cluster as its nodes see it."""

    work: float
    help: float

    def at(self, time: float, event: Event) -> None:
        """Something happens then."""


@dataclass(eq=False)
class Bundle:
    """Units of a position that a thread works on in turn.

    at, result, whole, started: of the unit that is being worked on, what will come of it, the seconds that this takes
    one thread, and when it began; helpers, done, since: how many threads help, and how many of the seconds were done
    when their number last changed
    results: of the units before it
    turn: one more whenever a unit begins or ends, or helpers come or go: events of an earlier one are stale
    """

    of: Caller
    units: list[Unit]
    at: int = 0
    result: Settled | None = None
    whole: float = 0.0
    started: float = 0.0
    helpers: int = 0
    done: float = 0.0
    since: float = 0.0
    turn: int = 0
    results: list[Settled] = field(default_factory=list)

    @property
    def unit(self) -> Unit:
        """The one that is being worked on."""
        return self.units[self.at]

    @property
    def speed(self) -> float:
        """How many times as fast as by one thread the unit is worked on."""
        return float(np.interp(1 + self.helpers, *_TIMES_AS_FAST))


@dataclass(eq=False)
class _Visit:
    """A call that waits for what is done; ``gathers``: for a moment it waits for more."""

    gathers: bool = False


class Node:
    """Threads that work on bundles in the order in which they come, and help as :mod:`pegray.cluster.helpers` has it.

    What is done waits for a visit to take it, as :mod:`pegray.cluster.workshop` has it.

    threads: how many it has
    placed: bundles that the driver has sent and not taken back
    gather: seconds in which more may be done before a visit is answered, as long as no thread is without work
    """

    def __init__(self, clock: Clock, threads: int, gather: float) -> None:
        self.threads = threads
        self.placed = 0
        self._clock = clock
        self._gather = gather
        self._memory: Memory = {}
        self._free = threads  # of bundles
        self._helping = 0
        self._queue: deque[Bundle] = deque()
        self._running: dict[Bundle, None] = {}  # in the order in which they began
        self._done: defaultdict[Caller, list[Bundle]] = defaultdict(list)
        self._visits: dict[Caller, _Visit] = {}

    def visit(self, caller: Caller, bundles: list[Bundle], moment: float) -> None:
        """Bundles have come, and a call that waits for those that are done; an earlier one returns."""
        self._queue.extend(bundles)
        self._begin_bundles(moment)
        if caller in self._visits:
            self._send_back(caller, [], moment)
        self._visits[caller] = _Visit()
        self._answer(caller, moment)

    def stop_idle(self, caller: Caller, moment: float) -> None:
        """Stop the work of a position on units that nobody needs any more."""
        for bundle in [bundle for bundle in self._running if bundle.of is caller and caller.is_idle(bundle.unit)]:
            done = bundle.done + (moment - bundle.since) * bundle.speed
            self._end_unit(bundle, moment, min(_ALMOST, done / bundle.whole if bundle.whole else 0.0))

    def _answer(self, caller: Caller, moment: float) -> None:
        """Answer a call that waits, if something is done; later, if no thread is without work before."""
        visit = self._visits.get(caller)
        if visit is None or not self._done[caller]:
            return
        if not self._queue:
            self._answer_now(caller, moment)
        elif not visit.gathers:
            visit.gathers = True

            def answer(moment: float) -> None:
                if self._visits.get(caller) is visit:
                    self._answer_now(caller, moment)

            self._clock.at(moment + self._gather, answer)

    def _answer_now(self, caller: Caller, moment: float) -> None:
        del self._visits[caller]
        self._send_back(caller, self._done.pop(caller), moment)

    def _send_back(self, caller: Caller, bundles: list[Bundle], moment: float) -> None:
        self._clock.at(moment + COSTS.latency, lambda _: caller.answered(self, bundles))

    def _begin_bundles(self, moment: float) -> None:
        waited = bool(self._queue)
        while self._free and self._queue:
            self._free -= 1
            bundle = self._queue.popleft()
            if self._helping > self._free:
                self._change_helpers(next(other for other in self._running if other.helpers), -1, moment)
            self._begin_unit(bundle, moment)
        if waited and not self._queue:
            for caller in list(self._visits):
                self._answer(caller, moment)

    def _begin_unit(self, bundle: Bundle, moment: float) -> None:
        kernels = bundle.of.kernels
        idle = bundle.of.is_idle(bundle.unit)
        bundle.result = kernels.stopped(bundle.unit, 0) if idle else kernels.settle(bundle.unit, self._memory)
        bundle.whole = kernels.seconds(bundle.result.nodes)
        bundle.started = bundle.since = moment
        bundle.done = 0.0
        self._running[bundle] = None
        self._go_on(bundle, moment)
        if bundle.whole > LONG_SECONDS:
            self._clock.at(moment + LONG_SECONDS, self._help)

    def _go_on(self, bundle: Bundle, moment: float) -> None:
        """Work on a unit until it ends or its helpers change."""
        bundle.turn = turn = bundle.turn + 1
        ends = moment + (bundle.whole - bundle.done) / bundle.speed
        self._clock.at(ends, lambda moment: self._end_unit(bundle, moment, 1.0) if bundle.turn == turn else None)

    def _end_unit(self, bundle: Bundle, moment: float, share: float) -> None:
        result = bundle.result
        assert result is not None
        if share < 1.0:
            result = bundle.of.kernels.stopped(bundle.unit, int(share * result.nodes))
        if bundle.helpers:
            self._change_helpers(bundle, -bundle.helpers, moment)
        seconds = moment - bundle.started
        bundle.results.append(replace(result, seconds=seconds, cpu_seconds=seconds))
        self._clock.work += seconds
        bundle.of.forget(bundle.unit)
        bundle.at += 1
        bundle.turn += 1
        del self._running[bundle]
        if bundle.at < len(bundle.units):
            self._clock.at(moment + COSTS.around_unit, lambda moment: self._begin_unit(bundle, moment))
        else:
            self._clock.at(moment + COSTS.around_unit, lambda moment: self._end_bundle(bundle, moment))
        self._help(moment)

    def _end_bundle(self, bundle: Bundle, moment: float) -> None:
        self._done[bundle.of].append(bundle)
        self._answer(bundle.of, moment)
        self._clock.at(moment + COSTS.between_bundles, self._free_thread)

    def _free_thread(self, moment: float) -> None:
        self._free += 1
        self._begin_bundles(moment)
        self._help(moment)

    def _help(self, moment: float) -> None:
        """Threads without a bundle help."""
        while self._helping < self._free:
            running = list(self._running)
            places = [(bundle.helpers, bundle.started) for bundle in running]
            place = next_to_help(places, moment - LONG_SECONDS * _ALMOST)
            if place is None:
                return
            self._change_helpers(running[place], +1, moment)

    def _change_helpers(self, bundle: Bundle, more: int, moment: float) -> None:
        bundle.done += (moment - bundle.since) * bundle.speed
        self._clock.help += (moment - bundle.since) * bundle.helpers
        bundle.since = moment
        bundle.helpers += more
        self._helping += more
        self._go_on(bundle, moment)
