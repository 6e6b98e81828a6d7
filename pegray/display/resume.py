"""How to go on with a run that has not finished."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import contextmanager

from pegray.display.console import message


def say_how_to_resume(directory: str) -> None:
    """``go on with: pegray resume runs/overnight``"""
    message(f"go on with: pegray resume {shlex.quote(directory)}")


@contextmanager
def resumable(directory: str) -> Iterator[None]:
    """Say so as well when the user does not wait for a clean stop."""
    try:
        yield
    except KeyboardInterrupt:
        say_how_to_resume(directory)
        raise
