"""The plays that a node has still to look into, each with an estimate: a stack of lists.

An entry is the estimate (the high half), the lane of the play, or PASS_LANE, and its index in the list of that lane.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from pegray.kernels.arena import LIST_WORDS, PLAY_WORDS, play_score
from pegray.kernels.bits import ARRAY, ZERO, kernel, plain, words_of

PASS_LANE = 31
ESTIMATE_BIAS = 1 << 20
ESTIMATE_SHIFT = np.uint64(32)
ENTRY_LANE_SHIFT = np.uint64(20)
PLACE_MASK = np.uint64((1 << 32) - 1)
_INDEX_MASK = np.uint64((1 << 20) - 1)
_LANE_BITS = np.uint64(31)
_SORT_AFTER = 16  # entries are looked for one by one

ORDER = np.dtype(
    [
        ("stack", ARRAY),  # uint64[], entries: those of the node searched now are the last
        ("next", "i8"),  # where the next node's begin
    ],
    align=True,
)


@kernel
def entry_lane(entry):
    """Lane of the play of an entry."""
    return np.int64((entry >> ENTRY_LANE_SHIFT) & _LANE_BITS)


@kernel
def entry_play(lists, ply, mover, entry):
    """Arena offset of the play of an entry that is not the pass."""
    return lists.at[ply, mover, entry_lane(entry)] + LIST_WORDS + np.int64(entry & _INDEX_MASK) * PLAY_WORDS


@kernel
def play_of(workspace, ply, mover, entry):
    """Packed move and score of an entry of ``order``."""
    if entry_lane(entry) == PASS_LANE:
        return ZERO, plain(0)
    arena = words_of(workspace.arena.words)
    play = entry_play(workspace.lists, ply, mover, entry)
    return arena[play], play_score(arena[play + 2])


@kernel
def put_best_at(order, at, end):
    """Swap the entry with the best estimate in ``stack[at:end]`` to ``at``."""
    stack = words_of(order.stack)
    top = at
    for i in range(at + 1, end):
        if stack[i] > stack[top]:
            top = i
    stack[at], stack[top] = stack[top], stack[at]


@kernel
def bring_next(order, first, at, end):
    """As :func:`put_best_at` for one entry after the other from ``first`` on: where many are asked for, the rest is
    sorted once.
    """
    if at - first < _SORT_AFTER:
        put_best_at(order, at, end)
    elif at - first == _SORT_AFTER:
        _sort_falling(order, at, end)


@kernel
def _sort_falling(order, begin, end):
    """Sort entries, the best estimate first: a heapsort, since numpy's own sort takes two seconds to compile."""
    stack = words_of(order.stack)
    number = end - begin
    for root in range(number // 2 - 1, -1, -1):
        _sift(order, begin, root, number)
    for last in range(number - 1, 0, -1):
        stack[begin], stack[begin + last] = stack[begin + last], stack[begin]
        _sift(order, begin, plain(0), last)


@kernel
def _sift(order, begin, root, number):
    """Let an entry sink in a heap of ``number`` entries from ``begin`` on that has the worst on top."""
    stack = words_of(order.stack)
    while 2 * root + 1 < number:
        child = 2 * root + 1
        if child + 1 < number and stack[begin + child + 1] < stack[begin + child]:
            child += 1
        if stack[begin + root] <= stack[begin + child]:
            return
        stack[begin + root], stack[begin + child] = stack[begin + child], stack[begin + root]
        root = child
