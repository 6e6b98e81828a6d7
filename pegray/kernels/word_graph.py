"""Which letters stand among the siblings in a word graph, so that one look tells which of them a rack can lay.

Siblings come in the order of their tiles: the one with a letter is as many places on as there are lower letters.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pegray.kernels.bits import ARRAY, ONE, ZERO, entry_kernel, halves_at, kernel, words_of
from pegray.kernels.intrinsics import count_ones, trailing_zeros

ARC_MASK = np.uint32(0x3FFFFF)
LAST_SIBLING = np.uint32(1 << 22)
WORD_END = np.uint32(1 << 23)
TILE_SHIFT = np.uint32(24)
SEPARATOR = 0  # the tile, and the bit of it among the letters


LEXICON = np.dtype(
    [
        ("kwg", ARRAY),  # uint32[], the word graph (lexicon/kwg.py)
        ("siblings", ARRAY),  # uint64[], see all_sibling_letters
        ("cross_sets", ARRAY),  # uint64[], pairs of a run_hash and its cross-set (generate.py), by hash
    ],
    align=True,
)


def all_sibling_letters(kwg: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint64]:
    """uint64[len(kwg)]: for each node of a word graph the letters, a bit each, of it and the siblings after it."""
    letters = np.zeros(len(kwg), np.uint64)
    _fill(np.uint64(kwg.ctypes.data), letters)
    return letters


@entry_kernel
def _fill(kwg_address, letters):
    # by its address: to numba an array that may not be written is of another type, for which it would compile again
    kwg = halves_at(kwg_address, len(letters))
    siblings = ZERO
    for index in range(len(kwg) - 1, -1, -1):
        if kwg[index] & LAST_SIBLING:
            siblings = ZERO
        siblings |= ONE << np.uint64(kwg[index] >> TILE_SHIFT)
        letters[index] = siblings


@kernel
def lowest_letter(letters):
    """The lowest of some letters (at least one)."""
    return np.int64(trailing_zeros(letters))


@kernel
def sibling_letters(lexicon, arc):
    """The letters of the siblings from ``arc``."""
    return words_of(lexicon.siblings)[arc]


@kernel
def sibling_with(arc, letters, letter):
    """Node of ``letter`` among the siblings from ``arc``, whose letters are ``letters``."""
    return arc + np.int64(count_ones(letters & ((ONE << np.uint64(letter)) - ONE)))


@kernel
def child_arc(lexicon, arc, letter):
    """Node among the siblings from ``arc`` that carries ``letter``, or -1."""
    if arc == 0:
        return -1
    letters = sibling_letters(lexicon, arc)
    return sibling_with(arc, letters, letter) if letters >> np.uint64(letter) & ONE else -1
