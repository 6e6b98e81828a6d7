"""Rows of best scores, by what has been played before.

A play or a word of some tiles scores the more, the more tiles lie on the board to join it to or to cross. So its score
is a *row* of numbers, by the set P of tiles played before: small ones, so that the machine adds or compares a row at
once. Those of sets that are no P, since the play needs their tiles, are worked out too and then left out (``within``).

With more than _MOST_BY_NUMBER tiles there are too many P, and a row is by how many tiles P has: as if those were always
the ones that are needed. As numbers, sizes of two sets add up to that of both, so all else is the same.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from pegray.kernels.bits import kernel
from pegray.kernels.joining import LEAST_APART, MOST_BETWEEN
from pegray.kernels.numbering import MOST_TILES, SETS

_MOST_BY_NUMBER = 5  # tiles of a rack whose rows are by set
LONGEST_ROW = 1 << _MOST_BY_NUMBER
SHORT_ROW = 8
STEP = 16  # numbers of a longer row that are added at once, by the machine
_ANY = np.int16(32767)
_NEVER = np.int16(-32768)
MOST_POINTS = int(_ANY)  # of a play

ROWS = np.dtype(
    [
        # the length of a row, as many as it has places or more; how far those of plays are apart
        ("row", "i8"),
        ("apart", "i8"),
        ("place", "i8", (SETS,)),  # in a row, by the number of the set before
        ("place_of_kind", "i8", (MOST_TILES,)),  # that of one tile
        # by tiles that lead to a word, set and row: _ANY for its parts that have so many, else _NEVER
        ("within", "i2", ((MOST_BETWEEN + 1) * SETS * LONGEST_ROW,)),
    ],
    align=True,
)


@kernel
def set_rows(rows, numbering):
    """How long rows are, what is where in them, and what in the row of a set is about its parts, or large ones."""
    sets = numbering.sets
    by_number = numbering.tiles <= _MOST_BY_NUMBER
    for number in range(sets):
        rows.place[number] = number if by_number else numbering.size[number]
    for kind in range(numbering.kinds):
        rows.place_of_kind[kind] = rows.place[numbering.weight[kind]]
    places = rows.place[sets - 1] + 1
    rows.row = SHORT_ROW if places <= SHORT_ROW else STEP if places <= STEP else LONGEST_ROW
    rows.apart = places
    for between in range(numbering.tiles - LEAST_APART + 1):
        for whole in range(sets):
            row = (between * sets + whole) * rows.row
            rows.within[row : row + rows.row] = _NEVER
            for p in range(numbering.parts_at[whole], numbering.parts_at[whole + 1]):
                part = numbering.part[p]
                if numbering.size[part] >= between:
                    rows.within[row + rows.place[part]] = _ANY


@kernel
def premium(game, square, tile):
    """What a square adds to the face value of a word with a tile on it, and what it multiplies the sum by."""
    bonus = (np.int64(game.letter_multiplier[square]) - 1) * game.tile_value[tile]
    return bonus, np.int64(game.word_multiplier[square])
