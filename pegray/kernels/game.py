"""What stays the same all game: premium squares, the tiles in play, and the racks packed of them.

A *kind* is a tile in play at this position; the blank is one, and comes first. A *packed rack* is one uint64 with a
counter for each kind and a guard bit above each counter, so that ``need`` fits in ``rack`` exactly when
``((rack | guard) - need) & guard == guard``.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from pegray.game.layout import SQUARES
from pegray.game.tiles import BLANK, MAX_LETTERS
from pegray.kernels.bits import ZERO, kernel

MAX_KINDS = 24  # MOST_TILES at the most (workspace.py)

GAME = np.dtype(
    [
        ("letter_multiplier", "u1", (SQUARES,)),
        ("word_multiplier", "u1", (SQUARES,)),
        ("start_square", "i8"),
        ("tile_value", "i8", (MAX_LETTERS + 1,)),
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
def kind_counts(game, rack):
    """int64[kinds]: how many tiles of each kind in play a packed rack holds."""
    counts = np.empty(game.kinds, np.int64)
    for k in range(game.kinds):
        counts[k] = np.int64((rack >> game.kind_shift[k]) & game.kind_mask[k])
    return counts


@kernel
def rack_size(game, rack):
    """How many tiles a packed rack holds."""
    tiles = 0
    for k in range(game.kinds):
        tiles += np.int64((rack >> game.kind_shift[k]) & game.kind_mask[k])
    return tiles


@kernel
def blanks_in(game, rack):
    """How many blanks a packed rack holds."""
    if game.kind_tile[0] != BLANK:
        return 0
    return np.int64(rack & game.kind_mask[0])


@kernel
def rack_points(game, rack):
    """Value of the tiles in a packed rack."""
    points = 0
    for k in range(game.kinds):
        count = np.int64((rack >> game.kind_shift[k]) & game.kind_mask[k])
        points += count * game.tile_value[game.kind_tile[k]]
    return points


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
        shift = game.kind_shift[k]
        have = np.int64((rack >> shift) & game.kind_mask[k])
        gone = np.int64((taken >> shift) & game.kind_mask[k])
        rest |= np.uint64(max(0, have - gone)) << shift
    return rest
