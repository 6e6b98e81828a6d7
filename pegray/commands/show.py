"""``pegray show``: the answer that a run directory holds."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any

from pegray.commands.arguments import (
    add_command,
    add_form_arguments,
    add_prior_argument,
    add_rows_argument,
    at_least,
    listed_rows,
)
from pegray.commands.exit_codes import DONE
from pegray.commands.stored import numbered_row, position_rows

if TYPE_CHECKING:
    from pegray.results.model import SolveResult
    from pegray.results.read import Run

# Positions above which a run is shown as a table of positions.
MANY = 20

EXAMPLES = """\
  pegray show runs/20260102-030405-first
  pegray show runs/overnight --position 3 --rows 0
  pegray show runs/overnight --plain | cut -f 1,3,5
"""


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = add_command(commands, "show", "board, ranked plays and outcomes of a run", EXAMPLES)
    parser.add_argument("run_directory", metavar="RUN")
    parser.add_argument(
        "--position", type=at_least(1), metavar="K", help=f"the K-th (default: all, or of more than {MANY} an overview)"
    )
    add_rows_argument(parser)
    parser.add_argument(
        "--outcomes", type=at_least(0), default=1, metavar="N", help="plays to give outcomes of (default 1)"
    )
    add_prior_argument(parser)
    add_form_arguments(parser, "play")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the positions of the run, or an overview if they are many."""
    from pegray.display.console import print_json, results
    from pegray.display.plain import PLAY_NAMES, play_records, print_plain
    from pegray.display.tables import print_solve, prior_table
    from pegray.results.read import open_run

    stored = open_run(arguments.run_directory)
    if arguments.position is None:
        if stored.positions().num_rows > MANY and not arguments.json and not arguments.plain:
            print_overview(stored)
            return DONE
        answers = stored.results()
    else:
        row = numbered_row(stored, arguments.position)
        answers = iter([(row, stored.result(row["position_id"]))])
    before: list[SolveResult] = []
    if arguments.prior is not None:
        before, answers = weighed(answers, arguments.prior)
    rows_listed = listed_rows(arguments)
    if arguments.json:
        documents = [result.to_json() for _, result in answers]
        print_json(documents[0] if len(documents) == 1 else documents)
        return DONE
    if arguments.plain:
        records = (play_records(row["name"], result, rows_listed) for row, result in answers)
        print_plain(PLAY_NAMES, chain.from_iterable(records))
        return DONE
    console = results()
    if not stored.positions().num_rows:
        console.print("No positions yet.")
    for row, result in answers:
        console.print(f"{row['name']} ({row['source']})\n")
        print_solve(console, result.position, result, rows_listed, arguments.outcomes)
        if before:
            console.print()
            console.print(prior_table(before.pop(0), result))
        console.print()
    return DONE


def weighed(
    answers: Iterator[tuple[dict[str, Any], SolveResult]], source: str
) -> tuple[list[SolveResult], Iterator[tuple[dict[str, Any], SolveResult]]]:
    """The results without and with a prior. Raises InputError if that cannot be read or applied."""
    from pegray.results.prior import read_prior, with_prior

    prior = read_prior(source)
    found = list(answers)
    return [result for _, result in found], iter([(row, with_prior(result, prior)) for row, result in found])


def print_overview(stored: Run) -> None:
    """One line a position, and how to see more."""
    from pegray.display.console import results
    from pegray.display.status import status_table
    from pegray.game.rules import NO_EXCHANGE

    rows = position_rows(stored.positions().to_pylist(), stored.plays().to_pylist())
    console = results()
    console.print(status_table(rows))
    if stored.no_exchange:
        console.print(f"Solved {NO_EXCHANGE}.")
    more = f"pegray show {stored.uri} --position K"
    console.print(f"{len(rows)} positions. Board, plays and outcomes of one: {more}", soft_wrap=True)
