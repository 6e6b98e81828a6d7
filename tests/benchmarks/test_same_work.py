"""Units that a recorded solve has settled come out as they did then."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchmarks.same_work import settle_again, some_settled
from benchmarks.simulation.traces import TRACES, read_solved


@pytest.mark.parametrize("name", ["batch-24", "batch-28", "batch-34"])
def test_outcomes_are_those_recorded(name: str) -> None:
    problem, rows = read_solved(TRACES / f"{name}.parquet")
    some = some_settled(rows, 30_000)
    work = settle_again(problem, some)
    assert (work.units, work.differ) == (len(some), 0)
    assert work.nodes > 0


def test_another_outcome_is_noticed() -> None:
    problem, rows = read_solved(TRACES / "batch-26.parquet")
    some = some_settled(rows, 5_000)
    wrong = replace(some[0], outcomes=bytes(2 - outcome for outcome in some[0].outcomes))
    assert settle_again(problem, [wrong, *some[1:]]).differ == 1
