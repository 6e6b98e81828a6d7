"""What a solve has proven: the answer first, then what is level with it, then the tie-break."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pegray.errors import InputError
from pegray.kernels.memory import NO_BOUND
from pegray.preendgame.ledger import Ledger
from pegray.preendgame.ranking import build_result
from pegray.results.model import SolveResult, SolveStats
from pegray.results.state import Milestones
from tests.preendgame.test_ledger import DRAW, LOSS, WIN, new_ledger, problem, result, run, settle, unit_for

LAST = 6  # a draw that weighs 1, as the three before it do


def built(ledger: Ledger) -> SolveResult:
    return build_result(ledger, SolveStats(0.0, 0.0, 0, 0, True))


def stages(ledger: Ledger, verdicts: Any) -> list[str]:
    """The state before each unit is worked on, and at the end."""
    seen = [ledger.state]
    while not ledger.done:
        (unit,) = ledger.next_units(1)
        ledger.record(result(unit, verdicts(unit.candidate, unit.draw)))
        seen.append(ledger.state)
    return seen


def test_nothing_is_best_while_a_play_may_have_more() -> None:
    ledger = new_ledger(tiebreak=False)
    settle(ledger, 3, dict.fromkeys(range(7), LOSS))
    answer = built(ledger)
    assert (ledger.state, answer.state, answer.best) == ("open", "open", None)
    assert [play.rank for play in answer.plays] == [None] * 4
    assert (answer.plays[-1].points, answer.plays[-1].at_most) == (0, 0)  # what has lost everything comes last


def test_a_play_that_wins_everything_answers_at_once() -> None:
    ledger = new_ledger(tiebreak=False)
    settle(ledger, 2, {})
    assert ledger.state == "answered"
    answer = built(ledger)
    assert answer.best is not None and answer.best.points == 8
    assert [play.status for play in answer.plays] == ["finished"] + ["unfinished"] * 3
    ledger.record(result(unit_for(ledger, 0, LAST), DRAW))
    assert built(ledger).plays[-1].status == "cut_off"


def test_what_may_be_level_is_open_until_it_is_finished() -> None:
    ledger = new_ledger(tiebreak=False)
    settle(ledger, 0, {LAST: DRAW})
    for candidate in (1, 2, 3):
        assert ledger.state == "open"
        ledger.record(result(unit_for(ledger, candidate, LAST), DRAW))
    assert ledger.state == "answered"
    ledger.record(result(unit_for(ledger, 1, 5), DRAW))
    ledger.record(result(unit_for(ledger, 2, 5), DRAW))
    for draw in range(LAST):
        ledger.record(result(unit_for(ledger, 3, draw), WIN))
    assert ledger.state == "complete"


def test_plays_level_at_the_top_are_complete_with_their_spreads() -> None:
    seen = stages(new_ledger(), lambda candidate, draw: WIN if candidate < 2 else LOSS)
    assert seen == sorted(seen, key=["open", "answered", "complete"].index)
    assert seen.count("complete") == 1  # the last spread
    alone = stages(new_ledger(), lambda candidate, draw: LOSS if candidate else WIN)
    assert alone.count("complete") > 1  # nobody to be compared with: the spread is a courtesy


def test_what_may_beat_the_best_comes_before_what_may_be_level() -> None:
    ledger = new_ledger(tiebreak=False)
    settle(ledger, 0, {LAST: DRAW})
    ledger.record(result(unit_for(ledger, 1, LAST), DRAW))
    ledger.record(result(unit_for(ledger, 2, 5), LOSS))
    units = ledger.next_units(1000)
    assert [unit.candidate for unit in units] == [3] * 7 + [1] * 6
    # the play that may beat the best is given up when it is level, the other when it is worse
    assert {(unit.candidate, unit.lost) for unit in units} == {(3, 1), (1, 1)}
    assert ledger.book.bound == 1


def test_a_unit_given_up_at_the_level_is_worked_on_again() -> None:
    ledger = new_ledger(tiebreak=False)
    settle(ledger, 0, {LAST: DRAW})
    first = unit_for(ledger, 1, LAST)
    stopped = result(first, DRAW)
    stopped.finished = False
    ledger.record(stopped)
    assert ledger.book.lost[1] == 1 == ledger.book.bound
    again = unit_for(ledger, 1, LAST)
    assert (first.lost, again.lost) == (1, 0)  # what it has lost itself is found again


@pytest.mark.parametrize("top", [2, 3])
def test_the_answer_comes_before_the_others_of_the_best(top: int) -> None:
    ledger = new_ledger(top=top, tiebreak=False)
    # candidate c loses c of the last draws
    seen = stages(ledger, lambda candidate, draw: LOSS if draw > LAST - candidate else WIN)
    assert ledger.book.finished_mask()[:top].all()
    assert "answered" in seen or "complete" in seen[:-1]
    ranked = [play for play in built(ledger).plays if play.rank]
    assert [play.points for play in ranked[:top]] == [8 - loss for loss in range(top)]


@pytest.mark.parametrize("options", [{}, {"top": 2}, {"early_cutoff": False}, {"protect": ("N1 XYST",)}], ids=str)
def test_until_the_answer(options: dict[str, Any]) -> None:
    ledger = new_ledger(until="answer", **options)
    worked = run(ledger, lambda candidate, draw: DRAW if draw == LAST and candidate < 2 else WIN)
    assert ledger.state != "open"
    whole = new_ledger(**options)
    assert len(worked) < len(run(whole, lambda candidate, draw: DRAW if draw == LAST and candidate < 2 else WIN))


def test_until_what_is_level_is_finished() -> None:
    ledger = new_ledger(until="level")
    worked = run(ledger, lambda candidate, draw: WIN)
    assert ledger.book.finished_mask().all() and {unit.kind for unit in worked} == {"verdict"}
    assert ledger.state == "answered"
    untold = new_ledger(until="level", tiebreak=False)
    run(untold, lambda candidate, draw: WIN)
    assert untold.state == "complete"


def test_a_play_that_loses_is_no_answer_where_none_may() -> None:
    """A loss of weight 1 costs less than three draws, and yet the play with the draws is what is asked for."""
    ledger = new_ledger(never_lose=True, tiebreak=False)
    loses, draws = 0, 1
    for draw in range(7):
        ledger.record(result(unit_for(ledger, loses, draw), LOSS if draw == LAST else WIN))
    assert ledger.book.finished_mask()[loses] and ledger.book.bound == ledger.book.fewest == NO_BOUND
    settle(ledger, draws, {LAST: DRAW, 5: DRAW, 4: DRAW})
    for candidate in (2, 3):
        ledger.record(result(unit_for(ledger, candidate, 0), LOSS))
    assert ledger.done and ledger.state == "complete"
    answer = built(ledger)
    assert answer.best is not None and answer.best.points == 6.5
    assert [play.rank for play in answer.plays] == [1, None, None, None]


def test_no_play_may_be_what_is_asked_for() -> None:
    ledger = new_ledger(never_lose=True)
    run(ledger, lambda candidate, draw: LOSS)
    answer = built(ledger)
    assert (answer.state, answer.best) == ("complete", None)


def test_bounds_meet_when_a_play_is_finished() -> None:
    ledger = new_ledger(tiebreak=False)
    settle(ledger, 0, {LAST: LOSS, 5: DRAW})
    ledger.record(result(unit_for(ledger, 1, LAST), WIN))
    ledger.record(result(unit_for(ledger, 1, 5), LOSS))
    bounds = {play.move: (play.at_least, play.at_most) for play in built(ledger).plays}
    moves = [play.move for play in built(ledger).plays]
    assert bounds.pop(moves[0]) == (6.5, 6.5)
    assert sorted(bounds.values()) == [(0, 8), (0, 8), (1, 7)]


def test_a_finished_play_that_others_may_pass_has_no_rank() -> None:
    ledger = new_ledger(tiebreak=False)
    settle(ledger, 0, dict.fromkeys(range(7), LOSS))
    settle(ledger, 1, {})
    for candidate in (2, 3):
        ledger.record(result(unit_for(ledger, candidate, LAST), DRAW))
    answer = built(ledger)
    assert [(play.rank, play.at_most) for play in answer.plays] == [(1, 8), (None, 7.5), (None, 7.5), (None, 0)]


def test_progress_says_what_is_open() -> None:
    ledger = new_ledger(tiebreak=False)
    assert (ledger.progress().state, ledger.progress().most_open) == ("open", 8)
    run(ledger, lambda candidate, draw: WIN)
    assert (ledger.progress().state, ledger.progress().most_open) == ("complete", None)


def test_how_far_to_go_does_not_change_the_problem() -> None:
    assert problem().key == problem(until="answer").key
    with pytest.raises(InputError, match="expected answer or level or spread"):
        problem(until="now")


def test_milestones() -> None:
    reached = Milestones()
    for state, seconds in (("open", 1.0), ("answered", 2.0), ("answered", 3.0), ("complete", 4.0), ("complete", 5.0)):
        reached.note(state, seconds)
    assert reached == Milestones(2.0, 4.0)
    reached.note("answered", 6.0)  # what was found of the tie-break has been lost
    assert reached == Milestones(2.0, None)
    both = Milestones()
    both.note("complete", 1.0)
    assert both == Milestones(1.0, 1.0)


@pytest.mark.parametrize("options", [{}, {"top": 2}, {"never_lose": True}, {"early_cutoff": False}], ids=str)
@pytest.mark.parametrize("until", ["answer", "level", "spread"])
def test_in_any_order_the_end_is_proven(options: dict[str, Any], until: str) -> None:
    """Verdicts and stops by chance, many at once: what is called best has the most points of all plays."""
    random = np.random.default_rng(11)
    for _ in range(5):
        truth = random.choice([LOSS, DRAW, WIN], p=[0.1, 0.1, 0.8], size=(4, 7))
        ledger = new_ledger(until=until, **options)
        while not ledger.done:
            for unit in ledger.next_units(int(random.integers(1, 6))):
                stopped = unit.kind == "verdict" and random.random() < 0.3
                verdict = None if stopped else int(truth[unit.candidate, unit.draw])
                ledger.record(result(unit, verdict, out_of_budget=bool(random.integers(2))))
        weights = ledger.book.eventualities.draws(1).weights
        asked = truth if not options.get("never_lose") else truth[(truth > LOSS).all(axis=1)]
        points = (asked * weights).sum(axis=1) / 2
        best = built(ledger).best
        assert best.points == points.max() if best is not None else not points.size
