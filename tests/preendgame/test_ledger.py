"""The bookkeeping of a solve, fed with made-up results."""

from __future__ import annotations

import functools
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pegray.game.position import Position
from pegray.kernels.memory import NO_BOUND
from pegray.lexicon.find import find_lexicon
from pegray.preendgame.ledger import Ledger
from pegray.preendgame.options import SolveOptions
from pegray.preendgame.problem import Problem
from pegray.preendgame.schedule import FIRST_BUDGET, FIRST_UNCUT_BUDGET, LEAST_GAMBLE, DrawState
from pegray.preendgame.tiebreak import CHEAP_SPREAD_BUDGET
from pegray.preendgame.work import BUDGET_GROWTH, Settled, Unit
from pegray.terms import State

# One in the bag, from AACEISUY: seven draws, that of an A weighs 2.
FIRST = Path(__file__).parents[2] / "jobs" / "first.cgp"
DEEP = FIRST.with_name("deep.cgp")
PLAYS = ("13L ONYX", "13J EXON", "13L OXY", "N1 XYST")
A_WEIGHT = 2
LOSS, DRAW, WIN = 0, 1, 2

Verdicts = Callable[[int, int], int]


@functools.cache
def problem(**options: Any) -> Problem:
    line = next(line for line in FIRST.read_text().splitlines() if line and not line.startswith("#"))
    position = Position.from_cgp(line)
    asked = SolveOptions(**{"only": PLAYS, **options})
    return Problem.create(position, find_lexicon("ENABLE", position.distribution), asked)


def new_ledger(**options: Any) -> Ledger:
    return Ledger(problem(**options))


def result(unit: Unit, verdict: int | None, out_of_budget: bool = False) -> Settled:
    """A result with this verdict for the unit, or (None) an unfinished one."""
    spread = {LOSS: -5, DRAW: 0, WIN: 5}.get(verdict) if unit.kind == "spread" else None
    outcomes = b"" if verdict is None or spread is not None else np.array([verdict], np.int8).tobytes()
    return Settled(unit, verdict is not None, outcomes, (0,), spread, True, 10, 1, 0.5, 0.5, out_of_budget)


def weight(ledger: Ledger, draw: int) -> int:
    return int(ledger.book.eventualities.draws(1).weights[draw])


def run(ledger: Ledger, verdicts: Verdicts, at_once: int = 1) -> list[Unit]:
    """Work through a ledger with the verdicts made up; returns the units in the order of the work."""
    worked = []
    while not ledger.done:
        units = ledger.next_units(at_once)
        assert units, "not done, and nothing to work on"
        for unit in units:
            ledger.record(result(unit, verdicts(unit.candidate, unit.draw)))
        worked += units
    return worked


def unit_for(ledger: Ledger, candidate: int, draw: int) -> Unit:
    """Hand out units until the one asked for comes, and give back the others."""
    units = ledger.next_units(1000)
    for unit in units:
        if (unit.candidate, unit.draw) != (candidate, draw):
            ledger.give_back(unit)
    return next(unit for unit in units if (unit.candidate, unit.draw) == (candidate, draw))


def settle(ledger: Ledger, candidate: int, verdicts: dict[int, int]) -> None:
    """Settle every draw of a play: a win but for those given."""
    for draw in range(ledger.book.draws(candidate)):
        ledger.record(result(unit_for(ledger, candidate, draw), verdicts.get(draw, WIN)))


def test_every_draw_is_handed_out_once() -> None:
    ledger = new_ledger(tiebreak=False)
    units = ledger.next_units(1000)
    assert len({unit.key for unit in units}) == len(units) == 4 * 7
    assert {unit.budget for unit in units} == {FIRST_BUDGET}
    assert ledger.next_units(10) == [] and not ledger.done
    for unit in units:
        ledger.record(result(unit, WIN))
    assert ledger.done and ledger.book.finished_mask().all()


def test_quick_draws_of_plays_whose_turn_it_is_as_well_come_together() -> None:
    ledger = new_ledger(tiebreak=False)
    units = ledger.next_units(1, together=3)
    assert [unit.candidate for unit in units] == [0, 1, 2]
    for unit in units:
        ledger.record(result(unit, LOSS if unit.candidate != 1 else WIN))
    # 13J EXON has won something: its turn comes before that of the others, and until it has lost that again
    assert [unit.candidate for unit in ledger.next_units(1, together=3)] == [1]


