"""The two consoles: results go to stdout, progress and messages to stderr."""

from __future__ import annotations

import os
import sys
import threading
from functools import cache
from types import TracebackType
from typing import Any

from rich.console import Console

from pegray.text.fitted import WIDTH

_LINES = 25  # as rich supposes where there is no terminal


def results() -> Console:
    """Console for results on stdout: no colour when stdout is not a terminal."""
    console = Console(highlight=False, markup=False, emoji=False, **_size_off_a_terminal(False))
    console.width = min(console.width, WIDTH)
    return console


@cache
def messages() -> Console:
    """The one console for messages and live lines on stderr: it follows the width of the window."""
    return _SharedConsole(stderr=True, highlight=False, markup=False, emoji=False, **_size_off_a_terminal(True))


def message(text: str) -> None:
    """Say something on stderr, however long, on one line."""
    messages().print(text, soft_wrap=True)


def print_json(document: object) -> None:
    """Print one JSON document on stdout, on one line."""
    import json

    json.dump(document, sys.stdout, ensure_ascii=False, allow_nan=False)
    sys.stdout.write("\n")


class _SharedConsole(Console):
    """Whatever is printed is written before another thread prints.

    rich finds out in one step where its live lines stand and writes in another; a second thread between the two would
    leave debris.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._turn = threading.RLock()

    def __enter__(self) -> Console:
        self._turn.acquire()
        return super().__enter__()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            super().__exit__(kind, error, trace)
        finally:
            self._turn.release()


def _size_off_a_terminal(stderr: bool) -> dict[str, Any]:
    """Width and height where there is no terminal: without either, rich asks COLUMNS, and stumbles over some values."""
    terminal = (sys.stderr if stderr else sys.stdout).isatty()
    return {} if terminal else {"width": _columns(), "height": _LINES}


def _columns() -> int:
    """Width where there is no terminal: what COLUMNS says, as for other programs, else all that is used."""
    columns = os.environ.get("COLUMNS", "")
    return int(columns) if columns.isdecimal() and int(columns) > 0 else WIDTH
