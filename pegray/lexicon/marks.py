"""Reading words out of a DAWG by their ranks.

The rank of a word is its place in a walk through the graph: see :func:`pegray.lexicon.counts.count_words`.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pegray.lexicon.decorators import word_kernel
from pegray.lexicon.kwg import ARC_MASK, END_FLAG, LAST_FLAG, TILE_SHIFT
from pegray.lexicon.words import LONGEST


def marked_words(
    nodes: npt.NDArray[np.uint32], counts: npt.NDArray[np.int64], marks: npt.NDArray[np.bool_]
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
    """Letters uint8[m, 15] padded with 0 and lengths uint8[m] of the words whose rank is marked, in order.

    counts: int64[n] from ``count_words``; marks: bool[number of words]. Longer words are left out.
    """
    marked_before = np.zeros(len(marks) + 1, np.int64)
    np.cumsum(marks, out=marked_before[1:])
    letters, lengths = _read(nodes, counts, marked_before)
    return letters[: len(lengths)], lengths


@word_kernel
def _read(nodes, counts, marked_before):
    letters = np.zeros((marked_before[-1], LONGEST), np.uint8)
    lengths = np.zeros(marked_before[-1], np.uint8)
    word = np.zeros(LONGEST, np.uint8)
    path = np.zeros(LONGEST, np.int64)
    path[0] = np.int64(nodes[0]) & ARC_MASK
    depth = 0 if path[0] else -1
    rank = 0  # of the first word that goes through the node at the end of the path
    row = 0
    while depth >= 0:
        index = path[depth]
        node = np.int64(nodes[index])
        last = node & LAST_FLAG != 0
        below = node & ARC_MASK
        after = rank + counts[index] - (0 if last else counts[index + 1])
        deeper = False
        if marked_before[after] > marked_before[rank]:
            word[depth] = node >> TILE_SHIFT
            if node & END_FLAG:
                if marked_before[rank + 1] > marked_before[rank]:
                    for at in range(depth + 1):  # compiled in a fifth of the time that slices take
                        letters[row, at] = word[at]
                    lengths[row] = depth + 1
                    row += 1
                rank += 1
            deeper = below != 0 and depth + 1 < LONGEST
        if deeper:
            depth += 1
            path[depth] = below
            continue
        rank = after
        while depth >= 0 and np.int64(nodes[path[depth]]) & LAST_FLAG:
            depth -= 1
        if depth >= 0:
            path[depth] += 1
    return letters, lengths[:row]
