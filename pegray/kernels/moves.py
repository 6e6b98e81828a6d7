"""The packed move: one uint64, 0 for the pass.

From the lowest bit: how many tiles it lays (3 bits), the place in its lane of the first of them (4), its lane (5), and
from there each tile (7 bits) in the order of the lane: the letter, and a bit for a blank. What is
*laid* are the bits of a tile, the lowest ones of a word.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pegray.game.tiles import BLANK, BLANK_FLAG
from pegray.kernels.bits import ZERO, kernel

_COUNT_MASK = np.uint64(7)
_FIRST_SHIFT = np.uint64(3)
_FIRST_MASK = np.uint64(15)
_LANE_SHIFT = np.uint64(7)
_LANE_MASK = np.uint64(31)
_TILES_SHIFT = np.uint64(12)
TILE_BITS = np.uint64(7)
_LETTER_MASK = np.uint64(63)
_BLANK_BIT = np.uint64(64)
_LAID_MASK = _LETTER_MASK | _BLANK_BIT


@kernel
def tiles_laid(move):
    """How many tiles a move lays."""
    return np.int64(move & _COUNT_MASK)


@kernel
def first_place(move):
    """The place in its lane of the first tile that a move lays."""
    return np.int64((move >> _FIRST_SHIFT) & _FIRST_MASK)


@kernel
def lane_of(move):
    """The lane that a move is made in."""
    return np.int64((move >> _LANE_SHIFT) & _LANE_MASK)


@kernel
def all_laid(move):
    """What a move lays: its first tile in the lowest bits, the others above, TILE_BITS each."""
    return move >> _TILES_SHIFT


@kernel
def tile_of(laid):
    """The tile of the rack that is laid."""
    return BLANK if laid & _BLANK_BIT else np.int64(laid & _LETTER_MASK)


@kernel
def on_board(laid):
    """What stands on the board where a tile is laid: the letter, or-ed with BLANK_FLAG for a blank."""
    letter = np.int64(laid & _LETTER_MASK)
    return letter | BLANK_FLAG if laid & _BLANK_BIT else letter


@kernel
def laid_for(letter, blank):
    """What is laid for a letter: its tile, or a blank (``blank`` is 1)."""
    return np.uint64(letter) | _BLANK_BIT * np.uint64(blank)


@kernel
def start_of_move(first, lane):
    """A move without tiles yet, whose first will be at ``first``."""
    return np.uint64(first) << _FIRST_SHIFT | np.uint64(lane) << _LANE_SHIFT


@kernel
def with_tile(move, tiles, laid):
    """A move with one tile more, after ``tiles``; how many it has is still to be said."""
    return move | np.uint64(laid) << (_TILES_SHIFT + TILE_BITS * np.uint64(tiles))


@kernel
def with_count(move, tiles):
    """A move whose tiles are in place."""
    return move | np.uint64(tiles)


@kernel
def move_tiles(game, move):
    """What a move takes from the rack: packed tiles, and their value."""
    need = ZERO
    value = 0
    laid = all_laid(move)
    for _ in range(tiles_laid(move)):
        tile = tile_of(laid)
        need += game.tile_unit[tile]
        value += game.tile_value[tile]
        laid >>= TILE_BITS
    return need, value


def parts_of_move(packed: int) -> tuple[int, int, list[int]]:
    """Lane and place of the first tile of a packed move, and what stands on the board for each of its tiles."""
    tiles = [(packed >> int(_TILES_SHIFT + TILE_BITS * np.uint64(i))) & int(_LAID_MASK) for i in range(_count(packed))]
    lane = (packed >> int(_LANE_SHIFT)) & int(_LANE_MASK)
    first = (packed >> int(_FIRST_SHIFT)) & int(_FIRST_MASK)
    return lane, first, [laid & int(_LETTER_MASK) | (BLANK_FLAG if laid & int(_BLANK_BIT) else 0) for laid in tiles]


def move_of_parts(lane: int, first: int, tiles: Sequence[int]) -> int:
    """The inverse of :func:`parts_of_move`."""
    packed = len(tiles) | first << int(_FIRST_SHIFT) | lane << int(_LANE_SHIFT)
    for i, tile in enumerate(tiles):
        laid = tile & int(_LETTER_MASK) | (int(_BLANK_BIT) if tile & BLANK_FLAG else 0)
        packed |= laid << int(_TILES_SHIFT + TILE_BITS * np.uint64(i))
    return packed


def _count(packed: int) -> int:
    return packed & int(_COUNT_MASK)
