"""Why an eventuality has its outcome: the decisive reply, our nested choice, the endgame line to the final score.

An explanation follows the recursion of the guaranteed model along one order of the bag. Each *step* is one turn of
ours with its draw and the opponent's decisive reply; where tiles are still in the bag after that, the next step is
the worst of the plays that our blind choice might have made there, with the table that it was chosen from.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from pegray.errors import InputError
from pegray.game.move import Move
from pegray.game.notation import format_draw, format_move, parse_draw, parse_move
from pegray.game.position import Position
from pegray.game.scoring import rack_value
from pegray.kernels.catalogue import FOR_PROBLEMS
from pegray.kernels.memory import NO_BOUND, new_memory
from pegray.lexicon.lexicon import Lexicon
from pegray.preendgame.explanation import Choice, Explanation, Step
from pegray.preendgame.options import SolveOptions
from pegray.preendgame.packed_moves import pack_move, unpack_move
from pegray.preendgame.problem import Problem, checked, known_tiles
from pegray.preendgame.ranking import build_result
from pegray.preendgame.session import solve_in_process
from pegray.preendgame.solve_endgame import solve_endgame
from pegray.preendgame.solver import PositionSolver
from pegray.preendgame.work import WDL_OF_VERDICT, Unit
from pegray.results.model import SolveStats
from pegray.results.play import PlayResult
from pegray.terms import WDL, UnitKind

_TABLE_GIB = 0.5
_ROWS = 10


def explain(
    position: Position, lexicon: Lexicon, play: str, draw: str, known_rack: str = "", no_exchange: bool = False
) -> Explanation:
    """Explain a play (notation) in one order of the bag: ``[AEG]I``, or just the tiles in draw order, ``AEGI``.

    known_rack, no_exchange: as in SolveOptions

    Raises InputError if the play is not legal, or the tiles cannot come out of the bag like that.
    """
    move, order, options = checked_question(position, play, draw, known_rack, no_exchange)
    try:
        steps = _steps(position, lexicon, move, order, options, [], 0)
    except InputError as error:
        if error.option == "only":
            raise InputError(error.fault, "move", play) from None
        raise
    return Explanation(steps[0].play, steps[0].draw, steps[0].outcome, steps, no_exchange)


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
        raise InputError(str(error), "move", play) from None
    known_rack = known_tiles(position, known_rack)
    order = _parse_order(position, draw, known_rack)
    options = SolveOptions(known_rack=known_rack, no_exchange=no_exchange, tiebreak=False)
    checked(position, options)
    return move, order, options


def _parse_order(position: Position, draw: str, known_rack: str) -> list[int]:
    order = parse_draw(draw, position.distribution)
    if len(order) != position.bag_size:
        raise InputError(f"{len(order)} tiles, but {position.bag_size} are in the bag", "draw", draw)
    pool = position.unseen.astype(np.int64) - position.distribution.rack(known_rack)
    short = np.flatnonzero(position.distribution.count(order) > pool)
    if short.size:
        raise InputError(f"{position.distribution.tiles[short[0]]} cannot be in the bag so often", "draw", draw)
    return order


def _steps(
    position: Position,
    lexicon: Lexicon,
    move: Move,
    order: list[int],
    options: SolveOptions,
    choices: list[Choice],
    total: int,
    passed: bool = False,
) -> list[Step]:
    """The steps from a play of ours on; ``passed``: the opponent has just passed."""
    distribution = position.distribution
    text = format_move(move, distribution)
    problem = Problem.create(position, lexicon, replace(options, only=(text,)), passed)
    solver = PositionSolver(problem, new_memory(_TABLE_GIB))
    candidate = int(np.flatnonzero(problem.candidates.moves == np.uint64(pack_move(move)))[0])
    score = int(problem.candidates.scores[candidate])
    outcome, reply = _outcome(solver, problem, candidate, order)
    drawn = min(len(order), move.tiles_played)
    ours = _rack_after(position, move, order[:drawn])
    theirs = position.unseen - distribution.count(order)
    step = Step(
        cgp=position.to_cgp(),
        play=text,
        score=score,
        draw=format_draw(order[:drawn], order[drawn:], distribution),
        outcome=WDL_OF_VERDICT[outcome],
        our_rack=distribution.format_rack(ours),
        opponent_rack=distribution.format_rack(theirs),
        bag=distribution.format_tiles(order[drawn:]),
        choices=choices,
        total=total,
        reply=None,
        line=[],
        final_spread=None,
    )
    after = replace(
        position.apply(move, score),
        rack=theirs,
        opponent_rack=ours,
    )
    stays = order[drawn:]
    # our final spread if the game ends by passes here: each player loses what is on the rack
    ended = position.spread - rack_value(ours, distribution) + rack_value(after.rack, distribution)
    if problem.candidates.ends_game[candidate]:
        return [replace(step, final_spread=ended)]
    if not stays:
        return [_with_line(step, after, lexicon, mover_is_us=False)]
    if reply is None:
        return [step]
    reply_move = unpack_move(reply, after.board)
    if reply_move.is_pass and move.is_pass:
        return [replace(step, reply="pass", final_spread=ended)]
    return _after_reply(step, after, lexicon, reply_move, ours, stays, options)


def _after_reply(
    step: Step,
    after: Position,
    lexicon: Lexicon,
    reply: Move,
    ours: npt.NDArray[np.uint8],
    stays: list[int],
    options: SolveOptions,
) -> list[Step]:
    """Go on from the opponent's decisive reply: an endgame, or our next decision."""
    distribution = after.distribution
    reply_text = format_move(reply, distribution)
    reply_score = after.score(reply)
    drawn = min(len(stays), reply.tiles_played)
    opponent = _rack_after(after, reply, stays[:drawn])
    ours_again = replace(after.apply(reply, reply_score), rack=ours, opponent_rack=opponent)
    step = replace(step, reply=reply_text)
    stays = stays[drawn:]
    if not stays:
        return [_with_line(replace(step, line=[(reply_text, reply_score)]), ours_again, lexicon, mover_is_us=True)]
    known = distribution.rack(options.known_rack)
    known_left = known - np.minimum(known, distribution.count(reply.rack_tiles()))
    options = replace(options, known_rack=distribution.format_rack(known_left))
    choices, total, worst = _decide(ours_again, lexicon, stays, options, reply.is_pass)
    return [step, *_steps(ours_again, lexicon, worst, stays, options, choices, total, reply.is_pass)]


