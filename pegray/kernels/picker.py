"""The move picker: which of a node's plays is searched next.

The one with the best estimate, but for those that another thread is at: they come last (taken.py).
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pegray.kernels.bits import ZERO, kernel, plain, words_of
from pegray.kernels.order import bring_next, play_of
from pegray.kernels.position import MAX_PLIES
from pegray.kernels.taken import are_many, is_taken, leave, mark_of_play, take

PICKER = np.dtype(
    [
        # of the node searched at a ply: places in the order stack
        ("first", "i8", (MAX_PLIES,)),
        ("next", "i8", (MAX_PLIES,)),
        ("end", "i8", (MAX_PLIES,)),
        ("taken_end", "i8", (MAX_PLIES,)),  # plays that another thread has taken are kept from ``first`` to here
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
def begin_picking(picker, ply, base, end):
    """The plays of the node at ``ply`` are those in ``order[base:end]``."""
    picker.first[ply] = base
    picker.next[ply] = base
    picker.end[ply] = end
    picker.taken_end[ply] = base


@kernel
def pick(workspace, ply, mover, key):
    """The play of a node (its ``key``) that is searched next: :class:`Picked`."""
    picker = workspace.picker
    order = words_of(workspace.order.stack)
    while picker.next[ply] < picker.end[ply]:
        at = picker.next[ply]
        bring_next(workspace.order, picker.first[ply], at, picker.end[ply])
        picker.next[ply] = at + 1
        move, score = play_of(workspace, ply, mover, order[at])
        if not are_many(workspace.taken):
            return Picked(True, move, score, ZERO)
        mark = mark_of_play(key, move)
        # the first is searched by all: it may be the only one that is needed
        if picker.first[ply] < at < picker.end[ply] - 1 and is_taken(workspace.taken, mark):
            order[picker.taken_end[ply]] = order[at]
            picker.taken_end[ply] += 1
            continue
        take(workspace.taken, mark)
        return Picked(True, move, score, mark)
    if picker.taken_end[ply] == picker.first[ply]:
        return Picked(False, ZERO, plain(0), ZERO)
    picker.taken_end[ply] -= 1
    move, score = play_of(workspace, ply, mover, order[picker.taken_end[ply]])
    mark = ZERO
    if are_many(workspace.taken):
        mark = mark_of_play(key, move)
        take(workspace.taken, mark)
    return Picked(True, move, score, mark)


@kernel
def put_down(taken, picked):
    """A play that was picked has been searched."""
    if picked.mark != ZERO:
        leave(taken, picked.mark)


@kernel
def tell_progress(limits, picker, ply):
    """The search of a node has stopped: say how far it was."""
    limits.replies_tried[ply] = picker.next[ply] - picker.first[ply]
    limits.replies_listed[ply] = picker.end[ply] - picker.first[ply]
