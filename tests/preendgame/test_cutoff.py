"""Cutting plays off early saves work and changes no outcome of a play that is finished."""

from __future__ import annotations

import functools
from typing import Any

import pegray
from pegray.results.model import SolveResult
from pegray.results.play import PlayResult
from tests.game.positions import PUBLISHED

SUBSET = ("13L ONYX", "13J EXON", "N10 SEXTON", "13L OXY", "N1 XYST", "13K SEXY", "pass")


@functools.cache
def solve(**options: Any) -> SolveResult:
    return pegray.solve(PUBLISHED["onyx"], "ENABLE", **options)


def finished(result: SolveResult) -> dict[str, PlayResult]:
    return {play.move: play for play in result.plays if play.status == "finished"}


def outcomes(play: PlayResult) -> dict[str, tuple[int, str]]:
    return {outcome.draw: (outcome.weight, outcome.outcome) for outcome in play.outcomes}


def check_agreement(cut: SolveResult, whole: SolveResult) -> None:
    """``whole`` has every play finished; those that ``cut`` finished agree, and its bounds are sound."""
    everything = finished(whole)
    assert len(everything) == len(whole.plays) == len(cut.plays)
    for move, play in finished(cut).items():
        assert outcomes(play) == outcomes(everything[move]), move
    best = max(play.points or 0 for play in everything.values())
    level = {move for move, play in everything.items() if play.points == best}
    assert level <= set(finished(cut))
    for play in cut.plays:
        if play.status == "cut_off":
            assert play.points is None
            exact = everything[play.move]
            assert best > (exact.points or 0) and play.found_losses <= exact.found_losses
            # what is known of a play that was cut off is right as far as it goes
            assert outcomes(play).items() <= outcomes(exact).items()


def test_a_few_plays() -> None:
    check_agreement(solve(only=SUBSET), solve(only=SUBSET, early_cutoff=False))


def test_the_plays_of_a_subset_have_the_outcomes_of_the_whole() -> None:
    alone = finished(solve(only=("13L OXY",), early_cutoff=False))["13L OXY"]
    together = finished(solve(only=SUBSET, early_cutoff=False))["13L OXY"]
    assert outcomes(alone) == outcomes(together)


def test_top_keeps_so_many_exact() -> None:
    whole = finished(solve(only=SUBSET, early_cutoff=False))
    top = finished(solve(only=SUBSET, top=3))
    third = sorted((play.points or 0 for play in whole.values()), reverse=True)[2]
    assert {move for move, play in whole.items() if (play.points or 0) >= third} <= set(top)


def test_a_protected_play_is_finished() -> None:
    result = solve(only=("13L ONYX",), protect=("13L OXY", "N1 XYST"))
    assert set(finished(result)) == {"13L ONYX", "13L OXY", "N1 XYST"}


def test_never_lose_leaves_plays_that_lose() -> None:
    whole = finished(solve(only=SUBSET, early_cutoff=False))
    result = solve(only=SUBSET, never_lose=True, early_cutoff=False)
    safe = {move for move, play in whole.items() if not play.losses}
    assert safe <= set(finished(result))
    for play in result.plays:
        assert play.move in safe or play.losses or play.status == "cut_off"


def test_without_tiles_left_in_the_bag() -> None:
    result = solve(only=SUBSET, max_tiles_left=0)
    assert {play.move for play in result.plays if play.status == "skipped"} == {"pass"}


def test_all_plays() -> None:
    check_agreement(solve(), solve(early_cutoff=False, tiebreak=False))


def test_until_the_answer_what_is_finished_is_the_same() -> None:
    whole = finished(solve(only=SUBSET, early_cutoff=False))
    for until in ("answer", "level"):
        result = solve(only=SUBSET, until=until)
        assert not result.stats.interrupted and result.state != "open"
        assert result.best is not None and result.best.points == max(play.points or 0 for play in whole.values())
        for move, play in finished(result).items():
            assert outcomes(play) == outcomes(whole[move]), move
