"""Bundles of units: what a thread of a node works on in turn. Pure bookkeeping, without Ray."""

from __future__ import annotations

import math
from collections.abc import Callable

from pegray.preendgame.schedule import FIRST_UNCUT_BUDGET
from pegray.preendgame.work import BUDGET_GROWTH, Unit
from pegray.terms import UnitKind

BUNDLES_PER_THREAD = 2
"""In flight at the most: every thread busy, with its next bundle waiting at the node."""

IDLE_SECONDS = 0.05
"""After so long a position that has nothing in flight looks again whether it may hand out something."""

# Bundles that take less get more units: so long that the driver has a millisecond for each of them. What is in a bundle
# that waits was chosen before the last results were known, so on few threads short ones spare work.
_SECONDS_PER_THREAD = 0.001
_SHORTEST_SECONDS = 0.01
_LONGEST_SECONDS = 0.1
# Those that take so many times as long get fewer.
_TIMES_TOO_LONG = 5
_MAX_UNITS_PER_BUNDLE = 32
# A position with many candidate plays may have one unit in a bundle for every so many of them, if that is more. Of yet
# more units in flight many would be draws of the same plays, and wasted as soon as one of them refutes its play.
_PLAYS_PER_UNIT = 32
# A unit with a larger budget (nodes; so much takes half a second or more) goes in a bundle of its own.
_LONG_BUDGET = FIRST_UNCUT_BUDGET
# Units that have run out of so many nodes before, all together, are enough for a bundle.
_ENOUGH_TRIED = _LONG_BUDGET // BUDGET_GROWTH
# Within this time the driver hands out the next bundle for a thread that has none.
_ROUND_SECONDS = 0.1
_RECENT_BUNDLES = 50
# So often all nodes together should answer: each answer takes the driver a fifth of a millisecond.
_ANSWERS_A_SECOND = 1000
# With more units in flight than these, all bundles together, each would be chosen long before its turn comes.
_MOST_UNITS_OUT = 2048


def gather_seconds(nodes: int) -> float:
    """How long each of so many nodes may wait for more once a bundle is done, as long as no thread is without work."""
    return nodes / _ANSWERS_A_SECOND


class Packing:
    """Packs the units of a position into bundles that last long enough to be worth their overhead, and no longer.

    plays: candidate plays of the position
    bundles_out, units_out: what has been packed and has not come back
    """

    def __init__(self, plays: int) -> None:
        self.bundles_out = 0
        self.units_out = 0
        self._units_per_bundle = 1
        self._most_units_per_bundle = max(_MAX_UNITS_PER_BUNDLE, plays // _PLAYS_PER_UNIT)
        self._usual_seconds = 0.0

    def free(self, share: int) -> int:
        """How many more bundles to hand out of a share of the slots.

        Every thread gets one. The longer bundles last, the fewer wait behind those: what turns out to be more useful
        meanwhile would have to wait behind them.
        """
        threads = share / BUNDLES_PER_THREAD
        waiting = (share - threads) * min(1.0, _ROUND_SECONDS / max(self._usual_seconds, _ROUND_SECONDS))
        return max(0, math.ceil(threads + waiting) - self.bundles_out)

    def capacity(self, share: int) -> int:
        """Units to keep in flight: those of the bundles that are out, and for each that may be handed out.

        Bundles are counted, not units: when they get smaller, the large ones that are still out must not keep others
        from being handed out.
        """
        most = max(1, _MOST_UNITS_OUT // max(1, share))
        return self.units_out + self.free(share) * min(self._units_per_bundle, most)

    def pack(self, units: list[Unit], share: int, suspected: Callable[[Unit], bool]) -> list[list[Unit]]:
        """The units of each bundle, few units spread over those that may be handed out of a share of the slots.

        A unit goes alone if it may take long, lest others wait for it, and if it is ``suspected`` to have killed a
        solver: if it was not to blame, it shall not be again.
        """
        size = min(self._units_per_bundle, -(-len(units) // max(1, self.free(share))))
        bundles: list[list[Unit]] = []
        rest: list[Unit] = []
        for unit in units:
            if _may_take_long(unit) or suspected(unit):
                bundles.append([unit])
            else:
                rest.append(unit)
        # units of one draw next to each other: the racks are the same then, and the lists of plays still in memory
        places: dict[int, int] = {}
        rest.sort(key=lambda unit: places.setdefault(unit.draw, len(places)))
        bundles += _in_bundles(rest, size)
        self.bundles_out += len(bundles)
        self.units_out += len(units)
        return bundles

    def come_back(self, bundle: list[Unit]) -> None:
        """A bundle is out no longer."""
        self.bundles_out -= 1
        self.units_out -= len(bundle)

    def learn(self, seconds: float, threads: int) -> None:
        """A bundle has taken so long, on a cluster of so many threads."""
        short = min(_LONGEST_SECONDS, max(_SHORTEST_SECONDS, _SECONDS_PER_THREAD * threads))
        self._usual_seconds += (seconds - self._usual_seconds) / _RECENT_BUNDLES
        if seconds < short:
            self._units_per_bundle = min(self._most_units_per_bundle, self._units_per_bundle + 1)
        elif seconds > _TIMES_TOO_LONG * short:
            self._units_per_bundle = max(1, self._units_per_bundle // 2)


def _may_take_long(unit: Unit) -> bool:
    """Whether a unit has a large budget, and is not a first try, most of which use little of it."""
    return unit.budget > _LONG_BUDGET and (unit.tried > 0 or unit.kind != UnitKind.VERDICT)


def _in_bundles(units: list[Unit], size: int) -> list[list[Unit]]:
    """At most ``size`` units in a bundle, and no more once it is likely to take long."""
    bundles: list[list[Unit]] = []
    tried = 0
    for unit in units:
        if not bundles or len(bundles[-1]) == size or tried + unit.tried > _ENOUGH_TRIED:
            bundles.append([])
            tried = 0
        bundles[-1].append(unit)
        tried += unit.tried
    return bundles
