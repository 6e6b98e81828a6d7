"""Which draw of which play to look into next, and with how many nodes."""

from __future__ import annotations

import math
from collections.abc import Callable
from enum import IntEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from pegray.kernels.memory import NO_BOUND
from pegray.preendgame.book import Book
from pegray.preendgame.checkpoints import Checkpoints
from pegray.preendgame.company import MOST as MOST_COMPANY
from pegray.preendgame.company import company_for
from pegray.preendgame.legs import LONGEST_LEG, Legs
from pegray.preendgame.portions import Portions
from pegray.preendgame.prices import Prices
from pegray.preendgame.problem import Problem
from pegray.preendgame.work import BUDGET_GROWTH, QUICK_BUDGET, Settled, Unit
from pegray.terms import UnitKind, Until

FIRST_BUDGET = 100
FIRST_WALK_BUDGET = 400
FIRST_LONG_WALK_BUDGET = 1_000
_LONG_WALK = 4  # tiles in the bag: with as many, tries that end before they have found anything cost too much
FIRST_UNCUT_BUDGET = 100_000
SPLIT_BUDGET = 100_000
"""A unit with as many nodes, or more, that runs out of them is followed by portions of the replies that it leaves.

With fewer for a play that has fewer draws left than there are threads, by that ratio."""
DRIVER_SECONDS = 0.0002
"""What the driver spends on a unit: units that take less for each thread keep the driver busy, and threads waiting."""
LEAST_GAMBLE = 100_000
"""Nodes that a try may take however little was spent on the position so far: about a second."""

_LEVELS_AHEAD = 16.0
# a draw that seems to need a hundredth of its next budget takes some sixteenth of it, and one that seems to need ten
# times as much takes four times: docs/log/2026-11-28-how-much-is-left.md
_TRUST = 0.6
_MOST_DEARER = 2.0  # levels
_LOG_GROWTH = math.log(BUDGET_GROWTH)
_MOST_DEFERRALS = 30
_NODE_WORTH = float(BUDGET_GROWTH) ** -np.arange(_MOST_DEFERRALS + 1)
_TIER_LEVELS = 1e6
_TURN_TO_BEAT = _TIER_LEVELS / 2  # plays that may beat the best have their turn before it, all others after it


_Flight = tuple[int, int, tuple[int, ...], int]


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
_IN_FLIGHT, _SETTLED = DrawState.IN_FLIGHT.value, DrawState.SETTLED.value
_MAY_BEAT, _MAY_BE_LEVEL, _MAY_NOT = (tier.value for tier in Tier)


