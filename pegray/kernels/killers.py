"""The last plays that settled a node of a ply: they are tried first at the next node of that ply."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from pegray.kernels.bits import ZERO, kernel
from pegray.kernels.game import fits
from pegray.kernels.moves import lane_of, move_tiles
from pegray.kernels.position import MAX_PLIES

KILLERS_OF_PLY = 2

KILLERS = np.dtype(
    [
        ("move", "u8", (MAX_PLIES, KILLERS_OF_PLY)),  # the last first
        ("score", "i8", (MAX_PLIES, KILLERS_OF_PLY)),
        ("lane_key", "u8", (MAX_PLIES, KILLERS_OF_PLY)),  # the state that its lane was in
    ],
    align=True,
)


@kernel
def is_plainly_legal(workspace, ply, side, of_ply, number):
    """Whether a killer of ``of_ply`` can be played by ``side`` at ``ply``, and leaves it tiles.

    A killer is as it was where its lane is: no list need be made. Others may be legal too.
    """
    killers = workspace.killers
    move = killers.move[of_ply, number]
    if move == ZERO or killers.lane_key[of_ply, number] != workspace.position.lane_key[ply, lane_of(move)]:
        return False
    need, _ = move_tiles(workspace.game, move)
    rack = workspace.position.rack[ply, side]
    return need != rack and fits(workspace.game, need, rack)


@kernel
def remember_killer(killers, position, ply, move, score):
    """A play settled a node of this ply: it is tried first in the next."""
    if move == killers.move[ply, 0] or move == ZERO:
        return
    killers.move[ply, 1] = killers.move[ply, 0]
    killers.score[ply, 1] = killers.score[ply, 0]
    killers.lane_key[ply, 1] = killers.lane_key[ply, 0]
    lane = lane_of(move)
    killers.move[ply, 0] = move
    killers.score[ply, 0] = score
    killers.lane_key[ply, 0] = position.lane_key[ply, lane]
