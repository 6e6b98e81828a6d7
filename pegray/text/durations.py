"""Durations as people write them: ``90s``, ``10m``, ``2h``."""

from __future__ import annotations

import re

from pegray.errors import InputError

_SECONDS = {"s": 1.0, "m": 60.0, "h": 3600.0}
MOST_SECONDS = 100 * 365.25 * 86_400.0
_DURATION = re.compile(r"(\d+(?:\.\d+)?)([smh])", re.ASCII)


def parse_duration(text: str) -> float:
    """Seconds meant by ``90s``, ``10m``, ``1.5h``. Raises InputError unless they are more than 0."""
    match = _DURATION.fullmatch(text.strip())
    if match is None:
        raise InputError(f"duration {text!r}: expected a number and s, m or h, such as 90s, 10m or 2h")
    seconds = float(match[1]) * _SECONDS[match[2]]
    if not 0 < seconds <= MOST_SECONDS:
        raise InputError(f"duration {text!r}: must be more than 0, and at most a hundred years")
    return seconds


def format_duration(seconds: float) -> str:
    """A short form for people: ``0.42 s``, ``12.3 s``, ``4:05``, ``2:04:05``."""
    if seconds < 10:
        return f"{seconds:.2f} s"
    if seconds < 60:
        return f"{seconds:.1f} s"
    return format_clock(round(seconds))


def format_about(seconds: float) -> str:
    """A rough time: ``0.2 s``, ``40 s``, ``8 min``, ``3 h``, ``12 days``."""
    if seconds < 1:
        return f"{seconds:.1g} s"
    for unit, length, until in (("s", 1, 100), ("min", 60, 100 * 60), ("h", 3600, 72 * 3600)):
        if seconds < until:
            return f"{_two_digits(seconds / length):,} {unit}"
    return f"{_two_digits(seconds / 86400):,} days"


def _two_digits(value: float) -> int:
    return int(float(f"{value:.2g}"))


def format_clock(seconds: float) -> str:
    """Time that goes on: ``0:07``, ``4:05``, ``2:04:05``."""
    minutes, whole_seconds = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{whole_seconds:02}" if hours else f"{minutes}:{whole_seconds:02}"
