"""Practical chances: of the draws that a play does not win, how many replies refute it, and how easily they are found.

For plays that empty the bag: after them both racks are given by the draw, so each of the opponent's replies is settled
by an endgame.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from pegray.errors import InputError
from pegray.game.line import play_line
from pegray.game.move import Move
from pegray.game.notation import format_draw, format_move, parse_draw, parse_move
from pegray.game.position import Position
from pegray.kernels.entry import settle_draws
from pegray.kernels.limits import STOPPED_BY_ROOM
from pegray.kernels.memory import NO_BOUND, Memory, new_memory
from pegray.lexicon.lexicon import Lexicon
from pegray.preendgame.candidates import legal_moves
from pegray.preendgame.engine import ARENA_WORDS, more_room, prune_lexicon, root_workspace
from pegray.preendgame.options import SolveOptions
from pegray.preendgame.packed_moves import pack_move
from pegray.preendgame.problem import Problem
from pegray.preendgame.solve_endgame import solve_after
from pegray.preendgame.solver import PositionSolver
from pegray.preendgame.work import WDL_OF_VERDICT, Unit
from pegray.terms import WDL, UnitKind

_TABLE_GIB = 0.5
TOP = 5


@dataclass(frozen=True)
class Refutation:
    """A reply that brings a tie or loss.

    place: by score among all legal replies, from 1; replies of one score share the first place of theirs
    """

    move: str
    score: int
    place: int
    outcome: WDL


@dataclass(frozen=True)
class DrawChances:
    """One draw after the play.

    weight: labelled draws; outcome: against the best reply
    replies: how many are legal, passing included; 0 where nothing had to be counted, since the play wins
    refutations: those that bring a tie or loss, the highest score first: the first is the easiest to find
    top, every: the outcome if the opponent takes the worst for us of the highest-scoring replies alone, and if it takes
    the best for us of all
    line: the easiest refutation and best play after it, moves with their scores, the opponent's first
    final_spread: ours at its end; None without a line
    """

    draw: str
    weight: int
    outcome: WDL
    replies: int
    refutations: tuple[Refutation, ...]
    top: WDL
    every: WDL
    line: tuple[tuple[str, int], ...]
    final_spread: int | None


@dataclass(frozen=True)
class Chances:
    """What a play loses if the opponent finds every reply, only those of the highest scores, or has no other.

    total: weight of all draws asked about; lost_to_*: weight lost plus half the weight tied
    """

    cgp: str
    play: str
    score: int
    top: int
    draws: tuple[DrawChances, ...]

    @property
    def total(self) -> int:
        """Weight of all draws asked about."""
        return sum(draw.weight for draw in self.draws)

    @property
    def lost_to_any(self) -> float:
        """Lost where one reply is enough: what a guaranteed win counts."""
        return sum(draw.weight * (1 - draw.outcome.points) for draw in self.draws)

    @property
    def lost_to_top(self) -> float:
        """Lost to one of the highest-scoring replies."""
        return sum(draw.weight * (1 - draw.top.points) for draw in self.draws)

    @property
    def lost_to_every(self) -> float:
        """Lost whatever the reply."""
        return sum(draw.weight * (1 - draw.every.points) for draw in self.draws)

    def to_json(self) -> dict[str, Any]:
        """The JSON document of ``pegray chances --json``."""
        lost = {"any": self.lost_to_any, "top": self.lost_to_top, "every": self.lost_to_every}
        draws = [{**asdict(draw), "line": [list(ply) for ply in draw.line]} for draw in self.draws]
        head = {"schema": 1, "cgp": self.cgp, "play": self.play, "score": self.score, "top": self.top}
        return {**head, "total": self.total, "lost_to": lost, "draws": draws}


def find_chances(
    position: Position,
    lexicon: Lexicon,
    play: str,
    draw: str | None = None,
    known_rack: str = "",
    no_exchange: bool = False,
    top: int = TOP,
) -> Chances:
    """The chances of a play that empties the bag, over all draws or for one, ``[AE]``.

    top: how many of the highest-scoring replies the opponent finds

    Raises InputError if the play is not legal, leaves tiles in the bag or ends the game, and for a draw that cannot be.
    """
    options = SolveOptions(only=(play,), known_rack=known_rack, no_exchange=no_exchange, tiebreak=False)
    try:
        problem = Problem.create(position, lexicon, options)
    except InputError as error:
        raise InputError(error.fault, "move", play) if error.option == "only" else error from None
    move = parse_move(play, position.board, position.distribution)
    if move.tiles_played < position.bag_size:
        left = position.bag_size - move.tiles_played
        raise InputError(f"leaves {left} in the bag: chances are counted for plays that empty it", "move", play)
    if problem.candidates.ends_game[0]:
        raise InputError("ends the game: nobody replies", "move", play)
    solver = PositionSolver(problem, new_memory(_TABLE_GIB))
    memory = new_memory(_TABLE_GIB)
    found = tuple(_draw_chances(solver, memory, lexicon, move, number, top) for number in _draws(solver, draw))
    return Chances(position.to_cgp(), format_move(move, position.distribution), position.score(move), top, found)


def _draws(solver: PositionSolver, draw: str | None) -> Sequence[int]:
    """The numbers of the draws asked about."""
    eventualities, bag = solver.eventualities, solver.problem.bag
    if draw is None:
        return range(len(eventualities.draws(bag)))
    tiles = solver.problem.position.distribution
    wanted = format_draw(parse_draw(draw, tiles), [], tiles)
    for number in range(len(eventualities.draws(bag))):
        if format_draw(eventualities.tiles_drawn(bag, number), [], tiles) == wanted:
            return [number]
    raise InputError(f"expected {bag} of the tiles that may be in the bag", "draw", draw)


def _draw_chances(
    solver: PositionSolver, memory: Memory, lexicon: Lexicon, move: Move, number: int, top: int
) -> DrawChances:
    position, eventualities = solver.problem.position, solver.eventualities
    tiles, bag = position.distribution, solver.problem.bag
    drawn = eventualities.tiles_drawn(bag, number)
    settled = solver.settle([Unit(0, number, UnitKind.VERDICT, NO_BOUND)])[0]
    outcome = WDL_OF_VERDICT[int(np.frombuffer(settled.outcomes, np.int8)[0])]
    chances = DrawChances(
        draw=format_draw(drawn, [], tiles),
        weight=int(eventualities.draws(bag).weights[number]),
        outcome=outcome,
        replies=0,
        refutations=(),
        top=WDL.WIN,
        every=WDL.WIN,
        line=(),
        final_spread=None,
    )
    if outcome is WDL.WIN:
        return chances
    after = position.after(move, tiles.format_tiles(drawn))
    replies = sorted(legal_moves(after, lexicon), key=lambda reply: -reply[1])
    outcomes = list(_outcomes(after, lexicon, memory, replies))
    scores = [score for _, score in replies]
    refutations = [
        Refutation(format_move(reply, tiles), score, scores.index(score) + 1, letter)
        for (reply, score), letter in zip(replies, outcomes, strict=True)
        if letter is not WDL.WIN
    ]
    easiest = parse_move(refutations[0].move, after.board, tiles)
    worth = solve_after(after, easiest, lexicon)
    line = tuple((ply.move, ply.score) for ply in play_line(after, worth.moves))
    return replace(
        chances,
        replies=len(replies),
        refutations=tuple(refutations),
        top=min(outcomes[:top], key=_from_bad_to_good),
        every=max(outcomes, key=_from_bad_to_good),
        line=line,
        final_spread=-worth.spread,
    )


def _from_bad_to_good(outcome: WDL) -> float:
    return outcome.points


def _outcomes(after: Position, lexicon: Lexicon, memory: Memory, replies: Sequence[tuple[Move, int]]) -> Iterator[WDL]:
    """For us, of each reply; the opponent is on turn in the position, and the bag is empty."""
    quick = [(move, score) for move, score in replies if score and move.tiles_played < after.rack.sum()]
    settled = dict(zip((move for move, _ in quick), _verdicts(after, lexicon, memory, quick), strict=True))
    for move, _ in replies:
        if move in settled:
            yield settled[move]
        else:  # it ends the game, or it may be the first of two passes
            yield _of_spread(-solve_after(after, move, lexicon).spread)


def _of_spread(spread: int) -> WDL:
    return WDL.WIN if spread > 0 else WDL.TIE if spread == 0 else WDL.LOSS


def _verdicts(after: Position, lexicon: Lexicon, memory: Memory, replies: Sequence[tuple[Move, int]]) -> list[WDL]:
    """For us, of replies that score and do not end the game: one endgame each, by one call of a kernel."""
    number = len(replies)
    nodes: npt.NDArray[np.uint32] = prune_lexicon(after, lexicon.nodes)
    arena_words = ARENA_WORDS
    while True:
        workspace = root_workspace(after, nodes, memory, arena_words)
        verdicts, _, ends = settle_draws(
            workspace.record,
            np.array([pack_move(move) for move, _ in replies], np.uint64),
            np.zeros(number, np.uint64),
            np.array([after.spread + score for _, score in replies], np.int64),
            np.zeros(number, np.int64),
            np.zeros(number, np.int64),
            np.full(number, NO_BOUND, np.int64),
            bag=0,
            known=np.uint64(0),
            losses_allowed=0,
        )
        if not (ends[:, 2] == STOPPED_BY_ROOM).any():
            break
        arena_words = more_room(arena_words)
    theirs = [WDL_OF_VERDICT[verdict] for verdict in verdicts.tolist()]
    return [{WDL.WIN: WDL.LOSS, WDL.TIE: WDL.TIE, WDL.LOSS: WDL.WIN}[outcome] for outcome in theirs]
