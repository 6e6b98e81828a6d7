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

from pegray.game.layout import DIMENSION, SQUARES
from pegray.kernels.bits import ZERO, kernel
from pegray.kernels.lane_masks import (
    AT_ONCE,
    mark_beside,
    mark_differing,
    mark_excess,
    mark_live,
    nonzero,
    spread,
    turn_bits,
)
from pegray.kernels.lanes import LANES
from pegray.kernels.numbering import MOST_TILES

LEAST_APART = 2  # tiles of a word that touches nothing
MOST_BETWEEN = MOST_TILES - LEAST_APART
_MORE = AT_ONCE - DIMENSION  # masks are worked on so many at once, and a direction has fewer
_WHOLE_LANE = np.uint64((1 << DIMENSION) - 1)

JOINING = np.dtype(
    [
        # by lane
        ("tiles", "u2", (LANES + _MORE,)),  # squares with a tile
        ("along", "u2", (LANES + _MORE,)),  # empty ones beside a tile along the lane
        ("across", "u2", (LANES + _MORE,)),  # and across it
        ("live", "u2", (LANES + _MORE,)),  # those on which a tile can come to lie
        # by kind of tile and lane: squares where words along the lane have one, and words across; and where one may lie
        # in a word along the lane as far as words across are concerned
        ("spelt_along", "u2", (MOST_TILES * LANES + _MORE,)),
        ("spelt_across", "u2", (MOST_TILES * LANES + _MORE,)),
        ("allowed", "u2", (MOST_TILES * LANES + _MORE,)),
        # by number of tiles and lane: live squares with so many, or fewer, between them and the tiles on the board
        ("near", "u2", ((MOST_BETWEEN + 1) * LANES + _MORE,)),
        # for a round of dropping: squares where words along the lane have any tile, and those of them that it is about
        ("spelt", "u2", (LANES + _MORE,)),
        ("touched", "u2", (LANES + _MORE,)),
        ("near_before", "u2", ((MOST_BETWEEN + 1) * LANES + _MORE,)),  # the same when they were counted last
    ],
    align=True,
)


@kernel
def find_beside(joining, board):
    """Note where tiles lie and which squares lie beside them; tiles may come to lie on all that are empty."""
    for row in range(DIMENSION - 1):
        joining.tiles[row] = nonzero(board, row * DIMENSION) & _WHOLE_LANE
    # nothing comes after the last row
    joining.tiles[DIMENSION - 1] = nonzero(board, SQUARES - AT_ONCE) >> np.uint64(_MORE)
    turn_bits(joining.tiles, DIMENSION, joining.tiles, 0)
    for at in (0, DIMENSION):
        mark_beside(joining.tiles, joining.along, joining.across, joining.live, at)


@kernel
def find_live(joining, kinds):
    """A tile can lie where it is part of a word, and of one in each direction in which it touches others."""
    turn_spelt(joining, kinds)
    joining.live[:] = 0
    for kind in range(0, kinds * LANES, LANES):
        for at in (0, DIMENSION):
            mark_live(
                joining.live,
                joining.along,
                joining.across,
                at,
                joining.allowed,
                joining.spelt_along,
                joining.spelt_across,
                kind + at,
            )


@kernel
def along_of(joining, lane):
    """Mask of the empty squares of a lane beside a tile along it."""
    return np.uint64(joining.along[lane])


@kernel
def across_of(joining, lane):
    """And across it."""
    return np.uint64(joining.across[lane])


@kernel
def allowed_in(joining, kind, lane):
    """Mask of the squares of a lane where a kind of tile may lie as far as words across are concerned."""
    return np.uint64(joining.allowed[kind * LANES + lane])


@kernel
def near_in(joining, between, lane):
    """Mask of the live squares of a lane with so many tiles, or fewer, between them and the tiles on the board."""
    return np.uint64(joining.near[between * LANES + lane])


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
def touched_lanes(joining, kinds, most):
    """A mask of the lanes in which a tile is not allowed, or what is near is not what it was when it was kept.

    In ``joining.spelt`` is then where words along each lane have tiles.
    """
    joining.spelt[:] = 0
    joining.touched[:] = 0
    for at in (0, DIMENSION):
        for kind in range(at, kinds * LANES, LANES):
            mark_excess(joining.spelt, joining.touched, at, joining.spelt_along, joining.allowed, kind)
        for near in range(at, (most + 1) * LANES, LANES):
            mark_differing(joining.touched, joining.spelt, at, joining.near, joining.near_before, near)
    rows = nonzero(joining.touched, 0) & _WHOLE_LANE
    return rows | nonzero(joining.touched, DIMENSION) << np.uint64(DIMENSION)


@kernel
def count_between(joining, most):
    """Find the live squares with up to ``most`` tiles between them and the board; on an empty board none are needed."""
    begun = 0
    for lane in range(LANES):
        beside = joining.along[lane] | joining.across[lane]
        joining.near[lane] = beside & joining.live[lane]
        begun |= beside
    if begun == 0:
        joining.near[:] = _WHOLE_LANE
        return
    for first in range(0, most * LANES, LANES):
        for at in (0, DIMENSION):
            spread(joining.near, first + LANES + at, first + at, joining.live, at)
