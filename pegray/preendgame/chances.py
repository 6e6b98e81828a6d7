"""Practical chances: of the draws that a play does not win, how many replies refute it, and how easily they are found.

A reply after which the bag is empty is settled by an endgame, since both racks are given by the draw; one that leaves
tiles by the blind choice that we have then.
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
from pegray.kernels.entry import UNIT, settle_draws
from pegray.kernels.limits import STOPPED_BY_ROOM
from pegray.kernels.memory import NO_BOUND, Memory, new_memory
from pegray.kernels.verdicts import WIN
from pegray.kernels.workspace import pack_rack
from pegray.lexicon.lexicon import Lexicon
from pegray.preendgame.candidates import legal_moves
from pegray.preendgame.decision import decision, fates_of_best, known_after, spread_if_over
from pegray.preendgame.engine import ARENA_WORDS, SMALL_TABLE_GIB, more_room, prune_lexicon, root_workspace
from pegray.preendgame.explain import explain
from pegray.preendgame.options import SolveOptions
from pegray.preendgame.packed_moves import pack_move
from pegray.preendgame.problem import Problem
from pegray.preendgame.solve_endgame import solve_after, solve_endgame
from pegray.preendgame.solver import PositionSolver
from pegray.preendgame.work import WDL_OF_VERDICT, Settled, Unit
from pegray.results.model import SolveResult
from pegray.results.play import PlayResult
from pegray.terms import WDL, UnitKind

TOP = 5
MOST_LEFT = 2
"""Tiles that a play may leave: with more there are thousands of choices to work out."""


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
    """One draw after the play, ``[AEG]I``: we draw A, E and G, the I stays.

    weight: labelled draws; outcome: against the best reply
    replies: how many are legal, passing included; 0 where nothing had to be counted, since the play wins
    refutations: those that bring a tie or loss, the highest score first: the first is the easiest to find
    top: the outcome if the opponent takes the worst for us of the highest-scoring replies alone; every: if it takes the
    best for us of all
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

    tiles_left: in the bag after the play; where there are some, ties and losses are possible ones: the opponent has to
    guess too
    total: weight of all draws asked about; lost_to_*: weight lost plus half the weight tied
    """

    cgp: str
    play: str
    score: int
    top: int
    tiles_left: int
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

    def __repr__(self) -> str:
        lost = (
            f"{self.lost_to_any:g} to any, {self.lost_to_top:g} to the top {self.top}, {self.lost_to_every:g} to every"
        )
        return f"<Chances {self.play}: of {self.total} draws lost {lost} reply>"

    def to_json(self) -> dict[str, Any]:
        """The JSON document of ``pegray chances --json``."""
        lost = {"any": self.lost_to_any, "top": self.lost_to_top, "every": self.lost_to_every}
        draws = [{**asdict(draw), "line": [list(ply) for ply in draw.line]} for draw in self.draws]
        head = {"schema": 1, "cgp": self.cgp, "play": self.play, "score": self.score, "top": self.top}
        return {**head, "tiles_left": self.tiles_left, "total": self.total, "lost_to": lost, "draws": draws}


def find_chances(
    position: Position,
    lexicon: Lexicon,
    play: str,
    draw: str | None = None,
    known_rack: str = "",
    no_exchange: bool = False,
    top: int = TOP,
) -> Chances:
    """The chances of a play that leaves two tiles in the bag at the most, over all draws or for one, ``[AE]I``.

    top: how many of the highest-scoring replies the opponent finds

    Raises InputError if the play is not legal, leaves more or ends the game, and for a draw that cannot be.
    """
    options = SolveOptions(only=(play,), known_rack=known_rack, no_exchange=no_exchange, tiebreak=False)
    try:
        problem = Problem.create(position, lexicon, options)
    except InputError as error:
        raise InputError(error.fault, "move", play) if error.option == "only" else error from None
    move = parse_move(play, position.board, position.distribution)
    left = max(0, position.bag_size - move.tiles_played)
    if left > MOST_LEFT:
        raise InputError(
            f"leaves {left} in the bag: chances are counted for plays that leave {MOST_LEFT} at the most", "move", play
        )
    if problem.candidates.ends_game[0]:
        raise InputError("ends the game: nobody replies", "move", play)
    finder = _Finder(problem, lexicon, move, top)
    found = tuple(finder.chances(number, index) for number, index in finder.asked(draw))
    return Chances(position.to_cgp(), format_move(move, position.distribution), position.score(move), top, left, found)


class _Finder:
    """Looks into one play, draw by draw; the choices that we have after replies are kept for other draws."""

    def __init__(self, problem: Problem, lexicon: Lexicon, move: Move, top: int) -> None:
        self._position, self._lexicon, self._move, self._top = problem.position, lexicon, move, top
        self._solver = PositionSolver(problem, new_memory(SMALL_TABLE_GIB))
        self._memory = new_memory(SMALL_TABLE_GIB)
        self._eventualities = self._solver.eventualities
        self._drawn = self._eventualities.drawn(move.tiles_played)
        self._options = replace(problem.options, only=())
        self._decisions: dict[tuple[str, str], SolveResult] = {}
        self._settled: dict[int, Settled] = {}

    def asked(self, draw: str | None) -> list[tuple[int, int]]:
        """The numbers of the draws asked about, and of the orders of what stays."""
        eventualities, drawn = self._eventualities, self._drawn
        every = [
            (number, index)
            for number in range(len(eventualities.draws(drawn)))
            for index in range(len(eventualities.stays(drawn, number)[0]))
        ]
        if draw is None:
            return every
        tiles = self._position.distribution
        order = parse_draw(draw, tiles, drawn)
        wanted = format_draw(order[:drawn], order[drawn:], tiles)
        for number, index in every:
            if format_draw(*self._tiles(number, index), tiles) == wanted:
                return [(number, index)]
        raise InputError(f"expected {self._position.bag_size} of the tiles that may be in the bag", "draw", draw)

    def _tiles(self, number: int, index: int) -> tuple[list[int], list[int]]:
        """The tiles drawn, and those that stay."""
        eventualities, drawn = self._eventualities, self._drawn
        sequences, _ = eventualities.stays(drawn, number)
        return eventualities.tiles_drawn(drawn, number), eventualities.tiles_staying(drawn, int(sequences[index]))

    def _outcome(self, number: int, index: int) -> WDL:
        """Against the best reply."""
        if number not in self._settled:
            self._settled[number] = self._solver.settle([Unit(0, number, UnitKind.VERDICT, NO_BOUND)])[0]
        return WDL_OF_VERDICT[int(np.frombuffer(self._settled[number].outcomes, np.int8)[index])]

    def chances(self, number: int, index: int) -> DrawChances:
        """Of one draw and order."""
        tiles, eventualities = self._position.distribution, self._eventualities
        drawn, stays = self._tiles(number, index)
        outcome = self._outcome(number, index)
        weight = eventualities.draws(self._drawn).weights[number] * eventualities.stays(self._drawn, number)[1][index]
        chances = DrawChances(
            draw=format_draw(drawn, stays, tiles),
            weight=int(weight),
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
        after = self._position.after(self._move, tiles.format_tiles(drawn + stays)).afresh()
        replies = sorted(legal_moves(after, self._lexicon), key=lambda reply: -reply[1])
        outcomes = self._outcomes(after, stays, replies)
        scores = [score for _, score in replies]
        refutations = [
            Refutation(format_move(reply, tiles), score, scores.index(score) + 1, letter)
            for (reply, score), letter in zip(replies, outcomes, strict=True)
            if letter is not WDL.WIN
        ]
        easiest = parse_move(refutations[0].move, after.board, tiles)
        moves, final_spread = self._what_follows(after, easiest, stays)
        return replace(
            chances,
            replies=len(replies),
            refutations=tuple(refutations),
            top=min(outcomes[: self._top], key=_from_bad_to_good),
            every=max(outcomes, key=_from_bad_to_good),
            line=tuple((ply.move, ply.score) for ply in play_line(after, moves, tiles.format_tiles(stays))),
            final_spread=final_spread,
        )

    def _outcomes(self, after: Position, stays: list[int], replies: Sequence[tuple[Move, int]]) -> list[WDL]:
        """For us, of each reply; the opponent is on turn in the position, both racks are known."""
        if not stays:
            return list(_outcomes(after, self._lexicon, self._memory, replies))
        emptying = [(move, score) for move, score in replies if move.tiles_played >= len(stays)]
        settled = _verdicts(after, self._lexicon, self._memory, emptying, stays)
        return [settled[move] if move in settled else self._chosen(after, move, stays) for move, _ in replies]

    def _chosen(self, after: Position, reply: Move, stays: list[int]) -> WDL:
        """After a reply that leaves tiles in the bag: what our choice comes to, or the end of the game."""
        if self._ends(reply):
            return WDL.of_spread(spread_if_over(after))
        return self._worst(after, reply, stays)[1]

    def _ends(self, reply: Move) -> bool:
        return reply.is_pass and self._move.is_pass

    def _worst(self, after: Position, reply: Move, stays: list[int]) -> tuple[PlayResult, WDL]:
        """Our best play after a reply that leaves tiles, and its outcome: of those that are level the worst here."""
        ours_again, rest = _after_reply(after, reply, stays)
        tiles = after.distribution
        assert after.opponent_rack is not None
        key = tiles.format_rack(after.opponent_rack), format_move(reply, tiles)
        if key not in self._decisions:
            options = known_after(self._options, reply, tiles)
            self._decisions[key] = decision(ours_again, self._lexicon, options, reply.is_pass)
        return fates_of_best(self._decisions[key], ours_again, rest)[0]

    def _what_follows(self, after: Position, reply: Move, stays: list[int]) -> tuple[list[Move | str], int | None]:
        """A reply and best play after it, and our final spread then."""
        tiles = after.distribution
        if not stays:
            worth = solve_after(after, reply, self._lexicon)
            return list(worth.moves), -worth.spread
        ours_again, rest = _after_reply(after, reply, stays)
        if not rest:
            ours = solve_endgame(ours_again, self._lexicon)
            return [reply, *ours.moves], ours.spread
        if self._ends(reply):
            return [reply], spread_if_over(after)
        play, _ = self._worst(after, reply, stays)
        options = known_after(self._options, reply, tiles)
        explanation = explain(
            ours_again,
            self._lexicon,
            play.move,
            tiles.format_tiles(rest),
            options.known_rack,
            options.no_exchange,
            reply.is_pass,
        )
        return [reply, *explanation.moves], explanation.steps[-1].final_spread


def _after_reply(after: Position, reply: Move, stays: list[int]) -> tuple[Position, list[int]]:
    """The position after a reply, we on turn, and what is in the bag then."""
    return after.after(reply, after.distribution.format_tiles(stays)), stays[reply.tiles_played :]


def _from_bad_to_good(outcome: WDL) -> float:
    return outcome.points


def _outcomes(after: Position, lexicon: Lexicon, memory: Memory, replies: Sequence[tuple[Move, int]]) -> Iterator[WDL]:
    """For us, of each reply; the opponent is on turn in the position, and the bag is empty."""
    quick = [(move, score) for move, score in replies if score and move.tiles_played < after.rack.sum()]
    settled = _verdicts(after, lexicon, memory, quick)
    for move, _ in replies:
        if move in settled:
            yield settled[move]
        else:  # it ends the game, or it may be the first of two passes
            yield WDL.of_spread(-solve_after(after, move, lexicon).spread)


def _verdicts(
    after: Position, lexicon: Lexicon, memory: Memory, replies: Sequence[tuple[Move, int]], stays: Sequence[int] = ()
) -> dict[Move, WDL]:
    """For us, of replies after which the bag is empty and the game goes on: one endgame each, by one call of a kernel.

    stays: the tiles in the bag, which a reply draws
    """
    asked = np.zeros(len(replies), UNIT)
    asked["move"] = [pack_move(move) for move, _ in replies]
    asked["spread"] = [after.spread + score for _, score in replies]
    asked["budget"] = NO_BOUND
    nodes: npt.NDArray[np.uint32] = prune_lexicon(after, lexicon.nodes)
    drawn = after.distribution.count(stays)
    arena_words = ARENA_WORDS
    while True:
        workspace = root_workspace(after, nodes, memory, arena_words)
        asked["draw"] = pack_rack(workspace, drawn)
        verdicts, _, ends = settle_draws(workspace.record, asked, bag=0, known=np.uint64(0), losses_allowed=0)
        if not (ends[:, 2] == STOPPED_BY_ROOM).any():
            break
        arena_words = more_room(arena_words)
    # the verdicts are for who replies
    return {move: WDL_OF_VERDICT[WIN - verdict] for (move, _), verdict in zip(replies, verdicts.tolist(), strict=True)}
