"""Long tries are made in legs: each goes on where the one before it ended, on whatever machine that is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from typing import Generic, TypeVar

from pegray.preendgame.checkpoints import nodes_kept
from pegray.preendgame.work import Settled

LONGEST_LEG = 4_000_000
"""Nodes: a minute, which a crash may cost.

A try that is longer than sixteen of them has longer ones: what is begun anew with each should not be most of it."""
_MOST_LEGS = 16
_KEPT_SHARE = 10  # one node in so many, of a leg after which another may follow, need not be searched again

Name = TypeVar("Name", bound=Hashable)


class Legs(Generic[Name]):
    """How far the tries at some searches have come, by their names.

    A search whose last try or leg left checkpoints is tried in legs. What is begun anew with each leg can come to be
    all that it does; then the next try is one long leg.
    """

    def __init__(self) -> None:
        self._walked: Counter[Name] = Counter()  # nodes of the legs of the present try
        self._goes_on: set[Name] = set()  # whose last leg, or try, was not in vain

    def next_leg(self, name: Name, budget: int) -> int:
        """Nodes for what comes next of a try that has so many in all."""
        if name not in self._goes_on:
            return budget
        return min(budget - self._walked[name], max(LONGEST_LEG, budget // _MOST_LEGS))

    def end(self, name: Name, result: Settled, budget: int) -> bool:
        """A leg of a try that has so many nodes has run out of its own; whether the try has, too."""
        self._walked[name] += result.nodes
        if _KEPT_SHARE * nodes_kept(result.checkpoints) >= result.nodes:
            self._goes_on.add(name)
            if self._walked[name] < budget:
                return False
        else:
            self._goes_on.discard(name)
        del self._walked[name]
        return True
