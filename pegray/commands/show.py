"""``pegray show``: the answer that a run directory holds."""

from __future__ import annotations

import argparse
from itertools import chain
from typing import Any

from pegray.commands.arguments import add_command, add_form_arguments, add_rows_argument, at_least, listed_rows
from pegray.commands.exit_codes import DONE
from pegray.errors import InputError

EXAMPLES = """\
  pegray show runs/20260102-030405-first
  pegray show runs/overnight --position 3 --rows 0
  pegray show runs/overnight --plain | cut -f 1,3,5
"""


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = add_command(commands, "show", "board, ranked plays and outcomes of a run", EXAMPLES)
    parser.add_argument("run_directory", metavar="RUN")
    parser.add_argument("--position", type=at_least(1), metavar="K", help="just the K-th position (default: all)")
    add_rows_argument(parser)
    parser.add_argument(
        "--outcomes", type=at_least(0), default=1, metavar="N", help="plays to give outcomes of (default 1)"
    )
    add_form_arguments(parser, "play")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the positions of the run, those solved so far."""
    from pegray.display.console import print_json, results
    from pegray.display.plain import PLAY_NAMES, play_records, print_plain
    from pegray.display.tables import print_solve
    from pegray.game.position import Position
    from pegray.results.read import open_run

    stored = open_run(arguments.run_directory)
    rows = stored.positions().to_pylist()
    if arguments.position is not None:
        if arguments.position > len(rows):
            raise InputError(f"--position {arguments.position}: the run has {len(rows)}")
        rows = [rows[arguments.position - 1]]
    rows_listed = listed_rows(arguments)
    answers = [(row, stored.result(row["position_id"])) for row in rows]
    if arguments.json:
        documents = [result.to_json() for _, result in answers]
        print_json(documents[0] if len(documents) == 1 else documents)
        return DONE
    if arguments.plain:
        print_plain(
            PLAY_NAMES, chain.from_iterable(play_records(row["name"], result, rows_listed) for row, result in answers)
        )
        return DONE
    console = results()
    for row, result in answers:
        console.print(f"{row['name']} ({row['source']})\n")
        print_solve(console, Position.from_cgp(row["cgp"]), result, rows_listed, arguments.outcomes)
        console.print()
    return DONE
