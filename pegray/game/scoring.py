"""The words that a move forms, its score, and whether its tiles may lie there at all."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pegray.errors import InputError
from pegray.game.layout import DIMENSION, SQUARES, Layout
from pegray.game.move import Move
from pegray.game.notation import coordinate
from pegray.game.rules import BINGO_BONUS, RACK_SIZE
from pegray.game.tiles import LETTER_MASK, Distribution


def score_on(board: npt.NDArray[np.uint8], layout: Layout, distribution: Distribution, move: Move) -> int:
    """Points of a move on a uint8[225] ``board`` that it fits: its words, and the bonus for playing a full rack."""
    after: list[int] = move.on(board).tolist()
    placed = {square for square, _ in move.placed()}
    total = BINGO_BONUS if len(placed) == RACK_SIZE else 0
    for word in _words(after, move):
        points, factor = 0, 1
        for square in word:
            value = distribution.value(after[square])
            if square in placed:
                value *= int(layout.letter_multipliers[square])
                factor *= int(layout.word_multipliers[square])
            points += value
        total += points * factor
    return total


def words_formed(board: npt.NDArray[np.uint8], move: Move) -> list[tuple[int, ...]]:
    """The words that a move forms on a uint8[225] ``board``, the main word first; none for the pass.

    Words are letters without blank flags.
    """
    after: list[int] = move.on(board).tolist()
    return [tuple(after[square] & LETTER_MASK for square in word) for word in _words(after, move)]


def check_placement(board: npt.NDArray[np.uint8], layout: Layout, move: Move) -> None:
    """Raise InputError unless a move's tiles may lie on a uint8[225] ``board``, whatever rack and words."""
    if move.is_pass:
        return
    first, last = (move.column, move.row) if move.across else (move.row, move.column)
    if not (0 <= first <= DIMENSION - len(move.squares) and 0 <= last < DIMENSION):
        raise InputError(f"{coordinate(move.row, move.column, move.across)}: the word runs off the board")
    for square, tile in zip(move.positions(), move.squares, strict=True):
        if tile and board[square]:
            raise InputError(f"{_name(square)} is already filled")
        if not tile and not board[square]:
            raise InputError(f"{_name(square)} is empty, but the word plays through it")
    placed = [square for square, _ in move.placed()]
    if not placed:
        raise InputError("no tile is placed")
    if not board.any():
        if layout.start_square not in placed:
            raise InputError(f"the first play must cover {_name(layout.start_square)}")
        if len(placed) == 1:
            raise InputError("the first play needs two tiles")
    elif not any(board[near] for square in placed for near in _neighbours(square)):
        raise InputError("the tiles are not connected to those on the board")


def rack_value(counts: npt.NDArray[np.uint8], distribution: Distribution) -> int:
    """Points of the tiles of a rack (uint8[size] counts)."""
    return int(counts.astype(np.int64) @ distribution.values)


def _name(square: int) -> str:
    return coordinate(square // DIMENSION, square % DIMENSION, True)


def _neighbours(square: int) -> list[int]:
    row, column = divmod(square, DIMENSION)
    near = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
    return [r * DIMENSION + c for r, c in near if 0 <= r < DIMENSION and 0 <= c < DIMENSION]


def _words(board: list[int], move: Move) -> list[list[int]]:
    """Squares of each word of two letters or more on the ``board`` after the move, the main word first."""
    placed = [square for square, _ in move.placed()]
    words = [_word_at(board, square, move.across) for square in placed[:1]]
    words += [_word_at(board, square, not move.across) for square in placed]
    return [word for word in words if len(word) > 1]


def _word_at(board: list[int], square: int, across: bool) -> list[int]:
    """Squares of the word through a filled square."""
    row, column = divmod(square, DIMENSION)
    if across:
        lane = range(row * DIMENSION, (row + 1) * DIMENSION)
    else:
        lane = range(column, SQUARES, DIMENSION)
    start = end = lane.index(square)
    while start > 0 and board[lane[start - 1]]:
        start -= 1
    while end < DIMENSION - 1 and board[lane[end + 1]]:
        end += 1
    return list(lane[start : end + 1])
