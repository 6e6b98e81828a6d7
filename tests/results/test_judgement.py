"""What a turn gave away, by what is stored of its position."""

from __future__ import annotations

from dataclasses import replace

from pegray.game.tiles import load_distribution
from pegray.results.judgement import Decided, judge
from pegray.results.model import SolveResult, SolveStats
from pegray.results.play import Outcome, PlayResult
from pegray.terms import WDL, State, Status

ENGLISH = load_distribution("english")


def outcome(draw: str, letter: str, weight: int = 1) -> Outcome:
    drawn, stays = draw[1:].split("]")
    return Outcome(draw, drawn, stays, weight, WDL(letter), not stays, True, None, None, 1)


def play(move: str, tiles: int, outcomes: list[Outcome], finished: bool = True, total: int = 6) -> PlayResult:
    won = sum(one.weight * one.outcome.points for one in outcomes)
    lost = sum(one.weight * (1 - one.outcome.points) for one in outcomes)
    return PlayResult(
        rank=None,
        move=move,
        score=10,
        tiles=tiles,
        tiles_left=max(0, 2 - tiles),
        status=Status.FINISHED if finished else Status.UNFINISHED,
        total=total,
        points=won if finished else None,
        wins=None,
        draws=None,
        losses=None,
        win_pct=100 * won / total if finished else None,
        found_losses=lost,
        at_least=won,
        at_most=total - lost,
        spread=None,
        proven=True,
        endgames=1,
        nodes=1,
        cpu_seconds=0.0,
        outcomes=outcomes,
    )


def result(plays: list[PlayResult], state: State, bag: int = 2, total: int = 6) -> SolveResult:
    if state is not State.OPEN:
        plays[0].rank = 1
    return SolveResult("", "ENABLE", bag, "AEI", total, "guaranteed", state, plays, SolveStats(1, 1, 1, 1, False))


EMPTIES = play("8D AB", 2, [outcome("[AE]", "W", 2), outcome("[AI]", "W", 2), outcome("[EI]", "D", 2)])
LEAVES = play("8D A", 1, [outcome(f"[{a}]{b}", "L" if a == "A" else "W") for a in "AEI" for b in "AEI" if a != b])


def test_what_was_given_away_is_exact_when_both_are_finished() -> None:
    judged = judge(result([EMPTIES, LEAVES], State.ANSWERED), "8D A", ENGLISH, "A", "I")
    assert judged.is_exact
    assert (judged.least, judged.total, round(judged.least_pct, 1)) == (1.0, 6, 16.7)
    assert judged.drew == (Decided("[A]I", 1, "L", "W", False, True),)
    assert [one.draw for one in judged.decided] == ["[A]E", "[A]I"]


def test_the_best_play_gives_nothing_away() -> None:
    judged = judge(result([EMPTIES, LEAVES], State.ANSWERED), "8D AB", ENGLISH, "EI", "")
    assert (judged.is_exact, judged.least, judged.decided) == (True, 0.0, ())
    assert judged.drew == (Decided("[EI]", 2, "D", "D", True, True),)


def test_a_draw_may_have_several_outcomes_of_a_play_that_draws_less() -> None:
    best = replace(LEAVES, outcomes=[outcome("[A]E", "L"), outcome("[E]A", "W")], rank=1)
    judged = judge(result([best, EMPTIES], State.ANSWERED), "8D AB", ENGLISH, "AE", None)
    assert judged.drew == (Decided("[AE]", 2, "W", "WL", True, False),)


def test_an_open_position_has_bounds() -> None:
    best = play("8D AB", 2, [outcome("[AE]", "W", 2)], finished=False)
    made = play("8D A", 1, [outcome("[A]E", "L")], finished=False)
    judged = judge(result([best, made], State.OPEN), "8D A", ENGLISH)
    assert (judged.is_exact, judged.best, judged.least, judged.most) == (False, None, 0.0, 6.0)
    # answered, but the play made was not finished: it has lost so much at least
    made = play("8D A", 1, [outcome("[A]E", "L", 3)], finished=False)
    judged = judge(result([EMPTIES, made], State.ANSWERED), "8D A", ENGLISH)
    assert (judged.least, judged.most) == (2.0, 5.0)


def test_nothing_is_known_of_a_play_that_is_not_there() -> None:
    judged = judge(result([EMPTIES], State.ANSWERED), None, ENGLISH)
    assert (judged.least, judged.most, judged.made, judged.is_exact) == (0.0, None, None, False)


def test_endgames_count_by_spread() -> None:
    best = replace(play("8D AB", 2, [outcome("[]", "W")], total=1), spread=12.0)
    made = replace(play("8D A", 1, [outcome("[]", "W")], total=1), spread=5.0)
    judged = judge(result([best, made], State.ANSWERED, bag=0, total=1), "8D A", ENGLISH)
    assert (judged.in_endgame, judged.least, judged.most) == (True, 7.0, 7.0)
