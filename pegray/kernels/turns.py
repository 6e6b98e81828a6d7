"""Making a turn, in an endgame, where nobody draws, or with tiles in the bag, and taking one back."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from pegray.kernels.bits import kernel
from pegray.kernels.game import rack_points
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
def hold(workspace, ply, side, rack, other_rack):
    """Set what the two sides hold at ``ply``, ``side`` the first; their lists are made anew."""
    begin_ply(workspace.lists, ply)
    other = 1 - side
    workspace.position.rack[ply, side] = rack
    workspace.position.rack[ply, other] = other_rack
    workspace.position.rack_value[ply, side] = rack_points(workspace.game, rack)
    workspace.position.rack_value[ply, other] = rack_points(workspace.game, other_rack)


@kernel
def place_and_hold(workspace, ply, side, move, rack, other_rack):
    """Make ``move`` and set what the two sides hold after it, ``side`` the first."""
    make_move(workspace.position, ply, move)
    hold(workspace, ply + 1, side, rack, other_rack)


@kernel
def take_back(workspace, ply):
    """Unmake the move of ``ply``: its lists are the last in use again."""
    unmake_move(workspace.position, ply)
    workspace.lists.live_ply = ply
