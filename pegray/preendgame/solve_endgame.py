"""Endgames: the bag is empty, so the opponent's rack is known, and best play can be searched to the end."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from pegray.errors import InputError
from pegray.game.move import Move
from pegray.game.notation import format_move
from pegray.game.position import Position
from pegray.game.rules import RACK_SIZE
from pegray.game.scoring import rack_value
from pegray.game.tiles import Distribution
from pegray.kernels.entry import best_line, root_spread
from pegray.kernels.memory import NO_BOUND, new_memory
from pegray.lexicon.lexicon import Lexicon
from pegray.preendgame.candidates import legal_moves
from pegray.preendgame.engine import ARENA_WORDS, more_room, prune_lexicon, root_workspace
from pegray.preendgame.packed_moves import unpack_move

NEEDED_KERNELS = ("words", "plays", "endgame")
_TABLE_GIB = 0.5


@dataclass(frozen=True)
class EndgameResult:
    """Exact value of an endgame for the player on turn.

    spread: final spread under best play
    score_gain: what is gained of it from here on
    moves: a line of best play
    proven: searched to the end of the game
    nodes, seconds: what it cost
    distribution: the letters of the moves
    """

    spread: int
    score_gain: int
    moves: list[Move]
    proven: bool
    nodes: int
    seconds: float
    distribution: Distribution

    @property
    def pv(self) -> list[str]:
        """The moves as texts, ``13L ONYX``."""
        return [format_move(move, self.distribution) for move in self.moves]

    def __repr__(self) -> str:
        proven = "proven" if self.proven else "estimated"
        return f"<EndgameResult spread {self.spread:+d}, {proven}: {', '.join(self.pv)}>"


def solve_endgame(position: Position, lexicon: Lexicon, plies: int | None = None) -> EndgameResult:
    """Best play with the bag empty; the opponent holds what is unseen. Raises InputError if the bag is not empty."""
    check_is_endgame(position)
    started = time.perf_counter()
    if position.ends_if_scoreless and _plays_of_blanks(position, lexicon):
        return _play_by_play(position, lexicon, plies)
    nodes = prune_lexicon(position, lexicon.nodes)
    memory = new_memory(_TABLE_GIB)
    pass_ends = int(position.ends_if_scoreless)
    arena_words = ARENA_WORDS
    while True:
        workspace = root_workspace(position, nodes, memory, arena_words)
        if plies is not None:
            workspace.record["depth"] = plies
        gain, found = root_spread(workspace.record, pass_ends, NO_BOUND)
        if found:
            packed = best_line(workspace.record, pass_ends, gain)
        if not workspace.record["stop"][0]:
            break
        arena_words = more_room(arena_words)
    return EndgameResult(
        spread=position.spread + int(gain),
        score_gain=int(gain),
        moves=_line(position, packed.tolist()),
        proven=plies is None,
        nodes=int(workspace.record["nodes"][0]),
        seconds=time.perf_counter() - started,
        distribution=position.distribution,
    )


def check_is_endgame(position: Position) -> None:
    """Raises InputError if tiles are in the bag, or the game is over."""
    if position.bag_size > 0:
        raise InputError(f"{position.bag_size} in the bag: this is a pre-endgame (see pegray solve)")
    if not position.unseen.any() or not position.rack.any():
        raise InputError("the game is over: a rack is empty and so is the bag")
    assert position.unseen.sum() <= RACK_SIZE


def _plays_of_blanks(position: Position, lexicon: Lexicon) -> bool:
    """Whether a tile play brings no points."""
    return any(score == 0 and not move.is_pass for move, score in legal_moves(position, lexicon))


def _play_by_play(position: Position, lexicon: Lexicon, plies: int | None) -> EndgameResult:
    """Best play where a turn without points ends the game, each play looked into by itself.

    The search knows only of passes that end it.
    """
    started = time.perf_counter()
    tiles = position.distribution
    results = []
    for move, score in legal_moves(position, lexicon):
        after = position.after(move)
        if after.is_over:
            assert after.opponent_rack is not None
            ours, theirs = (rack_value(rack, tiles) for rack in (after.opponent_rack, after.rack))
            gain = score + (theirs - ours if after.opponent_rack.any() else 2 * theirs)
            results.append(EndgameResult(position.spread + gain, gain, [move], True, 0, 0.0, tiles))
        else:
            reply = solve_endgame(after, lexicon, plies)
            gain = -reply.spread - position.spread
            line = [move, *reply.moves]
            results.append(EndgameResult(-reply.spread, gain, line, reply.proven, reply.nodes, 0.0, tiles))
    best = max(results, key=lambda result: result.spread)
    nodes = sum(result.nodes for result in results)
    return replace(best, nodes=nodes, seconds=time.perf_counter() - started)


def _line(position: Position, packed: list[int]) -> list[Move]:
    """Moves of a line of packed ones, each on the board that the ones before have made."""
    board = position.board
    moves = []
    for one in packed:
        move = unpack_move(one, board)
        board = move.on(board)
        moves.append(move)
    return moves
