"""What is settled of the opponent's replies to one play and draw of ours: results of portions, put together.

A result says which replies it leaves; none of the others that it was asked about can lower its outcomes any further.
Two such statements make a third: the lower outcome of each order, and no reply left that either has done with. So it
does not matter in which order results come, whether one comes twice, or was lost and is found again.
"""

from __future__ import annotations

import numpy as np

from pegray.kernels.verdicts import LOSS, WIN
from pegray.preendgame.work import Settled, Unit
from pegray.terms import UnitKind

_NO_REPLY = -1
_NOT_SETTLED = -1


class Walk:
    """What is known of the replies to a play and a draw.

    left: packed moves of the replies that may still lower an outcome, in the order in which they were named; None
        while no result has named all that there are
    untried: those of them that nobody has looked into
    """

    def __init__(self, candidate: int, draw: int, orders: int) -> None:
        self._unit = Unit(candidate, draw, UnitKind.VERDICT, 0)
        self._verdicts = np.full(orders, WIN, np.int8)
        self._replies = np.full(orders, _NO_REPLY, np.int64)
        self._done: set[int] = set()
        self.left: dict[int, None] | None = None
        self.untried: set[int] = set()
        self._whole = self._settled_now()

    @property
    def is_settled(self) -> bool:
        """Whether no outcome can change any more."""
        return bool((self._verdicts == LOSS).all()) or (self.left is not None and not self.left)

    def take(self, result: Settled) -> None:
        """Take over what came of the unit, or of a portion."""
        self._lower(result)
        left = () if result.finished else result.replies_left
        if left is not None:
            self._leave(result.unit.portion, left, result.untried)
        before, self._whole = self._whole, self._settled_now()
        for cost in ("nodes", "endgames", "cpu_seconds", "seconds"):
            setattr(self._whole, cost, getattr(before, cost) + getattr(result, cost))
        self._whole.proven = before.proven and result.proven

    def _lower(self, result: Settled) -> None:
        if not result.outcomes:
            return
        found = np.frombuffer(result.outcomes, np.int8)
        verdicts = np.where(found < 0, WIN, found).astype(np.int8)
        replies = np.array(result.replies, np.int64)
        takes = (verdicts < self._verdicts) | (
            (verdicts == self._verdicts) & (self._replies == _NO_REPLY) & (replies != _NO_REPLY)
        )
        self._verdicts[takes] = verdicts[takes]
        self._replies[takes] = replies[takes]

    def _leave(self, portion: tuple[int, ...], left: tuple[int, ...], untried: int) -> None:
        """A portion (empty: all replies) is done with but for those ``left``."""
        untouched = set(left[len(left) - untried :])
        if portion:
            self._done.update(set(portion).difference(left))
            self.untried -= set(portion) - untouched
        elif self.left is None:
            self.left = dict.fromkeys(left)
            self.untried = untouched
        else:
            # another walk through all of them: what either has done with is done with
            self._done.update(set(self.left).difference(left))
            self.untried &= untouched
        if self.left is not None:
            for reply in self._done & self.left.keys():
                del self.left[reply]
            self.untried &= self.left.keys()

    def known(self) -> tuple[bytes, tuple[int, ...]]:
        """What the next portion is told: outcomes and replies."""
        return self._whole.outcomes, self._whole.replies

    def so_far(self) -> Settled:
        """As a result of the unit as a whole, with what all of it has cost."""
        return self._whole

    def _settled_now(self) -> Settled:
        finished = self.is_settled
        outcomes = self._verdicts if finished else np.where(self._verdicts < WIN, self._verdicts, _NOT_SETTLED)
        return Settled(
            unit=self._unit,
            finished=finished,
            outcomes=outcomes.astype(np.int8).tobytes(),
            replies=tuple(self._replies.tolist()),
            spread=None,
            proven=True,
            nodes=0,
            endgames=0,
            cpu_seconds=0.0,
            seconds=0.0,
        )
