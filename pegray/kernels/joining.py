"""How many tiles a player has to lay to join a square to the board, while the other side only passes.

Every play touches what lies on the board. A word laid where it touches nothing comes after tiles that lead there: for
each of its squares at least as many as lie *between* it and the squares beside a tile, over squares on which a tile of
the rack can come to lie at all.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from pegray.game.layout import DIMENSION, SQUARES
from pegray.kernels.bits import kernel
from pegray.kernels.lanes import LAST

FAR = 99
_ALL = 255

JOINING = np.dtype(
    [
        ("beside", "u1", (2 * SQUARES,)),  # by direction and square: 1 if a tile there would touch one along it
        # by direction and square, a bit for each kind of tile: those that a word along it may have there, and those
        # that may lie there, as far as words along it are concerned
        ("spelt", "u1", (2 * SQUARES,)),
        ("possible", "u1", (2 * SQUARES,)),
        ("live", "u1", (SQUARES,)),  # 0 if no tile can come to lie there
        ("between", "u1", (SQUARES,)),  # how many tiles must lie between it and those on the board, or FAR
    ],
    align=True,
)


@kernel
def find_beside(joining, board):
    """Note which empty squares lie beside a tile, along rows and along columns; tiles may lie on all of them."""
    for square in range(SQUARES):
        across = square % DIMENSION
        along = (across > 0 and board[square - 1] != 0) or (across < LAST and board[square + 1] != 0)
        down = (square >= DIMENSION and board[square - DIMENSION] != 0) or (
            square < SQUARES - DIMENSION and board[square + DIMENSION] != 0
        )
        empty = board[square] == 0
        joining.live[square] = empty
        joining.beside[square] = empty and along
        joining.beside[SQUARES + square] = empty and down


@kernel
def find_live(joining):
    """A tile can lie where it is part of a word, and of one in each direction in which it touches others."""
    for place in range(2 * SQUARES):
        joining.possible[place] = joining.spelt[place] | np.uint8(_ALL * (1 - joining.beside[place]))
    for square in range(SQUARES):
        spelt = joining.spelt[square] | joining.spelt[SQUARES + square]
        joining.live[square] = spelt & joining.possible[square] & joining.possible[SQUARES + square]


@kernel
def count_between(joining, most):
    """Count the tiles between each live square and the board, up to ``most``; on an empty board none are needed."""
    between = joining.between
    begun = False
    for square in range(SQUARES):
        between[square] = FAR
        if joining.beside[square] | joining.beside[SQUARES + square] != 0:
            begun = True
            if joining.live[square] != 0:
                between[square] = 0
    if not begun:
        between[:] = 0
    for distance in range(1, most + 1):
        for square in range(SQUARES):
            if joining.live[square] != 0 and between[square] == FAR and _is_next_to(between, square, distance - 1):
                between[square] = distance


@kernel
def _is_next_to(between, square, distance):
    across = square % DIMENSION
    return (
        (across > 0 and between[square - 1] == distance)
        or (across < LAST and between[square + 1] == distance)
        or (square >= DIMENSION and between[square - DIMENSION] == distance)
        or (square < SQUARES - DIMENSION and between[square + DIMENSION] == distance)
    )
