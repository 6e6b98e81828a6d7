"""The guess of what a solve costs: it holds what was measured, and grows with what makes a position larger."""

from __future__ import annotations

import pytest

from pegray.preendgame.guess import Guess, Size, guess_cost
from pegray.preendgame.options import SolveOptions


def cost(bag: int, *left: int, **options: object) -> Guess:
    guess = guess_cost(Size(bag, (*left, *[0] * (bag + 1 - len(left)))), SolveOptions(**options))  # type: ignore[arg-type]
    assert guess is not None
    return guess


@pytest.mark.parametrize(
    ("bag", "left", "measured"),
    [
        (1, (623, 1), 0.21),
        (1, (3429, 1), 470.0),
        (2, (320, 63, 1), 6.8),
        (3, (310,), 22.3),
        (4, (111,), 113.0),
        (4, (0, 1), 7.4),
        (5, (67,), 17.5 * 2),
        (5, (0, 1), 66.0),
        (6, (12,), 50.8),
        (6, (0, 1), 660.0),
    ],
)
def test_what_was_measured_is_within_the_guess(bag: int, left: tuple[int, ...], measured: float) -> None:
    guess = cost(bag, *left)
    assert guess.low <= measured <= guess.high


def test_more_tiles_left_and_no_cutoff_cost_more() -> None:
    assert cost(4, 20).high < cost(4, 20, 100).high < cost(4, 20, 0, 100).high < cost(4, 20, 0, 0, 100).high
    assert cost(3, 20, 100).low < cost(3, 20, 100, early_cutoff=False).low
    assert cost(3, 20, 100).high == cost(3, 20, 100, early_cutoff=False).high


def test_nothing_is_guessed_where_nothing_was_measured() -> None:
    assert guess_cost(Size(1, (3, 1)), SolveOptions(opponent="rational")) is None
