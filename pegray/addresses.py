"""Where to solve, as people write it: ``local``, ``auto``, ``none`` or ``HOST:PORT``."""

from __future__ import annotations

import re

EXPECTED = "local, auto, none or HOST:PORT"
_ADDRESS = re.compile(r"local|auto|none|[^\s:/]+:\d{1,5}|\[[0-9A-Fa-f:.]+\]:\d{1,5}", re.ASCII)


def is_here(address: str) -> bool:
    """Whether an address is this process or this machine, so that what is solved needs kernels compiled here."""
    return address in ("local", "none")


def is_address(text: object) -> bool:
    """Whether this names a place to solve."""
    return isinstance(text, str) and _ADDRESS.fullmatch(text) is not None
