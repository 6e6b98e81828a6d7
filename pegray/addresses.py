"""Where to solve, as people write it: ``local``, ``auto``, ``none`` or ``HOST:PORT``."""

from __future__ import annotations

import re

EXPECTED = "local, auto, none or HOST:PORT"
_ADDRESS = re.compile(r"local|auto|none|[^\s:/]+:\d{1,5}|\[[0-9A-Fa-f:.]+\]:\d{1,5}", re.ASCII)
_LAST_PORT = 65535


def is_here(address: str) -> bool:
    """Whether an address is this process or this machine, so that what is solved needs kernels compiled here."""
    return address in ("local", "none")


def is_address(text: object) -> bool:
    """Whether this names a place to solve."""
    if not isinstance(text, str) or _ADDRESS.fullmatch(text) is None:
        return False
    return ":" not in text or int(text.rpartition(":")[2]) <= _LAST_PORT
