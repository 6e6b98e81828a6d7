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

_SLOT_SHIFT = np.uint64(52)  # to one of REPLY_SLOTS
_WHOLE = 1024
_PARTS = 16  # of a node, in the moving average of what a reply costs
_MEMORY = 8  # times that a reply was tried
# a reply that refutes everything has so many points more if it takes a node, and less for each doubling of that
_BONUS = 80.0
_LESS_BY_DOUBLING = 10.0
_NO_REFUTATION = 20.0  # points less for one that refutes nothing


@kernel
def reply_bonus(workspace, move):
    """What is known of a reply, in points: 0 of one that was never tried."""
    return workspace.reply_bonus[_slot(move)]


@kernel
def learn_reply(workspace, move, lowered, possible, nodes):
    """A reply has cost us ``lowered`` of the ``possible`` half weights, and took so many nodes."""
    slot = _slot(move)
    share = _WHOLE * lowered // max(1, possible)
    workspace.reply_share[slot] += (share - workspace.reply_share[slot]) // _MEMORY
    workspace.reply_nodes[slot] += (_PARTS * nodes - workspace.reply_nodes[slot]) // _MEMORY
    refutes = workspace.reply_share[slot] / _WHOLE
    doublings = np.log2(max(1.0, workspace.reply_nodes[slot] / _PARTS))
    bonus = refutes * (_BONUS - _LESS_BY_DOUBLING * doublings) - (1.0 - refutes) * _NO_REFUTATION
    workspace.reply_bonus[slot] = np.int64(bonus)


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
