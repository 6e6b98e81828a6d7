"""The tie-break: which of the plays level at the top has the best average final spread, as far as that is needed.

Each draw of a play has an interval that its final spread lies in; those of a play, weighed and added up, are one for
its average. The tie-break is decided when the intervals of the plays are apart, the first from all others. So it asks
for what still keeps them together, a little of each, easy draws first: most of an exact spread is the last proof.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from pegray.game.notation import format_move
from pegray.kernels.memory import NO_BOUND
from pegray.kernels.table import INFINITE
from pegray.kernels.verdicts import LOSS, WIN
from pegray.preendgame.book import Book
from pegray.preendgame.packed_moves import unpack_move
from pegray.preendgame.work import BUDGET_GROWTH, Settled, Unit
from pegray.results.state import MAX_TIEBREAKS
from pegray.terms import UnitKind

CHEAP_SPREAD_BUDGET = 200_000
FIRST_SPREAD_BUDGET = 2_000
_LIKELY_WIDTH = 32  # points, of an interval with one end that is not known


class Spreads:
    """What is known of the final spreads of one play that empties the bag, for each of its draws.

    at_least, at_most: int64[draws], -INFINITE and INFINITE where nothing is known
    deferred: int64[draws], how often a budget ran out
    weights: int64[draws], labelled draws
    least, most: what the spreads may add up to, each as often as its draw weighs
    """

    def __init__(self, weights: npt.NDArray[np.int64]) -> None:
        self.weights = weights
        self.at_least = np.full(len(weights), -INFINITE, np.int64)
        self.at_most = -self.at_least
        self.deferred = np.zeros(len(weights), np.int64)
        self.least = int(self.at_least @ weights)
        self.most = int(self.at_most @ weights)

    def narrow(self, draw: int, at_least: int | None, at_most: int | None) -> None:
        """The final spread after a draw lies between these, if they are not None."""
        if at_least is not None:
            self.at_least[draw] = max(self.at_least[draw], at_least)
        if at_most is not None:
            self.at_most[draw] = min(self.at_most[draw], at_most)
        self.least = int(self.at_least @ self.weights)
        self.most = int(self.at_most @ self.weights)

    @property
    def is_open(self) -> npt.NDArray[np.bool_]:
        """bool[draws]: those whose final spread is not known exactly."""
        return self.at_least < self.at_most

    def likely(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Ends of the intervals to ask between, int64[draws] each: one that is not known is put near the other."""
        no_least, no_most = self.at_least == -INFINITE, self.at_most == INFINITE
        at_least = np.where(no_least, np.where(no_most, -_LIKELY_WIDTH, self.at_most - _LIKELY_WIDTH), self.at_least)
        at_most = np.where(no_most, np.where(no_least, _LIKELY_WIDTH, self.at_least + _LIKELY_WIDTH), self.at_most)
        return at_least, at_most


