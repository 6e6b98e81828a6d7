"""Games as runs: every late turn of both players becomes a position, with the play that was made protected."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pegray.errors import InputError
from pegray.game.notation import format_move
from pegray.game.turns import Turn
from pegray.preendgame.candidates import legal_moves
from pegray.preendgame.problem import Problem
from pegray.preendgame.solve_endgame import EndgameProblem
from pegray.results.judgement import Judgement, judge
from pegray.runs.driver import solve
from pegray.runs.endgames import SolvingEndgame
from pegray.runs.plan import Plan, PlannedPosition, ProblemMaker


@dataclass(frozen=True)
class AskedTurn:
    """A turn and what is asked about it.

    planned: its position in the run; None where nothing can be solved, and fault says why
    is_legal: the play that counts for it may be made in the lexicon; one that may not is not valued
    """

    turn: Turn
    planned: PlannedPosition | None
    fault: str
    is_legal: bool


def ask_turns(turns: Sequence[Turn], maker: ProblemMaker, plan: Plan) -> tuple[list[AskedTurn], Plan]:
    """What is asked about each turn, and the plan with all their positions.

    plan: without positions
    """
    asked = []
    hashes = {}
    for turn in turns:
        try:
            problem, is_legal = _problem(turn, maker)
        except InputError as error:
            asked.append(AskedTurn(turn, None, " ".join(str(error).split()), True))
            continue
        hashes[problem.lexicon_name] = problem.lexicon_hash
        protect = (turn.counted_as,) if turn.counted_as and is_legal else ()
        name, source = f"{turn.game}-turn{turn.number}", f"{turn.game}:turn {turn.number}"
        planned = PlannedPosition.of(name, source, problem, plan.options, protect)
        asked.append(AskedTurn(turn, planned, "", is_legal))
    positions = tuple(one.planned for one in asked if one.planned is not None)
    return asked, replace(plan, positions=positions, hashes=hashes)


@dataclass(frozen=True, eq=False)
class ReviewedTurn:
    """A late turn of a game, and what it gave away.

    judgement: None where nothing could be solved, and fault says why
    """

    turn: Turn
    judgement: Judgement | None
    fault: str = ""


def review_turns(turns: Sequence[Turn], maker: ProblemMaker, time_limit: float | None) -> Iterator[ReviewedTurn]:
    """Solve turns in this process, without a run directory, and judge each. time_limit: seconds for each"""
    for turn in turns:
        try:
            problem, is_legal = _problem(turn, maker)
        except InputError as error:
            yield ReviewedTurn(turn, None, " ".join(str(error).split()))
            continue
        made = turn.counted_as if is_legal else None
        if isinstance(problem, EndgameProblem):
            asked = replace(problem, options=replace(problem.options, protect=(made,) if made else ()))
            result = SolvingEndgame(asked, None, time_limit=time_limit).wait()
        else:
            result = solve(problem, "none", time_limit=time_limit)
        tiles = problem.position.distribution
        yield ReviewedTurn(turn, judge(result, made, tiles, turn.drawn, turn.stayed))


def _problem(turn: Turn, maker: ProblemMaker) -> tuple[Problem | EndgameProblem, bool]:
    """The problem of a turn, and whether the play that counts for it is legal. Raises InputError."""
    position, move = turn.position, turn.counted_as
    if position is None:
        raise InputError(turn.fault)
    protect = () if move is None else (move,)
    if turn.bag == 0:
        endgame = maker.make_endgame(position)
        moves = {format_move(made, position.distribution) for made, _ in legal_moves(position, endgame.lexicon)}
        return endgame, move is None or move in moves
    try:
        return maker.make(position, protect=protect), True
    except InputError as error:
        if error.option != "protect":
            raise
        return maker.make(position), False
