"""Text of the user's inside an error message."""

from __future__ import annotations

_LONGEST = 40


def quoted(text: str) -> str:
    """``text`` in quotes, on one line, shortened if it is long."""
    return repr(text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "...")
