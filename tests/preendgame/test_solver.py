"""Units that are settled together by one call of a kernel come to the same as one after the other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pegray.game.position import Position
from pegray.kernels.catalogue import CATALOGUE
from pegray.kernels.memory import NO_BOUND, new_memory
from pegray.lexicon.find import find_lexicon
from pegray.preendgame import solver
from pegray.preendgame.options import SolveOptions
from pegray.preendgame.problem import Problem
from pegray.preendgame.solver import PositionSolver
from pegray.preendgame.work import LOSS, WIN, Settled, Unit
from tests.game.positions import PUBLISHED

QUICK = 1000  # nodes
PLAYS = 40
DRAWS = 7


@pytest.fixture(scope="module")
def problem() -> Problem:
    position = Position.from_cgp(PUBLISHED["onyx"])
    return Problem.create(position, find_lexicon("ENABLE", position.distribution), SolveOptions())


@pytest.fixture(scope="module")
def units() -> list[Unit]:
    """Of the first plays, in no order: draws of the same play stand apart and next to each other."""
    units = [Unit(play, draw, "verdict", QUICK) for play in range(PLAYS) for draw in range(DRAWS)]
    return [units[i] for i in np.random.default_rng(1).permutation(len(units))]


@pytest.fixture(scope="module")
def alone(problem: Problem, units: list[Unit]) -> list[Settled]:
    lone = PositionSolver(problem, new_memory(1 / 64))
    return [lone.settle([unit._replace(budget=NO_BOUND)])[0] for unit in units]


def units_by_call(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many units each call of the kernel is given, from now on."""
    calls: list[int] = []
    kernel = solver.settle_draws

    def count(*given: Any, **named: Any) -> Any:
        calls.append(len(given[1]))
        return kernel(*given, **named)

    monkeypatch.setattr(solver, "settle_draws", count)
    return calls


def test_the_example_has_all_sorts(alone: list[Settled]) -> None:
    assert all(result.finished for result in alone)
    assert {LOSS, WIN} <= {result.outcomes[0] for result in alone}
    assert sum(result.nodes > 10 for result in alone) > 10


def test_no_unit_has_types_of_its_own(problem: Problem, alone: list[Settled]) -> None:
    """A kernel would be compiled for them, which takes half a minute."""
    kernels = CATALOGUE["plays"] | CATALOGUE["draws"] | CATALOGUE["verdicts"]
    before = {kernel: set(kernel.signatures) for kernel in kernels}  # other tests may call them as they like
    left = int(np.flatnonzero(problem.candidates.tiles < problem.bag)[0])
    assert PositionSolver(problem, new_memory(1 / 64)).settle([Unit(left, 0, "verdict", QUICK)])
    for kernel, signature in kernels.items():
        assert set(kernel.signatures) - before[kernel] <= {signature}


