"""The tie-break: final spreads of the plays that are level at the top."""

from __future__ import annotations

from pegray.kernels.memory import NO_BOUND
from pegray.preendgame.book import Book
from pegray.preendgame.work import Settled, Unit
from pegray.results.state import MAX_TIEBREAKS
from pegray.terms import UnitKind

CHEAP_SPREAD_BUDGET = 200_000


class TieBreak:
    """What is known of final spreads, and which to work out next; it begins when all verdicts are there.

    spreads: the result of each draw of a play whose final spread is known
    """

    def __init__(self, book: Book) -> None:
        self._book = book
        self.spreads: dict[tuple[int, int], Settled] = {}
        self._waiting: list[tuple[int, int]] | None = None
        self._in_flight: set[tuple[int, int]] = set()

    @property
    def in_flight(self) -> int:
        """How many units are being worked on."""
        return len(self._in_flight)

    @property
    def has_begun(self) -> bool:
        """Whether spreads are worked out: no verdicts are after that."""
        return self._waiting is not None

    @property
    def is_done(self) -> bool:
        """Whether there is nothing to work out, or nothing that would be tried again."""
        return not self._in_flight and not (self._draws() if self._waiting is None else self._waiting)

    @property
    def is_open(self) -> bool:
        """Whether plays are level at the top that have still to be told apart."""
        return len(self._book.level_at_top()) > 1 and bool(self._draws())

    def begin(self) -> None:
        """All verdicts that are needed are there."""
        self._waiting = self._draws()

    def next_units(self, count: int) -> list[Unit]:
        """Up to ``count`` units to work on now."""
        waiting = self._waiting or []
        wheres = waiting[:count]
        del waiting[:count]
        self._in_flight.update(wheres)
        budget = NO_BOUND if len(self._book.level_at_top()) > 1 else CHEAP_SPREAD_BUDGET
        return [Unit(candidate, draw, UnitKind.SPREAD, budget, -NO_BOUND) for candidate, draw in wheres]

    def give_back(self, unit: Unit) -> None:
        """A unit was lost (its worker died): it may be handed out again."""
        where = (unit.candidate, unit.draw)
        if where in self._in_flight and self._waiting is not None:
            self._in_flight.remove(where)
            self._waiting.append(where)

    def record(self, result: Settled) -> None:
        """Take over a spread, or that none was found."""
        where = (result.unit.candidate, result.unit.draw)
        self._in_flight.discard(where)
        if result.finished:
            self.spreads[where] = result
        elif self._waiting is not None and not result.out_of_budget:
            self._waiting.append(where)

    def _draws(self) -> list[tuple[int, int]]:
        """Those still to be worked out of the plays level at the top that empty the bag, the highest scores first.

        A play that is alone at the top has nobody to be compared with: its spread is worked out where that is cheap.
        """
        book = self._book
        if not book.problem.options.tiebreak:
            return []
        level = [candidate for candidate in book.level_at_top() if book.drawn[candidate] == book.problem.bag]
        level.sort(key=lambda candidate: -int(book.problem.candidates.scores[candidate]))
        return [
            (candidate, draw)
            for candidate in level[:MAX_TIEBREAKS]
            for draw in range(book.draws(candidate))
            if (candidate, draw) not in self.spreads
        ]
