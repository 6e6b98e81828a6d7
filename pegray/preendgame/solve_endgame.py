"""Endgames: the bag is empty, so the opponent's rack is known, and best play can be searched to the end."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from pegray.errors import InputError, PegrayError
from pegray.game.move import Move
from pegray.game.notation import format_move
from pegray.game.position import Position
from pegray.game.rules import RACK_SIZE
from pegray.game.scoring import rack_value
from pegray.game.tiles import Distribution
from pegray.kernels.entry import best_line, root_spread
from pegray.kernels.limits import STOPPED_BY_BOUND
from pegray.kernels.memory import NO_BOUND, new_memory
from pegray.lexicon.lexicon import Lexicon
from pegray.preendgame.candidates import legal_moves
from pegray.preendgame.engine import ARENA_WORDS, SMALL_TABLE_GIB, more_room, prune_lexicon, root_workspace
from pegray.preendgame.options import SolveOptions
from pegray.preendgame.packed_moves import unpack_move

NEEDED_KERNELS = ("words", "plays", "endgame")


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


@dataclass(frozen=True, eq=False)
class EndgameProblem:
    """An endgame that is to be solved beside pre-endgames, as their :class:`pegray.preendgame.problem.Problem`.

    Of the options only ``protect`` counts: the plays to value beside the best one.
    """

    position: Position
    lexicon: Lexicon
    options: SolveOptions
    bag: int = 0
    total: int = 1

    @property
    def lexicon_name(self) -> str:
        """Name of the lexicon."""
        return self.lexicon.name

    @property
    def lexicon_hash(self) -> str:
        """Hash of its word graph."""
        return self.lexicon.hash


class HaltedError(PegrayError):
    """An endgame was told to stop before it was solved."""


def solve_endgame(
    position: Position,
    lexicon: Lexicon,
    plies: int | None = None,
    passed: bool = False,
    halt: npt.NDArray[np.uint64] | None = None,
) -> EndgameResult:
    """Best play with the bag empty; the opponent holds what is unseen.

    passed: the turn before was a pass made inside the solve, so that a pass ends the game
    halt: uint64[1]; whoever sets it makes the search end

    Raises InputError if the bag is not empty, HaltedError where it was told to stop.
    """
    check_is_endgame(position)
    started = time.perf_counter()
    if position.ends_if_scoreless and _plays_of_blanks(position, lexicon):
        return _play_by_play(position, lexicon, plies, halt)
    nodes = prune_lexicon(position, lexicon.nodes)
    memory = new_memory(SMALL_TABLE_GIB)
    pass_ends = int(passed or position.ends_if_scoreless)
    arena_words = ARENA_WORDS
    while True:
        workspace = root_workspace(position, nodes, memory, arena_words)
        if halt is not None:
            workspace.point("limits", "halt", halt)
        if plies is not None:
            workspace.part("limits")["depth"] = plies
        gain, found = root_spread(workspace.record, pass_ends, NO_BOUND)
        if found:
            packed = best_line(workspace.record, pass_ends, gain)
        stop = workspace.part("limits")["stop"][0]
        if not stop:
            break
        if stop == STOPPED_BY_BOUND:
            raise HaltedError("stopped before its end")
        arena_words = more_room(arena_words)
    return EndgameResult(
        spread=position.spread + int(gain),
        score_gain=int(gain),
        moves=_line(position, packed.tolist()),
        proven=plies is None,
        nodes=int(workspace.part("limits")["nodes"][0]),
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


def solve_after(
    position: Position,
    move: Move,
    lexicon: Lexicon,
    plies: int | None = None,
    halt: npt.NDArray[np.uint64] | None = None,
) -> EndgameResult:
    """What a play comes to with the bag empty, with best play after it; a line that begins with it.

    The play must fit rack and board; its words are not looked up. halt: as for :func:`solve_endgame`
    """
    started = time.perf_counter()
    tiles = position.distribution
    score = position.score(move)
    after = position.after(move)
    if after.is_over:
        assert after.opponent_rack is not None
        ours, theirs = (rack_value(rack, tiles) for rack in (after.opponent_rack, after.rack))
        gain = score + (theirs - ours if after.opponent_rack.any() else 2 * theirs)
        return EndgameResult(position.spread + gain, gain, [move], True, 0, time.perf_counter() - started, tiles)
    reply = solve_endgame(after.afresh(), lexicon, plies, move.is_pass, halt)
    return EndgameResult(
        spread=-reply.spread,
        score_gain=-reply.spread - position.spread,
        moves=[move, *reply.moves],
        proven=reply.proven,
        nodes=reply.nodes,
        seconds=time.perf_counter() - started,
        distribution=tiles,
    )


def _play_by_play(
    position: Position, lexicon: Lexicon, plies: int | None, halt: npt.NDArray[np.uint64] | None
) -> EndgameResult:
    """Best play where a turn without points ends the game, each play looked into by itself.

    The search knows only of passes that end it.
    """
    started = time.perf_counter()
    results = [solve_after(position, move, lexicon, plies, halt) for move, _ in legal_moves(position, lexicon)]
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
