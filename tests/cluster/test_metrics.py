"""What a solver actor counts."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from pegray.cluster import metrics
from pegray.cluster.metrics import PoolMetrics, SolverMetrics, table_fill
from pegray.kernels.table import HEADER_WORDS, empty_table
from pegray.preendgame.executors.base import Crew
from pegray.preendgame.work import Settled, Unit


class Recorded:
    """In place of Ray's counters and gauges."""

    values: Counter[str] = Counter()

    def __init__(self, name: str, description: str) -> None:
        assert description
        self._name = name

    def inc(self, amount: float) -> None:
        assert amount > 0
        self.values[self._name] += amount  # type: ignore[assignment]

    def set(self, value: float) -> None:
        self.values[self._name] = value  # type: ignore[assignment]


def settled(**changes: Any) -> Settled:
    values: dict[str, Any] = {
        "finished": True,
        "outcomes": b"\x02",
        "replies": (-1,),
        "spread": None,
        "proven": True,
        "nodes": 100,
        "endgames": 3,
        "cpu_seconds": 0.5,
        "seconds": 0.25,
    }
    return Settled(Unit(0, 0, "verdict", 1000), **{**values, **changes})


def test_results_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Recorded, "values", Counter())
    monkeypatch.setattr(metrics, "Counter", Recorded)
    monkeypatch.setattr(metrics, "Gauge", Recorded)
    table = empty_table(1 << 10)
    table[HEADER_WORDS : HEADER_WORDS + 1024 : 2] = 7
    results = [settled(), settled(finished=False, nodes=0, endgames=0), settled(finished=False, out_of_budget=True)]
    SolverMetrics().settled(results, table)
    assert Recorded.values == {
        "pegray_units": 3,
        "pegray_units_finished": 1,
        "pegray_units_cut_off": 1,
        "pegray_nodes": 200,
        "pegray_endgames": 6,
        "pegray_cpu_seconds": 1.5,
        "pegray_nodes_per_second": 200 / 0.75,
        "pegray_table_fill": 0.5,
    }


def test_a_large_table_is_sampled() -> None:
    table = empty_table(1 << 20)
    assert table_fill(table) == 0
    table[: 1 << 19] = 1
    assert table_fill(table) == pytest.approx(0.25, abs=0.01)


def test_who_works_is_told_every_few_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Recorded, "values", Counter())
    monkeypatch.setattr(metrics, "Gauge", Recorded)
    told = PoolMetrics()
    told.tell(Crew(machines=3, threads=24), 48)
    told.tell(Crew(machines=2, threads=16), 30)
    assert Recorded.values == {"pegray_machines": 3, "pegray_threads": 24, "pegray_units_in_flight": 48}
