"""Making a turn, in an endgame, where nobody draws, or with tiles in the bag, and taking one back."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from pegray.kernels.bits import kernel
from pegray.kernels.game import rack_points
from pegray.kernels.lists import begin_ply
from pegray.kernels.moves import move_tiles
from pegray.kernels.position import board_key_after, make_move, unmake_move
from pegray.kernels.table import endgame_key, fetch_entry


@kernel
def place_move(workspace, ply, mover, move):
    """Make a move without drawing: board, keys and racks of ``ply + 1``."""
    position = workspace.position
    need, value = move_tiles(workspace.game, move)
    other = 1 - mover
    position.rack[ply + 1, mover] = position.rack[ply, mover] - need
    position.rack_value[ply + 1, mover] = position.rack_value[ply, mover] - value
    position.rack[ply + 1, other] = position.rack[ply, other]
    position.rack_value[ply + 1, other] = position.rack_value[ply, other]
    # what the table has of it is asked for next, and arrives while the move is made
    board_key = board_key_after(position, ply, move)
    racks = position.rack[ply + 1]
    fetch_entry(workspace.table, endgame_key(board_key, racks[other], racks[mover]))
    make_move(position, ply, move, board_key)
    begin_ply(workspace.lists, ply + 1)


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
    make_move(workspace.position, ply, move, board_key_after(workspace.position, ply, move))
    hold(workspace, ply + 1, side, rack, other_rack)


@kernel
def take_back(workspace, ply):
    """Unmake the move of ``ply``: its lists are the last in use again."""
    unmake_move(workspace.position, ply)
    workspace.lists.live_ply = ply
