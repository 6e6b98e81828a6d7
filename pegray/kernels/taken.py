"""Which plays are being searched by a thread, so that another one that works on the same node takes others first.

A shared array of marks, one for a play at a node, without locks: a mark that is lost or that stays costs time, no more.
The plays that were taken come last; by then the table has their answers, or there is nothing better to do than to help
(as in ABDADA, J.-C. Weill, in the form that T. Kerrigan has given it).

Threads of other processes see no marks. Where several are at one unit each has plays of its own to begin with, by their
marks.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pegray.kernels.bits import ARRAY, ZERO, kernel, mix, words_of

_SLOTS = 1 << 12
_THIRTY_TWO = np.uint64(32)

TAKEN = np.dtype(
    [
        ("marks", ARRAY),  # uint64[], shared by all threads, see nothing_taken
        ("helps", "i8"),  # 1 while this thread helps another at its unit
        ("others", "i8"),  # threads of other processes that are at the same unit
        ("place", "i8"),  # of this one among all of them: 0 takes plays as they come
    ],
    align=True,
)


def nothing_taken() -> npt.NDArray[np.uint64]:
    """The array of a process in which no play is being searched: uint64[]; the last word counts helpers."""
    return np.zeros(_SLOTS + 1, np.uint64)


@kernel
def are_many(taken):
    """Whether threads help one another."""
    return words_of(taken.marks)[_SLOTS] != ZERO


@kernel
def mark_of_play(key, move):
    """The mark of a play at a node."""
    return mix(key ^ move)


@kernel
def is_taken(taken, mark):
    """Whether a thread is searching this play."""
    return words_of(taken.marks)[np.int64(mark & np.uint64(_SLOTS - 1))] == mark


@kernel
def is_for_others(taken, mark):
    """Whether a play is one that another process begins with."""
    return taken.place > 0 and np.int64((mark >> _THIRTY_TWO) % np.uint64(taken.others + 1)) != taken.place


@kernel
def take(taken, mark):
    """This thread searches the play from now on."""
    words_of(taken.marks)[np.int64(mark & np.uint64(_SLOTS - 1))] = mark


@kernel
def leave(taken, mark):
    """It has searched the play."""
    marks = words_of(taken.marks)
    at = np.int64(mark & np.uint64(_SLOTS - 1))
    if marks[at] == mark:
        marks[at] = ZERO
