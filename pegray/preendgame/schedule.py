"""Which draw of which play to look into next, and with how many nodes."""

from __future__ import annotations

import math
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from pegray.kernels.memory import NO_BOUND
from pegray.preendgame.book import Book
from pegray.preendgame.work import Settled, Unit
from pegray.terms import UnitKind, Until

FIRST_BUDGET = 100
FIRST_WALK_BUDGET = 3_000
FIRST_UNCUT_BUDGET = 100_000
BUDGET_GROWTH = 4
_LEVELS_AHEAD = 16.0
_LOG_GROWTH = math.log(BUDGET_GROWTH)
_MOST_DEFERRALS = 30
_NODE_WORTH = float(BUDGET_GROWTH) ** -np.arange(_MOST_DEFERRALS + 1)
_TIER_LEVELS = 1e6


class DrawState(IntEnum):
    """What becomes of a draw of a play."""

    WAITING = 0
    IN_FLIGHT = 1
    SETTLED = 2


class Tier(IntEnum):
    """Whether a play may still have more points than the best finished one, as many, or neither: they come in turn."""

    MAY_BEAT = 0
    MAY_BE_LEVEL = 1
    MAY_NOT = 2


# numpy compares with plain numbers in a third of the time
_WAITING = DrawState.WAITING.value
_MAY_BEAT, _MAY_BE_LEVEL, _MAY_NOT = (tier.value for tier in Tier)


