"""What stays the same all game: premium squares, the tiles in play, and the racks packed of them.

A *kind* is a tile in play at this position; the blank is one, and comes first. A *packed rack* is one uint64 with a
counter for each kind and a guard bit above each counter, so that ``need`` fits in ``rack`` exactly when
``((rack | guard) - need) & guard == guard``.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from pegray.game.layout import SQUARES
from pegray.game.tiles import BLANK, BLANK_FLAG, MAX_LETTERS
from pegray.kernels.bits import ZERO, kernel, plain

MAX_KINDS = 24  # MOST_TILES at the most (workspace.py)

GAME = np.dtype(
    [
        ("letter_multiplier", "u1", (SQUARES,)),
        ("word_multiplier", "u1", (SQUARES,)),
        ("start_square", "i8"),
        ("tile_value", "i8", (MAX_LETTERS + 1,)),
        ("most_points", "i8"),  # more than any play scores (without a bonus for the number of its tiles)
        ("tile_unit", "u8", (MAX_LETTERS + 1,)),  # one tile in a packed rack; 0 where it is not in play
        ("kinds", "i8"),
        ("kind_tile", "i8", (MAX_KINDS,)),  # ascending
        ("kind_shift", "u8", (MAX_KINDS,)),
        ("kind_mask", "u8", (MAX_KINDS,)),  # of the counter, before it is shifted
        ("guard", "u8"),
    ],
    align=True,
)
"""Nothing of it changes after the workspace is made."""


@kernel
def count_of(game, rack, kind):
    """How many tiles of a kind a packed rack holds."""
    return np.int64((rack >> game.kind_shift[kind]) & game.kind_mask[kind])


@kernel
def kind_counts(game, rack):
    """int64[kinds]: how many tiles of each kind in play a packed rack holds."""
    counts = np.empty(game.kinds, np.int64)
    for k in range(game.kinds):
        counts[k] = count_of(game, rack, k)
    return counts


@kernel
def rack_size(game, rack):
    """How many tiles a packed rack holds."""
    tiles = 0
    for k in range(game.kinds):
        tiles += count_of(game, rack, k)
    return tiles


@kernel
def blanks_in(game, rack):
    """How many blanks a packed rack holds."""
    if game.kind_tile[0] != BLANK:
        return 0
    return count_of(game, rack, plain(0))


@kernel
def rack_points(game, rack):
    """Value of the tiles in a packed rack."""
    points = 0
    for k in range(game.kinds):
        points += count_of(game, rack, k) * game.tile_value[game.kind_tile[k]]
    return points


@kernel
def points_on_board(game, code):
    """Points of a tile on the board, as it stands there; a blank has none."""
    return np.int64(0) if code & np.uint8(BLANK_FLAG) else game.tile_value[np.int64(code)]


@kernel
def fits(game, need, rack):
    """Whether the packed tiles ``need`` are all in ``rack``."""
    guard = game.guard
    return ((rack | guard) - need) & guard == guard


@kernel
def without(game, rack, taken):
    """A packed rack less ``taken``, never below zero of a kind."""
    rest = ZERO
    for k in range(game.kinds):
        left = max(0, count_of(game, rack, k) - count_of(game, taken, k))
        rest |= np.uint64(left) << game.kind_shift[k]
    return rest