def test_what_takes_long_comes_alone() -> None:
    ledger = new_ledger(tiebreak=False, early_cutoff=False)
    assert len(ledger.next_units(1, together=3)) == 1


@pytest.mark.parametrize("settled", [0, 3, 9, 17])
@pytest.mark.parametrize("count", [2, 3, 5, 11])
def test_units_that_are_asked_for_at_once_are_those_that_would_come_one_by_one(count: int, settled: int) -> None:
    """They are chosen several at a time; what is in flight counts in both cases."""
    random = np.random.default_rng(settled)
    ledger = new_ledger(early_cutoff=False)
    for _ in range(settled):
        (unit,) = ledger.next_units(1)
        ledger.record(result(unit, int(random.choice([LOSS, WIN])) if random.integers(4) else None, out_of_budget=True))
    one_by_one = deepcopy(ledger)
    at_once = ledger.next_units(count)
    assert sorted(at_once) == sorted(one_by_one.next_units(1)[0] for _ in range(count))


def test_the_play_that_is_ahead_is_not_followed_at_any_price() -> None:
    """It has won all draws but one, which takes more nodes than anybody has; another wins all for a few thousand."""
    ledger = new_ledger(tiebreak=False, until="answer")
    spent, hardest = 0, (1, 0)
    while not ledger.done:
        (unit,) = ledger.next_units(1)
        assert unit.budget <= max(spent, LEAST_GAMBLE)
        needed = 10**9 if (unit.candidate, unit.draw) == hardest else 10 if unit.candidate == hardest[0] else 5_000
        nodes = min(needed, unit.budget)
        spent += nodes
        settled = result(unit, WIN if nodes == needed else None, out_of_budget=nodes < needed)
        ledger.record(replace(settled, nodes=nodes))
    assert ledger.state is State.ANSWERED and ledger.book.lost[hardest[0]] == 0


@pytest.mark.parametrize("together", [2, 16])
def test_draws_that_come_together_end_as_those_that_come_alone(together: int) -> None:
    random = np.random.default_rng(together)
    verdicts = {(play, draw): int(random.integers(3)) for play in range(4) for draw in range(7)}
    alone, ledger = new_ledger(tiebreak=False), new_ledger(tiebreak=False)
    run(alone, lambda play, draw: verdicts[play, draw])
    while not ledger.done:
        for unit in ledger.next_units(1, together=together):
            ledger.record(result(unit, verdicts[unit.candidate, unit.draw]))
    best = ledger.book.level_at_top()
    assert best == alone.book.level_at_top() and ledger.book.fewest == alone.book.fewest


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, FIRST_BUDGET),
        ({"early_cutoff": False, "never_lose": True}, FIRST_BUDGET),
        ({"early_cutoff": False}, FIRST_UNCUT_BUDGET),
    ],
)
def test_what_is_needed_in_any_case_is_not_put_off(options: dict[str, Any], expected: int) -> None:
    assert {unit.budget for unit in new_ledger(**options).next_units(1000)} == {expected}


def test_there_is_no_bound_until_a_play_has_won_something() -> None:
    ledger = new_ledger()
    assert ledger.book.bound == NO_BOUND
    ledger.record(result(unit_for(ledger, 0, 0), LOSS))
    assert ledger.book.bound >= 16 and ledger.book.lost[0] == 2 * weight(ledger, 0)
    ledger.record(result(unit_for(ledger, 1, 0), WIN))
    assert ledger.book.bound == 16 - 2 * weight(ledger, 0) and ledger.book.fewest == NO_BOUND


def test_a_play_is_cut_by_one_that_has_won_too_much_to_lose_as_much() -> None:
    ledger = new_ledger()
    for draw in range(6):
        ledger.record(result(unit_for(ledger, 0, draw), WIN))
    at_most = 2 * weight(ledger, 6)
    assert ledger.book.to_beat == ledger.book.bound == at_most
    ledger.record(result(unit_for(ledger, 1, 6), LOSS))
    assert not ledger.book.cut_mask().any()  # it might be level
    ledger.record(result(unit_for(ledger, 1, 5), DRAW))
    assert ledger.book.cut_mask().tolist() == [False, True, False, False]
    # nothing is answered before the play that leads is finished itself, and its last draw is not given up
    assert ledger.state == State.OPEN
    assert [unit.lost for unit in ledger.next_units(100) if unit.candidate == 0] == [0]


