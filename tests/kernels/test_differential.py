"""Every outcome and spread of the kernels against the slow reference solver, on small random positions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.kernels.adapter import KernelPosition, check_endgame, enable_words, reference_plays
from tests.reference.positions import RandomPosition, random_position

SEED = 20
FAST = 24
BATCH = 8
ORACLE = range(FAST, FAST + 70 * BATCH, BATCH)


def positions(start: int, count: int, longest: int) -> Iterator[RandomPosition]:
    """Positions with the words of at most ``longest`` letters; the fewer words, the sooner one is found."""
    for number in range(start, start + count):
        yield random_position(enable_words(longest), SEED, number)


def compare(position: RandomPosition) -> None:
    found = KernelPosition(position).plays()
    expected = reference_plays(position)
    assert {name: play.score for name, play in found.items()} == {
        name: play.score for name, play in expected.items()
    }, str(position)
    for name, play in expected.items():
        assert found[name].outcomes == play.outcomes, f"{name} in {position}"
        assert found[name].spreads == play.spreads, f"{name} in {position}"


def as_endgame(position: RandomPosition) -> RandomPosition:
    """The position with its bag taken away: the first tiles of the unseen ones go."""
    return replace(position, unseen=position.unseen[position.bag_size :], known="")


@pytest.mark.parametrize("start", range(0, FAST, BATCH))
def test_outcomes(start: int) -> None:
    for position in positions(start, BATCH, 5):
        compare(position)
        check_endgame(as_endgame(position))


@pytest.mark.oracle
@pytest.mark.parametrize("start", ORACLE)
def test_more_outcomes(start: int) -> None:
    for position in positions(start, BATCH, 8):
        compare(position)
        check_endgame(as_endgame(position))
