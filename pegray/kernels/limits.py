"""How long a search may go on, how far it has come, and what stops it.

Whatever stops a search calls :func:`stop`; all kernels that see ``stop`` set return at once, and what they return then
means nothing.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from pegray.kernels.bits import ARRAY, ZERO, kernel, words_of
from pegray.kernels.position import MAX_PLIES

# why a search has stopped: the field ``stop``, which is 0 while it goes on
STOPPED_BY_BUDGET = 1
STOPPED_BY_ROOM = 2  # the arena or the order stack has no room left: it needs a larger workspace
STOPPED_BY_BOUND = 3

NO_LIMIT = 1 << 60  # on nodes, or on losses
UNLIMITED_DEPTH = 1 << 30
_LEAST_UNLIMITED = 1 << 20  # each ply takes one off

LIMITS = np.dtype(
    [
        ("stop", "i8"),
        ("nodes", "i8"),  # searched so far
        ("node_limit", "i8"),  # no more than these
        ("depth", "i8"),  # plies to search from the root of an endgame, or UNLIMITED_DEPTH
        ("losses_found", "i8"),  # half weights that the play at the root has lost already
        ("bound", ARRAY),  # int64[1], shared by all threads: losses that no running play may exceed
        ("halt", ARRAY),  # uint64[1]: not 0 where this thread has to stop
        # how far the search of a ply was when it stopped
        ("replies_tried", "i8", (MAX_PLIES,)),
        ("replies_listed", "i8", (MAX_PLIES,)),
    ],
    align=True,
)

_LOOK = 255  # nodes between two looks at what others have to say, one less than a power of two
_LEAST_SHARE = 0.001


@kernel
def stop(limits, reason):
    """Stop the search."""
    limits.stop = reason


@kernel
def go_on(limits):
    """What has stopped the search, if anything has, is dealt with."""
    limits.stop = 0


@kernel
def count_node(limits):
    """One more node is searched; stops the search where that is one too many, or others have shown it to be idle."""
    limits.nodes += 1
    if limits.nodes > limits.node_limit:
        stop(limits, STOPPED_BY_BUDGET)
    elif limits.nodes & _LOOK == 0:
        bound = np.int64(words_of(limits.bound)[0])
        if limits.losses_found > bound or words_of(limits.halt)[0] != ZERO:
            stop(limits, STOPPED_BY_BOUND)


@kernel
def is_limited(depth):
    """Whether a search of ``depth`` more plies may end before the game does."""
    return depth < _LEAST_UNLIMITED


@kernel
def out_of_own_budget(limits):
    """Whether a search has stopped only since its own part of the budget is spent; if so, it may go on."""
    if limits.stop == STOPPED_BY_BUDGET and limits.nodes <= limits.node_limit:
        go_on(limits)
        return True
    return False


@kernel
def share_refuted(limits, ply):
    """Share of the replies listed at ``ply`` that were done when the search stopped."""
    if limits.replies_listed[ply] == 0:
        return _LEAST_SHARE
    return (limits.replies_tried[ply] - 0.5) / limits.replies_listed[ply]
