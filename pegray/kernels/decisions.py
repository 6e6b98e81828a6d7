"""The memory of decisions made with tiles in the bag, shared by all threads of a process.

What is remembered of a decision is a row of words, each in a slot of its own: a mark of the decision and the place in
the row, xor the word, and the word. As in the transposition table (see table.py) a slot that two writers have torn is
not recognised; a row with a word missing is forgotten.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pegray.kernels.bits import kernel, mix, words_at

_SLOTS = 1 << 21


def empty_decisions() -> npt.NDArray[np.uint64]:
    """A memory of no decisions: uint64[]. What is never written costs nothing."""
    return np.zeros(2 * _SLOTS, np.uint64)


@kernel
def recall(workspace, key, first, row):
    """Fill ``row`` with the words remembered of a decision from the word ``first`` on; False if one is missing."""
    slots = words_at(workspace.decisions_address, workspace.decisions_length)
    for i in range(row.shape[0]):
        mark, at = _slot(key, first + i)
        row[i] = slots[at + 1]
        if slots[at] ^ row[i] != mark:
            return False
    return True


@kernel
def remember(workspace, key, row):
    """Keep ``row``, the words of a decision, over whatever is in its place."""
    slots = words_at(workspace.decisions_address, workspace.decisions_length)
    for i in range(row.shape[0]):
        mark, at = _slot(key, i)
        slots[at] = mark ^ row[i]
        slots[at + 1] = row[i]


@kernel
def _slot(key, i):
    """The mark of the ``i``-th word of a row, and the index of its slot."""
    return key ^ mix(np.uint64(i)), 2 * np.int64((key + np.uint64(i)) & np.uint64(_SLOTS - 1))
