"""The packed move: one uint64, 0 for the pass.

From the lowest bit: how many tiles it lays (3 bits), the place in its lane of the first of them (4), its lane (5), and
from there each tile (7 bits) in the order of the lane: the letter, and a bit for a blank. preendgame/moves.py has the
same for Python.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from pegray.kernels.bits import ZERO, kernel

FIRST_SHIFT = np.uint64(3)
LANE_SHIFT = np.uint64(7)
TILES_SHIFT = np.uint64(12)
TILE_BITS = np.uint64(7)
TILE_MASK = np.uint64(127)
BLANK_BIT = np.uint64(64)
COUNT_MASK = np.uint64(7)
FIRST_MASK = np.uint64(15)
LANE_MASK = np.uint64(31)


@kernel
def move_tiles(game, move):
    """What a move takes from the rack: packed tiles, and their value."""
    need = ZERO
    value = 0
    tiles = move >> TILES_SHIFT
    for _ in range(np.int64(move & COUNT_MASK)):
        tile = 0 if tiles & BLANK_BIT else np.int64(tiles & TILE_MASK)
        need += game.tile_unit[tile]
        value += game.tile_value[tile]
        tiles >>= TILE_BITS
    return need, value