def _decide(
    position: Position, lexicon: Lexicon, order: list[int], options: SolveOptions, passed: bool
) -> tuple[list[Choice], int, Move]:
    """Our blind choice: the table of plays, the weight of all draws, and the tied best play that fares worst here."""
    problem = Problem.create(position, lexicon, options, passed)
    ledger = solve_in_process(problem)
    result = build_result(ledger, SolveStats(0.0, 0.0, 0, 0, False))
    assert result.best is not None
    best = [play for play in result.plays if play.points == result.best.points]
    outcomes = {play.move: _outcome_of(play, position, order) for play in best}
    worst = min(best, key=lambda play: outcomes[play.move].points)
    choices = [
        Choice(
            play.move, play.score, play.points, play.total - play.found_losses, play in best, outcomes.get(play.move)
        )
        for play in result.plays[: max(_ROWS, len(best))]
    ]
    return choices, result.total, parse_move(worst.move, position.board, position.distribution)


def _outcome_of(play: PlayResult, position: Position, order: list[int]) -> WDL:
    """Outcome of a finished play in one order of the bag."""
    drawn = min(len(order), play.tiles)
    name = format_draw(order[:drawn], order[drawn:], position.distribution)
    return next(outcome.outcome for outcome in play.outcomes if outcome.draw == name)


def _outcome(solver: PositionSolver, problem: Problem, candidate: int, order: list[int]) -> tuple[int, int | None]:
    """Verdict and packed reply of one order of the bag."""
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
    result = solve_endgame(position, lexicon)
    line = list(step.line)
    current = position
    for move in result.moves:
        score = current.score(move)
        line.append((format_move(move, position.distribution), score))
        current = current.apply(move, score)
    spread = result.spread if mover_is_us else -result.spread
    return replace(step, line=line, final_spread=spread)
