"""Numbers as the tables print them."""

from __future__ import annotations

import math


def number(value: float | int | None, decimals: int = 2) -> str:
    """``7``, ``7.5``, ``7,884``; trailing zeros dropped, nothing for None."""
    if value is None:
        return ""
    text = f"{value:,.{decimals}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def span(least: float, most: float) -> str:
    """``3..7``, or ``5`` where both are that."""
    return number(least) if least == most else f"{number(least)}..{number(most)}"


def rough(value: float) -> str:
    """``5.25``, ``79.7``, ``1,225``: an estimate, to three digits."""
    return number(value, max(0, 3 - len(f"{abs(value):.0f}")))


def signed(value: float | int | None) -> str:
    """``+8.75``, ``-3``, ``0``; nothing for None."""
    if value is None:
        return ""
    return f"+{number(value)}" if value > 0 else number(value)


def core_hours(cpu_seconds: float) -> str:
    """``0.0021``, ``0.42``, ``3.5``, ``1,234``: the hours of one core that so many CPU seconds are."""
    hours = cpu_seconds / 3600
    return number(hours, 0 if hours >= 10 else max(0, 1 - math.floor(math.log10(hours)))) if hours > 0 else "0"


def count(value: float, noun: str, plural: str | None = None) -> str:
    """``1 play``, ``625 plays``, ``7.5 points``."""
    return f"{number(value)} {noun if value == 1 else plural or noun + 's'}"
