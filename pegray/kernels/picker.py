"""The move picker: which of a node's plays is searched next, and with how many nodes.

The one with the best estimate, but for those that another thread is at: they come last (taken.py).

Of several plays that reach the target one is enough, and its proof may take a thousandth of the nodes of another's. So
while the plays at the root race (race.py), those of the same side further down get a share of the nodes too: a play
that has spent it, with most of its replies still to refute, is put off, and comes again in the next round, with more.
The share goes with what the node itself may take: where many nodes were not enough before, few are not tried again.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pegray.kernels.bits import ZERO, kernel, plain, words_of
from pegray.kernels.budgets import BUDGET_GROWTH
from pegray.kernels.limits import NO_LIMIT, share_refuted
from pegray.kernels.order import bring_next, play_of
from pegray.kernels.position import MAX_PLIES
from pegray.kernels.taken import are_many, is_taken, leave, mark_of_play, take

NOBODY = -1
LEAST_SHARE = 1000  # nodes
_SHARES = 16  # of the nodes that are left to a node
_MOST_DONE = 0.5  # of the replies

PICKER = np.dtype(
    [
        # of the node searched at a ply: places in the order stack
        ("first", "i8", (MAX_PLIES,)),
        ("next", "i8", (MAX_PLIES,)),
        ("end", "i8", (MAX_PLIES,)),
        ("put_off", "i8", (MAX_PLIES,)),  # plays that wait for the next round are kept from ``first`` to here
        ("round", "i8", (MAX_PLIES,)),
        ("share", "i8", (MAX_PLIES,)),  # nodes that the play picked last may take
        ("round_share", "i8", (MAX_PLIES,)),  # and each at first in this round
        ("puts_off", "i8"),  # the side whose plays are put off, or NOBODY
        ("least_share", "i8"),
        ("times_put_off", "i8"),
    ],
    align=True,
)


class Picked(NamedTuple):
    """A play of a node."""

    found: bool  # False: none is left
    move: np.uint64  # packed
    score: np.int64
    mark: np.uint64  # in ``taken``, or 0 where no thread helps another


@kernel
def begin_picking(picker, ply, base, end, share):
    """The plays of the node at ``ply`` are those in ``order[base:end]``; each gets ``share`` nodes at first."""
    picker.first[ply] = base
    picker.next[ply] = base
    picker.end[ply] = end
    picker.put_off[ply] = base
    picker.round[ply] = 0
    picker.round_share[ply] = share


@kernel
def share_of_node(picker, limits, mover):
    """Nodes that each play of a node gets in the first round: as many as it takes where its side puts none off."""
    if mover != picker.puts_off:
        return plain(NO_LIMIT)
    return max(picker.least_share, (limits.node_limit - limits.nodes) // _SHARES)


@kernel
def pick(workspace, ply, mover, key):
    """The play of a node (its ``key``) that is searched next: :class:`Picked`."""
    picker = workspace.picker
    while True:
        while picker.next[ply] < picker.end[ply]:
            at = picker.next[ply]
            bring_next(workspace.order, picker.first[ply], at, picker.end[ply])
            picker.next[ply] = at + 1
            picker.share[ply] = picker.round_share[ply]
            move, score = play_of(workspace, ply, mover, words_of(workspace.order.stack)[at])
            if not are_many(workspace.taken):
                return Picked(True, move, score, ZERO)
            mark = mark_of_play(key, move)
            # the first is searched by all: it may be the only one that is needed
            may_wait = picker.round[ply] == 0 and picker.first[ply] < at < picker.end[ply] - 1
            if may_wait and is_taken(workspace.taken, mark):
                put_off(picker, workspace.order, ply)
                continue
            take(workspace.taken, mark)
            return Picked(True, move, score, mark)
        if picker.put_off[ply] == picker.first[ply]:
            return Picked(False, ZERO, plain(0), ZERO)
        _begin_round(picker, ply)


@kernel
def _begin_round(picker, ply):
    """What was put off comes again; a single play that is left is searched to the end."""
    picker.next[ply] = picker.first[ply]
    picker.end[ply] = picker.put_off[ply]
    picker.put_off[ply] = picker.first[ply]
    picker.round[ply] += 1
    picker.round_share[ply] = min(BUDGET_GROWTH * picker.round_share[ply], NO_LIMIT)
    if picker.end[ply] - picker.first[ply] == 1:
        picker.round_share[ply] = NO_LIMIT


@kernel
def put_off(picker, order, ply):
    """The play that was picked last waits for the next round."""
    stack = words_of(order.stack)
    stack[picker.put_off[ply]] = stack[picker.next[ply] - 1]
    picker.put_off[ply] += 1
    picker.times_put_off += 1


@kernel
def goes_on(picker, limits, ply):
    """The play that was picked last has spent its share: whether it gets more at once, since it has come far."""
    if share_refuted(limits, ply + 1) < _MOST_DONE:
        return False
    picker.share[ply] = min(BUDGET_GROWTH * picker.share[ply], NO_LIMIT)
    return True


@kernel
def put_down(taken, picked):
    """A play that was picked has been searched."""
    if picked.mark != ZERO:
        leave(taken, picked.mark)


@kernel
def tell_progress(limits, picker, ply):
    """The search of a node has stopped: say how far it was in this round.

    Plays that a bound has dropped do not count: they were cheap, and say nothing about those that are left.
    """
    limits.replies_tried[ply] = picker.next[ply] - picker.put_off[ply]
    limits.replies_listed[ply] = picker.end[ply] - picker.first[ply]
