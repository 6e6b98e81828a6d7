"""Why an eventuality has its outcome: the decisive reply, our nested choice, the endgame line to the final score.

An explanation follows the recursion of the guaranteed model along one order of the bag. Each *step* is one turn of
ours with its draw and the opponent's decisive reply; where tiles are still in the bag after that, the next step is
the worst of the plays that our blind choice might have made there, with the table that it was chosen from.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from pegray.errors import InputError
from pegray.game.line import play_line
from pegray.game.move import Move
from pegray.game.notation import format_draw, format_move, parse_draw, parse_move
from pegray.game.position import Position
from pegray.kernels.catalogue import FOR_PROBLEMS
from pegray.kernels.memory import NO_BOUND, new_memory
from pegray.lexicon.lexicon import Lexicon
from pegray.preendgame.decision import decision, fates_of_best, known_after, spread_if_over
from pegray.preendgame.engine import SMALL_TABLE_GIB
from pegray.preendgame.explanation import Choice, Explanation, Step
from pegray.preendgame.options import SolveOptions
from pegray.preendgame.packed_moves import pack_move, unpack_move
from pegray.preendgame.problem import Problem, checked, known_tiles
from pegray.preendgame.solve_endgame import solve_after, solve_endgame
from pegray.preendgame.solver import PositionSolver
from pegray.preendgame.work import WDL_OF_VERDICT, Unit
from pegray.terms import WDL, UnitKind

_ROWS = 10


def explain(
    position: Position,
    lexicon: Lexicon,
    play: str,
    draw: str,
    known_rack: str = "",
    no_exchange: bool = False,
    passed: bool = False,
) -> Explanation:
    """Explain a play (notation) in one order of the bag: ``[AEG]I``, or just the tiles in draw order, ``AEGI``.

    known_rack, no_exchange: as in SolveOptions; passed: the turn before was a pass made inside the solve

    Raises InputError if the play is not legal, or the tiles cannot come out of the bag like that.
    """
    move, order, options = checked_question(position, play, draw, known_rack, no_exchange)
    try:
        steps = _steps(_Turn(position, order, options, passed), move, lexicon)
    except InputError as error:
        if error.option == "only":
            raise InputError(error.fault, "move", play) from None
        raise
    return Explanation(steps[0].play, steps[0].draw, steps[0].outcome, steps, no_exchange)


def explain_endgame(position: Position, lexicon: Lexicon, play: str) -> Explanation:
    """Explain a play of an endgame (notation): best play after it, in one step with nothing to draw.

    Raises InputError if the play is not legal.
    """
    move = parse_move(play, position.board, position.distribution)
    found = solve_after(position, move, lexicon)
    first, *others = play_line(position, found.moves, is_solved=True)
    after, distribution = first.after, position.distribution
    assert after.opponent_rack is not None
    outcome = WDL.of_spread(found.spread)
    step = Step(
        cgp=position.to_cgp(),
        play=first.move,
        score=first.score,
        draw="[]",
        outcome=outcome,
        our_rack=distribution.format_rack(after.opponent_rack),
        opponent_rack=distribution.format_rack(after.rack),
        bag="",
        choices=[],
        total=1,
        reply=None,
        line=[(ply.move, ply.score) for ply in others],
        final_spread=found.spread,
    )
    return Explanation(step.play, step.draw, outcome, [step])


def needed_kernels(bag: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What has to be compiled to explain a play with so many tiles in the bag, first and later: see the catalogue."""
    return (*FOR_PROBLEMS, "verdicts", "endgame"), ("staying",) if bag > 1 else ()


def checked_question(
    position: Position, play: str, draw: str, known_rack: str, no_exchange: bool
) -> tuple[Move, list[int], SolveOptions]:
    """The play, the order of the bag and the options: all that can be checked before kernels are compiled.

    Raises InputError.
    """
    try:
        move = parse_move(play, position.board, position.distribution)
    except InputError as error:
        raise InputError(error.fault, "move", play) from None
    known_rack = known_tiles(position, known_rack)
    order = _parse_order(position, move, draw, known_rack)
    options = SolveOptions(known_rack=known_rack, no_exchange=no_exchange, tiebreak=False)
    checked(position, options)
    return move, order, options


def _parse_order(position: Position, move: Move, draw: str, known_rack: str) -> list[int]:
    order = parse_draw(draw, position.distribution, min(move.tiles_played, position.bag_size))
    if len(order) != position.bag_size:
        raise InputError(f"{len(order)} tiles, but {position.bag_size} are in the bag", "draw", draw)
    pool = position.unseen.astype(np.int64) - position.distribution.rack(known_rack)
    short = np.flatnonzero(position.distribution.count(order) > pool)
    if short.size:
        raise InputError(f"{position.distribution.tiles[short[0]]} cannot be in the bag so often", "draw", draw)
    return order


@dataclass(frozen=True)
class _Turn:
    """A turn of ours with tiles in the bag.

    order: the bag, in draw order
    options: of the solves that the choice there rests on
    passed: the opponent has just passed
    choices, total: the table that a nested choice was made from, and the weight of its draws
    is_first: it is the turn with which the solve begins
    """

    position: Position
    order: list[int]
    options: SolveOptions
    passed: bool = False
    choices: tuple[Choice, ...] = ()
    total: float = 0
    is_first: bool = True

    @property
    def asked(self) -> Position:
        """The position as it is solved."""
        return self.position if self.is_first else self.position.afresh()


