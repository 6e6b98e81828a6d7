"""The ``pegray`` command: puts the commands together and turns errors into one line and an exit code."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper

from pegray.commands import (
    apply,
    batch,
    bench,
    chances,
    endgame,
    explain,
    game,
    lexicon,
    logs,
    moves,
    puzzles,
    query,
    report,
    resume,
    serve,
    show,
    solve,
    status,
    stop,
    submit,
)
from pegray.commands.arguments import OneLineParser
from pegray.commands.exit_codes import BAD_INPUT, COULD_NOT_FINISH, INTERRUPTED
from pegray.commands.flags import in_flags
from pegray.errors import InputError, PegrayError
from pegray.version import __version__

COMMANDS = (
    solve,
    batch,
    resume,
    game,
    explain,
    chances,
    endgame,
    moves,
    apply,
    show,
    status,
    query,
    report,
    puzzles,
    serve,
    submit,
    logs,
    stop,
    lexicon,
    bench,
)

DESCRIPTION = """\
Solve Scrabble pre-endgames exactly: every play, every order of the bag, searched to the end of the game.
"""
EPILOG = """\
examples:
  pegray solve jobs/first.cgp
  pegray solve jobs/first.cgp --only "13L ONYX" "N3 STEY" --json
  pegray moves "CGP STRING" --lexicon NWL20
  pegray show runs/20260102-030405-first

exit codes: 0 done, 1 could not finish, 2 bad usage or input, 130 interrupted
Results go to stdout, progress and messages to stderr. `pegray COMMAND --help` has more examples.
"""


def build_parser() -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    parser = OneLineParser(
        prog="pegray",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"pegray {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in COMMANDS:
        command.add_parser(commands)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line (default: of this process) and return the exit code."""
    _open_streams()
    try:
        parsed = build_parser().parse_args(arguments)
        code: int = parsed.run(parsed)
        sys.stdout.flush()
    except InputError as error:
        return _fail(error, BAD_INPUT)
    except PegrayError as error:
        return _fail(error, COULD_NOT_FINISH)
    except KeyboardInterrupt:
        print("pegray: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # whoever read our output has seen enough; the flush at exit must not complain again
        _close_output()
        return COULD_NOT_FINISH
    except OSError as error:
        if error.filename is None:  # a disk that is full, where our output goes
            _close_output()
        return _fail(PegrayError(f"{error.filename or 'output'}: {error.strerror or error}"), COULD_NOT_FINISH)
    except MemoryError:
        return _fail(PegrayError("not enough memory (a smaller --table-gib needs less)"), COULD_NOT_FINISH)
    return code


def _open_streams() -> None:
    """Have somewhere to print, also what the encoding there has no character for."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed by whoever called us
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 (it stays open)
        elif isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _close_output() -> None:
    """What is left to be printed goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(error: PegrayError, code: int) -> int:
    print("pegray: error: " + " ".join(in_flags(error).split()), file=sys.stderr)
    return code
