"""``pegray report``: a run as one HTML file."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pegray.commands.arguments import add_command, at_least, named_path
from pegray.commands.exit_codes import DONE

if TYPE_CHECKING:
    from markupsafe import Markup

EXAMPLES = """\
  pegray report runs/20260102-030405-first -o report.html
  pegray report runs/overnight -o overnight.html --rows 20 --outcomes 1
"""


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = add_command(commands, "report", "a run as one HTML file: boards, plays, outcomes", EXAMPLES)
    parser.add_argument("run_directory", metavar="RUN")
    parser.add_argument(
        "-o", "--output", type=named_path, default="report.html", metavar="FILE", help="default: report.html"
    )
    parser.add_argument(
        "--rows", type=at_least(0), metavar="N", help="plays to list (default 100, of many positions 20; 0: all)"
    )
    parser.add_argument(
        "--outcomes",
        type=at_least(0),
        metavar="N",
        help="plays to give the draws of (default: of as many as have 2,000 together; of many positions 1)",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Write the report."""
    write_report(arguments.run_directory, arguments.output, arguments.rows, arguments.outcomes)
    return DONE


def write_report(
    directory: str,
    path: str,
    rows: int | None = None,
    detailed: int | None = None,
    before: Sequence[Markup] = (),
) -> None:
    """Write the report of a run, and say so.

    rows: plays to list; detailed: plays to give outcomes of; before: what else comes first
    """
    from pegray.commands.outputs import write_file
    from pegray.display.console import message
    from pegray.display.report import run_report
    from pegray.results.read import open_run

    html = run_report(open_run(directory), rows, detailed, before)
    write_file(path, html.encode())
    message(f"wrote {path}")
