"""Races at the root change no outcome: begun at once, with the smallest budgets."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.kernels.adapter import KernelPosition
from tests.kernels.test_differential import BATCH, ORACLE, as_endgame, positions
from tests.reference.positions import RandomPosition
from tests.reference.reference import Reference, State, in_order


def racing(position: RandomPosition, budget: int) -> KernelPosition:
    kernels = KernelPosition(position)
    kernels.record["race_after"] = 0
    kernels.record["race_budget"] = budget
    return kernels


def check_race(position: RandomPosition, tiles: int) -> int:
    """Compare the gain of an endgame with so many tiles a side with the reference; returns how many races it took."""
    endgame = as_endgame(position)
    letters = endgame.our_rack + endgame.unseen
    if len(letters) < 2 * tiles:
        return 0
    small = replace(
        endgame, our_rack=in_order(letters[:tiles]), unseen=in_order(letters[tiles : 2 * tiles]), scoreless=0
    )
    gain = Reference(small.words).endgame(State(small.board, small.our_rack, small.unseen, "", 0, 0))
    races = 0
    for budget in (1, 5):
        kernels = racing(small, budget)
        assert kernels.endgame_gain() == gain, f"first budget {budget}: {small}"
        races += int(kernels.record["races"][0])
    return races


def check_racing_plays(position: RandomPosition) -> None:
    """All plays of a position with tiles in the bag, with races and without."""
    assert racing(position, 1).plays() == KernelPosition(position).plays(), str(position)


def test_race() -> None:
    races = 0
    for position in positions(0, BATCH // 2, 5):
        races += check_race(position, 3)
        check_racing_plays(position)
    assert races > 0


@pytest.mark.oracle
@pytest.mark.parametrize("start", ORACLE)
def test_more_races(start: int) -> None:
    for position in positions(start, BATCH, 8):
        check_race(position, 2)
        check_race(position, 3)
        check_racing_plays(position)
