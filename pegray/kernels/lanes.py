"""The 30 lanes of the board: rows 0..14 from left to right, then columns 15..29 from top to bottom.

A lane's list of plays depends on the lane's own tiles and, at each empty square, on the tiles that touch it from
across (they decide the cross-set, the cross-score and how far a tile's effect reaches).
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from pegray.game.layout import DIMENSION
from pegray.kernels.bits import ZERO, kernel, mix

LANES = 2 * DIMENSION
LAST = DIMENSION - 1  # place in a lane

_RUN_FACTOR = np.uint64(0x100000001B3)
_RUN_SEED = np.uint64(0xCBF29CE484222325)
_RUN_MIDDLE = np.uint64(0x1F3)


@kernel
def line(lane):
    """First square and step of a lane."""
    if lane < DIMENSION:
        return lane * DIMENSION, 1
    return lane - DIMENSION, DIMENSION


@kernel
def crossing(lane, index):
    """The lane that crosses ``lane`` at ``index``, and the index of the shared square in it."""
    if lane < DIMENSION:
        return DIMENSION + index, lane
    return index, lane - DIMENSION


@kernel
def cross_ends(board, lane, square):
    """Numbers of the nearest lanes parallel to ``lane`` that are empty above and below ``square`` (or -1, 15)."""
    row, column = square // DIMENSION, square % DIMENSION
    if lane < DIMENSION:
        _, low, high = touching_run(board, column, DIMENSION, row)
    else:
        _, low, high = touching_run(board, row * DIMENSION, 1, column)
    return low, high


@kernel
def run_hash(board, line_start, step, index):
    """Hash of the tiles that touch the empty square ``index`` of a line from both sides along it; 0 if none do.

    The line has 15 squares from ``line_start``, ``step`` apart.
    """
    return touching_run(board, line_start, step, index)[0]


@kernel
def touching_run(board, line_start, step, index):
    """As :func:`run_hash`, and the places of the line before and after those tiles: -1 and 15 where it ends there."""
    value = _RUN_SEED
    low = index - 1
    while low >= 0 and board[line_start + low * step] != 0:
        value = (value ^ np.uint64(board[line_start + low * step])) * _RUN_FACTOR
        low -= 1
    value = (value ^ _RUN_MIDDLE) * _RUN_FACTOR
    high = index + 1
    while high < DIMENSION and board[line_start + high * step] != 0:
        value = (value ^ np.uint64(board[line_start + high * step])) * _RUN_FACTOR
        high += 1
    if high - low == 2:
        return ZERO, low, high
    return mix(value), low, high
