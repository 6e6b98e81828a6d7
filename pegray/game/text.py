"""The board as text."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pegray.game.layout import DIMENSION, SQUARES, Layout
from pegray.game.tiles import Distribution

_LETTER_PREMIUM = {1: " ", 2: "'", 3: '"', 4: "^"}
_WORD_PREMIUM = {2: "-", 3: "=", 4: "~"}


def draw_board(board: npt.NDArray[np.uint8], distribution: Distribution, layout: Layout) -> str:
    """A uint8[225] board as 18 lines, with coordinates; empty premium squares as in the layout's file."""
    squares = [_square(board, distribution, layout, square) for square in range(SQUARES)]
    width = max(map(len, squares))
    header = " ".join(chr(ord("A") + column).ljust(width) for column in range(DIMENSION))
    edge = "  +" + "-" * (DIMENSION * (width + 1) - 1) + "+"
    lines = ["   " + header.rstrip(), edge]
    for row in range(DIMENSION):
        cells = squares[row * DIMENSION : (row + 1) * DIMENSION]
        lines.append(f"{row + 1:2d}|{' '.join(cell.ljust(width) for cell in cells)}|")
    return "\n".join([*lines, edge])


def _square(board: npt.NDArray[np.uint8], distribution: Distribution, layout: Layout, square: int) -> str:
    if board[square]:
        return distribution.board_text(int(board[square]))
    word = int(layout.word_multipliers[square])
    if word > 1:
        return _WORD_PREMIUM[word]
    return _LETTER_PREMIUM[int(layout.letter_multipliers[square])]
