from __future__ import annotations

import pytest

from pegray.errors import InputError
from pegray.text.durations import format_about, format_duration, parse_duration


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("90s", 90), ("10m", 600), ("2h", 7200), ("1.5h", 5400), ("0.5s", 0.5), (" 3m ", 180)],
)
def test_parse_duration(text: str, seconds: float) -> None:
    assert parse_duration(text) == seconds


@pytest.mark.parametrize("text", ["", "10", "m", "-5s", "10 m", "1h30m", "10d", "nan s", "1e3s", "٣s"])
def test_bad_durations_are_named(text: str) -> None:
    with pytest.raises(InputError, match="90s, 10m or 2h") as error:
        parse_duration(text)
    assert repr(text) in str(error.value)


def test_longer_than_anybody_waits() -> None:
    assert parse_duration("876000h") == 876_000 * 3600
    for text in ("900000h", "9" * 400 + "h"):
        with pytest.raises(InputError, match="at most a hundred years"):
            parse_duration(text)


def test_nothing_is_no_duration() -> None:
    with pytest.raises(InputError, match="more than 0"):
        parse_duration("0s")


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.42, "0.42 s"), (12.34, "12.3 s"), (65, "1:05"), (7445, "2:04:05"), (3599.7, "1:00:00")],
)
def test_format_duration(seconds: float, text: str) -> None:
    assert format_duration(seconds) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.2, "0.2 s"),
        (7.3, "7 s"),
        (99, "99 s"),
        (120, "2 min"),
        (5900, "98 min"),
        (12_345, "3 h"),
        (259_200, "3 days"),
        (957_000, "11 days"),
        (98_765_432, "1,100 days"),
    ],
)
def test_rough_times(seconds: float, text: str) -> None:
    assert format_about(seconds) == text
