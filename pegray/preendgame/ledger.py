"""What is settled of a solve so far, what to look into next, and what can be left out.

Losses are counted in *half weights*: a lost eventuality counts twice its weight, a tied one its weight.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pegray.kernels.memory import NO_BOUND
from pegray.kernels.verdicts import LOSS
from pegray.preendgame.eventualities import Eventualities
from pegray.preendgame.problem import Problem
from pegray.preendgame.work import Settled, WorkItem
from pegray.results.standing import MAX_TIEBREAKS
from pegray.terms import State, UnitKind, Until

WAITING, IN_FLIGHT, SETTLED = 0, 1, 2
FIRST_BUDGET = 100
FIRST_WALK_BUDGET = 3_000
FIRST_UNCUT_BUDGET = 100_000
BUDGET_GROWTH = 4
CHEAP_SPREAD_BUDGET = 200_000
_LEVELS_AHEAD = 16.0
_LOG_GROWTH = math.log(BUDGET_GROWTH)
_MOST_DEFERRALS = 30
_NODE_WORTH = float(BUDGET_GROWTH) ** -np.arange(_MOST_DEFERRALS + 1)
# tiers of plays: what may still beat the best finished play comes first, then what may be level with it
_MAY_BEAT, _MAY_BE_LEVEL, _MAY_NOT = 0, 1, 2
_TIER_LEVELS = 1e6


@dataclass(frozen=True)
class Progress:
    """How far a solve has come, for display.

    plays_total: plays that are to be compared
    finished, cut_off, left: how many of them are finished, were cut off, and are neither
    state: ``open``, ``answered`` or ``complete``
    best_candidate, best_points: a finished play with the most points, the best play only where the state is not open
    most_open: points that a play which is not finished may at most have; None if all are
    items_settled, items_in_flight: units of work that are done, and that are being worked on
    fraction: of all draws of all plays, those that are settled or need not be
    nodes, endgames: searched
    """

    plays_total: int
    finished: int
    cut_off: int
    left: int
    state: State
    best_candidate: int | None
    best_points: float | None
    most_open: float | None
    items_settled: int
    items_in_flight: int
    fraction: float
    nodes: int
    endgames: int


class Ledger:
    """The state of a solve: pure bookkeeping, no search.

    A play's draws are handed out as work items, each with a node budget. One that runs out of it may be tried again
    with a larger one. Which play comes next is decided by the budget that it needs now, in powers of the growth, less
    what it has won and lost so far: a play that has won half of its draws and lost none is let go several budgets
    ahead of the others, so a good play is finished early and its losses cut the others off. Draws of a play that are
    in flight count as if the next one needed their budgets too: what comes of them may spare it. Of a play's draws
    the one comes next that promises the most losses for its budget, by what came of that draw with other plays.

    The answer comes first: a play that can be no more than level with the best finished one waits until no other
    can have more. A unit of a play that may still beat it is handed out as if the play had lost so much more that the
    kernel gives it up at the loss that makes it level, and not at the next; the rest of it waits with the play.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.eventualities = Eventualities(problem.position, problem.known)
        candidates = problem.candidates
        count = len(candidates)
        self.drawn = np.minimum(candidates.tiles, problem.bag).astype(np.int64)
        self.state = [np.zeros(len(self.eventualities.draws(int(d))), np.int8) for d in self.drawn]
        self.lost = np.zeros(count, np.int64)
        self.won = np.zeros(count, np.int64)  # in half weights, of the draws that are settled
        self.loses = np.zeros(count, np.bool_)
        # half weights lost by the best finished play, and those that a play may lose and still be among the best
        # ``top``; NO_BOUND while so many are not finished
        self.fewest = NO_BOUND
        self.bound = NO_BOUND
        self.settled: dict[tuple[int, int], Settled] = {}
        self.spreads: dict[tuple[int, int], Settled] = {}
        self.partial: dict[tuple[int, int], Settled] = {}
        self._waiting = np.array([len(state) for state in self.state], np.int64)
        self._waiting[candidates.skipped] = 0
        self._unsettled = np.array([len(state) for state in self.state], np.int64)
        self._draws_total = int(self._waiting.sum())
        # how often a draw of a play has run out of budget, whether one has, and that of the one that comes next
        self._deferred = [np.zeros(len(state), np.int8) for state in self.state]
        self._has_deferred = np.zeros(count, np.bool_)
        self._deferrals = np.zeros(count, np.int64)
        # by how many tiles a play draws: for each draw its half weights, and over all plays how often it was tried and
        # how often that found a loss (at first, as if one in two)
        self._half_weights: dict[int, npt.NDArray[np.int64]] = {}
        self._tries: dict[int, npt.NDArray[np.float64]] = {}
        self._failures: dict[int, npt.NDArray[np.float64]] = {}
        for d in set(self.drawn.tolist()):
            weights = self.eventualities.draws(d).weights
            self._half_weights[d] = weights * (2 * problem.total // int(weights.sum()))
            self._tries[d] = np.ones(len(weights))
            self._failures[d] = np.full(len(weights), 0.5)
        self._in_flight: set[tuple[int, int, str]] = set()
        self._flying = np.zeros(count, np.int64)  # draws of each play in flight
        # the level of each play that waits for its turn, else infinity, and with its tier: the lowest comes next
        self._level = np.where(self._waiting > 0, 0.0, np.inf)
        self._turn = self._level.copy()
        self._spread_waiting: list[tuple[int, int]] | None = None
        self.nodes = 0
        self.endgames = 0
        self.cpu_seconds = 0.0

    # -- bounds -----------------------------------------------------------------------------------------------

    def _find_bounds(self) -> None:
        options = self.problem.options
        finished = np.sort(self.lost[self.finished_mask() & self.contending_mask()])
        if len(finished):
            self.fewest = int(finished[0])
        if options.early_cutoff and len(finished) >= options.top:
            self.bound = int(finished[options.top - 1])

    def contending_mask(self) -> npt.NDArray[np.bool_]:
        """bool[candidates]: plays that may answer what is asked; one that loses does not where none may."""
        contending = ~self.problem.candidates.skipped
        return contending & ~self.loses if self.problem.options.never_lose else contending

    def finished_mask(self) -> npt.NDArray[np.bool_]:
        """bool[candidates]: plays all of whose outcomes are settled."""
        finished: npt.NDArray[np.bool_] = (self._unsettled == 0) & ~self.problem.candidates.skipped
        return finished

    def cut_mask(self) -> npt.NDArray[np.bool_]:
        """bool[candidates]: unfinished plays that have lost too much to matter."""
        cut = self.lost > self.bound
        if self.problem.options.never_lose:
            cut |= self.loses
        return cut & ~self.finished_mask() & ~self.problem.candidates.protected

    def _is_cut(self, candidate: int) -> bool:
        """The same of one unfinished play, without a look at all of them."""
        cut = self.lost[candidate] > self.bound or (self.problem.options.never_lose and self.loses[candidate])
        return bool(cut) and not self.problem.candidates.protected[candidate]

    # -- what is proven ---------------------------------------------------------------------------------------

    @property
    def standing(self) -> State:
        """``open``, ``answered``: no play can have more than the best finished one, or ``complete``.

        Complete: what could be level with the best is finished as well, and so is the tie-break, if it is wanted.
        """
        rest = self.lost[self.contending_mask() & ~self.finished_mask()]
        if (rest < self.fewest).any():
            return State.OPEN
        return State.ANSWERED if (rest == self.fewest).any() or self._is_tied() else State.COMPLETE

    def ranked_mask(self) -> npt.NDArray[np.bool_]:
        """bool[candidates]: finished plays that no other can have more points than, but those that rank before them."""
        contending, finished = self.contending_mask(), self.finished_mask()
        fewest_open = self.lost[contending & ~finished].min(initial=NO_BOUND)
        ranked: npt.NDArray[np.bool_] = contending & finished & (self.lost <= fewest_open)
        return ranked

    def _is_tied(self) -> bool:
        """Whether plays are level at the top that the tie-break has still to tell apart."""
        return len(self.level_at_top()) > 1 and bool(self._tiebreak_draws())

    # -- work -------------------------------------------------------------------------------------------------

    def next_items(self, count: int) -> list[WorkItem]:
        """Up to ``count`` items to work on now, most useful first; none may be ready while others are in flight."""
        items: list[WorkItem] = []
        if self._spread_waiting is None:
            while len(items) < count and (candidate := self._next_play()) is not None:
                items.append(self._issue(candidate))
            if not items and not self._in_flight and self.problem.options.until == Until.SPREAD:
                self._spread_waiting = self._tiebreak_draws()
        if self._spread_waiting is not None:
            while self._spread_waiting and len(items) < count:
                candidate, draw = self._spread_waiting.pop(0)
                items.append(self._item(candidate, draw, UnitKind.SPREAD))
        return items

    def _next_play(self) -> int | None:
        """The play whose turn it is; None if no draw of a play that may still matter waits to be handed out."""
        candidate = int(self._turn.argmin())
        last = _TIER_LEVELS / 2 if self.problem.options.until == Until.ANSWER else math.inf
        return candidate if self._turn[candidate] < last else None

    def _set_turn(self, candidate: int) -> None:
        """Work out anew when a play has its turn.

        By its tier, then by the budget that it needs next, as a power of the growth, less what it has won and lost
        so far.
        """
        if self._waiting[candidate] <= 0 or self._is_cut(candidate):
            self._level[candidate] = self._turn[candidate] = math.inf
            return
        ahead = _LEVELS_AHEAD * int(self.won[candidate] - self.lost[candidate]) / (2 * self.problem.total)
        flying = math.log1p(self._flying[candidate]) / _LOG_GROWTH
        self._level[candidate] = int(self._deferrals[candidate]) - ahead + flying
        self._turn[candidate] = self._level[candidate] + _TIER_LEVELS * self._tier(candidate)

    def _set_turns(self) -> None:
        """The same for all plays when a play has been finished: others are cut off, or come to another tier."""
        self._level[self.cut_mask()] = np.inf
        tiers = np.where(self.lost < self.fewest, _MAY_BEAT, _MAY_BE_LEVEL + (self.lost > self.fewest))
        tiers[~self.contending_mask()] = _MAY_NOT
        self._turn = self._level + _TIER_LEVELS * tiers

    def _tier(self, candidate: int) -> int:
        """Whether an unfinished play may still have more points than the best finished one, as many, or neither."""
        lost = self.lost[candidate]
        if lost > self.fewest or (self.problem.options.never_lose and self.loses[candidate]):
            return _MAY_NOT
        return _MAY_BEAT if lost < self.fewest else _MAY_BE_LEVEL

    def _issue(self, candidate: int) -> WorkItem:
        """Hand out the draw of a play that comes next."""
        draw = int(self._promise(candidate).argmax())
        item = self._item(candidate, draw, UnitKind.VERDICT)
        self._set_state(candidate, draw, IN_FLIGHT)
        return item

    def _promise(self, candidate: int) -> npt.NDArray[np.float64]:
        """What each waiting draw of a play promises of the losses still needed for a node to spend; 0: not waiting."""
        drawn = int(self.drawn[candidate])
        needed = max(1, self.bound + 1 - int(self.lost[candidate]) - self._allowance(candidate))
        losses = np.minimum(self._half_weights[drawn], needed)
        waiting = self.state[candidate] == WAITING
        chances = self._failures[drawn] / self._tries[drawn]
        promises: npt.NDArray[np.float64] = chances * losses * _NODE_WORTH[self._deferred[candidate]] * waiting
        return promises

    def _set_state(self, candidate: int, draw: int, state: int) -> None:
        """Also puts the play off to the budget of the draw that promises most now."""
        states = self.state[candidate]
        self._waiting[candidate] += int(state == WAITING) - int(states[draw] == WAITING)
        states[draw] = state
        if self._has_deferred[candidate]:
            next_draw = self._promise(candidate).argmax()
            self._deferrals[candidate] = self._deferred[candidate][next_draw]
        self._set_turn(candidate)

    def _item(self, candidate: int, draw: int, kind: UnitKind) -> WorkItem:
        self._in_flight.add((candidate, draw, kind))
        self._flying[candidate] += 1
        if kind == UnitKind.SPREAD:
            budget = NO_BOUND if len(self.level_at_top()) > 1 else CHEAP_SPREAD_BUDGET
        else:
            budget = self._first_budget(candidate) * BUDGET_GROWTH ** int(self._deferred[candidate][draw])
        protected = bool(self.problem.candidates.protected[candidate])
        # what the item itself has lost before is found again by the kernel, and must not count twice
        partial = self.partial.get((candidate, draw))
        own = self._losses(partial)[0] if partial is not None and kind == UnitKind.VERDICT else 0
        lost = int(self.lost[candidate]) - own + self._allowance(candidate)
        return WorkItem(candidate, draw, kind, budget, -NO_BOUND if protected or kind == UnitKind.SPREAD else lost)

    def _allowance(self, candidate: int) -> int:
        """Half weights by which a play is given up before the bound: one that may beat the best, when it is level."""
        if self.bound == NO_BOUND or self._tier(candidate) != _MAY_BEAT:
            return 0
        return self.bound + 1 - self.fewest

    def _first_budget(self, candidate: int) -> int:
        """Nodes for the first try at a draw: few where what comes of easier draws may spare it."""
        if not (self.problem.options.early_cutoff or self.problem.options.never_lose):
            return FIRST_UNCUT_BUDGET
        # where tiles stay in the bag, one item walks through all replies
        return FIRST_BUDGET if self.drawn[candidate] == self.problem.bag else FIRST_WALK_BUDGET

    def _land(self, item: WorkItem) -> bool:
        """Whether an item was in flight; it is no longer."""
        identity = (item.candidate, item.draw, item.kind)
        if identity not in self._in_flight:
            return False
        self._in_flight.remove(identity)
        self._flying[item.candidate] -= 1
        return True

    def give_back(self, item: WorkItem) -> None:
        """An item was lost (its worker died): it may be handed out again."""
        if not self._land(item):
            return
        if item.kind == UnitKind.SPREAD:
            assert self._spread_waiting is not None
            self._spread_waiting.append((item.candidate, item.draw))
        elif self.state[item.candidate][item.draw] == IN_FLIGHT:
            self._set_state(item.candidate, item.draw, WAITING)

    def record(self, settled: Settled) -> None:
        """Take over a result; a second result for the same item changes nothing."""
        item = settled.item
        where = (item.candidate, item.draw)
        self._land(item)
        self.nodes += settled.nodes
        self.endgames += settled.endgames
        self.cpu_seconds += settled.cpu_seconds
        if item.kind == UnitKind.SPREAD:
            self._record_spread(settled)
            return
        state = self.state[item.candidate]
        if state[item.draw] == SETTLED:
            return
        lost, loses = self._losses(settled)
        before = self._losses(self.partial[where])[0] if where in self.partial else 0
        self.lost[item.candidate] += lost - before
        self.loses[item.candidate] |= loses
        drawn = int(self.drawn[item.candidate])
        self._tries[drawn][item.draw] += 1
        self._failures[drawn][item.draw] += lost > before
        if settled.finished:
            self.won[item.candidate] += int(self._half_weights[drawn][item.draw]) - lost
            self._unsettled[item.candidate] -= 1
            self._set_state(item.candidate, item.draw, SETTLED)
            if self._unsettled[item.candidate] == 0:
                self._find_bounds()
                self._set_turns()
            self.partial.pop(where, None)
            self.settled[where] = settled
            return
        if lost < before:
            # stopped sooner than an earlier try: that one knew more
            self.lost[item.candidate] += before - lost
        else:
            self.partial[where] = settled
        if settled.out_of_budget:
            self._deferred[item.candidate][item.draw] += 1
            self._has_deferred[item.candidate] = True
        self._set_state(item.candidate, item.draw, WAITING)

    def _record_spread(self, settled: Settled) -> None:
        where = (settled.item.candidate, settled.item.draw)
        if settled.finished:
            self.spreads[where] = settled
        elif self._spread_waiting is not None and not settled.out_of_budget:
            self._spread_waiting.append(where)

    def _losses(self, settled: Settled) -> tuple[int, bool]:
        """Half weights that the settled outcomes of an item lose, and whether one of them is a loss."""
        item = settled.item
        drawn = int(self.drawn[item.candidate])
        lost = self.eventualities.half_weights_lost(drawn, item.draw, settled.outcomes)
        return lost, LOSS in settled.outcomes

    # -- the tie-break ----------------------------------------------------------------------------------------

    def _tiebreak_draws(self) -> list[tuple[int, int]]:
        """Items of the plays level at the top that empty the bag, the highest scores first.

        A play that is alone at the top has nobody to be compared with: its spread is worked out where that is cheap.
        """
        if not self.problem.options.tiebreak:
            return []
        level = [c for c in self.level_at_top() if self.drawn[c] == self.problem.bag]
        level.sort(key=lambda c: -int(self.problem.candidates.scores[c]))
        return [
            (c, draw)
            for c in level[:MAX_TIEBREAKS]
            for draw in range(len(self.state[c]))
            if (c, draw) not in self.spreads
        ]

    def level_at_top(self) -> list[int]:
        """Finished plays with the fewest losses, of those that may answer what is asked."""
        level = self.finished_mask() & self.contending_mask() & (self.lost == self.fewest)
        return np.flatnonzero(level).tolist()

    # -- state ------------------------------------------------------------------------------------------------

    @property
    def done(self) -> bool:
        """All that is to be done is done: see the option ``until``.

        With ``answer`` units of other plays may still be in flight. Else every play is finished, cut off or skipped.
        """
        until = self.problem.options.until
        if until == Until.ANSWER:
            return self.standing != State.OPEN
        if self._in_flight or self._spread_waiting or self._next_play() is not None:
            return False
        return until == Until.LEVEL or self._spread_waiting is not None or not self._tiebreak_draws()

    def progress(self) -> Progress:
        """A snapshot for display."""
        finished = self.finished_mask()
        cut = self.cut_mask()
        skipped = self.problem.candidates.skipped
        left = ~finished & ~cut & ~skipped
        best = self.level_at_top()
        best_candidate = best[0] if best else None
        open_items = int(self._unsettled[left].sum())
        rest = self.lost[self.contending_mask() & ~finished]
        return Progress(
            plays_total=int((~skipped).sum()),
            finished=int(finished.sum()),
            cut_off=int(cut.sum()),
            left=int(left.sum()),
            state=self.standing,
            best_candidate=best_candidate,
            best_points=None if best_candidate is None else self.problem.total - self.fewest / 2,
            most_open=self.problem.total - int(rest.min()) / 2 if rest.size else None,
            items_settled=len(self.settled) + len(self.spreads),
            items_in_flight=len(self._in_flight),
            fraction=1.0 - open_items / max(1, self._draws_total),
            nodes=self.nodes,
            endgames=self.endgames,
        )
