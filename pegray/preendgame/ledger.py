"""What is settled of a solve so far, what to look into next, and what can be left out.

Losses are counted in *half weights*: a lost eventuality counts twice its weight, a drawn one its weight.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pegray.kernels.memory import NO_BOUND
from pegray.preendgame.eventualities import Eventualities
from pegray.preendgame.problem import Problem
from pegray.preendgame.work import LOSS, Kind, Settled, WorkItem

WAITING, IN_FLIGHT, SETTLED = 0, 1, 2
FIRST_BUDGET = 100
FIRST_WALK_BUDGET = 3_000
FIRST_UNCUT_BUDGET = 100_000
BUDGET_GROWTH = 4
CHEAP_SPREAD_BUDGET = 200_000
MAX_TIEBREAKS = 20
_LEVELS_AHEAD = 16.0
_LOG_GROWTH = math.log(BUDGET_GROWTH)
_MOST_DEFERRALS = 30
_NODE_WORTH = float(BUDGET_GROWTH) ** -np.arange(_MOST_DEFERRALS + 1)


@dataclass(frozen=True)
class Progress:
    """How far a solve has come, for display."""

    plays_total: int
    finished: int
    cut_off: int
    left: int
    best_candidate: int | None
    best_points: float | None
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
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.eventualities = Eventualities(problem.position, problem.known)
        candidates = problem.candidates
        count = len(candidates)
        self.drawn = np.minimum(candidates.tiles, problem.bag).astype(np.int64)
        self.state = [np.zeros(len(self.eventualities.draws(int(d))), np.int8) for d in self.drawn]
        self.lost = np.zeros(count, np.int64)
        self._won = np.zeros(count, np.int64)  # in half weights, of the draws that are settled
        self.loses = np.zeros(count, np.bool_)
        # half weights that a play may lose and still be among the best ``top``; a finished play has lost no more
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
        # the level of each play that waits for its turn (the lowest comes next), else infinity
        self._turn = np.where(self._waiting > 0, 0.0, np.inf)
        self._spread_waiting: list[tuple[int, int]] | None = None
        self.nodes = 0
        self.endgames = 0
        self.cpu_seconds = 0.0

    # -- bounds -----------------------------------------------------------------------------------------------

    def _find_bound(self) -> int:
        options = self.problem.options
        if not options.early_cutoff:
            return NO_BOUND
        finished = np.sort(self.lost[self.finished_mask()])
        return int(finished[options.top - 1]) if len(finished) >= options.top else NO_BOUND

    def finished_mask(self) -> npt.NDArray[np.bool_]:
        """bool[candidates]: plays all of whose outcomes are settled."""
        return (self._unsettled == 0) & ~self.problem.candidates.skipped

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

    # -- work -------------------------------------------------------------------------------------------------

    def next_items(self, count: int) -> list[WorkItem]:
        """Up to ``count`` items to work on now, most useful first; none may be ready while others are in flight."""
        items: list[WorkItem] = []
        if self._spread_waiting is None:
            while len(items) < count and (candidate := self._next_play()) is not None:
                items.append(self._issue(candidate))
            if not items and not self._in_flight:
                self._spread_waiting = self._tiebreak_draws()
        if self._spread_waiting is not None:
            while self._spread_waiting and len(items) < count:
                candidate, draw = self._spread_waiting.pop(0)
                items.append(self._item(candidate, draw, "spread"))
        return items

    def _next_play(self) -> int | None:
        """The play whose turn it is; None if no draw of a play that may still matter waits to be handed out."""
        candidate = int(self._turn.argmin())
        return None if self._turn[candidate] == math.inf else candidate

    def _set_turn(self, candidate: int) -> None:
        """Work out anew when a play has its turn.

        By the budget that it needs next, as a power of the growth, less what it has won and lost so far.
        """
        if self._waiting[candidate] <= 0 or self._is_cut(candidate):
            self._turn[candidate] = math.inf
            return
        ahead = _LEVELS_AHEAD * int(self._won[candidate] - self.lost[candidate]) / (2 * self.problem.total)
        flying = math.log1p(self._flying[candidate]) / _LOG_GROWTH
        self._turn[candidate] = int(self._deferrals[candidate]) - ahead + flying

    def _issue(self, candidate: int) -> WorkItem:
        """Hand out the draw of a play that comes next."""
        draw = int(self._promise(candidate).argmax())
        item = self._item(candidate, draw, "verdict")
        self._set_state(candidate, draw, IN_FLIGHT)
        return item

    def _promise(self, candidate: int) -> npt.NDArray[np.float64]:
        """What each waiting draw of a play promises of the losses still needed for a node to spend; 0: not waiting."""
        drawn = int(self.drawn[candidate])
        needed = max(1, self.bound + 1 - int(self.lost[candidate]))
        losses = np.minimum(self._half_weights[drawn], needed)
        waiting = self.state[candidate] == WAITING
        chances = self._failures[drawn] / self._tries[drawn]
        return chances * losses * _NODE_WORTH[self._deferred[candidate]] * waiting

    def _set_state(self, candidate: int, draw: int, state: int) -> None:
        """Also puts the play off to the budget of the draw that promises most now."""
        states = self.state[candidate]
        self._waiting[candidate] += int(state == WAITING) - int(states[draw] == WAITING)
        states[draw] = state
        if self._has_deferred[candidate]:
            next_draw = self._promise(candidate).argmax()
            self._deferrals[candidate] = self._deferred[candidate][next_draw]
        self._set_turn(candidate)

    def _item(self, candidate: int, draw: int, kind: Kind) -> WorkItem:
        self._in_flight.add((candidate, draw, kind))
        self._flying[candidate] += 1
        if kind == "spread":
            budget = NO_BOUND if len(self.level_at_top()) > 1 else CHEAP_SPREAD_BUDGET
        else:
            budget = self._first_budget(candidate) * BUDGET_GROWTH ** int(self._deferred[candidate][draw])
        protected = bool(self.problem.candidates.protected[candidate])
        # what the item itself has lost before is found again by the kernel, and must not count twice
        partial = self.partial.get((candidate, draw))
        own = self._losses(partial)[0] if partial is not None and kind == "verdict" else 0
        lost = -NO_BOUND if protected or kind == "spread" else int(self.lost[candidate]) - own
        return WorkItem(candidate, draw, kind, budget, lost)

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
        if item.kind == "spread":
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
        if item.kind == "spread":
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
            self._won[item.candidate] += int(self._half_weights[drawn][item.draw]) - lost
            self._unsettled[item.candidate] -= 1
            self._set_state(item.candidate, item.draw, SETTLED)
            if self._unsettled[item.candidate] == 0:
                self.bound = self._find_bound()
                self._turn[self.cut_mask()] = np.inf
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
        """Finished plays with the fewest losses."""
        finished = np.flatnonzero(self.finished_mask())
        if not finished.size:
            return []
        fewest = self.lost[finished].min()
        return [int(c) for c in finished if self.lost[c] == fewest]

    # -- state ------------------------------------------------------------------------------------------------

    @property
    def done(self) -> bool:
        """Every play is finished, cut off or skipped, and the tie-break is settled."""
        if self._in_flight or self._spread_waiting:
            return False
        if self._next_play() is not None:
            return False
        return self._spread_waiting is not None or not self._tiebreak_draws()

    def progress(self) -> Progress:
        """A snapshot for display."""
        finished = self.finished_mask()
        cut = self.cut_mask()
        skipped = self.problem.candidates.skipped
        left = ~finished & ~cut & ~skipped
        best = self.level_at_top()
        best_candidate = best[0] if best else None
        open_items = int(self._unsettled[left].sum())
        return Progress(
            plays_total=int((~skipped).sum()),
            finished=int(finished.sum()),
            cut_off=int(cut.sum()),
            left=int(left.sum()),
            best_candidate=best_candidate,
            best_points=None if best_candidate is None else self.problem.total - int(self.lost[best_candidate]) / 2,
            items_settled=len(self.settled) + len(self.spreads),
            items_in_flight=len(self._in_flight),
            fraction=1.0 - open_items / max(1, self._draws_total),
            nodes=self.nodes,
            endgames=self.endgames,
        )
