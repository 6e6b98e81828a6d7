"""Numbers as the tables print them."""

from __future__ import annotations


def number(value: float | int | None, decimals: int = 2) -> str:
    """``7``, ``7.5``, ``7,884``; trailing zeros dropped, nothing for None."""
    if value is None:
        return ""
    text = f"{value:,.{decimals}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def signed(value: float | int | None) -> str:
    """``+8.75``, ``-3``, ``0``; nothing for None."""
    if value is None:
        return ""
    return f"+{number(value)}" if value > 0 else number(value)


def count(value: float, noun: str, plural: str | None = None) -> str:
    """``1 play``, ``625 plays``, ``7.5 points``."""
    return f"{number(value)} {noun if value == 1 else plural or noun + 's'}"
