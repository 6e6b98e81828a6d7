"""The decorators of the functions of this package that numba compiles."""

from __future__ import annotations

import numba

from pegray.compiled import kept

_OPTIONS = {"nogil": True, "boundscheck": False}

word_kernel = kept("lexicon", **_OPTIONS)
"""Those that Python calls: compiled once per machine."""

part_of_word_kernel = numba.njit(**_OPTIONS)
"""Those that only they call."""
