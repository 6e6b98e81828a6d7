"""Machine words in numba: hashing, arrays at an address, and the decorators of the kernels.

numba types ``uint64 + 1`` as int64 (and ``uint64 + int64`` as float64), so every constant that meets a uint64 is
wrapped here once and imported by name.
"""

from __future__ import annotations

import numba
import numpy as np

from pegray.compiled import kept
from pegray.kernels.intrinsics import as_pointer
from pegray.kernels.intrinsics import plain as plain
from pegray.kernels.linking import options_to_enter, options_to_link

ZERO = np.uint64(0)
ONE = np.uint64(1)

ARRAY = np.dtype([("address", "u8"), ("length", "i8")], align=True)
"""Part of a workspace: a large array that it points to. Whoever stored the address keeps the memory alive."""

_MIX_1 = np.uint64(0x9E3779B97F4A7C15)
_MIX_2 = np.uint64(0xD6E8FEB86659FD93)
_SHIFT_32 = np.uint64(32)

NUMBERS_OF_WORD = 4

_OPTIONS = {"nogil": True, "boundscheck": False, "error_model": "numpy"}

_INNER = _OPTIONS | options_to_link()

kernel = numba.njit(**_INNER)
"""Decorator of the kernels that kernels call, and Python cannot. nogil: control calls must answer while one runs."""

part_of_kernel = numba.njit(**_INNER, inline="always")
"""Decorator of the parts of a recursive kernel that call it: pasted into it, since numba cannot type two kernels that
call each other."""

SOURCES = ("kernels", "game/layout.py", "game/rules.py", "game/tiles.py")
"""What machine code is made from: the kernels, and the modules whose constants they use."""

entry_kernel = kept(*SOURCES, **_OPTIONS, **options_to_enter())
"""Decorator of the kernels that Python calls: compiled once per machine, with all that they call linked in.

Only these are kept, so that there is one file to load for each. A recursive kernel must call itself with the very
types that it is called with from outside, or what was kept crashes when it is loaded (numba issue 6061): constants
that are passed to one go through :func:`plain`, which takes the literal out of their type.
"""


@kernel
def words_at(address, length):  # type: ignore[no-untyped-def]
    """The uint64 array of ``length`` items at ``address``; whoever stored the address keeps the memory alive."""
    return numba.carray(as_pointer(address), length, np.uint64)


@kernel
def halves_at(address, length):  # type: ignore[no-untyped-def]
    """The uint32 array of ``length`` items at ``address``."""
    return numba.carray(as_pointer(address), length, np.uint32)


@kernel
def numbers_of(array):  # type: ignore[no-untyped-def]
    """The int16 array, NUMBERS_OF_WORD to a word, that an :data:`ARRAY` points to."""
    return numba.carray(as_pointer(array.address), NUMBERS_OF_WORD * array.length, np.int16)


@kernel
def words_of(array):  # type: ignore[no-untyped-def]
    """The uint64 array that an :data:`ARRAY` points to."""
    return words_at(array.address, array.length)


@kernel
def mix(word):  # type: ignore[no-untyped-def]
    """A well-spread 64-bit hash of a uint64 (multiply and fold, twice)."""
    word = word * _MIX_1
    word ^= word >> _SHIFT_32
    word = word * _MIX_2
    word ^= word >> _SHIFT_32
    return word
