"""A simulated node: its threads work on calls, and those that have none help with what takes long."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np

from benchmarks.simulation.costs import COSTS
from benchmarks.simulation.recorded import Recorded
from pegray.cluster.helpers import LONG_SECONDS, next_to_help
from pegray.preendgame.work import Settled, Unit

_TIMES_AS_FAST = ((1, 2, 4, 8), (1.0, 1.5, 1.9, 2.4))
"""A unit on so many threads; `benchmarks/helpers.py` measures it."""
_ALMOST = 0.999


Event = Callable[[float], object]
"""What happens at a moment."""


class Caller(Protocol):
    """The position that a call belongs to, at the driver."""

    kernels: Recorded

    def is_idle(self, unit: Unit) -> bool:
        """Whether nobody needs what comes of a unit, as far as the nodes know."""

    def forget(self, unit: Unit) -> None:
        """A unit has ended."""

    def ended(self, call: Call) -> None:
        """A call has come back."""


class Clock(Protocol):
    """The cluster as its nodes see it."""

    work: float
    help: float

    def at(self, time: float, event: Event) -> None:
        """Something happens then."""

    def send_back(self, call: Call, moment: float) -> None:
        """What has come of a call goes to the driver."""


@dataclass(eq=False)
class Call:
    """Units of a position that go to a node together.

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


class Node:
    """Threads that work on calls in the order in which they arrive, and help as :mod:`pegray.cluster.helpers` has it.

    calls: that were sent to it, and with which its threads are not done
    """

    def __init__(self, clock: Clock, threads: int) -> None:
        self.calls = 0
        self._clock = clock
        self._free = threads  # of calls
        self._helping = 0
        self._queue: deque[Call] = deque()
        self._running: dict[Call, None] = {}  # in the order in which they began

    def arrive(self, call: Call, moment: float) -> None:
        """A call has come."""
        self._queue.append(call)
        self._begin_calls(moment)

    def stop_idle(self, caller: Caller, moment: float) -> None:
        """Stop the work of a position on units that nobody needs any more."""
        for call in [call for call in self._running if call.of is caller and caller.is_idle(call.unit)]:
            done = call.done + (moment - call.since) * call.speed
            self._end_unit(call, moment, min(_ALMOST, done / call.whole if call.whole else 0.0))

    def _begin_calls(self, moment: float) -> None:
        while self._free and self._queue:
            self._free -= 1
            call = self._queue.popleft()
            if self._helping > self._free:
                self._change_helpers(next(call for call in self._running if call.helpers), -1, moment)
            self._begin_unit(call, moment)

    def _begin_unit(self, call: Call, moment: float) -> None:
        kernels = call.of.kernels
        call.result = kernels.stopped(call.unit, 0.0) if call.of.is_idle(call.unit) else kernels.settle(call.unit)
        call.whole = kernels.seconds(call.result.nodes)
        call.started = call.since = moment
        call.done = 0.0
        self._running[call] = None
        self._go_on(call, moment)
        if call.whole > LONG_SECONDS:
            self._clock.at(moment + LONG_SECONDS, self._help)

    def _go_on(self, call: Call, moment: float) -> None:
        """Work on a unit until it ends or its helpers change."""
        call.turn = turn = call.turn + 1
        ends = moment + (call.whole - call.done) / call.speed
        self._clock.at(ends, lambda moment: self._end_unit(call, moment, 1.0) if call.turn == turn else None)

    def _end_unit(self, call: Call, moment: float, share: float) -> None:
        result = call.result
        assert result is not None
        if share < 1.0:
            result = call.of.kernels.stopped(call.unit, share)
        if call.helpers:
            self._change_helpers(call, -call.helpers, moment)
        seconds = moment - call.started
        call.results.append(replace(result, seconds=seconds, cpu_seconds=seconds))
        self._clock.work += seconds
        call.of.forget(call.unit)
        call.at += 1
        call.turn += 1
        del self._running[call]
        if call.at < len(call.units):
            self._clock.at(moment + COSTS.around_unit, lambda moment: self._begin_unit(call, moment))
        else:
            self._clock.at(moment + COSTS.around_unit, lambda moment: self._end_call(call, moment))
        self._help(moment)

    def _end_call(self, call: Call, moment: float) -> None:
        self._clock.send_back(call, moment)
        self._clock.at(moment + COSTS.between_calls, self._free_thread)

    def _free_thread(self, moment: float) -> None:
        self._free += 1
        self.calls -= 1
        self._begin_calls(moment)
        self._help(moment)

    def _help(self, moment: float) -> None:
        """Threads without a call help."""
        while self._helping < self._free:
            running = list(self._running)
            place = next_to_help([(call.helpers, call.started) for call in running], moment - LONG_SECONDS * _ALMOST)
            if place is None:
                return
            self._change_helpers(running[place], +1, moment)

    def _change_helpers(self, call: Call, more: int, moment: float) -> None:
        call.done += (moment - call.since) * call.speed
        self._clock.help += (moment - call.since) * call.helpers
        call.since = moment
        call.helpers += more
        self._helping += more
        self._go_on(call, moment)