class Schedule:
    """The order of the work on verdicts: pure bookkeeping over what the book says.

    A play's draws are handed out as units, each with a node budget. One that runs out of it may be tried again
    with a larger one. Which play comes next is decided by the budget that it needs now, in powers of the growth, less
    what it has won and lost so far: a play that has won half of its draws and lost none is let go several budgets
    ahead of the others, so a good play is finished early and its losses cut the others off. Draws of a play that are
    in flight count as if the next one needed their budgets too: what comes of them may spare it. Of a play's draws
    the one comes next that promises the most losses for its budget, by what came of that draw with other plays.

    The answer comes first: a play that can be no more than level with the best finished one waits until no other
    can have more. A unit of a play that may still beat it is handed out as if the play had lost so much more that the
    kernel gives it up at the loss that makes it level, and not at the next; the rest of it waits with the play.

    state: for each play int8[draws], a DrawState
    draws_total: draws of all plays that are to be compared
    """

    def __init__(self, book: Book) -> None:
        self._book = book
        candidates = book.problem.candidates
        count = len(candidates)
        draws = [book.draws(candidate) for candidate in range(count)]
        self.state = [np.zeros(length, np.int8) for length in draws]
        self._waiting = np.array(draws, np.int64)
        self._waiting[candidates.skipped] = 0
        self.draws_total = int(self._waiting.sum())
        # how often a draw of a play has run out of budget, whether one has, and that of the one that comes next
        self._deferred = [np.zeros(length, np.int8) for length in draws]
        self._has_deferred = np.zeros(count, np.bool_)
        self._deferrals = np.zeros(count, np.int64)
        # by how many tiles a play draws, for each draw: over all plays how often it was tried and how often that found
        # a loss (at first, as if one in two)
        self._tries = {drawn: np.ones(len(weights)) for drawn, weights in book.half_weights.items()}
        self._failures = {drawn: np.full(len(weights), 0.5) for drawn, weights in book.half_weights.items()}
        self._in_flight: set[tuple[int, int]] = set()
        self._flying = np.zeros(count, np.int64)  # draws of each play in flight
        # the level of each play that waits for its turn, else infinity, and with its tier: the lowest comes next
        self._level = np.where(self._waiting > 0, 0.0, np.inf)
        self._turn = self._level.copy()

    @property
    def in_flight(self) -> int:
        """How many units are being worked on."""
        return len(self._in_flight)

    @property
    def is_empty(self) -> bool:
        """Whether no draw of a play that may still matter waits to be handed out."""
        return self._next_play() is None

    def next_units(self, count: int) -> list[Unit]:
        """Up to ``count`` units to work on now, most useful first."""
        units: list[Unit] = []
        while len(units) < count and (candidate := self._next_play()) is not None:
            units.append(self._issue(candidate))
        return units

    def give_back(self, unit: Unit) -> None:
        """A unit was lost (its worker died): it may be handed out again."""
        if self.land(unit) and self.state[unit.candidate][unit.draw] == DrawState.IN_FLIGHT:
            self._set_state(unit.candidate, unit.draw, DrawState.WAITING)

    def land(self, unit: Unit) -> bool:
        """Whether a unit was in flight; it is no longer."""
        where = (unit.candidate, unit.draw)
        if where not in self._in_flight:
            return False
        self._in_flight.remove(where)
        self._flying[unit.candidate] -= 1
        return True

    def take(self, result: Settled, lost_more: bool) -> None:
        """Go by a result that the book has taken over; ``lost_more``: it lost more than was known."""
        candidate, draw = result.unit.candidate, result.unit.draw
        drawn = int(self._book.drawn[candidate])
        self._tries[drawn][draw] += 1
        self._failures[drawn][draw] += lost_more
        if result.finished:
            self._set_state(candidate, draw, DrawState.SETTLED)
            if self._book.is_finished(candidate):
                self._set_turns()
            return
        if result.out_of_budget:
            self._deferred[candidate][draw] += 1
            self._has_deferred[candidate] = True
        self._set_state(candidate, draw, DrawState.WAITING)

    # -- whose turn it is -------------------------------------------------------------------------------------

    def _next_play(self) -> int | None:
        """The play whose turn it is; None if no draw of a play that may still matter waits to be handed out."""
        candidate = int(self._turn.argmin())
        last = _TIER_LEVELS / 2 if self._book.problem.options.until == Until.ANSWER else math.inf
        return candidate if self._turn[candidate] < last else None

    def _set_turn(self, candidate: int) -> None:
        """Work out anew when a play has its turn.

        By its tier, then by the budget that it needs next, as a power of the growth, less what it has won and lost
        so far.
        """
        book = self._book
        if self._waiting[candidate] <= 0 or book.is_cut(candidate):
            self._level[candidate] = self._turn[candidate] = math.inf
            return
        ahead = _LEVELS_AHEAD * int(book.won[candidate] - book.lost[candidate]) / (2 * book.problem.total)
        flying = math.log1p(self._flying[candidate]) / _LOG_GROWTH
        self._level[candidate] = int(self._deferrals[candidate]) - ahead + flying
        self._turn[candidate] = self._level[candidate] + _TIER_LEVELS * self._tier(candidate)

    def _set_turns(self) -> None:
        """The same for all plays when a play has been finished: others are cut off, or come to another tier."""
        book = self._book
        self._level[book.cut_mask()] = np.inf
        tiers = np.where(book.lost < book.fewest, _MAY_BEAT, _MAY_BE_LEVEL + (book.lost > book.fewest))
        tiers[~book.contending_mask()] = _MAY_NOT
        self._turn = self._level + _TIER_LEVELS * tiers

    def _tier(self, candidate: int) -> int:
        """The Tier of an unfinished play."""
        book = self._book
        lost = book.lost[candidate]
        if lost > book.fewest or (book.problem.options.never_lose and book.loses[candidate]):
            return _MAY_NOT
        return _MAY_BEAT if lost < book.fewest else _MAY_BE_LEVEL

    # -- which of its draws -----------------------------------------------------------------------------------

    def _issue(self, candidate: int) -> Unit:
        """Hand out the draw of a play that comes next."""
        book = self._book
        draw = int(self._promise(candidate).argmax())
        self._in_flight.add((candidate, draw))
        self._flying[candidate] += 1
        # what the unit itself has lost before is found again by the kernel, and must not count twice
        lost = int(book.lost[candidate]) - book.partly_lost(candidate, draw) + self._allowance(candidate)
        protected = bool(book.problem.candidates.protected[candidate])
        budget = self._budget(candidate, draw)
        unit = Unit(candidate, draw, UnitKind.VERDICT, budget, -NO_BOUND if protected else lost)
        self._set_state(candidate, draw, DrawState.IN_FLIGHT)
        return unit

    def _promise(self, candidate: int) -> npt.NDArray[np.float64]:
        """What each waiting draw of a play promises of the losses still needed for a node to spend; 0: not waiting."""
        book = self._book
        drawn = int(book.drawn[candidate])
        needed = max(1, book.bound + 1 - int(book.lost[candidate]) - self._allowance(candidate))
        losses = np.minimum(book.half_weights[drawn], needed)
        waiting = self.state[candidate] == _WAITING
        chances = self._failures[drawn] / self._tries[drawn]
        promises: npt.NDArray[np.float64] = chances * losses * _NODE_WORTH[self._deferred[candidate]] * waiting
        return promises

    def _set_state(self, candidate: int, draw: int, state: DrawState) -> None:
        """Also puts the play off to the budget of the draw that promises most now."""
        states = self.state[candidate]
        self._waiting[candidate] += int(state == _WAITING) - int(states[draw] == _WAITING)
        states[draw] = state
        if self._has_deferred[candidate]:
            next_draw = self._promise(candidate).argmax()
            self._deferrals[candidate] = self._deferred[candidate][next_draw]
        self._set_turn(candidate)

    def _allowance(self, candidate: int) -> int:
        """Half weights by which a play is given up before the bound: one that may beat the best, when it is level."""
        if self._book.bound == NO_BOUND or self._tier(candidate) != _MAY_BEAT:
            return 0
        return self._book.bound + 1 - self._book.fewest

    def _budget(self, candidate: int, draw: int) -> int:
        """Nodes for the next try at a draw."""
        growth: int = BUDGET_GROWTH ** int(self._deferred[candidate][draw])
        return self._first_budget(candidate) * growth

    def _first_budget(self, candidate: int) -> int:
        """Nodes for the first try at a draw: few where what comes of easier draws may spare it."""
        problem = self._book.problem
        if not (problem.options.early_cutoff or problem.options.never_lose):
            return FIRST_UNCUT_BUDGET
        # where tiles stay in the bag, one unit walks through all replies
        return FIRST_BUDGET if self._book.drawn[candidate] == problem.bag else FIRST_WALK_BUDGET
