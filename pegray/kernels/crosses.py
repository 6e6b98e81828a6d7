"""Best scores of the words across a play, while the other side only passes.

A tile that crosses a lane ends a word of the crossing lane: a placement there (laid.py), whose other tiles have been
played before. So what it scores is told by the crossing lane alone, as a row (rows.py) for each kind of tile and place,
and kept with the placements of that lane.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from pegray.kernels.bits import NUMBERS_OF_WORD, ONE, ZERO, kernel, numbers_of, words_of
from pegray.kernels.intrinsics import count_ones, raise_words, trailing_zeros
from pegray.kernels.joining import across_of, spelt_in
from pegray.kernels.laid import (
    KIND_BITS,
    first_kind,
    keep_spelt,
    laid_face,
    laid_from,
    laid_kinds,
    laid_number,
    laid_squares,
    laid_until,
    spelt_by,
)
from pegray.kernels.lane_memory import NO_BLOCK, longer_key
from pegray.kernels.lanes import LANES, crossing, line
from pegray.kernels.numbering import MOST_TILES, SETS
from pegray.kernels.rows import SHORT_ROW, STEP, copy_row, premium

_PLACES = 1 << 4  # in a lane
_NOTHING = np.int16(0)
# so low that a sum with it is below 0, and that one of MOST_TILES is a number of 16 bits
_NOT_ALLOWED = np.int16(-30000 // MOST_TILES)

CROSSES = np.dtype(
    [
        # of a lane: the words that end, or cross it, at a place, by kind of tile and place
        ("row", "i2", ((MOST_TILES * _PLACES + 1) * SETS,)),
        ("none", "i2", (STEP,)),  # zeros
        ("sum", "u8", (LANES,)),  # of the words across a lane: a key
    ],
    align=True,
)


@kernel
def row_of(rows, kind, place):
    """Where the row of a kind of tile at a place begins in ``crosses.row``."""
    return (kind * _PLACES + place) * rows.length


@kernel
def find_crosses(workspace):
    """Find for all lanes the best scores of the words that one tile ends, where they are not known.

    Those of a lane are a block: their number, a hash of each row, and the rows, by kind and place.
    """
    alone = workspace.alone
    laid = alone.laid
    words = words_of(workspace.lane_memory.words)
    for lane in range(LANES):
        block = laid.block[lane]
        if block != NO_BLOCK and spelt_by(words, block) == NO_BLOCK:
            _find_crosses_of_lane(workspace, lane, _rows_before(laid.joining, alone.numbering.kinds, lane))


@kernel
def _find_crosses_of_lane(workspace, lane, number):
    """The same for a lane, with so many rows."""
    alone = workspace.alone
    laid = alone.laid
    memory = workspace.lane_memory
    words = words_of(memory.words)
    for kind in range(alone.numbering.kinds):
        _lay_lone(alone, kind, spelt_in(laid.joining, kind, lane), laid.joining.along[lane])
    for count in range(1, alone.numbering.tiles + 1):
        for at in range(laid_from(words, laid.block[lane], count), laid_until(words, laid.block[lane], count)):
            _spell_crosses(alone, workspace.game, lane, count, words[at])
    spelt = memory.next
    words[spelt] = np.uint64(number)
    memory.next = _keep_rows(workspace, lane, spelt + 1, spelt + 1 + number)
    keep_spelt(words, laid.block[lane], spelt)


@kernel
def _lay_lone(alone, kind, squares, beside):
    """Lay out the rows of a kind of tile at some places as if there were no words.

    A tile ``beside`` another is not allowed then, others are, for nothing.
    """
    row = alone.rows.length
    while squares != ZERO:
        square = squares & ~(squares - ONE)
        squares ^= square
        at = row_of(alone.rows, kind, np.int64(trailing_zeros(square)))
        alone.crosses.row[at : at + row] = _NOT_ALLOWED if square & beside != ZERO else _NOTHING


@kernel
def _spell_crosses(alone, game, lane, count, word):
    """Raise the rows of the tiles of a placement: the others have been played before."""
    numbering = alone.numbering
    rows = alone.rows
    crosses = alone.crosses
    start, step = line(lane)
    squares = laid_squares(word)
    kinds = laid_kinds(word)
    number = laid_number(word)
    face = laid_face(word)
    rest = (numbering.sets - 1 - number) * rows.length
    for _ in range(count):
        kind = first_kind(kinds)
        kinds >>= KIND_BITS
        place = np.int64(trailing_zeros(squares))
        squares &= squares - ONE
        bonus, multiplier = premium(game, start + place * step, numbering.tile[kind])
        score = (face + bonus) * multiplier
        at = row_of(rows, kind, place) + number - numbering.weight[kind]
        if rows.length == SHORT_ROW:
            raise_words(crosses.row, at, crosses.none, 0, score, rows.within, rest, SHORT_ROW)
        else:
            for begin in range(0, numbering.sets - number, STEP):
                raise_words(crosses.row, at + begin, crosses.none, 0, score, rows.within, rest + begin, STEP)


@kernel
def _keep_rows(workspace, lane, hashes, to):
    """Keep the rows of a lane, and hashes of them; returns the word after them."""
    alone = workspace.alone
    row = alone.rows.length
    words = words_of(workspace.lane_memory.words)
    numbers = numbers_of(workspace.lane_memory.words)
    for kind in range(alone.numbering.kinds):
        squares = spelt_in(alone.laid.joining, kind, lane)
        while squares != ZERO:
            at = row_of(alone.rows, kind, np.int64(trailing_zeros(squares)))
            squares &= squares - ONE
            copy_row(alone.rows.length, numbers, NUMBERS_OF_WORD * to, alone.crosses.row, at)
            key = ZERO
            for i in range(to, to + row // NUMBERS_OF_WORD):
                key = longer_key(key, words[i])
            words[hashes] = key
            hashes += 1
            to += row // NUMBERS_OF_WORD
    return to


@kernel
def sum_crosses(workspace):
    """Fill ``crosses.sum``: for each lane a key of the words across it where its placements have tiles."""
    alone = workspace.alone
    joining = alone.laid.joining
    words = words_of(workspace.lane_memory.words)
    alone.crosses.sum[:] = ZERO
    for lane in range(LANES):
        if alone.laid.block[lane] != NO_BLOCK:
            # lanes of the other direction, and the place of this one in them
            first, place = crossing(lane, 0)
            hashes = spelt_by(words, alone.laid.block[lane]) + 1
            for kind in range(alone.numbering.kinds):
                squares = spelt_in(joining, kind, lane)
                crossed = squares & joining.spelt_across[kind * LANES + lane]
                factor = np.uint64(2 * (kind * _PLACES + place) + 1)
                while squares != ZERO:
                    other = np.int64(trailing_zeros(squares))
                    squares &= squares - ONE
                    if (crossed >> np.uint64(other)) & ONE != ZERO:
                        alone.crosses.sum[first + other] += words[hashes] * factor
                    hashes += 1


@kernel
def _row_of_cross(alone, lane, kind, place):
    """Number of the row of the words across a lane with a kind of tile at a place, among those of the crossing lane."""
    crossing_lane, crossing_place = crossing(lane, place)
    before = spelt_in(alone.laid.joining, kind, crossing_lane) & ((ONE << np.uint64(crossing_place)) - ONE)
    return _rows_before(alone.laid.joining, kind, crossing_lane) + np.int64(count_ones(before))


@kernel
def _rows_before(joining, kind, lane):
    """How many rows a lane has for kinds before one."""
    rows = 0
    for before in range(kind):
        rows += np.int64(count_ones(spelt_in(joining, before, lane)))
    return rows


@kernel
def lay_crosses(workspace, lane):
    """Lay out the rows of the words across a lane, where its placements have tiles."""
    alone = workspace.alone
    joining = alone.laid.joining
    words = words_of(workspace.lane_memory.words)
    numbers = numbers_of(workspace.lane_memory.words)
    for kind in range(alone.numbering.kinds):
        squares = spelt_in(joining, kind, lane)
        crossed = squares & joining.spelt_across[kind * LANES + lane]
        _lay_lone(alone, kind, squares ^ crossed, across_of(joining, lane))
        while crossed != ZERO:
            place = np.int64(trailing_zeros(crossed))
            crossed &= crossed - ONE
            spelt = spelt_by(words, alone.laid.block[crossing(lane, place)[0]])
            number = _row_of_cross(alone, lane, kind, place)
            first = NUMBERS_OF_WORD * (spelt + 1 + np.int64(words[spelt])) + number * alone.rows.length
            copy_row(alone.rows.length, alone.crosses.row, row_of(alone.rows, kind, place), numbers, first)
