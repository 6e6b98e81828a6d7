"""Races at the root change no outcome: begun at once, with small budgets, plays are settled as without."""

from __future__ import annotations

import pytest

from tests.kernels.adapter import KernelPosition
from tests.kernels.test_differential import BATCH, ORACLE, positions
from tests.reference.positions import RandomPosition


def check_races(position: RandomPosition) -> int:
    """Compare all plays of a position, raced and not; returns how many races it took."""
    plays = KernelPosition(position).plays()
    races = 0
    for budget in (1, 5):
        racing = KernelPosition(position)
        racing.record["race"]["after"] = 0
        racing.record["race"]["budget"] = budget
        assert racing.plays() == plays, f"first budget {budget}: {position}"
        races += int(racing.record["race"]["races"][0])
    return races


def test_races() -> None:
    assert sum(check_races(position) for position in positions(0, BATCH // 2, 5)) > 0


@pytest.mark.oracle
@pytest.mark.parametrize("start", ORACLE)
def test_more_races(start: int) -> None:
    for position in positions(start, BATCH, 8):
        check_races(position)
