"""The order of the work on a draw of a play whose replies are handed out in portions."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable

from pegray.preendgame.legs import Legs
from pegray.preendgame.walks import Walk
from pegray.preendgame.work import BUDGET_GROWTH, Settled

LEAST_BUDGET = 20_000
"""Nodes for the first try at a reply by itself: a tenth of a second or more."""
LEAST_BUDGET_OF_MANY = 5_000
"""The same with many threads: it tells sooner which replies are dear."""
DEAR_BUDGET = 2_000_000
"""Nodes for a dear reply that all other threads would wait for: some ten seconds, which a crash may cost."""
_MANY_THREADS = 16
_MOST_TOGETHER = 16
_LEAST_TOGETHER_OF_MANY = 8
_PORTIONS_OF_THREAD = 2

Portion = tuple[int, ...]


class Portions:
    """Hands out what is left of a walk: each reply by itself, but some together of those that nobody has looked into.

    Most of these take a few nodes: by themselves they would keep the driver of many threads busy. So several have the
    nodes of one; those of them that are dear come back, and are then handed out by themselves.

    The replies race as they do in the kernel: each gets as many nodes as the others before one gets more, and those
    that seemed cheapest come first. But many threads would wait for the dearest in the end. So of those that have been
    tried the dearest comes first, and gets all that it may need, once its next try may take as long as all that is left
    takes the threads together.

    A long try of a reply that brings checkpoints is made in legs (legs.py).

    round_budget: nodes for all of them at the first try
    threads: how many work on the solve
    least: nodes that a portion should take, lest so many threads keep the driver busy
    """

    def __init__(self, walk: Walk, round_budget: int, threads: int, least: int = 0) -> None:
        self._walk = walk
        self._round_budget = round_budget
        self._threads = threads
        left = walk.left or {}
        first_try = LEAST_BUDGET if threads < _MANY_THREADS else LEAST_BUDGET_OF_MANY
        self._budget = max(first_try, least, round_budget // max(1, len(left)))
        together = max(len(walk.untried) // (_PORTIONS_OF_THREAD * threads), least // LEAST_BUDGET_OF_MANY)
        self._most_paid = min(max(1, together), _MOST_TOGETHER)  # a portion has nodes for so many replies
        self._together = max(self._most_paid, 1 if threads < _MANY_THREADS else _LEAST_TOGETHER_OF_MANY)
        self._waiting: defaultdict[int, deque[Portion]] = defaultdict(deque)  # by how often they were tried
        self._tries: Counter[int] = Counter()
        self._legs = Legs[int]()
        self._replies = len(left)
        self._nodes = 0
        self._put(list(left))

    @property
    def is_waiting(self) -> bool:
        """Whether a portion waits to be handed out."""
        return self._first(min) is not None

    @property
    def tries(self) -> int:
        """How often the cheapest portion that waits has run out of its budget."""
        return self._first(min) or 0

    def next(self) -> tuple[Portion, int]:
        """The portion that comes next, and its budget; one waits."""
        dearest = self._first(max) or 0
        if dearest and self._budget_of(self._waiting[dearest][0], dearest) * (self._threads - 1) > self._nodes_left():
            portion = self._waiting[dearest].popleft()
            budget = max(DEAR_BUDGET, self._budget_of(portion, dearest))
        else:
            cheapest = self.tries
            portion = self._waiting[cheapest].popleft()
            budget = self._budget_of(portion, cheapest)
        if len(portion) == 1:
            budget = self._legs.next_leg(portion[0], budget)
        return tuple(sorted(portion)), budget

    def take(self, result: Settled, landed: bool) -> None:
        """The walk has taken over what came of a portion; ``landed``: it was in flight until now."""
        self._nodes += result.nodes
        if result.unit.company[0]:
            return
        if result.out_of_budget:
            alone = len(result.unit.portion) == 1
            for reply in set(result.unit.portion) - self._walk.untried:
                if not alone or self._legs.end(reply, result, self._budget_of((reply,), self._tries[reply])):
                    self._tries[reply] += 1
        if landed:
            self.put_back(result.unit.portion)

    def put_back(self, portion: Portion) -> None:
        """What is left of a portion that was in flight waits again."""
        back = set(portion)
        self._put([reply for reply in self._left() if reply in back])

    def _budget_of(self, portion: Portion, tries: int) -> int:
        growth: int = BUDGET_GROWTH**tries
        return min(self._budget * min(len(portion), self._most_paid), self._round_budget) * growth

    def _nodes_left(self) -> int:
        """What the replies that are left may take, if each takes as many nodes as those that were settled."""
        left = len(self._left())
        return left * self._nodes // max(1, self._replies - left)

    def _left(self) -> dict[int, None]:
        return self._walk.left or {}

    def _put(self, replies: list[int]) -> None:
        untried = [reply for reply in replies if reply in self._walk.untried]
        portions: list[Portion] = [(reply,) for reply in replies if reply not in self._walk.untried]
        portions += [tuple(untried[at : at + self._together]) for at in range(0, len(untried), self._together)]
        for portion in portions:
            self._waiting[self._tries_of(portion)].append(portion)

    def _tries_of(self, portion: Portion) -> int:
        return min(self._tries[reply] for reply in portion)

    def _first(self, choose: Callable[[Iterable[int]], int]) -> int | None:
        """How often a portion was tried that may come next: the least or the most; None where none waits.

        The first of these is up to date then: results from elsewhere may have changed it.
        """
        left = self._left()
        while waiting := [tries for tries, portions in self._waiting.items() if portions]:
            tries = choose(waiting)
            portion = self._waiting[tries][0]
            rest = tuple(reply for reply in portion if reply in left)
            if rest and (rest, tries) == (portion, self._tries_of(portion)):
                return tries
            self._waiting[tries].popleft()
            if rest:
                self._waiting[self._tries_of(rest)].append(rest)
        return None
