"""Which plays are being searched by a thread, so that another one that works on the same node takes others first.

A shared array of marks, one for a play at a node, without locks: a mark that is lost or that stays costs time, no more.
The plays that were taken come last; by then the table has their answers, or there is nothing better to do than to help
(as in ABDADA, J.-C. Weill, in the form that T. Kerrigan has given it).
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pegray.kernels.bits import ZERO, kernel, mix, words_at

_SLOTS = 1 << 12


def nothing_taken() -> npt.NDArray[np.uint64]:
    """The array of a process in which no play is being searched: uint64[]; the last word counts helpers."""
    return np.zeros(_SLOTS + 1, np.uint64)


@kernel
def are_many(workspace):
    """Whether threads help one another."""
    return words_at(workspace.taken_address, _SLOTS + 1)[_SLOTS] != ZERO


@kernel
def mark_of_play(key, move):
    """The mark of a play at a node."""
    return mix(key ^ move)


@kernel
def is_taken(workspace, mark):
    """Whether a thread is searching this play."""
    return words_at(workspace.taken_address, _SLOTS)[np.int64(mark & np.uint64(_SLOTS - 1))] == mark


@kernel
def take(workspace, mark):
    """This thread searches the play from now on."""
    words_at(workspace.taken_address, _SLOTS)[np.int64(mark & np.uint64(_SLOTS - 1))] = mark


@kernel
def leave(workspace, mark):
    """It has searched the play."""
    taken = words_at(workspace.taken_address, _SLOTS)
    at = np.int64(mark & np.uint64(_SLOTS - 1))
    if taken[at] == mark:
        taken[at] = ZERO
