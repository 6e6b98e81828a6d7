"""Moves between the two forms they have: :class:`pegray.game.move.Move` and the kernels' packed uint64.

Packed: bits 0-2 number of tiles (0 is the pass), bits 3-6 index in its lane of the first square that gets a tile,
bits 7-11 lane (rows 0..14, columns 15..29), then seven bits a tile from bit 12: letter index, and 64 for a blank.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pegray.game.move import PASS, Move
from pegray.game.tiles import BLANK_FLAG


def unpack_move(packed: int, board: npt.NDArray[np.uint8]) -> Move:
    """The move that ``packed`` stands for on ``board`` (uint8[225])."""
    count = packed & 7
    if count == 0:
        return PASS
    index = (packed >> 3) & 15
    lane = (packed >> 7) & 31
    across = lane < 15
    line = board.reshape(15, 15)[lane] if across else board.reshape(15, 15)[:, lane - 15]
    first = index
    while first > 0 and line[first - 1]:
        first -= 1
    tiles = [(packed >> (12 + 7 * i)) & 127 for i in range(count)]
    squares: list[int] = []
    placed = 0
    position = first
    while position < 15 and (line[position] or placed < count):
        if line[position]:
            squares.append(0)
        else:
            tile = tiles[placed]
            squares.append((tile & 63) | (BLANK_FLAG if tile & 64 else 0))
            placed += 1
        position += 1
    if across:
        return Move(lane, first, True, tuple(squares))
    return Move(first, lane - 15, False, tuple(squares))


def pack_move(move: Move) -> int:
    """The packed form of a move."""
    if move.is_pass:
        return 0
    lane = move.row if move.across else 15 + move.column
    start = move.column if move.across else move.row
    placed = [(i, tile) for i, tile in enumerate(move.squares) if tile]
    packed = len(placed) | (start + placed[0][0]) << 3 | lane << 7
    for i, (_, tile) in enumerate(placed):
        packed |= ((tile & 63) | (64 if tile & BLANK_FLAG else 0)) << (12 + 7 * i)
    return packed
