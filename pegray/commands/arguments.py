"""The argument parser and the arguments that several commands share."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

from pegray.addresses import EXPECTED, is_address
from pegray.errors import InputError
from pegray.kinds import Kind, Option
from pegray.text.durations import parse_duration

POSITION_HELP = (
    "a CGP string, a file of CGP lines (# comments), a GCG file (with --turn, or ending with the rack to play from), "
    "or - for either on standard input"
)

Value = TypeVar("Value")


class OneLineParser(argparse.ArgumentParser):
    """An argument parser whose errors are InputErrors, so that bad usage is one line as well."""

    def error(self, message: str) -> NoReturn:
        """Raise InputError with what is wrong, and where help is."""
        raise InputError(f"{message} (see {self.prog} --help)")


def add_command(commands: Any, name: str, summary: str, examples: str) -> argparse.ArgumentParser:
    """A parser for one command with its one-line summary and its examples (indented lines)."""
    parser: argparse.ArgumentParser = commands.add_parser(
        name,
        help=summary,
        description=f"{summary[0].upper()}{summary[1:]}.",
        epilog=f"examples:\n{examples}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    return parser


def add_position_arguments(
    parser: argparse.ArgumentParser,
    several: bool = False,
    lexicon_default: str = "the position's lex, else the bundled ENABLE",
    or_run: bool = False,
) -> None:
    """POSITION, --turn, --lexicon and --distribution. or_run: a run directory may stand for its position"""
    position_help = f"{POSITION_HELP}; or a run directory" if or_run else POSITION_HELP
    parser.add_argument("positions", metavar="POSITION", nargs="+" if several else 1, help=position_help)
    parser.add_argument(
        "--turn",
        type=at_least(1),
        metavar="N",
        help="the position before the N-th play of a GCG file, with that player on turn",
    )
    add_lexicon_argument(parser, default=lexicon_default)
    add_distribution_argument(parser, default="the position's ld, else english")


def add_lexicon_argument(parser: argparse.ArgumentParser, default: str) -> None:
    """--lexicon."""
    parser.add_argument(
        "--lexicon",
        metavar="NAME|PATH",
        help=f"a name in PEGRAY_LEXICA or the user's data folder, a .txt or a .kwg file (default: {default})",
    )


def add_distribution_argument(parser: argparse.ArgumentParser, default: str) -> None:
    """--distribution."""
    parser.add_argument(
        "--distribution",
        metavar="NAME|PATH",
        help="english, french, german, spanish, polish, dutch, norwegian, catalan, or a .csv file "
        f"(default: {default})",
    )


_AS_DECLARED: Any = object()


def add_option(parser: Any, option: Option, default: Any = _AS_DECLARED, note: str = "") -> None:
    """The flag of an option of a solve, as it is declared.

    default: another one than the option's own, and with it ``note``, what the help says of that: ``(default: ...)``
    """
    given = option.default if default is _AS_DECLARED else default
    if option.kind is Kind.SWITCH:
        action = "store_false" if option.default else "store_true"
        parser.add_argument(option.flag, dest=option.name, action=action, help=option.off or option.meaning)
        return
    if not note and (given or option.unset):
        note = f"(default: {given or option.unset})"
    how: dict[str, Any] = {"default": given, "help": f"{option.meaning} {note}".rstrip()}
    match option.kind:
        case Kind.CHOICE:
            how |= {"choices": option.words}
        case Kind.MOVES:
            how |= {"metavar": option.shown, "nargs": "+", "action": "extend", "default": []}
        case _:
            how |= {"metavar": option.shown, "type": _type_of(option)}
    parser.add_argument(option.flag, **how)


def _type_of(option: Option) -> Callable[[str], Any]:
    """What makes a value of the text on the command line."""
    readers: dict[Kind, Callable[[str], Any]] = {
        Kind.NUMBER: at_least(option.least),
        Kind.TEXT: str,
        Kind.ADDRESS: address,
        Kind.DURATION: duration,
        Kind.GIBIBYTES: gibibytes,
    }
    return readers[option.kind]


def add_json_argument(parser: argparse.ArgumentParser) -> None:
    """--json."""
    parser.add_argument("--json", action="store_true", help="print one JSON document on stdout")


def add_form_arguments(parser: argparse.ArgumentParser, record: str) -> None:
    """--json or --plain, one of them. record: what a line of --plain holds."""
    forms = parser.add_mutually_exclusive_group()
    forms.add_argument("--json", action="store_true", help="print one JSON document on stdout")
    forms.add_argument(
        "--plain",
        action="store_true",
        help=f"for pipes: a line of names, then one line for each {record}, cells separated by tabs",
    )


def add_prior_argument(parser: Any) -> None:
    """--prior."""
    parser.add_argument(
        "--prior",
        metavar="FILE|SQL",
        help="weigh the opponent's racks: a CSV or Parquet file or a query with columns weight and leave (racks that "
        "hold it) or rack (just this one); nothing is solved anew",
    )


def add_rows_argument(parser: Any) -> None:
    """--rows."""
    parser.add_argument(
        "--rows", type=at_least(0), metavar="N", help="plays to list (default 20, with --plain all; 0: all)"
    )


def listed_rows(arguments: argparse.Namespace) -> int:
    """Plays to list; 0 for all."""
    if arguments.rows is not None:
        return int(arguments.rows)
    return 0 if arguments.plain else 20


def add_job_address_argument(parser: argparse.ArgumentParser, required: bool = True) -> None:
    """--address of a cluster's dashboard, where jobs are sent."""
    parser.add_argument(
        "--address", metavar="http://HEAD:8265", required=required, help="dashboard of the cluster that has the job"
    )


def duration(text: str) -> float:
    """Argument type: seconds meant by 90s, 10m or 2h."""
    return _as_argument(parse_duration, text)


def address(text: str) -> str:
    """Argument type: where to solve."""
    if not is_address(text):
        raise argparse.ArgumentTypeError(f"{text!r}: expected {EXPECTED}")
    return text


def at_least(least: int) -> Any:
    """Argument type: a whole number of at least `least`."""

    def whole_number(text: str) -> int:
        if not text.isascii() or not text.isdigit() or int(text) < least:
            raise argparse.ArgumentTypeError(f"{text!r}: expected a whole number of at least {least}")
        return int(text)

    return whole_number


def named_path(text: str) -> str:
    """Argument type: where to write. Empty, as an unset variable of a script is, it would mean the default."""
    if not text:
        raise argparse.ArgumentTypeError(f"{text!r}: expected the name of a file or folder")
    return text


def gibibytes(text: str) -> float:
    """Argument type: a size in GiB, more than 0."""
    try:
        size = float(text)
    except ValueError:
        size = math.nan
    if not 0 < size < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r}: expected a number of GiB, more than 0")
    return size


def _as_argument(convert: Callable[[str], Value], text: str) -> Value:
    # argparse names the flag only in an error of this kind
    try:
        return convert(text)
    except InputError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
