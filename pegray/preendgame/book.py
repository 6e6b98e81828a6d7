"""What is known of a solve: which draws of which plays are settled, what the plays have won and lost, what that proves.

Losses are counted in *half weights*: a lost eventuality counts twice its weight, a tied one its weight.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pegray.kernels.memory import NO_BOUND
from pegray.kernels.verdicts import DRAW, LOSS, WIN
from pegray.preendgame.eventualities import Eventualities
from pegray.preendgame.packed_moves import is_packed_move
from pegray.preendgame.problem import Problem
from pegray.preendgame.walks import Walk
from pegray.preendgame.work import Settled
from pegray.terms import State, UnitKind

_UNSETTLED = 0xFF  # the byte of an outcome that is still open

Plays = int | slice | npt.NDArray[np.bool_]
"""A play, ALL, or a mask of some."""

ALL = slice(None)


class Book:
    """The facts of a solve, and what follows from them; nothing of what comes next.

    drawn: for each candidate how many tiles it draws
    half_weights: by tiles drawn, int64[draws]: twice the weight of each draw, all its eventualities together
    lost, won: int64[candidates], half weights lost so far, and those won by the draws that are settled
    loses: bool[candidates], plays that have lost an eventuality
    fewest: half weights lost by the best finished play; NO_BOUND while none is
    to_beat: the fewest half weights that some play can come to lose at the most, what is open of it lost as well: the
        best play loses no more
    bound: half weights that a play may lose and still be among the best ``top``, likewise; NO_BOUND without cutoff
    settled: the result of each draw of a play that is settled
    partial: of one that is not, the result that knows most
    walks: of one that is not, what is known of the replies to it, where that was asked
    estimates: float64[candidates], points of each play as a quick look has them, nan where none was made; nothing that
        is proven rests on them
    nodes, endgames, cpu_seconds: what all results have cost, tries that came to nothing as well
    nodes_of, endgames_of, cpu_seconds_of: the same for each candidate
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.eventualities = Eventualities(problem.position, problem.known)
        count = len(problem.candidates)
        self.drawn: list[int] = np.minimum(problem.candidates.tiles, problem.bag).tolist()
        self.half_weights: dict[int, npt.NDArray[np.int64]] = {}
        for drawn in set(self.drawn):
            weights = self.eventualities.draws(drawn).weights
            self.half_weights[drawn] = weights * (2 * problem.total // int(weights.sum()))
        self.lost = np.zeros(count, np.int64)
        self.won = np.zeros(count, np.int64)
        self.loses = np.zeros(count, np.bool_)
        self.fewest = NO_BOUND
        self.to_beat = NO_BOUND
        self.bound = NO_BOUND
        self.settled: dict[tuple[int, int], Settled] = {}
        self.partial: dict[tuple[int, int], Settled] = {}
        self.walks: dict[tuple[int, int], Walk] = {}
        self._unsettled = np.array([self.draws(candidate) for candidate in range(count)], np.int64)
        self._ahead = 0  # the play last seen to be able to have more than the best finished one
        self.estimates = np.full(count, np.nan)
        self.nodes = 0
        self.endgames = 0
        self.cpu_seconds = 0.0
        self.nodes_of = [0] * count
        self.endgames_of = [0] * count
        self.cpu_seconds_of = [0.0] * count

    def draws(self, candidate: int) -> int:
        """How many draws a play has."""
        return len(self.half_weights[self.drawn[candidate]])

    def can_be(self, result: Settled) -> bool:
        """Whether a result, of which nobody knows who wrote it down, is of this problem and whole."""
        unit = result.unit
        if not (0 <= unit.candidate < len(self.problem.candidates) and 0 <= unit.draw < self.draws(unit.candidate)):
            return False
        if unit.kind != UnitKind.VERDICT:
            return True
        outcomes, letters = result.outcomes, self.problem.position.distribution.size - 1
        sequences, _ = self.eventualities.stays(self.drawn[unit.candidate], unit.draw)
        known = {LOSS, DRAW, WIN} if result.finished else {LOSS, DRAW, WIN, _UNSETTLED}
        return (
            (len(outcomes) == len(sequences) or (not outcomes and not result.finished))
            and set(outcomes) <= known
            and len(result.replies) == len(outcomes)
            and all(reply == -1 or is_packed_move(reply, letters) for reply in result.replies)
        )

    # -- taking in --------------------------------------------------------------------------------------------

    def count(self, result: Settled) -> None:
        """Add up what a result of any kind has cost, in all and for its play."""
        candidate = result.unit.candidate
        self.nodes += result.nodes
        self.endgames += result.endgames
        self.cpu_seconds += result.cpu_seconds
        self.nodes_of[candidate] += result.nodes
        self.endgames_of[candidate] += result.endgames
        self.cpu_seconds_of[candidate] += result.cpu_seconds

    def record(self, result: Settled) -> bool | None:
        """Take over a verdict: whether it lost more than was known; None, and no change, if its draw was settled."""
        candidate, draw = where = (result.unit.candidate, result.unit.draw)
        if where in self.settled:
            return None
        if result.unit.portion or result.replies_left is not None or where in self.walks:
            result = self._put_together(result)
        lost = self.losses(result)
        before = self.partly_lost(candidate, draw)
        if LOSS in result.outcomes:
            self.loses[candidate] = True
        if result.finished:
            if lost != before:
                self.lost[candidate] += lost - before
            self.won[candidate] += int(self.half_weights[self.drawn[candidate]][draw]) - lost
            self.partial.pop(where, None)
            self.walks.pop(where, None)
            self.settled[where] = result
            self._unsettled[candidate] -= 1
            if self._unsettled[candidate] == 0 or self._may_lower_bounds(candidate):
                self._find_bounds()
        elif lost >= before:  # else it was stopped sooner than an earlier try, which knew more
            self.lost[candidate] += lost - before
            self.partial[where] = result
        return lost > before

    def _put_together(self, result: Settled) -> Settled:
        """What is known of a draw of a play with this result of a portion of the replies to it."""
        candidate, draw = where = (result.unit.candidate, result.unit.draw)
        if where not in self.walks:
            orders = len(self.eventualities.stays(self.drawn[candidate], draw)[0])
            self.walks[where] = Walk(candidate, draw, orders)
        self.walks[where].take(result)
        return self.walks[where].so_far()

    def estimate(self, result: Settled) -> None:
        """Take over an estimate."""
        if result.estimate is not None:
            self.estimates[result.unit.candidate] = result.estimate

    def losses(self, result: Settled) -> int:
        """Half weights that the settled outcomes of a result lose."""
        drawn = self.drawn[result.unit.candidate]
        return self.eventualities.half_weights_lost(drawn, result.unit.draw, result.outcomes)

    def partly_lost(self, candidate: int, draw: int) -> int:
        """Half weights of a draw that is not settled which are lost all the same."""
        partial = self.partial.get((candidate, draw))
        return 0 if partial is None else self.losses(partial)

    def _may_lower_bounds(self, candidate: int) -> bool:
        """Whether a play that is not finished has won so much that others are bounded by it anew."""
        options = self.problem.options
        bound = self.bound if options.early_cutoff else self.to_beat
        return not options.never_lose and bool(self.most_lost(candidate) < bound)

    def _find_bounds(self) -> None:
        options = self.problem.options
        contending = self.contending_mask()
        finished = contending & self.finished_mask()
        if finished.any():
            self.fewest = int(self.lost[finished].min())
        # with never_lose a play that is not finished may still come to be none that is asked for
        counted = finished if options.never_lose else contending
        most_lost = np.sort(self.most_lost(counted))
        if len(most_lost):
            self.to_beat = int(most_lost[0])
        if options.early_cutoff and len(most_lost) >= options.top:
            self.bound = int(most_lost[options.top - 1])

    # -- what follows -----------------------------------------------------------------------------------------

    def most_lost(self, plays: Plays) -> npt.NDArray[np.int64]:
        """Half weights that plays lose at the most: what they have not won."""
        most: npt.NDArray[np.int64] = 2 * self.problem.total - self.won[plays]
        return most

    def leads(self, candidate: int) -> bool:
        """Whether a play that is not finished is the one, or level with it, that others have to beat."""
        return self.to_beat < self.fewest and bool(self.most_lost(candidate) == self.to_beat)

    def leading_mask(self) -> npt.NDArray[np.bool_]:
        """bool[candidates]: the same of all plays."""
        leading: npt.NDArray[np.bool_] = self.most_lost(ALL) == self.to_beat
        return leading if self.to_beat < self.fewest else np.zeros_like(leading)

    def contending_mask(self) -> npt.NDArray[np.bool_]:
        """bool[candidates]: plays that may answer what is asked; one that loses does not where none may."""
        contending = ~self.problem.candidates.skipped
        return contending & ~self.loses if self.problem.options.never_lose else contending

    def is_contending(self, candidate: int) -> bool:
        """The same of one play."""
        ruled_out = self.problem.options.never_lose and self.loses[candidate]
        return not (ruled_out or self.problem.candidates.skipped[candidate])

    def finished_mask(self) -> npt.NDArray[np.bool_]:
        """bool[candidates]: plays all of whose outcomes are settled."""
        finished: npt.NDArray[np.bool_] = (self._unsettled == 0) & ~self.problem.candidates.skipped
        return finished

    def is_finished(self, candidate: int) -> bool:
        """The same of one play."""
        return bool(self._unsettled[candidate] == 0)

    def cut_mask(self) -> npt.NDArray[np.bool_]:
        """bool[candidates]: unfinished plays that have lost too much to matter."""
        cut = self.lost > self.bound
        if self.problem.options.never_lose:
            cut |= self.loses
        return cut & ~self.finished_mask() & ~self.problem.candidates.protected

    def is_cut(self, candidate: int) -> bool:
        """The same of one unfinished play, without a look at all of them."""
        cut = self.lost[candidate] > self.bound or (self.problem.options.never_lose and self.loses[candidate])
        return bool(cut) and not self.problem.candidates.protected[candidate]

    def ranked_mask(self) -> npt.NDArray[np.bool_]:
        """bool[candidates]: finished plays that no other can have more points than, but those that rank before them."""
        contending, finished = self.contending_mask(), self.finished_mask()
        fewest_open = self.lost[contending & ~finished].min(initial=NO_BOUND)
        ranked: npt.NDArray[np.bool_] = contending & finished & (self.lost <= fewest_open)
        return ranked

    def level_at_top(self) -> list[int]:
        """Finished plays with the fewest losses, of those that may answer what is asked."""
        level = self.finished_mask() & self.contending_mask() & (self.lost == self.fewest)
        return np.flatnonzero(level).tolist()

    @property
    def state(self) -> State:
        """``open``, ``answered``: no play can have more than the best finished one, or ``complete``, but for ties.

        Complete: what could be level with the best is finished as well.
        """
        if (
            self._unsettled[self._ahead] > 0
            and self.is_contending(self._ahead)
            and self.lost[self._ahead] < self.fewest
        ):
            return State.OPEN
        rest = self.contending_mask() & ~self.finished_mask()
        ahead = rest & (self.lost < self.fewest)
        if ahead.any():
            self._ahead = int(ahead.argmax())
            return State.OPEN
        return State.ANSWERED if (rest & (self.lost == self.fewest)).any() else State.COMPLETE

    def unsettled(self, candidate: int) -> int:
        """How many draws of a play are not settled."""
        return int(self._unsettled[candidate])

    def unsettled_draws(self, plays: npt.NDArray[np.bool_]) -> int:
        """How many draws of these plays (bool[candidates]) are not settled."""
        return int(self._unsettled[plays].sum())
