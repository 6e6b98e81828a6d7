"""The two consoles: results go to stdout, progress and messages to stderr."""

from __future__ import annotations

import os
import sys

from rich.console import Console

# The widest that anything is printed: what can be read, and what files and pipes get.
WIDTH = 100


def results() -> Console:
    """Console for results on stdout: no colour when stdout is not a terminal."""
    return _console(stderr=False)


def messages() -> Console:
    """Console for messages on stderr."""
    return _console(stderr=True)


def message(text: str) -> None:
    """Say something on stderr, however long, on one line."""
    messages().print(text, soft_wrap=True)


def print_json(document: object) -> None:
    """Print one JSON document on stdout, on one line."""
    import json

    json.dump(document, sys.stdout, ensure_ascii=False, allow_nan=False)
    sys.stdout.write("\n")


def _console(stderr: bool) -> Console:
    terminal = (sys.stderr if stderr else sys.stdout).isatty()
    width = None if terminal else _columns()
    console = Console(stderr=stderr, highlight=False, markup=False, emoji=False, width=width)
    console.width = min(console.width, WIDTH)
    return console


def _columns() -> int:
    """Width where there is no terminal: what COLUMNS says, as for other programs, else all that is used."""
    columns = os.environ.get("COLUMNS", "")
    return int(columns) if columns.isdigit() and int(columns) > 0 else WIDTH
