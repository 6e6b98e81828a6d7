"""The two consoles: results go to stdout, progress and messages to stderr."""

from __future__ import annotations

import sys

from rich.console import Console

# What fits a terminal of usual width, and what files and pipes get.
WIDTH = 100


def results() -> Console:
    """Console for results on stdout: no colour and a fixed width when stdout is not a terminal."""
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
    return Console(stderr=stderr, highlight=False, markup=False, emoji=False, width=None if terminal else WIDTH)
