"""Making a turn in an endgame, where nobody draws, and taking one back."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from pegray.kernels.bits import kernel
from pegray.kernels.lists import begin_ply
from pegray.kernels.moves import move_tiles
from pegray.kernels.position import make_move, unmake_move


@kernel
def place_move(workspace, ply, mover, move):
    """Make a move without drawing: board, keys and racks of ``ply + 1``."""
    make_move(workspace.position, ply, move)
    begin_ply(workspace.lists, ply + 1)
    need, value = move_tiles(workspace.game, move)
    other = 1 - mover
    workspace.position.rack[ply + 1, mover] = workspace.position.rack[ply, mover] - need
    workspace.position.rack_value[ply + 1, mover] = workspace.position.rack_value[ply, mover] - value
    workspace.position.rack[ply + 1, other] = workspace.position.rack[ply, other]
    workspace.position.rack_value[ply + 1, other] = workspace.position.rack_value[ply, other]


@kernel
def take_back(workspace, ply):
    """Unmake the move of ``ply``: its lists are the last in use again."""
    unmake_move(workspace.position, ply)
    workspace.lists.live_ply = ply