class TieBreak:
    """What is known of final spreads, and what to ask next; it begins when all verdicts are there.

    It compares the plays that empty the bag among those level at the top, the highest scores first, and decides the
    first ``top`` places; equal averages are told apart by score, then by name, as in the ranking. Where just one play
    is compared, its spreads are worked out if that is cheap. With ``exact_spreads`` all are, at any price.

    results: what came last of each draw of a play that was asked about
    """

    def __init__(self, book: Book) -> None:
        self._book = book
        self._spreads: dict[int, Spreads] = {}
        self._compared: dict[int, tuple[int, str]] = {}  # what equals are told apart by
        self._in_flight: set[tuple[int, int]] = set()
        self.results: dict[tuple[int, int], Settled] = {}
        self.has_begun = False

    @property
    def in_flight(self) -> int:
        """How many units are being worked on."""
        return len(self._in_flight)

    @property
    def is_done(self) -> bool:
        """Whether nothing more is asked; units that are not needed any more may be in flight."""
        return not self._open_plays()

    @property
    def is_decided(self) -> bool:
        """Whether the first places are given to the plays that they belong to."""
        return not self._undecided()

    def begin(self) -> None:
        """All verdicts that are needed are there."""
        self.has_begun = True

    def compared(self) -> list[int]:
        """The plays level at the top that are compared, the highest scores first."""
        book = self._book
        if not book.problem.options.tiebreak:
            return []
        level = [candidate for candidate in book.level_at_top() if book.drawn[candidate] == book.problem.bag]
        level.sort(key=lambda candidate: -int(book.problem.candidates.scores[candidate]))
        return level[:MAX_TIEBREAKS]

    def spread(self, candidate: int, draw: int) -> int | None:
        """The final spread of a draw of a play; None while it is not known exactly."""
        known = self._spreads.get(candidate)
        if known is None or known.is_open[draw]:
            return None
        return int(known.at_least[draw])

    def average(self, candidate: int) -> tuple[float | None, float | None]:
        """The least and the most that the average final spread of a play may be; None where that is not known."""
        known = self._spreads.get(candidate)
        if known is None:
            return None, None
        total = int(known.weights.sum())
        at_least = None if (known.at_least == -INFINITE).any() else known.least / total
        at_most = None if (known.at_most == INFINITE).any() else known.most / total
        return at_least, at_most

    # -- work -------------------------------------------------------------------------------------------------

    def next_units(self, count: int) -> list[Unit]:
        """Up to ``count`` units to work on now."""
        units: list[Unit] = []
        while len(units) < count and (unit := self._next_unit()) is not None:
            self._in_flight.add((unit.candidate, unit.draw))
            units.append(unit)
        return units

    def give_back(self, unit: Unit) -> None:
        """A unit was lost (its worker died): it may be handed out again."""
        self._in_flight.discard((unit.candidate, unit.draw))

    def record(self, result: Settled) -> None:
        """Take over what was found of a spread."""
        candidate, draw = where = (result.unit.candidate, result.unit.draw)
        self._in_flight.discard(where)
        self.results[where] = result
        known = self._known(candidate)
        if result.spread is not None:
            known.narrow(draw, result.spread, result.spread)
        known.narrow(draw, result.spread_at_least, result.spread_at_most)
        known.deferred[draw] += result.out_of_budget

    def _known(self, candidate: int) -> Spreads:
        if candidate not in self._spreads:
            weights = self._book.eventualities.draws(self._book.drawn[candidate]).weights
            self._spreads[candidate] = Spreads(weights)
        return self._spreads[candidate]

    def _join(self, candidate: int) -> None:
        """Begin to compare a play: what its outcomes say of its spreads is known already."""
        if candidate in self._compared:
            return
        problem = self._book.problem
        move = unpack_move(int(problem.candidates.moves[candidate]), problem.position.board)
        name = format_move(move, problem.position.distribution)
        self._compared[candidate] = (-int(problem.candidates.scores[candidate]), name)
        known = self._known(candidate)
        for draw in range(self._book.draws(candidate)):
            result = self._book.settled[candidate, draw]
            if result.proven:
                verdict = result.outcomes[0]
                known.narrow(draw, *{LOSS: (None, -1), WIN: (1, None)}.get(verdict, (0, 0)))

    def _open_plays(self) -> list[int]:
        """Plays of which something is still asked, though it may be in flight."""
        plays = self.compared()
        exact = self._book.problem.options.exact_spreads
        if len(plays) > 1 and not exact:
            return self._undecided()
        for candidate in plays:
            self._join(candidate)
        return [play for play in plays if self._askable(play, exact).any()]

    def _askable(self, candidate: int, at_any_price: bool) -> npt.NDArray[np.bool_]:
        """bool[draws]: those to work out exactly: without a price, those that have not yet shown to be dear."""
        known = self._known(candidate)
        askable: npt.NDArray[np.bool_] = known.is_open & (at_any_price | (known.deferred == 0))
        return askable

    def _next_unit(self) -> Unit | None:
        plays = self._open_plays()
        exact = self._book.problem.options.exact_spreads
        if exact or len(self.compared()) == 1:
            budget = NO_BOUND if exact else CHEAP_SPREAD_BUDGET
            for candidate in plays:
                for draw in np.flatnonzero(self._askable(candidate, exact)).tolist():
                    if (candidate, draw) not in self._in_flight:
                        return Unit(candidate, draw, UnitKind.SPREAD, budget, -NO_BOUND)
            return None
        return (self._first_look(plays) or self._next_question(plays)) if plays else None

    # -- which question decides -------------------------------------------------------------------------------

    def _undecided(self) -> list[int]:
        """The plays that contend for the first place that is not decided; none if all that are asked for are."""
        rest = self.compared()
        for candidate in rest:
            self._join(candidate)
        for _ in range(self._book.problem.options.top):
            if len(rest) < 2:
                return []
            first = max(rest, key=lambda play: self._spreads[play].least)
            ahead = [play for play in rest if all(self._is_ahead(play, other) for other in rest if other != play)]
            if not ahead:
                # those that are behind the first for certain no longer contend
                return [play for play in rest if play == first or not self._is_ahead(first, play)]
            rest.remove(ahead[0])
        return []

    def _is_ahead(self, play: int, other: int) -> bool:
        """Whether a play certainly ranks before another."""
        least, most = self._spreads[play].least, self._spreads[other].most
        return least > most or (least == most and self._compared[play] < self._compared[other])

    def _first_look(self, plays: list[int]) -> Unit | None:
        """A draw that has not been asked about yet; most are easy."""
        for candidate in plays:
            known = self._spreads[candidate]
            for draw in np.flatnonzero(known.is_open & (known.deferred == 0)).tolist():
                if (candidate, draw) not in self.results and (candidate, draw) not in self._in_flight:
                    return Unit(candidate, draw, UnitKind.SPREAD, FIRST_SPREAD_BUDGET, -NO_BOUND)
        return None

    def _next_question(self, plays: list[int]) -> Unit | None:
        """A question about the likely first or about the one that may have most besides, if one is not in flight.

        Each open draw of the two is to give way by the same share of its interval, so that the play's intervals part
        when all have: the likely first's spreads upwards, the other's downwards.
        """
        first = max(plays, key=lambda play: sum(int(end @ self._spreads[play].weights) for end in self._ends(play)))
        others = [play for play in plays if play != first and not self._is_ahead(first, play)]
        for other in sorted(others, key=lambda play: -self._spreads[play].most):
            asked = [
                (promise, play, draw)
                for play in (first, other)
                for draw, promise in enumerate(self._promises(play).tolist())
                if promise > 0 and (play, draw) not in self._in_flight
            ]
            if asked:
                _, play, draw = max(asked, key=lambda one: one[0])
                return self._question(play, draw, self._share(first, other), play == first)
        return None

    def _ends(self, play: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        return self._spreads[play].likely()

    def _promises(self, play: int) -> npt.NDArray[np.float64]:
        """float64[draws]: what a draw may change of the play's average, for a node to spend."""
        known = self._spreads[play]
        at_least, at_most = known.likely()
        promises: npt.NDArray[np.float64] = (
            (at_most - at_least) * known.weights / float(BUDGET_GROWTH) ** known.deferred
        )
        return promises

    def _share(self, first: int, other: int) -> float:
        """By which share of all intervals of two plays they have to give way until the first is ahead."""
        least, first_most = (int(end @ self._spreads[first].weights) for end in self._ends(first))
        other_least, most = (int(end @ self._spreads[other].weights) for end in self._ends(other))
        width = (first_most - least) + (most - other_least)
        return min(1.0, max(0.0, (most - least) / width))

    def _question(self, play: int, draw: int, share: float, upwards: bool) -> Unit:
        """Whether the spread of a draw lies so much further up, or down."""
        known = self._spreads[play]
        budget = FIRST_SPREAD_BUDGET * BUDGET_GROWTH ** int(known.deferred[draw])
        if known.at_least[draw] == -INFINITE and known.at_most[draw] == INFINITE:
            return Unit(play, draw, UnitKind.SPREAD, budget, -NO_BOUND)
        at_least, at_most = (int(end[draw]) for end in known.likely())
        step = max(1, math.ceil(share * (at_most - at_least)))
        below = at_least + step - 1 if upwards else at_most - step
        return Unit(play, draw, UnitKind.SPREAD, budget, -NO_BOUND, below, below + 1)
