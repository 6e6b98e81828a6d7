"""Races change no outcome: begun at once, with small budgets at the root and below, plays are settled as without."""

from __future__ import annotations

import pytest

from tests.kernels.adapter import KernelPosition
from tests.kernels.test_differential import BATCH, ORACLE, positions
from tests.reference.positions import RandomPosition


def check_races(position: RandomPosition) -> tuple[int, int]:
    """Compare all plays of a position, raced and not; how many races it took, and how many plays were put off."""
    plays = KernelPosition(position).plays()
    races = put_off = 0
    for budget in (1, 5):
        racing = KernelPosition(position)
        racing.record["race"]["after"] = 0
        racing.record["race"]["budget"] = budget
        racing.record["picker"]["least_share"] = budget
        assert racing.plays() == plays, f"first budget {budget}: {position}"
        races += int(racing.record["race"]["races"][0])
        put_off += int(racing.record["picker"]["times_put_off"][0])
    return races, put_off


def test_races() -> None:
    races, put_off = zip(*(check_races(position) for position in positions(0, BATCH // 2, 5)), strict=True)
    assert sum(races) > 0
    assert sum(put_off) > 0


@pytest.mark.oracle
@pytest.mark.parametrize("start", ORACLE)
def test_more_races(start: int) -> None:
    for position in positions(start, BATCH, 8):
        check_races(position)
