"""Our turn again with tiles in the bag, after a reply: we choose blind, any of the plays with the most points."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pegray.game.move import Move
from pegray.game.notation import format_draw
from pegray.game.position import Position
from pegray.game.scoring import rack_value
from pegray.game.tiles import Distribution
from pegray.lexicon.lexicon import Lexicon
from pegray.preendgame.options import SolveOptions
from pegray.preendgame.problem import Problem
from pegray.preendgame.ranking import build_result
from pegray.preendgame.session import solve_in_process
from pegray.results.model import SolveResult, SolveStats
from pegray.results.play import PlayResult
from pegray.terms import WDL


def decision(position: Position, lexicon: Lexicon, options: SolveOptions, passed: bool) -> SolveResult:
    """The table that the choice is made from: the same whatever the bag holds.

    passed: the reply was a pass
    """
    problem = Problem.create(position, lexicon, options, passed)
    return build_result(solve_in_process(problem), SolveStats(0.0, 0.0, 0, 0, False))


def fates_of_best(result: SolveResult, position: Position, order: list[int]) -> list[tuple[PlayResult, WDL]]:
    """The plays that have the most points, and how each fares in one order of the bag; the worst first.

    Nothing is known of the order when we choose, so it is the worst that counts.
    """
    assert result.best is not None
    best = [play for play in result.plays if play.points == result.best.points]
    return sorted(((play, _outcome_in(play, position, order)) for play in best), key=lambda one: one[1].points)


def _outcome_in(play: PlayResult, position: Position, order: list[int]) -> WDL:
    """Outcome of a finished play in one order of the bag."""
    name = format_draw(order[: play.tiles], order[play.tiles :], position.distribution)
    return next(outcome.outcome for outcome in play.outcomes if outcome.draw == name)


def spread_if_over(after: Position) -> int:
    """Our final spread if the game ends with the opponent on turn, both racks known: each loses what is on the rack."""
    assert after.opponent_rack is not None
    tiles = after.distribution
    return -after.spread - rack_value(after.opponent_rack, tiles) + rack_value(after.rack, tiles)


def known_after(options: SolveOptions, reply: Move, distribution: Distribution) -> SolveOptions:
    """The options once the opponent has played some of the tiles that it was known to hold."""
    known = distribution.rack(options.known_rack)
    left = known - np.minimum(known, distribution.count(reply.rack_tiles()))
    return replace(options, known_rack=distribution.format_rack(left))
