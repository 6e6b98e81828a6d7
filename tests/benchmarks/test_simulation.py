"""The simulated cluster finds what the recorded solve found, and takes no less time than it can."""

from __future__ import annotations

import pytest

from benchmarks.scheduling import TRACES
from benchmarks.simulation import read_trace, simulate
from pegray.preendgame import portions, schedule
from pegray.preendgame.ledger import Ledger
from pegray.preendgame.problem import Problem
from pegray.preendgame.work import Settled
from tests.preendgame.test_splitting import MadeUp, passing

__all__ = ["passing"]


@pytest.fixture
def rows(passing: Problem, monkeypatch: pytest.MonkeyPatch) -> list[Settled]:
    """What came of a walk with replies that are never lost, on one thread."""
    monkeypatch.setattr(schedule, "FIRST_WALK_BUDGET", 30)
    monkeypatch.setattr(schedule, "SPLIT_BUDGET", 100)
    monkeypatch.setattr(portions, "LEAST_BUDGET", 10)
    made_up, ledger, rows = MadeUp(3), Ledger(passing), []
    made_up.values[:, 0] = 2
    while not ledger.done:
        result = made_up.settle(ledger.next_units(1)[0])
        result.cpu_seconds = result.nodes / 1000
        ledger.record(result)
        rows.append(result)
    return rows


@pytest.mark.parametrize("cpus", [1, 2, 16, 64])
def test_the_answer_is_there_and_not_too_early(passing: Problem, rows: list[Settled], cpus: int) -> None:
    ledger = Ledger(passing)
    for row in rows:
        ledger.record(row)
    found = simulate(passing, rows, cpus)
    assert found.answer == {where: result.outcomes for where, result in ledger.book.settled.items()}
    assert found.seconds >= found.work / cpus
    assert 0 < found.busy <= 1 and 0 < found.driver_busy <= 1


def test_a_walk_that_is_split_uses_several_cpus(passing: Problem, rows: list[Settled]) -> None:
    assert simulate(passing, rows, 8).seconds < simulate(passing, rows, 1).seconds / 2


def test_a_recorded_play_is_solved_on_several_cpus() -> None:
    problem, rows = read_trace(TRACES / "walks-nested.parquet")
    alone, eight = simulate(problem, rows, 1), simulate(problem, rows, 8)
    assert alone.answer == eight.answer
    assert eight.seconds < alone.seconds / 4