@pytest.mark.parametrize("options", [{}, {"top": 2}, {"top": 3}, {"never_lose": True}], ids=str)
@pytest.mark.parametrize("seed", range(12))
def test_no_play_is_cut_that_is_among_the_best(seed: int, options: dict[str, Any]) -> None:
    random = np.random.default_rng(seed)
    verdicts = random.choice([LOSS, DRAW, WIN], (len(PLAYS), 7), p=[[0.5, 0.1, 0.4], [0.1, 0.2, 0.7]][seed % 2])
    ledger = new_ledger(tiebreak=False, **options)
    weights = [weight(ledger, draw) for draw in range(7)]
    losses = (WIN - verdicts) @ weights
    contending = (verdicts > LOSS).all(axis=1) if "never_lose" in options else np.ones(len(PLAYS), np.bool_)
    flying: list[Unit] = []
    while not ledger.done:
        flying += ledger.next_units(5 - len(flying))
        unit = flying.pop(int(random.integers(len(flying))))
        ledger.record(result(unit, int(verdicts[unit.candidate, unit.draw])))
    last = np.sort(losses[contending])[: options.get("top", 1)].max(initial=-1)
    wanted = contending & (losses <= last)
    assert ledger.book.finished_mask()[wanted].all()
    assert (ledger.book.lost[wanted] == losses[wanted]).all()
    assert not ledger.book.cut_mask()[wanted].any()


def test_losses_and_draws_are_half_weights() -> None:
    ledger = new_ledger()
    draws = list(range(7))
    of_a = next(draw for draw in draws if weight(ledger, draw) == A_WEIGHT)
    other = next(draw for draw in draws if weight(ledger, draw) == 1)
    settle(ledger, 0, {of_a: LOSS, other: DRAW})
    assert ledger.book.lost[0] == 2 * A_WEIGHT + 1 == ledger.book.bound
    assert ledger.progress().best_points == 8 - 2.5


def test_a_play_that_lost_more_than_the_best_is_cut() -> None:
    ledger = new_ledger()
    settle(ledger, 0, {6: DRAW})
    ledger.record(result(unit_for(ledger, 1, 6), DRAW))
    assert not ledger.book.cut_mask().any()  # level with the best is not cut
    ledger.record(result(unit_for(ledger, 1, 5), DRAW))
    assert ledger.book.cut_mask().tolist() == [False, True, False, False]
    assert {unit.candidate for unit in ledger.next_units(100)} == {2, 3}


def test_plays_level_with_the_best_are_finished() -> None:
    ledger = new_ledger(tiebreak=False)
    run(ledger, lambda candidate, draw: DRAW if draw == candidate else WIN)
    assert ledger.book.lost.tolist() == [weight(ledger, draw) for draw in range(4)]
    level = ledger.book.level_at_top()
    assert level == [c for c in range(4) if ledger.book.lost[c] == ledger.book.lost.min()]
    assert len(level) == 3 and ledger.book.finished_mask()[level].all()


@pytest.mark.parametrize("top", [1, 2, 3])
def test_the_best_few_are_finished(top: int) -> None:
    # candidate c loses c of the last draws, which weigh 1 each
    ledger = new_ledger(top=top, tiebreak=False)
    run(ledger, lambda candidate, draw: LOSS if draw > 6 - candidate else WIN)
    assert ledger.book.finished_mask()[:top].all()
    assert ledger.book.bound <= 2 * (top - 1)
    assert ledger.book.cut_mask().tolist() == (~ledger.book.finished_mask()).tolist()


def test_without_cutoff_all_are_finished() -> None:
    ledger = new_ledger(early_cutoff=False, tiebreak=False)
    worked = run(ledger, lambda candidate, draw: LOSS if candidate else WIN)
    assert ledger.book.finished_mask().all() and len(worked) == 4 * 7


def test_the_failures_of_others_come_first() -> None:
    ledger = new_ledger(tiebreak=False)
    settle(ledger, 0, {3: LOSS})
    assert ledger.next_units(1)[0].draw == 3


def test_a_play_that_wins_is_let_go_further() -> None:
    ledger = new_ledger(tiebreak=False)
    for draw in range(4):
        ledger.record(result(unit_for(ledger, 2, draw), WIN))
    # its other draws run out of several budgets, each larger, before another play is looked into
    budgets = []
    for _ in range(6):
        unit = ledger.next_units(1)[0]
        assert unit.candidate == 2
        budgets.append(unit.budget)
        ledger.record(result(unit, None, out_of_budget=True))
    assert budgets == [FIRST_BUDGET] * 3 + [FIRST_BUDGET * BUDGET_GROWTH] * 3


