"""Keys of what lies in each lane, brought up to date where the board has changed since they were read last.

A key is a sum over the tiles of the lane, so a square that changes changes two of them by what its tile differs.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from pegray.game.layout import DIMENSION, SQUARES
from pegray.kernels.bits import ONE, ZERO, kernel, mix
from pegray.kernels.intrinsics import trailing_zeros
from pegray.kernels.lane_masks import AT_ONCE, differing
from pegray.kernels.lanes import LANES

_LANE_FACTOR = np.uint64(0xD1342543DE82EF95)

LETTERS = np.dtype(
    [
        ("board", "u1", (SQUARES,)),  # as it was read last
        ("sum", "u8", (LANES,)),
    ],
    align=True,
)


@kernel
def read_letters(letters, board):
    """Bring the keys up to date with a board."""
    for begin in range(0, SQUARES, AT_ONCE):
        first = min(begin, SQUARES - AT_ONCE)
        changed = differing(letters.board, board, first)
        while changed != ZERO:
            square = first + np.int64(trailing_zeros(changed))
            changed &= changed - ONE
            more = np.uint64(board[square]) - np.uint64(letters.board[square])
            letters.board[square] = board[square]
            row, column = square // DIMENSION, square % DIMENSION
            letters.sum[row] += more * mix(np.uint64(column + 1))
            letters.sum[DIMENSION + column] += more * mix(np.uint64(row + 1))


@kernel
def key_of_letters(letters, lane):
    """The key of a lane."""
    return letters.sum[lane] + np.uint64(lane + 1) * _LANE_FACTOR
