"""Which of the opponent's replies is looked into next while tiles are in the bag.

A reply that loses for us every order that could have made it spares all other replies. It pays to try those first that
did so after other plays and draws of ours, and that took few nodes: so each reply has a *bonus*, in points, that is
added to its score where replies are put in order. It is learned as the solve goes on, by the move, since most replies
are there after most of our plays.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from pegray.kernels.bits import kernel, mix

_SLOTS = 1 << 12
_SLOT_SHIFT = np.uint64(52)  # to one of them
_WHOLE = 1024
_PARTS = 16  # of a node, in the moving average of what a reply costs
_MEMORY = 8  # times that a reply was tried
# a reply that refutes everything has so many points more if it takes a node, and less for each doubling of that
_BONUS = 80.0
_LESS_BY_DOUBLING = 10.0
_NO_REFUTATION = 20.0  # points less for one that refutes nothing

REPLIES = np.dtype(
    [
        ("share", "i8", (_SLOTS,)),  # of _WHOLE: what a reply refuted of what it might have
        ("nodes", "i8", (_SLOTS,)),  # what that took, in parts of a node
        ("bonus", "i8", (_SLOTS,)),  # what both are worth, in points
    ],
    align=True,
)
"""Of the opponent's replies, by a hash of the move: moving averages."""

FIRST_SHARE = 300
FIRST_NODES = 400
"""What is supposed of a reply that was never tried."""


@kernel
def reply_bonus(replies, move):
    """What is known of a reply, in points: 0 of one that was never tried."""
    return replies.bonus[_slot(move)]


@kernel
def learn_reply(replies, move, lowered, possible, nodes):
    """A reply has cost us ``lowered`` of the ``possible`` half weights, and took so many nodes."""
    slot = _slot(move)
    share = _WHOLE * lowered // max(1, possible)
    replies.share[slot] += (share - replies.share[slot]) // _MEMORY
    replies.nodes[slot] += (_PARTS * nodes - replies.nodes[slot]) // _MEMORY
    refutes = replies.share[slot] / _WHOLE
    doublings = np.log2(max(1.0, replies.nodes[slot] / _PARTS))
    bonus = refutes * (_BONUS - _LESS_BY_DOUBLING * doublings) - (1.0 - refutes) * _NO_REFUTATION
    replies.bonus[slot] = np.int64(bonus)


@kernel
def cheapest_put_off(put_off, cost, count):
    """Place of the reply that seems cheapest to settle among the first ``count`` of those put off, or -1.

    put_off: int64[n], indices of replies; cost: float64[n], what each reply may take
    """
    cheapest = -1
    for i in range(count):
        if cheapest < 0 or cost[put_off[i]] < cost[put_off[cheapest]]:
            cheapest = i
    return cheapest


@kernel
def _slot(move):
    return np.int64(mix(move) >> _SLOT_SHIFT)
