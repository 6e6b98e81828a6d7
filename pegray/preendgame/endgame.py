"""Endgames: the bag is empty, so the opponent's rack is known, and best play can be searched to the end."""

from __future__ import annotations

import time
from dataclasses import dataclass

from pegray.errors import InputError
from pegray.game.move import Move
from pegray.game.position import RACK_SIZE, Position
from pegray.kernels.entry import best_line, root_spread
from pegray.kernels.memory import NO_BOUND, new_memory
from pegray.lexicon.lexicon import Lexicon
from pegray.preendgame.engine import prune_lexicon, root_workspace
from pegray.preendgame.moves import unpack_move

_TABLE_GIB = 0.5


@dataclass(frozen=True)
class EndgameResult:
    """Exact value of an endgame for the player on turn.

    spread: final spread under best play; score_gain: what is gained of it from here on; moves: a principal variation
    proven: searched to the end of the game
    """

    spread: int
    score_gain: int
    moves: list[Move]
    proven: bool
    nodes: int
    seconds: float


def solve_endgame(position: Position, lexicon: Lexicon, plies: int | None = None) -> EndgameResult:
    """Best play with the bag empty; the opponent holds what is unseen. Raises InputError if the bag is not empty."""
    if position.bag_size > 0:
        raise InputError(f"{position.bag_size} in the bag: this is a pre-endgame (see pegray solve)")
    if not position.unseen.any() or not position.rack.any():
        raise InputError("the game is over: a rack is empty and so is the bag")
    assert position.unseen.sum() <= RACK_SIZE
    started = time.perf_counter()
    nodes = prune_lexicon(position, lexicon.nodes)
    workspace = root_workspace(position, nodes, new_memory(_TABLE_GIB))
    if plies is not None:
        workspace.record["depth"] = plies
    gain, _ = root_spread(workspace.record, position.scoreless, NO_BOUND)
    packed = best_line(workspace.record, position.scoreless, gain)
    return EndgameResult(
        spread=position.spread + int(gain),
        score_gain=int(gain),
        moves=_line(position, packed.tolist()),
        proven=plies is None,
        nodes=int(workspace.record["nodes"][0]),
        seconds=time.perf_counter() - started,
    )


def _line(position: Position, packed: list[int]) -> list[Move]:
    """Moves of a line of packed ones, each on the board that the ones before have made."""
    board = position.board.copy()
    moves = []
    for one in packed:
        move = unpack_move(one, board)
        for square, tile in move.placed():
            board[square] = tile
        moves.append(move)
    return moves
