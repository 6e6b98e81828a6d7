"""What a batch is likely to cost: the guesses for its positions together, never more than its limits allow."""

from __future__ import annotations

from pegray.preendgame.forecast import Forecast, forecast
from pegray.preendgame.guess import Guess

GUESSES = [Guess(10.0, 1000.0), None, Guess(30.0, 3000.0)]


def test_positions_and_all_of_them() -> None:
    likely = forecast(GUESSES, cpus=None)
    assert likely == Forecast(tuple(GUESSES), Guess(40.0, 4000.0), None)
    assert forecast(GUESSES, cpus=8).seconds == Guess(5.0, 1000.0)


def test_limits_cap_it() -> None:
    likely = forecast(GUESSES, cpus=8, per_position=100.0)
    assert likely.positions == (Guess(10.0, 800.0), None, Guess(30.0, 800.0))
    assert likely.work == Guess(40.0, 1600.0)
    likely = forecast(GUESSES, cpus=8, total=120.0)
    assert likely.work == Guess(40.0, 960.0) and likely.seconds == Guess(5.0, 120.0)
    assert forecast(GUESSES, cpus=None, total=1.0).work == Guess(40.0, 4000.0)  # how much that is nobody knows


def test_where_nothing_is_known_nothing_is_said() -> None:
    assert forecast([None], cpus=8) == Forecast((None,), None, None)
