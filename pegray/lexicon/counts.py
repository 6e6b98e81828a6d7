"""How many words lie below each node of a word graph."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pegray.errors import InputError
from pegray.lexicon.decorators import word_kernel
from pegray.lexicon.kwg import ARC_MASK, END_FLAG, LAST_FLAG

TOO_MANY_WORDS = 1 << 24


def checked_counts(nodes: npt.NDArray[np.uint32]) -> npt.NDArray[np.int64]:
    """The counts of :func:`count_words`. Raises InputError for a graph of more words than a lexicon can have."""
    counts: npt.NDArray[np.int64] = count_words(nodes)
    if counts[int(nodes[0]) & ARC_MASK] >= TOO_MANY_WORDS:
        raise InputError(f"a word graph of {TOO_MANY_WORDS:,} words or more: no lexicon")
    return counts


@word_kernel
def count_words(nodes: npt.NDArray[np.uint32]) -> npt.NDArray[np.int64]:
    """int64[n]: the words of the DAWG that go through a node or one of those after it in its list.

    The count of the root is the number of words; nodes outside the DAWG count 0 or less. In a walk down the
    graph the words of the siblings passed over add up to the rank of a word among all words.

    No count is higher than TOO_MANY_WORDS, which no lexicon has: a graph of few nodes can spell more words than there
    are numbers, and :func:`checked_counts` refuses it.
    """
    counts = np.full(len(nodes), -1, np.int64)
    counts[0] = 0
    stack = np.empty(len(nodes), np.int64)
    depth = 0
    stack[0] = np.int64(nodes[0]) & ARC_MASK
    while depth >= 0:
        index = stack[depth]
        if counts[index] >= 0:
            depth -= 1
            continue
        node = np.int64(nodes[index])
        below = node & ARC_MASK
        after = 0 if node & LAST_FLAG else index + 1
        if counts[below] < 0:
            depth += 1
            stack[depth] = below
        elif counts[after] < 0:
            depth += 1
            stack[depth] = after
        else:
            count = (1 if node & END_FLAG else 0) + counts[below] + counts[after]
            counts[index] = min(count, TOO_MANY_WORDS)
            depth -= 1
    return counts