def test_a_play_that_loses_waits() -> None:
    ledger = new_ledger(tiebreak=False)
    ledger.record(result(unit_for(ledger, 0, 0), LOSS))
    for _ in range(3 * 7):
        unit = ledger.next_units(1)[0]
        assert unit.candidate != 0
        ledger.record(result(unit, None, out_of_budget=True))


def test_the_draw_that_loses_soonest_comes_first() -> None:
    ledger = new_ledger(tiebreak=False)
    # draw 2 lost at the first try with two plays, draw 3 at the second
    for candidate in (0, 1):
        ledger.record(result(unit_for(ledger, candidate, 2), LOSS))
        ledger.record(result(unit_for(ledger, candidate, 3), None, out_of_budget=True))
        ledger.record(result(unit_for(ledger, candidate, 3), LOSS))
    order = [unit.draw for unit in ledger.next_units(1000) if unit.candidate == 2]
    assert weight(ledger, order[0]) == A_WEIGHT  # a coin's chance of a loss of twice the weight
    # draw 3 lost in half of its tries, which is what is assumed of the rest: they keep their order
    assert order[1] == 2 and order[2:] == sorted(order[2:]) and len(order) == 7


def ledger_of_one_play_put_off(**told: dict[int, Any]) -> Ledger:
    """One play has lost all; all draws of the other have run out of budget, and say so much: fields of Settled."""
    ledger = new_ledger(only=PLAYS[:2], tiebreak=False)
    settle(ledger, 1, dict.fromkeys(range(7), LOSS))
    for unit in ledger.next_units(7):
        put_off = result(unit, None, out_of_budget=True)
        for name, by_draw in told.items():
            setattr(put_off, name, by_draw.get(unit.draw, getattr(put_off, name)))
        ledger.record(put_off)
    return ledger


