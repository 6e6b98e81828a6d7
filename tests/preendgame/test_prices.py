"""What nodes of draws cost."""

from __future__ import annotations

import pytest

from pegray.preendgame.prices import Prices


def test_at_first_all_cost_the_same() -> None:
    prices = Prices(2)
    assert prices.price(0) == prices.price(1) == 1.0
    prices.learn(0, 0, 0)  # cut off at once
    assert prices.price(0) == 1.0


def test_a_draw_with_more_bounds_is_dearer_and_the_others_are_cheaper() -> None:
    prices = Prices(3)
    prices.learn(0, 1_000_000, 200_000)
    prices.learn(1, 1_000_000, 100_000)
    assert prices.price(0) > 1.0 > prices.price(1)
    assert prices.price(0) / prices.price(1) == pytest.approx(4.0 / 2.5, rel=0.02)
    assert prices.price(2) == 1.0  # nothing is known of it


def test_few_nodes_tell_little() -> None:
    prices = Prices(2)
    prices.learn(0, 1_000_000, 0)
    prices.learn(1, 10, 10)
    assert 1.0 < prices.price(1) < 1.01
