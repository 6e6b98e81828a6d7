"""Moves between the two forms they have: :class:`pegray.game.move.Move` and the kernels' packed uint64 (moves.py)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pegray.game.layout import DIMENSION
from pegray.game.move import PASS, Move
from pegray.game.rules import RACK_SIZE
from pegray.game.tiles import LETTER_MASK
from pegray.kernels.moves import move_of_parts, parts_of_move


def unpack_move(packed: int, board: npt.NDArray[np.uint8]) -> Move:
    """The move that ``packed`` stands for on ``board`` (uint8[225])."""
    lane, position, tiles = parts_of_move(packed)
    if not tiles:
        return PASS
    across = lane < DIMENSION
    square_board = board.reshape(DIMENSION, DIMENSION)
    line = square_board[lane] if across else square_board[:, lane - DIMENSION]
    while position > 0 and line[position - 1]:
        position -= 1
    first = position
    squares: list[int] = []
    placed = 0
    while position < DIMENSION and (line[position] or placed < len(tiles)):
        if line[position]:
            squares.append(0)
        else:
            squares.append(tiles[placed])
            placed += 1
        position += 1
    if across:
        return Move(lane, first, True, tuple(squares))
    return Move(first, lane - DIMENSION, False, tuple(squares))


def is_packed_move(packed: int, letters: int) -> bool:
    """Whether a number is the packed form of some play with tiles of so many letters, or of the pass."""
    if not 0 <= packed < 1 << 64:
        return False
    lane, first, tiles = parts_of_move(packed)
    fits = lane < 2 * DIMENSION and first < DIMENSION and len(tiles) <= RACK_SIZE
    return fits and all(1 <= tile & LETTER_MASK <= letters for tile in tiles)


def pack_move(move: Move) -> int:
    """The packed form of a move."""
    if move.is_pass:
        return 0
    lane = move.row if move.across else DIMENSION + move.column
    start = move.column if move.across else move.row
    placed = [i for i, tile in enumerate(move.squares) if tile]
    return move_of_parts(lane, start + placed[0], [move.squares[i] for i in placed])
