"""Rows of best scores, by what has been played before.

A play or a word of some tiles scores the more, the more tiles lie on the board to join it to or to cross. So its score
is a *row* of numbers, by the number of the set P of tiles played before: small ones, so that the machine adds or
compares a row at once. Those of sets that are no P, since the play needs their tiles, are worked out too and then left
out (``within``).
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from pegray.kernels.bits import kernel, plain
from pegray.kernels.joining import LEAST_APART, MOST_BETWEEN
from pegray.kernels.numbering import SETS

SHORT_ROW = 8
STEP = 16  # numbers of a longer row that are added at once, by the machine
_ANY = np.int16(32767)
_NEVER = np.int16(-32768)
MOST_POINTS = int(_ANY)  # of a play

ROWS = np.dtype(
    [
        ("length", "i8"),  # of a row: as many as there are sets, or more
        # by tiles that lead to a word, set and row: _ANY for its parts that have so many, else _NEVER
        ("within", "i2", ((MOST_BETWEEN + 1) * SETS * SETS,)),
    ],
    align=True,
)


@kernel
def set_rows(rows, numbering):
    """How long rows are, and what in the row of a set is about its parts, or large ones."""
    sets = numbering.sets
    rows.length = SHORT_ROW if sets <= SHORT_ROW else (sets + STEP - 1) // STEP * STEP
    for between in range(numbering.tiles - LEAST_APART + 1):
        for whole in range(sets):
            row = (between * sets + whole) * rows.length
            rows.within[row : row + rows.length] = _NEVER
            for p in range(numbering.parts_at[whole], numbering.parts_at[whole + 1]):
                part = numbering.part[p]
                if numbering.size[part] >= between:
                    rows.within[row + part] = _ANY


@kernel
def length_after(rows, sets, number):
    """How much of a row is about sets apart from one: none of their numbers is above that of all other tiles."""
    return plain(SHORT_ROW) if rows.length == SHORT_ROW else (sets - number + STEP - 1) // STEP * STEP


@kernel
def copy_row(length, to, at, one, first):
    """Copy so much of a row from one array to another."""
    for i in range(length):
        to[at + i] = one[first + i]


@kernel
def premium(game, square, tile):
    """What a square adds to the face value of a word with a tile on it, and what it multiplies the sum by."""
    bonus = (np.int64(game.letter_multiplier[square]) - 1) * game.tile_value[tile]
    return bonus, np.int64(game.word_multiplier[square])
