"""Making a turn in an endgame, where nobody draws, and taking one back."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from pegray.kernels.bits import kernel
from pegray.kernels.lanes import make_move, move_tiles, unmake_move
from pegray.kernels.lists import begin_ply


@kernel
def place_move(workspace, ply, mover, move):
    """Make a move without drawing: board, keys and racks of ``ply + 1``."""
    make_move(workspace, ply, move)
    begin_ply(workspace, ply + 1)
    need, value = move_tiles(workspace, move)
    other = 1 - mover
    workspace.rack[ply + 1, mover] = workspace.rack[ply, mover] - need
    workspace.rack_value[ply + 1, mover] = workspace.rack_value[ply, mover] - value
    workspace.rack[ply + 1, other] = workspace.rack[ply, other]
    workspace.rack_value[ply + 1, other] = workspace.rack_value[ply, other]


@kernel
def take_back(workspace, ply):
    """Unmake the move of ``ply``: its lists are the last in use again."""
    unmake_move(workspace, ply)
    workspace.live_ply = ply