def test_the_draw_comes_first_that_seems_to_need_fewest_nodes_yet() -> None:
    order = [unit.draw for unit in ledger_of_one_play_put_off().next_units(7)]
    assert order == [unit.draw for unit in ledger_of_one_play_put_off(nodes_left={}).next_units(7)]
    told = {order[0]: 100 * FIRST_BUDGET, order[3]: FIRST_BUDGET // 20, order[5]: FIRST_BUDGET // 4}
    units = ledger_of_one_play_put_off(nodes_left=told).next_units(7)
    assert [unit.draw for unit in units] == [order[3], order[5], order[1], order[2], order[4], order[6], order[0]]
    # however little seems to be left, as much is given as to the others
    assert {unit.budget for unit in units} == {FIRST_BUDGET * BUDGET_GROWTH}


def test_a_draw_of_which_less_is_left_to_lose_comes_later() -> None:
    order = [unit.draw for unit in ledger_of_one_play_put_off().next_units(7)]
    half_lost = {order[1]: bytes([DRAW])}
    after = [unit.draw for unit in ledger_of_one_play_put_off(outcomes=half_lost).next_units(7)]
    assert after == [order[0], *order[2:], order[1]]


def test_a_draw_whose_nodes_cost_more_comes_later() -> None:
    order = [unit.draw for unit in ledger_of_one_play_put_off().next_units(7)]
    after = [unit.draw for unit in ledger_of_one_play_put_off(bounds={order[1]: 5}).next_units(7)]
    assert after == [order[0], *order[2:], order[1]]


def test_a_protected_play_is_never_cut() -> None:
    ledger = new_ledger(protect=("N1 XYST",), tiebreak=False)
    protected = int(np.flatnonzero(ledger.problem.candidates.protected)[0])
    worked = run(ledger, lambda candidate, draw: LOSS if candidate == protected else WIN)
    assert ledger.book.finished_mask()[protected]
    assert {unit.lost for unit in worked if unit.candidate == protected} == {-NO_BOUND}


def test_never_lose_cuts_at_the_first_loss_but_not_at_a_draw() -> None:
    ledger = new_ledger(never_lose=True, early_cutoff=False, tiebreak=False)
    run(ledger, lambda candidate, draw: {0: LOSS, 1: DRAW}.get(candidate, WIN))
    assert ledger.book.finished_mask().tolist() == [False, True, True, True]
    assert ledger.book.cut_mask().tolist() == [True, False, False, False]


def test_an_item_given_back_is_handed_out_again() -> None:
    ledger = new_ledger()
    unit = ledger.next_units(1)[0]
    ledger.give_back(unit)
    ledger.give_back(unit)  # twice is once
    assert ledger.next_units(1) == [unit]
    ledger.record(result(unit, WIN))
    ledger.give_back(unit)  # too late: it is settled
    assert unit.key not in {again.key for again in ledger.next_units(1000)}


def test_a_second_result_for_an_item_changes_nothing() -> None:
    ledger = new_ledger()
    unit = ledger.next_units(1)[0]
    ledger.record(result(unit, LOSS))
    lost = ledger.book.lost.copy()
    ledger.record(result(unit, LOSS))
    ledger.record(result(unit, None, out_of_budget=True))
    assert (ledger.book.lost == lost).all()
    assert ledger.progress().units_settled == 1
    assert unit.key not in {again.key for again in ledger.next_units(1000)}


def test_what_ran_out_of_budget_comes_last_and_with_more() -> None:
    ledger = new_ledger(tiebreak=False, early_cutoff=False)
    first = ledger.next_units(1)[0]
    ledger.record(result(first, None, out_of_budget=True))
    rest = [ledger.next_units(1)[0] for _ in range(4 * 7)]
    assert rest[-1].key == first.key
    assert rest[-1].budget == first.budget * BUDGET_GROWTH


def test_many_items_at_once_are_draws_of_many_plays() -> None:
    """What comes of the first draw of a play decides whether its others are needed."""
    ledger = new_ledger(tiebreak=False)
    assert sorted(unit.candidate for unit in ledger.next_units(4)) == [0, 1, 2, 3]
    assert sorted(unit.candidate for unit in ledger.next_units(8)) == [0, 0, 1, 1, 2, 2, 3, 3]


def test_a_play_in_the_lead_has_all_its_draws_worked_on() -> None:
    ledger = new_ledger(tiebreak=False)
    for draw in range(4):
        ledger.record(result(unit_for(ledger, 2, draw), WIN))
    assert [unit.candidate for unit in ledger.next_units(5)][:3] == [2, 2, 2]


def test_what_a_bound_stopped_keeps_its_budget() -> None:
    ledger = new_ledger(tiebreak=False, early_cutoff=False)
    first = ledger.next_units(1)[0]
    ledger.record(result(first, None))
    assert {unit.budget for unit in ledger.next_units(1000) if unit.key == first.key} == {first.budget}


def test_partial_results_count_once() -> None:
    """An unfinished result's losses hold; the finished one replaces them."""
    ledger = new_ledger(early_cutoff=False)
    unit = unit_for(ledger, 0, 6)
    partial = result(unit, DRAW)
    partial.finished = False
    ledger.record(partial)
    assert ledger.book.lost[0] == 1 and not ledger.book.finished_mask()[0]
    ledger.record(result(unit_for(ledger, 0, 6), LOSS))
    assert ledger.book.lost[0] == 2


def test_the_tiebreak_is_for_the_plays_level_at_the_top() -> None:
    ledger = new_ledger()
    worked = run(ledger, lambda candidate, draw: DRAW if candidate in (1, 2) and draw == 6 else LOSS if draw else WIN)
    spreads = [unit for unit in worked if unit.kind == "spread"]
    assert {unit.candidate for unit in spreads} == set(ledger.book.level_at_top())
    assert len(spreads) == len(ledger.tiebreak.results)
    assert (0, 6) not in ledger.tiebreak.results  # what ties has spread 0
    assert worked[-len(spreads) :] == spreads  # all verdicts come first
    scores = [int(ledger.problem.candidates.scores[unit.candidate]) for unit in spreads]
    assert scores == sorted(scores, reverse=True)


def test_the_spread_of_a_play_alone_at_the_top_is_not_worked_out_at_any_price() -> None:
    ledger = new_ledger()
    while (unit := ledger.next_units(1)[0]).kind == "verdict":
        ledger.record(result(unit, LOSS if unit.candidate else WIN))
    assert unit.budget == CHEAP_SPREAD_BUDGET
    while not ledger.done:
        ledger.record(result(unit, None, out_of_budget=True))
        (unit,) = ledger.next_units(1) or [unit]
    (best,) = ledger.tiebreak.compared()
    assert {ledger.tiebreak.spread(best, draw) for draw in range(7)} == {None}


def test_level_plays_have_their_exact_spreads_whatever_they_cost_where_that_is_asked_for() -> None:
    ledger = new_ledger(exact_spreads=True)
    worked = run(ledger, lambda candidate, draw: WIN)
    assert all(ledger.tiebreak.spread(candidate, draw) == 5 for candidate in range(4) for draw in range(7))
    assert {unit.budget for unit in worked if unit.kind == "spread"} == {NO_BOUND}


def test_a_lost_tiebreak_item_is_handed_out_again() -> None:
    ledger = new_ledger()
    while True:
        (unit,) = ledger.next_units(1)
        if unit.kind == "spread":
            break
        ledger.record(result(unit, WIN))
    ledger.give_back(unit)
    assert not ledger.done
    again = ledger.next_units(1000)
    assert unit.key in {other.key for other in again}
    for other in again:
        ledger.record(result(other, WIN))
    assert ledger.done


def test_progress() -> None:
    ledger = new_ledger(tiebreak=False)
    before = ledger.progress()
    assert (before.plays_total, before.finished, before.left, before.fraction) == (4, 0, 4, 0.0)
    assert before.best_candidate is None and before.best_points is None
    run(ledger, lambda candidate, draw: LOSS if candidate else WIN, at_once=3)
    after = ledger.progress()
    assert (after.finished, after.cut_off, after.left, after.fraction) == (1, 3, 0, 1.0)
    assert after.best_candidate == 0 and after.best_points == 8
    assert after.units_in_flight == 0 and after.nodes == 10 * after.units_settled


@pytest.mark.parametrize("options", [{}, {"never_lose": True}, {"early_cutoff": False}, {"top": 2}], ids=str)
def test_whatever_happens_all_that_may_matter_is_handed_out(options: dict[str, Any]) -> None:
    """Results, lost units and lost budgets in any order: the draws of plays not cut off are there, and no others."""
    random = np.random.default_rng(7)
    for _ in range(5):
        ledger = new_ledger(**options)
        flying: list[Unit] = []
        while not ledger.done:
            flying += ledger.next_units(int(random.integers(1, 5)))
            if flying:
                unit = flying.pop(int(random.integers(len(flying))))
                match random.integers(4):
                    case 0:
                        ledger.give_back(unit)
                    case 1:
                        ledger.record(result(unit, None, out_of_budget=bool(random.integers(2))))
                    case _:
                        ledger.record(result(unit, int(random.choice([LOSS, DRAW, WIN], p=[0.2, 0.1, 0.7]))))
            waiting = {
                (play, draw)
                for play in np.flatnonzero(~ledger.book.cut_mask()).tolist()
                for draw in np.flatnonzero(ledger.schedule.states(play) == DrawState.WAITING).tolist()
            }
            everything = deepcopy(ledger).next_units(10**6)
            assert {(unit.candidate, unit.draw) for unit in everything if unit.kind == "verdict"} == waiting
        assert (ledger.book.finished_mask() | ledger.book.cut_mask()).all()


def test_plays_that_empty_the_bag_have_half_of_the_nodes_while_one_may_beat_the_best() -> None:
    lines = DEEP.read_text().splitlines()
    position = Position.from_cgp(next(line for line in lines if line and not line.startswith("#")))
    ledger = Ledger(Problem.create(position, find_lexicon("ENABLE", position.distribution), SolveOptions()))
    emptying = np.array(ledger.book.drawn) == ledger.problem.bag
    nodes = {True: 0, False: 0}
    for _ in range(400):
        (unit,) = ledger.next_units(1)
        made_up = result(unit, LOSS)
        made_up.outcomes = bytes(
            len(ledger.book.eventualities.stays(int(ledger.book.drawn[unit.candidate]), unit.draw)[1])
        )
        made_up.nodes = 10 if emptying[unit.candidate] else 1_000
        nodes[bool(emptying[unit.candidate])] += made_up.nodes
        ledger.record(made_up)
    assert 0.4 < nodes[True] / sum(nodes.values()) < 0.6


def test_many_threads_begin_with_larger_budgets_and_one_never_does() -> None:
    """So that the driver keeps up with them."""
    ledger = new_ledger(tiebreak=False)
    first = result(ledger.next_units(1)[0], WIN)
    first.nodes, first.cpu_seconds = 100_000, 1.0
    ledger.record(first)
    for threads, budget in (
        (0, FIRST_BUDGET),
        (1, FIRST_BUDGET),
        (2, FIRST_BUDGET),
        (16, FIRST_BUDGET * BUDGET_GROWTH),
    ):
        (unit,) = ledger.next_units(1, threads)
        assert unit.budget == budget and unit.tried == 0
    ledger.record(result(unit, None, out_of_budget=True))
    again = [unit.budget for unit in ledger.next_units(1000) if unit.tried]
    assert again == [budget * BUDGET_GROWTH]
