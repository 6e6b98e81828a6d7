"""Threads on other machines that have nothing to do keep company with those that are at what takes long.

The threads of a machine share its memory, and help one another there. Others are handed out the same reply, in short
legs: each begins with its share of our plays in every decision, and with what all who were at the reply have settled.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection

from pegray.preendgame.work import Unit

LEG = 1_000_000
"""Nodes of a leg in company; a reply that has fewer itself is soon done without."""
MOST = 7
"""Threads at one reply beside the first."""


def company_for(in_flight: Collection[Unit], count: int, is_left: Callable[[Unit], bool]) -> list[Unit]:
    """Up to ``count`` units for threads that have nothing to do, at the replies that have the least company.

    is_left: whether the reply of a unit may still matter
    """
    long = [unit for unit in in_flight if _takes_long(unit) and is_left(unit)]
    if not long:
        return []
    places: defaultdict[tuple[int, int, tuple[int, ...]], set[int]] = defaultdict(set)
    for unit in in_flight:
        places[_reply_of(unit)].add(unit.company[0])
    joined: list[Unit] = []
    while len(joined) < count:
        unit = min(long, key=lambda unit: len(places[_reply_of(unit)]))
        taken = places[_reply_of(unit)]
        free = set(range(1, MOST + 1)) - taken
        if not free:
            break
        taken.add(min(free))
        joined.append(unit._replace(budget=LEG, company=(min(free), 0)))
    return [unit._replace(company=(unit.company[0], max(places[_reply_of(unit)]))) for unit in joined]


def _reply_of(unit: Unit) -> tuple[int, int, tuple[int, ...]]:
    return unit.candidate, unit.draw, unit.portion


def _takes_long(unit: Unit) -> bool:
    """Whether it is a reply by itself that has run out of many nodes, and left something to go on with."""
    return unit.budget >= LEG and len(unit.portion) == 1 and bool(unit.checkpoints) and not unit.company[0]
