"""Where tiles can come to lie while the other side only passes, and how many must lie between a square and the board.

Every play touches what lies on the board. A word laid where it touches nothing comes after tiles that lead there: for
each of its squares at least as many as lie *between* it and the squares beside a tile, over squares on which a tile of
the rack can come to lie at all.

Squares are told by lane, as *masks*: a bit for each place in the lane, the first in the lowest. Kinds of tiles are
numbered from 0.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from pegray.game.layout import DIMENSION
from pegray.kernels.bits import ONE, ZERO, kernel
from pegray.kernels.intrinsics import turn_bits
from pegray.kernels.lanes import LANES, LAST
from pegray.kernels.numbering import MOST_TILES

LEAST_APART = 2  # tiles of a word that touches nothing
MOST_BETWEEN = MOST_TILES - LEAST_APART
_MORE = 1  # masks are turned 16 at once, and a direction has 15
_WHOLE_LANE = np.uint64((1 << DIMENSION) - 1)

JOINING = np.dtype(
    [
        # by lane
        ("tiles", "u8", (LANES,)),  # squares with a tile
        ("along", "u8", (LANES,)),  # empty ones beside a tile along the lane
        ("across", "u8", (LANES,)),  # and across it
        ("live", "u8", (LANES,)),  # those on which a tile can come to lie
        # by kind of tile and lane: squares where words along the lane have one, and words across; and where one may lie
        # in a word along the lane as far as words across are concerned
        ("spelt_along", "u2", (MOST_TILES * LANES + _MORE,)),
        ("spelt_across", "u2", (MOST_TILES * LANES + _MORE,)),
        ("allowed", "u8", (MOST_TILES * LANES,)),
        # by number of tiles and lane: live squares with so many, or fewer, between them and the tiles on the board
        ("near", "u8", ((MOST_BETWEEN + 1) * LANES,)),
        ("near_before", "u8", ((MOST_BETWEEN + 1) * LANES,)),  # the same when they were counted last
    ],
    align=True,
)


@kernel
def find_beside(joining, board):
    """Note where tiles lie and which squares lie beside them; tiles may come to lie on all that are empty."""
    joining.tiles[:] = ZERO
    for row in range(DIMENSION):
        for column in range(DIMENSION):
            tile = np.uint64(board[row * DIMENSION + column] != 0)
            joining.tiles[row] |= tile << np.uint64(column)
            joining.tiles[DIMENSION + column] |= tile << np.uint64(row)
    for lane in range(LANES):
        tiles = joining.tiles[lane]
        empty = ~tiles & _WHOLE_LANE
        joining.along[lane] = (tiles << ONE | tiles >> ONE) & empty
        joining.across[lane] = _beside(joining.tiles, lane) & empty
        joining.live[lane] = empty


@kernel
def _beside(masks, at):
    """The masks of the two lanes beside one; of an array of masks by lane, or of such arrays one after the other."""
    place = at % DIMENSION
    beside = ZERO
    if place > 0:
        beside |= masks[at - 1]
    if place < LAST:
        beside |= masks[at + 1]
    return beside


@kernel
def find_live(joining, kinds):
    """A tile can lie where it is part of a word, and of one in each direction in which it touches others."""
    turn_spelt(joining, kinds)
    joining.live[:] = ZERO
    for kind in range(kinds):
        for lane in range(LANES):
            along = joining.spelt_along[kind * LANES + lane]
            across = joining.spelt_across[kind * LANES + lane]
            allowed = across | (~joining.across[lane] & _WHOLE_LANE)
            joining.allowed[kind * LANES + lane] = allowed
            joining.live[lane] |= (along | across) & (along | ~joining.along[lane]) & allowed


@kernel
def spelt_in(joining, kind, lane):
    """Mask of the squares where words along a lane have a kind of tile."""
    return np.uint64(joining.spelt_along[kind * LANES + lane])


@kernel
def squares_spelt(joining, lane, kinds):
    """Mask of the squares where they have any."""
    squares = ZERO
    for kind in range(kinds):
        squares |= spelt_in(joining, kind, lane)
    return squares


@kernel
def turn_spelt(joining, kinds):
    """What words spell along lanes, told for those across."""
    for row in range(0, kinds * LANES, LANES):
        turn_bits(joining.spelt_across, row, joining.spelt_along, row + DIMENSION)
        turn_bits(joining.spelt_across, row + DIMENSION, joining.spelt_along, row)
    for at in range(kinds * LANES):
        joining.spelt_across[at] &= _WHOLE_LANE


@kernel
def keep_near(joining, most):
    """Keep what was counted last."""
    for at in range((most + 1) * LANES):
        joining.near_before[at] = joining.near[at]


@kernel
def count_between(joining, most):
    """Find the live squares with up to ``most`` tiles between them and the board; on an empty board none are needed."""
    near = joining.near
    begun = ZERO
    for lane in range(LANES):
        beside = joining.along[lane] | joining.across[lane]
        near[lane] = beside & joining.live[lane]
        begun |= beside
    if begun == ZERO:
        near[:] = _WHOLE_LANE
        return
    for at in range(most * LANES):
        here = near[at]
        reached = here << ONE | here >> ONE | _beside(near, at)
        near[at + LANES] = here | reached & joining.live[at % LANES]
