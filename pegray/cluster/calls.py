"""How many units go into a call: pure bookkeeping, without Ray."""

from __future__ import annotations

import math
from collections.abc import Callable

from pegray.preendgame.schedule import FIRST_UNCUT_BUDGET
from pegray.preendgame.work import BUDGET_GROWTH, Unit
from pegray.terms import UnitKind

CALLS_PER_THREAD = 2
"""In flight at the most: every thread busy, with the next call waiting at its actor."""

IDLE_SECONDS = 0.05
"""After so long a position that has no call in flight looks again whether it may make one."""

# Calls shorter than this get more units: so long that the driver has a millisecond for each of them. What is in a call
# that waits was chosen before the last results were known, so on few threads short ones spare work.
_CALL_SECONDS_PER_THREAD = 0.001
_SHORTEST_CALL_SECONDS = 0.01
_LONGEST_CALL_SECONDS = 0.1
# Those that take so many times as long get fewer.
_TIMES_TOO_LONG = 5
_MAX_UNITS_PER_CALL = 32
# A position with many candidate plays may have one unit in a call for every so many of them, if that is more. With yet
# more the units in flight would be many draws of the same plays, and wasted as soon as one of them refutes its play.
_PLAYS_PER_UNIT = 32
# A unit with a larger budget (nodes; so much takes half a second or more) goes in a call of its own.
_LONG_BUDGET = FIRST_UNCUT_BUDGET
# Units that have run out of so many nodes before, all together, are enough for a call.
_ENOUGH_TRIED = _LONG_BUDGET // BUDGET_GROWTH
# Within this time the driver hands out the next call for a thread that has none.
_ROUND_SECONDS = 0.1
_RECENT_CALLS = 50
# With more units in flight than these, all calls together, each would be chosen long before its turn comes.
_MOST_UNITS_OUT = 2048


class CallSizes:
    """Calls should last long enough to be worth their overhead, and no longer.

    plays: candidate plays of the position
    """

    def __init__(self, plays: int) -> None:
        self._units_per_call = 1
        self._most_units_per_call = max(_MAX_UNITS_PER_CALL, plays // _PLAYS_PER_UNIT)
        self._usual_seconds = 0.0

    def free(self, calls_out: int, share: int) -> int:
        """How many more calls to make, with so many out of a share of the slots.

        Every thread gets one. The longer calls last, the fewer wait behind those: what turns out to be more useful
        meanwhile would have to wait behind them.
        """
        threads = share / CALLS_PER_THREAD
        waiting = (share - threads) * min(1.0, _ROUND_SECONDS / max(self._usual_seconds, _ROUND_SECONDS))
        return max(0, math.ceil(threads + waiting) - calls_out)

    def capacity(self, units_out: int, calls_out: int, share: int) -> int:
        """Units to keep in flight: those of the calls that are out, and for each call more that may be made.

        Calls are counted, not units: when calls get smaller, the large ones that are still out must not keep others
        from being made.
        """
        most = max(1, _MOST_UNITS_OUT // max(1, share))
        return units_out + self.free(calls_out, share) * min(self._units_per_call, most)

    def group(self, units: list[Unit], free: int, suspected: Callable[[Unit], bool]) -> list[list[Unit]]:
        """The units of each call, few units spread over ``free`` calls.

        A unit goes alone if it may take long, lest others wait for it, and if it is ``suspected`` to have killed a
        solver: if it was not to blame, it shall not be again.
        """
        size = min(self._units_per_call, -(-len(units) // max(1, free)))
        calls: list[list[Unit]] = []
        rest: list[Unit] = []
        for unit in units:
            if _may_take_long(unit) or suspected(unit):
                calls.append([unit])
            else:
                rest.append(unit)
        # units of one draw next to each other: the racks are the same then, and the lists of plays still in memory
        places: dict[int, int] = {}
        rest.sort(key=lambda unit: places.setdefault(unit.draw, len(places)))
        return calls + _in_calls(rest, size)

    def learn(self, seconds: float, threads: int) -> None:
        """A call has taken so long, on a cluster of so many threads."""
        short = min(_LONGEST_CALL_SECONDS, max(_SHORTEST_CALL_SECONDS, _CALL_SECONDS_PER_THREAD * threads))
        self._usual_seconds += (seconds - self._usual_seconds) / _RECENT_CALLS
        if seconds < short:
            self._units_per_call = min(self._most_units_per_call, self._units_per_call + 1)
        elif seconds > _TIMES_TOO_LONG * short:
            self._units_per_call = max(1, self._units_per_call // 2)


def _may_take_long(unit: Unit) -> bool:
    """Whether a unit has a large budget, and is not a first try, most of which use little of it."""
    return unit.budget > _LONG_BUDGET and (unit.tried > 0 or unit.kind != UnitKind.VERDICT)


def _in_calls(units: list[Unit], size: int) -> list[list[Unit]]:
    """At most ``size`` units in a call, and no more once it is likely to take long."""
    calls: list[list[Unit]] = []
    tried = 0
    for unit in units:
        if not calls or len(calls[-1]) == size or tried + unit.tried > _ENOUGH_TRIED:
            calls.append([])
            tried = 0
        calls[-1].append(unit)
        tried += unit.tried
    return calls
