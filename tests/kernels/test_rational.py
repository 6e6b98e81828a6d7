"""The rational model against the reference: every outcome of every play on small random positions."""

from __future__ import annotations

import pytest

from tests.kernels.adapter import KernelPosition, enable_words, reference_plays
from tests.reference.positions import random_position

SEED = 7
FAST = range(6)
ALL = range(6, 100)


def differences(number: int) -> list[str]:
    """Outcomes of one random position on which the kernels and the reference disagree."""
    position = random_position(enable_words(6), SEED, number)
    kernels = KernelPosition(position)
    kernels.opponent = "rational"
    found = kernels.plays(with_spreads=False)
    expected = reference_plays(position, "rational")
    assert set(found) == set(expected)
    return [
        f"position {number}: {play.move} {draw}: {found[play.move].outcomes[draw]}, expected {outcome}"
        for play in expected.values()
        for draw, outcome in play.outcomes.items()
        if found[play.move].outcomes[draw] != outcome
    ]


@pytest.mark.parametrize("number", FAST)
def test_outcomes(number: int) -> None:
    assert differences(number) == []


@pytest.mark.oracle
@pytest.mark.parametrize("number", ALL)
def test_many_outcomes(number: int) -> None:
    assert differences(number) == []
