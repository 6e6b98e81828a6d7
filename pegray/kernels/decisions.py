"""The memory of decisions made with tiles in the bag, shared by all threads of a process.

What is remembered of a decision is a row of words, each in a slot of its own: a mark of the decision and the place in
the row, xor the word, and the word. As in the transposition table (see table.py) a slot that two writers have torn is
not recognised; a row with a word missing is forgotten.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pegray.kernels.bits import ARRAY, kernel, mix, plain, words_of
from pegray.kernels.pages import empty_words

_SLOTS = 1 << 21
_RACK_FACTOR = np.uint64(0xD1B54A32D192ED03)
_POOL_FACTOR = np.uint64(0xAEF17502108EF2D9)
_KNOWN_FACTOR = np.uint64(0xF1357AEA2E62A9C5)

DECISIONS = np.dtype(
    [
        ("rows", ARRAY),  # uint64[], shared by all threads
        ("made", "i8"),  # decisions of this thread
        ("recalled", "i8"),  # those that it did not have to make
    ],
    align=True,
)


def empty_decisions(slots: int = _SLOTS) -> npt.NDArray[np.uint64]:
    """A memory of no decisions: uint64[]. What is never written costs nothing.

    slots: a power of two
    """
    return empty_words(2 * slots)


@kernel
def recall(decisions, key, first, row):
    """Fill ``row`` with the words remembered of a decision from the word ``first`` on; False if one is missing."""
    slots = words_of(decisions.rows)
    for i in range(row.shape[0]):
        mark, at = _slot(slots, key, first + i)
        row[i] = slots[at + 1]
        if slots[at] ^ row[i] != mark:
            return False
    return True


@kernel
def remember(decisions, key, row):
    """Keep ``row``, the words of a decision, over whatever is in its place."""
    slots = words_of(decisions.rows)
    for i in range(row.shape[0]):
        mark, at = _slot(slots, key, i)
        slots[at] = mark ^ row[i]
        slots[at + 1] = row[i]


@kernel
def _slot(slots, key, i):
    """The mark of the ``i``-th word of a row, and the index of its slot."""
    return key ^ mix(np.uint64(i)), 2 * np.int64((key + np.uint64(i)) & np.uint64(slots.shape[0] // 2 - 1))


@kernel
def decision_key(position, ply, spread, passed, known):
    """Key of an information set of ours: all that the choice and its verdicts depend on."""
    key = position.board_key[ply]
    key ^= mix(position.rack[ply, 0] * _RACK_FACTOR)
    key ^= mix(position.rack[ply, 1] * _POOL_FACTOR + np.uint64(passed))
    key ^= mix(known * _KNOWN_FACTOR + np.uint64(spread + 4096))
    return mix(key)


@kernel
def recall_verdicts(decisions, key, verdicts):
    """Fill ``verdicts`` from the memory of decisions; False if the decision is not there."""
    row = np.empty((verdicts.shape[0] + 31) >> 5, np.uint64)
    if not recall(decisions, key, plain(0), row):
        return False
    for i in range(verdicts.shape[0]):
        verdicts[i] = np.int8((row[i >> 5] >> np.uint64(2 * (i & 31))) & np.uint64(3))
    return True


@kernel
def row_of(verdicts):
    """Verdicts (int8[n]) as the words of a row, two bits each."""
    row = np.zeros((verdicts.shape[0] + 31) >> 5, np.uint64)
    for i in range(verdicts.shape[0]):
        row[i >> 5] |= np.uint64(verdicts[i]) << np.uint64(2 * (i & 31))
    return row
