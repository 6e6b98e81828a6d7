"""Every function that is compiled once per machine: what it is needed for, and the types that it is called with.

It is compiled for those types alone: others in a call would compile it again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numba
import numpy as np
from numba import typeof, types

from pegray.compiled import is_kept
from pegray.kernels import entry, word_graph
from pegray.kernels.workspace import WORKSPACE
from pegray.lexicon import build, counts, marks, prune

_RECORD = typeof(np.zeros(1, WORKSPACE))
_UNITS = typeof(np.zeros(1, entry.UNIT))
_INT, _WORD = types.int64, types.uint64
_INTS, _WORDS = _INT[::1], _WORD[::1]
_BYTES, _BOOLS, _HALVES = types.uint8[::1], types.bool_[::1], types.uint32[::1]
_BOARD = types.Array(types.uint8, 1, "C", readonly=True)
_STRINGS = types.uint8[:, ::1]

# In the order in which a command needs them: who compiles several does it in this order.
CATALOGUE: dict[str, dict[Any, tuple[Any, ...]]] = {
    "words": {
        build._count_prefixes: (_STRINGS, _BYTES),
        build._add_strings: (_STRINGS, _BYTES, _BOOLS, _HALVES, _HALVES, _INT, _HALVES),
        build._turned_prefixes: (_STRINGS, _BYTES, _HALVES, _INT, _INT),
        counts.count_words: (_HALVES,),
        marks._read: (_HALVES, _INTS, _INTS),
        prune._mark: (_HALVES, _INTS, _INTS, _INTS, _BOOLS),
    },
    "plays": {
        word_graph._fill: (_WORD, _WORDS),
        entry.set_root: (_RECORD, _BOARD, _WORD, _WORD),
        entry.root_plays: (_RECORD, _INT),
    },
    "draws": {
        entry.list_multisets: (_RECORD, _WORD, _INT),
        entry.list_sequences: (_RECORD, _WORD, _INT),
    },
    "verdicts": {
        entry.settle_draws: (_RECORD, _UNITS, _INT, _WORD, _INT),
        entry.restore_checkpoints: (_RECORD, _WORDS),
    },
    "spreads": {entry.settle_spread: (_RECORD, _WORD, _WORD, _INT, _INT, _INT, _INT, _INT)},
    "endgame": {
        entry.root_spread: (_RECORD, _INT, _INT),
        entry.best_line: (_RECORD, _INT, _INT),
    },
    "staying": {entry.settle_staying: (_RECORD, _UNITS, _INT, _WORD, _INT)},
    "rational": {entry.settle_rational: (_RECORD, _UNITS, _INT, _WORD, _INT)},
    "bounds": {
        entry.root_bound: (_RECORD, _INT, _INT),
        entry.gains_alone: (_RECORD, _INT),
    },
}
"""By purpose: ``words`` to read and prune a lexicon; ``plays`` to list plays; ``draws`` to list what may be drawn;
``verdicts`` of plays after which no decision with tiles in the bag is left; ``spreads`` for tie-breaks; ``endgame``;
``staying`` for plays that leave tiles; ``rational`` for those against a rational opponent; ``bounds`` for tests."""

FOR_PROBLEMS = ("words", "plays", "draws")
"""What it takes to find the plays and draws of a position."""

FOR_SOLVING = (*FOR_PROBLEMS, "verdicts", "spreads", "staying")
"""What it takes to solve any position against the guaranteed opponent."""


def missing(purposes: Iterable[str]) -> list[Any]:
    """The functions for these purposes that this machine has not compiled yet."""
    return [function for purpose in purposes for function in CATALOGUE[purpose] if not is_kept(function)]


def warm_up(
    purposes: Iterable[str] = tuple(CATALOGUE), on_step: Callable[[int, int], None] = lambda done, total: None
) -> None:
    """Compile the functions for these purposes, or load them: all of them, once per machine, before work starts.

    on_step: is told how many of those to be compiled are done, of how many; never if there are none
    """
    purposes = tuple(purposes)
    functions = [function for purpose in purposes for function in CATALOGUE[purpose].items()]
    to_compile = missing(purposes)
    done = 0
    if to_compile:
        on_step(done, len(to_compile))
    for function, signature in functions:
        if not numba.config.DISABLE_JIT:
            function.compile(signature)
        if function in to_compile:
            done += 1
            on_step(done, len(to_compile))