@pytest.mark.parametrize("arena_words", [1 << 22, 1 << 14])
def test_together_as_alone(
    problem: Problem, units: list[Unit], alone: list[Settled], arena_words: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the arena is too small for some of them, and the solver starts again with more."""
    calls = units_by_call(monkeypatch)
    together = PositionSolver(problem, new_memory(1 / 64), arena_words).settle(units)
    assert [result.unit for result in together] == units
    assert calls[0] == len(units) and (len(calls) == 1) == (arena_words == 1 << 22)
    finished = [(one, other) for one, other in zip(together, alone, strict=True) if one.finished]
    assert len(finished) > 0.9 * len(units)
    for one, other in finished:
        assert one.outcomes == other.outcomes
        assert (one.replies[0] >= 0) == (other.replies[0] >= 0) == (other.outcomes[0] != WIN)
    for result in together:
        assert result.finished != result.out_of_budget
        assert (result.nodes > QUICK) == result.out_of_budget
    assert sum(result.seconds for result in together) > 0 < sum(result.cpu_seconds for result in together)


def test_what_a_play_has_lost_counts_for_its_other_draws(
    problem: Problem, units: list[Unit], alone: list[Settled]
) -> None:
    """And for no other play; a protected one is settled in any case."""
    outcomes = {(result.unit.candidate, result.unit.draw): result.outcomes[0] for result in alone}
    losers = [play for play in range(PLAYS) if [outcomes[play, draw] for draw in range(DRAWS)].count(LOSS) > 1]
    protected = losers[0]
    memory = new_memory(1 / 64)
    memory.bound[0] = 0
    mine = [unit._replace(lost=-NO_BOUND if unit.candidate == protected else 0) for unit in units]
    results = PositionSolver(problem, memory).settle(mine)
    lost: set[int] = set()
    for result in results:
        play = result.unit.candidate
        if play in lost and play != protected:
            assert not result.finished and not result.out_of_budget
            assert result.nodes == 0 and result.outcomes == b"\xff" and result.replies == (-1,)
        else:
            assert result.finished or result.out_of_budget
        if result.finished and result.outcomes[0] != WIN:
            lost.add(play)
    assert {play for play in losers if play != protected} & lost


def test_a_long_unit_goes_alone(problem: Problem, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = units_by_call(monkeypatch)
    budgets = [QUICK, QUICK, NO_BOUND, NO_BOUND, QUICK]
    units = [Unit(play, 0, "verdict", budget) for play, budget in enumerate(budgets)]
    results = PositionSolver(problem, new_memory(1 / 64)).settle(units)
    assert [result.unit for result in results] == units
    assert calls == [2, 1, 1, 1]


def test_an_arena_crowded_by_lists_of_the_root_grows(
    problem: Problem, units: list[Unit], alone: list[Settled], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the midst of a solve, once, and what is found is the same."""
    monkeypatch.setattr(solver, "_COLLECTIONS", 1)
    monkeypatch.setattr(solver, "_ROOT_SHARE", 1 / 100)
    crowded = PositionSolver(problem, new_memory(1 / 64), 1 << 16)
    given = []
    make_room = crowded._make_room

    def note(arena_words: int) -> None:
        given.append((arena_words, len(found)))
        make_room(arena_words)

    monkeypatch.setattr(crowded, "_make_room", note)
    found: list[Settled] = []
    for unit in units:
        found += crowded.settle([unit._replace(budget=NO_BOUND)])
    assert [result.outcomes for result in found] == [result.outcomes for result in alone]
    ((words, after),) = given
    assert words == solver._MOST_ARENA_WORDS and after < len(units) / 2


def test_units_tell_their_bounds_on_a_player_alone(problem: Problem, alone: list[Settled]) -> None:
    """Of several that are settled at once each tells its own."""
    together = PositionSolver(problem, new_memory(1 / 64))
    found = together.settle([result.unit for result in alone])
    counted = together.record["alone"]["bounds"]
    assert sum(result.bounds for result in found) == counted > 0
    assert len({result.bounds for result in found}) > 2


def test_a_unit_that_runs_out_of_nodes_in_a_race_says_how_many_it_seems_to_need_yet(
    problem: Problem, alone: list[Settled]
) -> None:
    """One that is settled says nothing, and one that has not come to a race does not either."""
    longer = [result.unit for result in alone if result.nodes > 40]
    told = {}
    for after in (0, NO_BOUND):
        racing = PositionSolver(problem, new_memory(1 / 64))
        racing.record["race"]["after"] = after
        racing.record["race"]["raced"] = 0
        racing.record["race"]["budget"] = 5
        results = [racing.settle([unit._replace(budget=30)])[0] for unit in longer]
        assert all(result.nodes_left == 0 for result in results if result.finished)
        told[after] = [result.nodes_left for result in results if result.out_of_budget]
    assert len(told[0]) > 5 and min(told[0]) >= 0 and sum(left > 0 for left in told[0]) > len(told[0]) // 2
    assert told[NO_BOUND] and not any(told[NO_BOUND])