def _steps(turn: _Turn, move: Move, lexicon: Lexicon) -> list[Step]:
    """The steps from a play of ours on."""
    position, order, distribution = turn.position, turn.order, turn.position.distribution
    text = format_move(move, distribution)
    problem = Problem.create(turn.asked, lexicon, replace(turn.options, only=(text,)), turn.passed)
    candidate = int(np.flatnonzero(problem.candidates.moves == np.uint64(pack_move(move)))[0])
    score = int(problem.candidates.scores[candidate])
    outcome, reply = _outcome(problem, candidate, order)
    drawn, stays = order[: move.tiles_played], order[move.tiles_played :]
    ours, theirs = _rack_after(position, move, drawn), position.unseen - distribution.count(order)
    step = Step(
        cgp=position.to_cgp(),
        play=text,
        score=score,
        draw=format_draw(drawn, stays, distribution),
        outcome=WDL_OF_VERDICT[outcome],
        our_rack=distribution.format_rack(ours),
        opponent_rack=distribution.format_rack(theirs),
        bag=distribution.format_tiles(stays),
        choices=list(turn.choices),
        total=turn.total,
        reply=None,
        line=[],
        final_spread=None,
    )
    after = replace(position.apply(move, score), rack=theirs, opponent_rack=ours)
    if problem.candidates.ends_game[candidate]:
        return [replace(step, final_spread=spread_if_over(after))]
    if not stays:
        return [_with_line(step, after, lexicon, mover_is_us=False)]
    if reply is None:
        return [step]
    reply_move = unpack_move(reply, after.board)
    if reply_move.is_pass and move.is_pass:
        return [replace(step, reply="pass", final_spread=spread_if_over(after))]
    return _after_reply(step, after, reply_move, stays, turn.options, lexicon)


def _after_reply(
    step: Step, after: Position, reply: Move, stays: list[int], options: SolveOptions, lexicon: Lexicon
) -> list[Step]:
    """Go on from the opponent's decisive reply: an endgame, or our next decision.

    after: the position that the reply is made in, the opponent on turn, both racks known; stays: the bag
    """
    assert after.opponent_rack is not None  # ours: both are known here
    distribution = after.distribution
    text, score = format_move(reply, distribution), after.score(reply)
    drawn, stays = stays[: reply.tiles_played], stays[reply.tiles_played :]
    ours_again = replace(
        after.apply(reply, score), rack=after.opponent_rack, opponent_rack=_rack_after(after, reply, drawn)
    )
    step = replace(step, reply=text)
    if not stays:
        return [_with_line(replace(step, line=[(text, score)]), ours_again, lexicon, mover_is_us=True)]
    options = known_after(options, reply, distribution)
    turn, worst = _decide(_Turn(ours_again, stays, options, reply.is_pass, is_first=False), lexicon)
    return [step, *_steps(turn, worst, lexicon)]


def _decide(turn: _Turn, lexicon: Lexicon) -> tuple[_Turn, Move]:
    """Our blind choice: the turn with the table that it is made from, and the best play that fares worst here."""
    result = decision(turn.asked, lexicon, turn.options, turn.passed)
    fates = fates_of_best(result, turn.position, turn.order)
    outcomes = {play.move: outcome for play, outcome in fates}
    choices = tuple(
        Choice(play.move, play.score, play.points, play.at_most, play.move in outcomes, outcomes.get(play.move))
        for play in result.plays[: max(_ROWS, len(fates))]
    )
    worst, _ = fates[0]
    move = parse_move(worst.move, turn.position.board, turn.position.distribution)
    return replace(turn, choices=choices, total=result.total), move


def _outcome(problem: Problem, candidate: int, order: list[int]) -> tuple[int, int | None]:
    """Verdict and packed reply of one order of the bag."""
    solver = PositionSolver(problem, new_memory(SMALL_TABLE_GIB))
    eventualities = solver.eventualities
    drawn = eventualities.drawn(int(problem.candidates.tiles[candidate]))
    draw = eventualities.index_of_draw(drawn, order[:drawn])
    settled = solver.settle([Unit(candidate, draw, UnitKind.VERDICT, NO_BOUND)])[0]
    at = eventualities.index_of_stays(drawn, draw, order[drawn:])
    verdict = int(np.frombuffer(settled.outcomes, np.int8)[at])
    reply = settled.replies[at]
    return verdict, None if reply < 0 else reply


def _rack_after(position: Position, move: Move, drawn: list[int]) -> npt.NDArray[np.uint8]:
    """uint8[size]: what the player on turn holds after a move and the tiles drawn."""
    count = position.distribution.count
    return position.rack - count(move.rack_tiles()) + count(drawn)


def _with_line(step: Step, position: Position, lexicon: Lexicon, mover_is_us: bool) -> Step:
    """Add the endgame's best line; ``position`` is that of the player on turn, who sees everything."""
    result = solve_endgame(position.afresh(), lexicon)
    plies = play_line(position.afresh(), result.moves, is_solved=True)
    spread = result.spread if mover_is_us else -result.spread
    return replace(step, line=[*step.line, *((ply.move, ply.score) for ply in plies)], final_spread=spread)
