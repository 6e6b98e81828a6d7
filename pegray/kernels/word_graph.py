"""The word graph as kernels walk it: what is known of a node, its children's letters among it, is one machine word.

So one look tells which letters of a rack lead on from a node, and where none does nothing more is read. The children
of a node stand one after the other by ascending tile: that with a letter is as many places on as there are children
with lower ones.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pegray.errors import InputError
from pegray.game.tiles import MAX_LETTERS
from pegray.kernels.bits import ARRAY, ONE, ZERO, entry_kernel, halves_at, kernel
from pegray.kernels.intrinsics import count_ones, trailing_zeros
from pegray.lexicon.kwg import ARC_MASK, END_FLAG, LAST_FLAG, TILE_SHIFT

_ARC_BITS = 21
_ARC_MASK = np.uint64((1 << _ARC_BITS) - 1)
WORD_END = np.uint64(1 << _ARC_BITS)
_LETTERS_SHIFT = np.uint64(_ARC_BITS + 1)  # what is left is a bit for each letter, and one for the separator
assert _ARC_BITS + 1 + MAX_LETTERS + 1 <= 64
SEPARATOR = 0  # the tile, and the bit of it among the letters

_KWG_ARC_MASK = np.uint32(ARC_MASK)
_KWG_LAST = np.uint32(LAST_FLAG)
_KWG_END = np.uint32(END_FLAG)
_KWG_TILE_SHIFT = np.uint32(TILE_SHIFT)

LEXICON = np.dtype(
    [
        ("graph", ARRAY),  # uint64[], see all_nodes; the first two are the roots of the DAWG and of the GADDAG
        ("cross_sets", ARRAY),  # uint64[], pairs of a run_hash and what goes with it (cross_sets.py), by hash
    ],
    align=True,
)


def all_nodes(kwg: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint64]:
    """uint64[len(kwg)]: the nodes of a word graph (lexicon/kwg.py) as kernels walk it.

    Of each: where its children begin, whether a word ends with it, and the letters of its children, a bit each. Raises
    InputError if there are too many.
    """
    if len(kwg) > 1 << _ARC_BITS:
        raise InputError(f"too many words can still be formed: {len(kwg)} nodes of their graph, {1 << _ARC_BITS} fit")
    nodes = np.zeros(len(kwg), np.uint64)
    _fill(np.uint64(kwg.ctypes.data), nodes)
    return nodes


@entry_kernel
def _fill(kwg_address, nodes):
    # by its address: to numba an array that may not be written is of another type, for which it would compile again
    kwg = halves_at(kwg_address, len(nodes))
    for index in range(len(kwg)):
        arc = np.uint64(kwg[index] & _KWG_ARC_MASK)
        node = arc
        if kwg[index] & _KWG_END:
            node |= WORD_END
        child = np.int64(arc)
        while child > 0:
            node |= ONE << (np.uint64(kwg[child] >> _KWG_TILE_SHIFT) + _LETTERS_SHIFT)
            child = 0 if kwg[child] & _KWG_LAST else child + 1
        nodes[index] = node


@kernel
def lowest_letter(letters):
    """The lowest of some letters (at least one)."""
    return np.int64(trailing_zeros(letters))


@kernel
def first_child(node):
    """Where the children of a node begin."""
    return node & _ARC_MASK


@kernel
def child_letters(node):
    """The letters of the children of a node, a bit each; the lowest is for the separator."""
    return node >> _LETTERS_SHIFT


@kernel
def has_child(node, letter):
    """Whether a child of a node carries ``letter``."""
    return (child_letters(node) >> np.uint64(letter)) & ONE != ZERO


@kernel
def child_with(graph, node, letter):
    """The child of a node that carries ``letter``: there is one."""
    lower = child_letters(node) & ((ONE << np.uint64(letter)) - ONE)
    return graph[first_child(node) + count_ones(lower)]
