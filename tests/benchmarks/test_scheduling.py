"""The simulation of scheduling keeps what no schedule can break."""

from __future__ import annotations

import pytest

from benchmarks.scheduling import TRACES, CallsCounted, Chain, Simulation, SmallerLast, read_trace

KINDS = (Simulation, CallsCounted, SmallerLast)


@pytest.fixture(scope="module")
def chains() -> list[Chain]:
    return read_trace(TRACES / "plays.parquet")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("cpus", [1, 2, 16, 64, 1024])
def test_all_is_done_and_not_too_early(kind: type[Simulation], cpus: int, chains: list[Chain]) -> None:
    outcome = kind(chains, cpus).run()
    assert outcome.units == sum(map(len, chains))
    assert outcome.seconds >= max(outcome.work / cpus, max(map(sum, chains)))
    assert 0 < outcome.efficiency <= 1
    assert 0 < outcome.driver_busy <= 1


def test_one_cpu_has_always_something_to_do(chains: list[Chain]) -> None:
    assert Simulation(chains, 1).run().efficiency > 0.99


def test_a_single_chain_uses_a_single_cpu() -> None:
    assert SmallerLast([(1.0, 1.0)], 4).run().efficiency == pytest.approx(0.25, abs=0.01)
