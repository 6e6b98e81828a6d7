"""The order of the work on a draw of a play whose replies are handed out in portions."""

from __future__ import annotations

import heapq
import itertools
from collections import Counter

from pegray.preendgame.walks import Walk
from pegray.preendgame.work import BUDGET_GROWTH, Settled

LEAST_BUDGET = 20_000
"""Nodes for the first try at a reply by itself: a tenth of a second or more."""
_UNTRIED_TOGETHER = 16

Portion = tuple[int, ...]


class Portions:
    """Hands out what is left of a walk: each reply by itself, but some together of those that nobody has looked into.

    The replies race as they do in the kernel: each gets as many nodes as the others before one gets more, and those
    that seemed cheapest come first.

    round_budget: nodes for all of them at the first try
    """

    def __init__(self, walk: Walk, round_budget: int) -> None:
        self._walk = walk
        self._round_budget = round_budget
        left = walk.left or {}
        self._budget = max(LEAST_BUDGET, round_budget // max(1, len(left)))
        self._numbers = itertools.count()
        self._waiting: list[tuple[int, int, Portion]] = []  # how often it was tried; when it came; a heap
        self._tries: Counter[int] = Counter()
        self._put(list(left))

    @property
    def is_waiting(self) -> bool:
        """Whether a portion waits to be handed out."""
        self._settle_first()
        return bool(self._waiting)

    @property
    def tries(self) -> int:
        """How often the portion that comes next has run out of its budget."""
        return self._waiting[0][0] if self.is_waiting else 0

    def next(self) -> tuple[Portion, int]:
        """The portion that comes next, and its budget; one waits."""
        self._settle_first()
        tries, _, portion = heapq.heappop(self._waiting)
        budget = min(self._budget * len(portion), self._round_budget) * BUDGET_GROWTH**tries
        return tuple(sorted(portion)), budget

    def take(self, result: Settled, landed: bool) -> None:
        """The walk has taken over what came of a portion; ``landed``: it was in flight until now."""
        if result.out_of_budget:
            self._tries.update(set(result.unit.portion) - self._walk.untried)
        if landed:
            self.put_back(result.unit.portion)

    def put_back(self, portion: Portion) -> None:
        """What is left of a portion that was in flight waits again."""
        back = set(portion)
        self._put([reply for reply in self._left() if reply in back])

    def _left(self) -> dict[int, None]:
        return self._walk.left or {}

    def _put(self, replies: list[int]) -> None:
        untried = [reply for reply in replies if reply in self._walk.untried]
        portions: list[Portion] = [(reply,) for reply in replies if reply not in self._walk.untried]
        portions += [tuple(untried[at : at + _UNTRIED_TOGETHER]) for at in range(0, len(untried), _UNTRIED_TOGETHER)]
        for portion in portions:
            heapq.heappush(self._waiting, (self._tries_of(portion), next(self._numbers), portion))

    def _tries_of(self, portion: Portion) -> int:
        return min(self._tries[reply] for reply in portion)

    def _settle_first(self) -> None:
        """Let the first that waits be the one that comes next: results from elsewhere may have changed that."""
        left = self._left()
        while self._waiting:
            tries, number, portion = self._waiting[0]
            rest = tuple(reply for reply in portion if reply in left)
            if rest and (rest, tries) == (portion, self._tries_of(portion)):
                return
            heapq.heappop(self._waiting)
            if rest:
                heapq.heappush(self._waiting, (self._tries_of(rest), number, rest))