class Schedule:
    """The order of the work on verdicts: pure bookkeeping over what the book says.

    A play's draws are handed out as units, each with a node budget. One that runs out of it may be tried again
    with a larger one. Which play comes next is decided by the budget that it needs now, in powers of the growth, less
    what it has won and lost so far: a play that has won half of its draws and lost none is let go several budgets
    ahead of the others, so a good play is finished early and its losses cut the others off. Draws of a play that are
    in flight count as if the next one needed their budgets too: what comes of them may spare it. Of a play's draws
    the one comes next that promises the most losses for the time that its budget takes, by what came of that draw with
    other plays and what its nodes cost, by what of it is not lost yet, and by how many nodes it seemed to need yet when
    it last ran out of them.

    But no try, beyond a second's, may take more nodes than all before it while another play can do with less. A draw
    may be a thousand times as hard as the same one of a play that is as good, and so a gamble at most doubles what was
    spent.

    Plays that empty the bag have half of the nodes as long as one of them may beat the best: they cost little beside
    those that leave tiles, and the first that is finished cuts these off.

    The answer comes first: a play that can be no more than level with the best finished one waits until no other
    can have more. A unit of a play that may still beat it is handed out as if the play had lost so much more that the
    kernel gives it up at the loss that makes it level, and not at the next; the rest of it waits with the play.

    A draw that has run out of a large budget is handed out in portions of the replies that are left. What comes next
    of it then has a small budget, but counts as if it had that of all portions together: they race.

    One thread knows all that came before when it is given its next unit, or quick draws of plays that have the same
    turn: those come together, since Python around each would take longer than the kernel. Many are handed out what one
    would come to much later, so a play with few draws left is split sooner, and counts as if it had been tried as often
    as usual; and the smallest budgets, at which the driver takes as long as the threads, are left out. Threads on
    other machines that would have nothing to do join others (company.py).

    What is kept of draws has a row for each play that draws as many tiles, so that several plays are gone through at
    once.

    draws_total: draws of all plays that are to be compared
    """

    def __init__(self, book: Book) -> None:
        self._book = book
        problem = book.problem
        count = len(problem.candidates)
        # by how many tiles they draw, the plays, and which of these each play is
        self._drawn = book.drawn
        self._plays = {drawn: np.flatnonzero(np.array(book.drawn) == drawn) for drawn in book.half_weights}
        rows = np.empty(count, np.int64)
        for plays in self._plays.values():
            rows[plays] = np.arange(len(plays))
        self._row: list[int] = rows.tolist()
        # [row, draw] by how many tiles a play draws: what becomes of each draw, how often it has run out of budget, by
        # how many levels it then seemed dearer than its next budget, half weights lost of one that is not settled, and
        # units of it in flight
        self._states = self._rows_of_draws(np.int8)
        self._deferred = self._rows_of_draws(np.int8)
        self._dearer = self._rows_of_draws(np.float32)
        self._partly_lost = self._rows_of_draws(np.int32)
        self._flying_of = self._rows_of_draws(np.int32)
        self._flying = [0] * count  # units of each play in flight
        skipped = problem.candidates.skipped.tolist()
        self._waiting = [0 if skip else book.draws(play) for play, skip in enumerate(skipped)]
        self.draws_total = sum(self._waiting)
        # whether a draw of a play has run out of budget, and how often the one that comes next has
        self._has_deferred = [False] * count
        self._deferrals = np.zeros(count, np.int64)
        # by how many tiles a play draws, for each draw: over all plays how often it was tried and how often that found
        # a loss (at first, as if one in two), and how often for the price of a usual node
        self._tries = {drawn: [1.0] * len(weights) for drawn, weights in book.half_weights.items()}
        self._failures = {drawn: [0.5] * len(weights) for drawn, weights in book.half_weights.items()}
        self._chances = {drawn: np.full(len(weights), 0.5) for drawn, weights in book.half_weights.items()}
        self._prices = Prices(len(book.half_weights.get(problem.bag, ())))  # of draws that empty the bag
        self._most_lost = {drawn: int(weights.max()) for drawn, weights in book.half_weights.items()}
        self._threads = 1
        self._least_nodes = 0  # of a unit, lest so many threads keep the driver busy
        self._tries_skipped: tuple[int, ...] = (0, 0)  # of draws that leave tiles, of those that empty the bag
        self._portions: dict[tuple[int, int], Portions] = {}
        self._deferred_whole: dict[tuple[int, int], int] = {}  # how often before it was split
        self._legs = Legs[tuple[int, int]]()
        self._checkpoints = Checkpoints()
        self._in_flight: dict[_Flight, Unit] = {}
        self._withdrawn: list[Unit] = []
        # plays that empty the bag; by how many nodes more was spent on them than on others, with the budgets of what is
        # in flight
        self._emptying = self._plays.get(problem.bag, np.zeros(0, np.int64))
        self._empties = [drawn == problem.bag for drawn in self._drawn]
        self._emptying_ahead = 0
        self._first_budgets = _first_budgets(problem)
        self._protected: list[bool] = problem.candidates.protected.tolist()
        # the level of each play that waits for its turn, else infinity, and with its tier: the lowest comes next
        self._level = np.where(np.array(self._waiting) > 0, 0.0, np.inf)
        self._turn = self._level.copy()
        self._stale: set[int] = set()  # plays whose turn is to be worked out anew
        self._bounds = (book.to_beat, book.bound)  # when turns were last worked out
        self._found: tuple[int | None] | None = None  # the play whose turn it is, if that was worked out

    def _rows_of_draws(self, dtype: type[np.number]) -> dict[int, npt.NDArray[Any]]:
        """Zeros for each draw of each play: [row, draw] by how many tiles it draws."""
        weights = self._book.half_weights
        return {drawn: np.zeros((len(plays), len(weights[drawn])), dtype) for drawn, plays in self._plays.items()}

    def _of(self, rows: dict[int, npt.NDArray[Any]], candidate: int) -> npt.NDArray[Any]:
        """The row of a play: a view."""
        row: npt.NDArray[Any] = rows[self._drawn[candidate]][self._row[candidate]]
        return row

    def states(self, candidate: int) -> npt.NDArray[np.int8]:
        """int8[draws], a DrawState: of each draw of a play, in flight if all that is left of it is."""
        return self._of(self._states, candidate)

    @property
    def in_flight(self) -> int:
        """How many units are being worked on."""
        return len(self._in_flight)

    @property
    def is_empty(self) -> bool:
        """Whether no draw of a play that may still matter waits to be handed out."""
        return self._next_play() is None

    def next_units(self, count: int, threads: int = 1, together: int = 1, machines: int = 1) -> list[Unit]:
        """Up to ``count`` units to work on now, most useful first, where so many threads work on so many machines.

        together: so many quick draws may come in place of one, each of another play whose turn it is as well
        """
        self._set_threads(threads)
        units: list[Unit] = []
        while len(units) < count and (candidate := self._next_play()) is not None:
            units += self._issue(self._level_plays(candidate, count - len(units), together))
        idle = min(count - len(units), threads - self.in_flight) if machines > 1 else 0
        if idle > 0:
            for unit in company_for(self._in_flight.values(), idle, self._is_left):
                known = self._book.walks[unit.candidate, unit.draw].known()
                units.append(self._hand_out(unit._replace(known=known)))
        return units

    def _is_left(self, unit: Unit) -> bool:
        """Whether all replies that a unit is about may still matter."""
        walk = self._book.walks.get((unit.candidate, unit.draw))
        left = () if walk is None or walk.left is None or self._book.is_cut(unit.candidate) else walk.left
        return all(reply in left for reply in unit.portion)

    def _set_threads(self, threads: int) -> None:
        """Leave out as many of the first tries as so many threads would keep the driver busy with."""
        book = self._book
        speed = book.nodes / book.cpu_seconds if book.cpu_seconds else 0.0
        self._threads = max(1, threads)  # none while the only node is being restarted
        self._least_nodes = least = int(speed * (self._threads - 1) * DRIVER_SECONDS)
        self._tries_skipped = tuple(_tries_below(least, budget) for budget in self._first_budgets)

    def give_back(self, unit: Unit) -> None:
        """A unit was lost (its worker died): it may be handed out again."""
        where = (unit.candidate, unit.draw)
        if self.land(unit) and self.states(unit.candidate)[unit.draw] != _SETTLED and not unit.company[0]:
            if where in self._portions:
                self._portions[where].put_back(unit.portion)
            self._wait(*where)

    def land(self, unit: Unit) -> bool:
        """Whether a unit was in flight; it is no longer."""
        if self._in_flight.pop(_flight_of(unit), None) is None:
            return False
        self._flying[unit.candidate] -= 1
        self._of(self._flying_of, unit.candidate)[unit.draw] -= 1
        self._spend(unit.candidate, -unit.budget)
        return True

    def take(self, result: Settled, lost_more: bool, landed: bool) -> None:
        """Go by a result that the book has taken over.

        lost_more: it lost more than was known; landed: its unit was in flight until now
        """
        candidate, draw = where = (result.unit.candidate, result.unit.draw)
        self._spend(candidate, result.nodes)
        drawn = self._drawn[candidate]
        if self._empties[candidate]:
            self._prices.learn(draw, result.nodes, result.bounds)
        settled = where in self._book.settled
        if settled or lost_more or not result.unit.portion:
            self._tries[drawn][draw] += 1
            self._failures[drawn][draw] += lost_more
            chance = self._failures[drawn][draw] / self._tries[drawn][draw]
            self._chances[drawn][draw] = chance / self._prices.price(draw) if self._empties[candidate] else chance
        if lost_more and self._flying[candidate] and self._book.is_cut(candidate):
            self._withdraw(lambda unit: unit.candidate == candidate)
        if settled:
            self._checkpoints.forget(candidate, draw)
            if self._portions.pop(where, None) is not None:
                self._withdraw(lambda unit: (unit.candidate, unit.draw) == where)
            self._set_state(candidate, draw, _SETTLED)
            if (self._book.to_beat, self._book.bound) != self._bounds or self._book.is_finished(candidate):
                self._set_turns()
            return
        self._checkpoints.take(result)
        self._of(self._partly_lost, candidate)[draw] = self._book.partly_lost(candidate, draw)
        if result.out_of_budget and not result.unit.portion:
            self._end_try(result)
            self._foresee(result)
        self._go_on_in_portions(result, landed)
        self._wait(candidate, draw)

    def withdrawn(self) -> list[Unit]:
        """Units in flight that nobody needs any more, each told of once."""
        withdrawn, self._withdrawn = self._withdrawn, []
        return withdrawn

    def _withdraw(self, idle: Callable[[Unit], bool]) -> None:
        self._withdrawn += [unit for unit in self._in_flight.values() if idle(unit)]

    def _end_try(self, result: Settled) -> None:
        """A draw has run out of its budget, or of that of a leg."""
        candidate, draw = where = (result.unit.candidate, result.unit.draw)
        budget = result.unit.budget
        if budget >= LONGEST_LEG:
            budget = max(budget, self._budget(candidate, int(self._of(self._deferred, candidate)[draw])))
            if not self._legs.end(where, result, budget):
                return
        self._defer(candidate, draw, budget)

    def _foresee(self, result: Settled) -> None:
        """Go by how many nodes a draw that has run out of them seems to need yet, if that was told."""
        candidate, draw = result.unit.candidate, result.unit.draw
        if result.nodes_left > 0:
            budget = self._budget(candidate, int(self._of(self._deferred, candidate)[draw]))
            dearer = _TRUST * math.log(BUDGET_GROWTH * result.nodes_left / budget) / _LOG_GROWTH
            self._of(self._dearer, candidate)[draw] = min(max(dearer, -_MOST_DEARER), _MOST_DEARER)

    def _defer(self, candidate: int, draw: int, budget: int) -> None:
        """A draw has run out of a budget, or is to count as if it had."""
        tries = _tries_below(budget, self._first_budgets[self._empties[candidate]]) + 1
        self._set_deferred(candidate, draw, max(int(self._of(self._deferred, candidate)[draw]), tries))

    def _go_on_in_portions(self, result: Settled, landed: bool) -> None:
        """Split a draw if what is left of it is known; take the result of a portion."""
        candidate, draw = where = (result.unit.candidate, result.unit.draw)
        walk = self._book.walks.get(where)
        if where not in self._portions and walk is not None and walk.left is not None:
            self._defer(candidate, draw, SPLIT_BUDGET)
            deferrals = int(self._of(self._deferred, candidate)[draw])
            self._portions[where] = Portions(walk, self._budget(candidate, deferrals), self._threads, self._least_nodes)
            self._deferred_whole[where] = deferrals
        if where in self._portions and result.unit.portion:
            self._portions[where].take(result, landed)
            if result.finished and len(result.unit.portion) == 1:
                flights = [(*where, result.unit.portion, place) for place in range(MOST_COMPANY + 1)]
                self._withdrawn += [self._in_flight[flight] for flight in flights if flight in self._in_flight]

    def _wait(self, candidate: int, draw: int) -> None:
        """What is left of a draw waits, unless all of it is in flight."""
        portions = self._portions.get((candidate, draw))
        if portions is None:
            self._set_state(candidate, draw, _WAITING)
        elif not portions.is_waiting:
            self._set_state(candidate, draw, _IN_FLIGHT)
        else:
            self._set_deferred(candidate, draw, self._deferred_whole[candidate, draw] + portions.tries)
            self._set_state(candidate, draw, _WAITING)

    def _set_deferred(self, candidate: int, draw: int, tries: int) -> None:
        self._of(self._deferred, candidate)[draw] = min(tries, _MOST_DEFERRALS)
        self._has_deferred[candidate] = True

    def _spend(self, candidate: int, nodes: int) -> None:
        self._found = None
        self._emptying_ahead += nodes if self._empties[candidate] else -nodes

    # -- whose turn it is -------------------------------------------------------------------------------------

    def _next_play(self) -> int | None:
        """The play whose turn it is; None if no draw of a play that may still matter waits to be handed out."""
        if self._found is None:
            self._freshen()
            self._found = (self._find_next_play(),)
        return self._found[0]

    def _freshen(self) -> None:
        """Work out anew when the plays have their turn of which draws were handed out or have come back."""
        put_off = [play for play in self._stale if self._has_deferred[play]]
        for drawn in {self._drawn[play] for play in put_off}:
            # to the budget of the draw that promises most now
            some = [play for play in put_off if self._drawn[play] == drawn]
            for play, draw in zip(some, self._best_draws(some, [self._lost(play) for play in some]), strict=True):
                self._deferrals[play] = self._of(self._deferred, play)[draw]
        for play in self._stale:
            self._set_turn(play)
        self._stale.clear()

    def _find_next_play(self) -> int | None:
        candidate = int(self._turn.argmin())
        if self._turn[candidate] >= _TURN_TO_BEAT:
            matters = self._turn[candidate] < math.inf and self._book.problem.options.until != Until.ANSWER
            return candidate if matters else None
        if self._emptying_ahead <= 0 and len(self._emptying):
            first = int(self._emptying[self._turn[self._emptying].argmin()])
            if self._turn[first] < _TURN_TO_BEAT:
                candidate = first
        return self._unless_a_gamble(candidate)

    def _unless_a_gamble(self, candidate: int) -> int:
        """The play whose turn it is, or the next one if its try may take more nodes than all before it.

        If no other play that may still beat the best can do with less, the gamble is taken.
        """
        safe_tries = self._safe_tries()
        if self._deferrals[candidate] < safe_tries[self._empties[candidate]]:
            return candidate
        safe = self._deferrals < safe_tries[False]
        safe[self._emptying] = self._deferrals[self._emptying] < safe_tries[True]
        other = int(np.where(safe, self._turn, np.inf).argmin())
        return other if safe[other] and self._turn[other] < _TURN_TO_BEAT else candidate

    def _safe_tries(self) -> tuple[int, ...]:
        """How many tries at a draw may take no more nodes than all so far: of plays that leave tiles, of the others."""
        spent = max(self._book.nodes, LEAST_GAMBLE)
        return tuple(_tries_below(spent + 1, first) for first in self._first_budgets)

    def _level_plays(self, candidate: int, count: int, together: int) -> list[int]:
        """A play whose turn it is, and up to ``count`` of those that have the same turn and draw as many tiles.

        Or up to ``together``, if what comes next of them are quick draws.
        """
        most = max(count, together if self._is_quick(candidate) else 1)
        if most == 1:
            return [candidate]
        alike = self._plays[self._drawn[candidate]]
        same = alike[self._turn[alike] == self._turn[candidate]]
        safe_tries = self._safe_tries()[self._empties[candidate]]
        if self._deferrals[candidate] < safe_tries:
            same = same[self._deferrals[same] < safe_tries]
        level: list[int] = same[:most].tolist()
        return level if most == count else [play for play in level if self._is_quick(play)]

    def _is_quick(self, candidate: int) -> bool:
        """Whether the draw of a play that comes next takes no time worth a choice of its own."""
        return self._empties[candidate] and self._budget(candidate, int(self._deferrals[candidate])) <= QUICK_BUDGET

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
        tries = max(int(self._deferrals[candidate]), self._tries_skipped[self._empties[candidate]])
        self._level[candidate] = level = tries - ahead + flying
        self._turn[candidate] = level + _TIER_LEVELS * self._tier(candidate)

    def _set_turns(self) -> None:
        """All plays, when more is known of what they have to beat: some are cut off, or change tier."""
        self._freshen()
        book = self._book
        self._bounds = (book.to_beat, book.bound)
        self._level[book.cut_mask()] = np.inf
        tiers = np.where(book.lost < book.to_beat, _MAY_BEAT, _MAY_BE_LEVEL + (book.lost > book.to_beat))
        tiers[book.leading_mask()] = _MAY_BEAT
        tiers[~book.contending_mask()] = _MAY_NOT
        self._turn = self._level + _TIER_LEVELS * tiers
        self._found = None

    def _tier(self, candidate: int) -> int:
        """The Tier of an unfinished play."""
        book = self._book
        lost = book.lost[candidate]
        if lost > book.to_beat or not book.is_contending(candidate):
            return _MAY_NOT
        return _MAY_BEAT if lost < book.to_beat or book.leads(candidate) else _MAY_BE_LEVEL

    # -- which of its draws -----------------------------------------------------------------------------------

    def _issue(self, plays: list[int]) -> list[Unit]:
        """Hand out the draw of each play that comes next; all draw as many tiles."""
        lost = [self._lost(play) for play in plays]
        return [self._issue_draw(*one) for one in zip(plays, self._best_draws(plays, lost), lost, strict=True)]

    def _issue_draw(self, candidate: int, draw: int, lost: int) -> Unit:
        """Hand out a draw of a play that counts as having lost so much."""
        book = self._book
        portions = self._portions.get((candidate, draw))
        # what the unit itself has lost before is found again by the kernel, and must not count twice
        before = int(self._of(self._partly_lost, candidate)[draw])
        lost = -NO_BOUND if self._protected[candidate] else lost - before
        if portions is None:
            deferrals = int(self._of(self._deferred, candidate)[draw])
            budget = self._budget(candidate, deferrals)
            tried = budget // BUDGET_GROWTH if deferrals else 0
            names_left = budget >= SPLIT_BUDGET * min(1.0, book.unsettled(candidate) / self._threads)
            leg = self._legs.next_leg((candidate, draw), budget)
            unit = Unit(candidate, draw, UnitKind.VERDICT, leg, lost, names_left=names_left, tried=tried)
        else:
            portion, budget = portions.next()
            known = book.walks[candidate, draw].known()
            unit = Unit(
                candidate,
                draw,
                UnitKind.VERDICT,
                budget,
                lost,
                portion=portion,
                known=known,
                names_left=True,
                tried=budget // BUDGET_GROWTH,
            )
        unit = self._hand_out(unit)
        if portions is None or not portions.is_waiting:
            self._set_state(candidate, draw, _IN_FLIGHT)
        else:
            self._wait(candidate, draw)
        return unit

    def _hand_out(self, unit: Unit) -> Unit:
        """A unit, told what tries before it have settled, is in flight from now on."""
        if checkpoints := self._checkpoints.of(unit):
            unit = unit._replace(checkpoints=checkpoints)
        self._in_flight[_flight_of(unit)] = unit
        self._flying[unit.candidate] += 1
        self._of(self._flying_of, unit.candidate)[unit.draw] += 1
        self._spend(unit.candidate, unit.budget)
        return unit

    def _best_draws(self, plays: list[int], lost: list[int]) -> list[int]:
        """The draw of each play that promises most of the losses still needed for a node to spend.

        lost: what each counts as having lost. All draw as many tiles.
        """
        book = self._book
        drawn = self._drawn[plays[0]]
        # a row alone is not copied
        rows = self._row[plays[0]] if len(plays) == 1 else [self._row[play] for play in plays]
        needed = [max(1, book.bound + 1 - already) for already in lost]
        were_tried = any(self._has_deferred[play] for play in plays)
        losses = book.half_weights[drawn]
        if were_tried:
            # one that is not settled may still be chosen if all of it seems lost
            losses = np.maximum(losses - self._partly_lost[drawn][rows], 1)
        if min(needed) < self._most_lost[drawn]:
            losses = np.minimum(losses, needed[0] if len(plays) == 1 else np.array(needed)[:, np.newaxis])
        promises = self._chances[drawn] * losses * (self._states[drawn][rows] == _WAITING)
        skipped = self._tries_skipped[self._empties[plays[0]]]
        if skipped or were_tried:
            promises *= _NODE_WORTH[np.maximum(self._deferred[drawn][rows], skipped)]
        if were_tried:
            promises *= BUDGET_GROWTH ** -self._dearer[drawn][rows]
        if any(self._flying[play] for play in plays):
            promises /= 1 + self._flying_of[drawn][rows]
        best = promises.argmax(axis=-1)
        return [int(best)] if len(plays) == 1 else best.tolist()

    def _set_state(self, candidate: int, draw: int, state: int) -> None:
        states = self.states(candidate)
        before = states.item(draw)
        if before != state:
            states[draw] = state
            if _WAITING in (before, state):
                self._waiting[candidate] += 1 if state == _WAITING else -1
        self._stale.add(candidate)
        self._found = None

    def _lost(self, candidate: int) -> int:
        """Half weights that a play counts as having lost: one that may beat the best is given up when it is level."""
        book = self._book
        lost = int(book.lost[candidate])
        if book.bound == NO_BOUND or self._tier(candidate) != _MAY_BEAT or book.leads(candidate):
            return lost
        return lost + book.bound + 1 - book.to_beat

    def _budget(self, candidate: int, deferrals: int) -> int:
        """Nodes for the next try at a draw that has run out of budget so often."""
        empties = self._empties[candidate]
        growth: int = BUDGET_GROWTH ** max(deferrals, self._tries_skipped[empties])
        return self._first_budgets[empties] * growth


def _flight_of(unit: Unit) -> _Flight:
    """What tells a unit from all others that are in flight."""
    return unit.candidate, unit.draw, unit.portion, unit.company[0]


def _first_budgets(problem: Problem) -> tuple[int, int]:
    """Nodes for the first try at a draw: of plays that leave tiles, and of those that empty the bag.

    Few where what comes of easier draws may spare it. Where tiles stay one unit walks through all replies.
    """
    if not (problem.options.early_cutoff or problem.options.never_lose):
        return FIRST_UNCUT_BUDGET, FIRST_UNCUT_BUDGET
    return FIRST_LONG_WALK_BUDGET if problem.bag >= _LONG_WALK else FIRST_WALK_BUDGET, FIRST_BUDGET


def _tries_below(budget: float, first: int) -> int:
    """How many tries at a draw, of which the first has so many nodes, have less than a budget."""
    tries = 0
    while first * BUDGET_GROWTH**tries < budget:
        tries += 1
    return tries
