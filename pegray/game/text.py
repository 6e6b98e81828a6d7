"""The board as text."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pegray.game.layout import DIMENSION, Layout
from pegray.game.tiles import Distribution

_LETTER_PREMIUM = {1: " ", 2: "'", 3: '"', 4: "^"}
_WORD_PREMIUM = {2: "-", 3: "=", 4: "~"}


def draw_board(board: npt.NDArray[np.uint8], distribution: Distribution, layout: Layout) -> str:
    """A uint8[225] board as 17 lines, with coordinates; empty premium squares as in the layout's file."""
    header = "   " + " ".join(chr(ord("A") + column) for column in range(DIMENSION))
    edge = "  +" + "-" * (2 * DIMENSION - 1) + "+"
    lines = [header, edge]
    for row in range(DIMENSION):
        squares = [_square(board, distribution, layout, row * DIMENSION + column) for column in range(DIMENSION)]
        lines.append(f"{row + 1:2d}|{' '.join(squares)}|")
    return "\n".join([*lines, edge])


def _square(board: npt.NDArray[np.uint8], distribution: Distribution, layout: Layout, square: int) -> str:
    if board[square]:
        return distribution.board_text(int(board[square]))
    word = int(layout.word_multipliers[square])
    if word > 1:
        return _WORD_PREMIUM[word]
    return _LETTER_PREMIUM[int(layout.letter_multipliers[square])]
