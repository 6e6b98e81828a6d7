"""The simulated cluster finds what the recorded solve found, and takes no less time than it can."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.simulation.costs import Costs
from benchmarks.simulation.recorded import Memory, Recorded
from benchmarks.simulation.solving import simulate
from benchmarks.simulation.traces import TRACES, read_trace
from pegray.preendgame import portions, schedule
from pegray.preendgame.ledger import Ledger
from pegray.preendgame.problem import Problem
from pegray.preendgame.work import Settled, Unit
from tests.preendgame.test_splitting import MadeUp, passing

__all__ = ["passing"]


@pytest.fixture
def rows(passing: Problem, monkeypatch: pytest.MonkeyPatch) -> list[Settled]:
    """What came of a walk with replies that are never lost, on one thread."""
    monkeypatch.setattr(schedule, "FIRST_WALK_BUDGET", 30)
    monkeypatch.setattr(schedule, "SPLIT_BUDGET", 100)
    monkeypatch.setattr(portions, "LEAST_BUDGET", 10)
    monkeypatch.setattr(portions, "LEAST_BUDGET_OF_MANY", 10)
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
    found = simulate([(passing, rows)], cpus)
    (answer,) = found.answers
    assert answer == {where: result.outcomes for where, result in ledger.book.settled.items()}
    assert found.seconds >= found.work / cpus
    assert 0 < found.busy <= 1 and 0 < found.driver_busy <= 1


def test_a_walk_that_is_split_uses_several_cpus(passing: Problem, rows: list[Settled]) -> None:
    assert simulate([(passing, rows)], 8).seconds < simulate([(passing, rows)], 1).seconds / 2


def test_a_recorded_play_is_solved_on_several_cpus() -> None:
    trace = read_trace(TRACES / "walks-nested.parquet")
    alone, eight = simulate([trace], 1), simulate([trace], 8)
    assert alone.answers == eight.answers
    assert eight.seconds < alone.seconds / 4


@pytest.mark.parametrize("cpus", [1, 8, 64, 256])
def test_positions_of_a_batch_end_as_each_by_itself(passing: Problem, rows: list[Settled], cpus: int) -> None:
    (alone,) = simulate([(passing, rows)], 1).answers
    batch = simulate([(passing, rows)] * 6, cpus, most=4)
    assert batch.answers == [alone] * 6
    assert batch.seconds >= batch.work / cpus
    assert 0 < batch.busy <= 1 and 0 < batch.driver_busy <= 1


def test_a_batch_is_the_same_again(passing: Problem, rows: list[Settled]) -> None:
    first, again = (simulate([(passing, rows)] * 3, 8, most=4) for _ in range(2))
    assert (first.seconds, first.work, first.units) == (again.seconds, again.work, again.units)


def test_what_fails_in_a_session_fails_here(passing: Problem, rows: list[Settled]) -> None:
    broken = [replace(row, outcomes=b"\x01", replies=()) for row in rows]
    with pytest.raises(ValueError):
        simulate([(passing, broken)], 2)


def test_threads_without_a_call_help_with_what_takes_long() -> None:
    trace = read_trace(TRACES / "whole-nested.parquet")
    alone, four = (simulate([trace], cpus, slower=100.0) for cpus in (1, 4))
    assert alone.help == 0 < four.help
    assert four.helping + four.busy <= 1
    assert alone.answers == four.answers


def test_longer_replies_are_made_in_legs_and_have_company(monkeypatch: pytest.MonkeyPatch) -> None:
    trace, units = read_trace(TRACES / "walks-nested.parquet"), list[Unit]()
    settle = Recorded.settle

    def noted(self: Recorded, unit: Unit, memory: Memory) -> Settled:
        units.append(unit)
        return settle(self, unit, memory)

    monkeypatch.setattr(Recorded, "settle", noted)
    alone, many = simulate([trace], 1, larger=100), simulate([trace], 256, larger=100)
    assert any(unit.company[0] for unit in units)
    assert any(unit.checkpoints and not unit.company[0] for unit in units)
    assert alone.answers == many.answers == simulate([trace], 1).answers
    assert many.seconds < alone.seconds / 10


def test_a_try_that_goes_on_is_spared_all_where_it_was_and_less_elsewhere(
    passing: Problem, rows: list[Settled]
) -> None:
    kernels, here = Recorded(passing, rows, slower=1.0, larger=10_000), Memory()
    dearest = max((row for row in rows if row.finished and len(row.unit.portion) == 1), key=lambda row: row.nodes)
    unit = dearest.unit._replace(checkpoints=b"")
    whole = kernels.settle(unit._replace(budget=1 << 50), Memory()).nodes
    assert whole >= dearest.nodes * 10_000
    leg = kernels.settle(unit._replace(budget=whole // 2), here)
    assert leg.out_of_budget and leg.nodes == whole // 2
    rest = unit._replace(budget=whole, checkpoints=leg.checkpoints)
    assert kernels.settle(rest, here).nodes == whole - leg.nodes
    assert whole - leg.nodes < kernels.settle(rest, Memory()).nodes < whole


def test_costs_are_those_of_a_file(tmp_path: Path) -> None:
    costs, others = Costs(latency=1.0), Costs()
    costs.write(tmp_path / "costs.json")
    others.read(tmp_path / "costs.json")
    assert others == costs
    with pytest.raises(AttributeError):
        others.set({"lateness": 1.0})
