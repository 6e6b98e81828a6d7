"""``pegray puzzles``: positions of a run that are worth setting as puzzles."""

from __future__ import annotations

import argparse
import math
import os
from typing import Any

from pegray.commands.arguments import add_command, add_json_argument, at_least, named_path
from pegray.commands.exit_codes import DONE
from pegray.errors import InputError

EXAMPLES = """\
  pegray puzzles runs/overnight
  pegray puzzles runs/overnight --margin 25 --out puzzles
Solve with --top 2 (in a job: options: {top: 2}), so that the second best play is exact, and the margin with it.
"""

MARGIN = 10.0
HIGHER_SCORES = 5


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = add_command(commands, "puzzles", "positions of a run where the one best play does not look it", EXAMPLES)
    parser.add_argument("run_directory", metavar="RUN")
    parser.add_argument(
        "--margin",
        type=percent,
        default=MARGIN,
        metavar="PERCENT",
        help=f"by how much the best play is better, in percent of the draws (default {MARGIN:g})",
    )
    parser.add_argument(
        "--higher-scores",
        type=at_least(0),
        default=HIGHER_SCORES,
        metavar="N",
        help="at least so many plays score more than the best, unless it leaves a tile in the bag "
        f"(default {HIGHER_SCORES})",
    )
    parser.add_argument(
        "--out", type=named_path, metavar="DIR", help="write puzzles.cgp, and puzzles.html with hidden answers, there"
    )
    add_json_argument(parser)
    parser.set_defaults(run=run)


def percent(text: str) -> float:
    """Argument type: from 0 to 100."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value <= 100:
        raise argparse.ArgumentTypeError(f"{text!r}: expected a number from 0 to 100")
    return value


def run(arguments: argparse.Namespace) -> int:
    """Find the puzzles, print them with their answers, and write them."""
    from pegray.commands.outputs import write_file
    from pegray.display.console import message, print_json, results
    from pegray.display.puzzles import puzzles_cgp, puzzles_page, puzzles_table
    from pegray.results.puzzles import find_puzzles
    from pegray.results.read import open_run
    from pegray.results.views import run_names

    stored = open_run(arguments.run_directory)
    puzzles = list(find_puzzles(stored.results(), arguments.margin, arguments.higher_scores))
    if arguments.out and puzzles:
        try:
            os.makedirs(arguments.out, exist_ok=True)
        except OSError as error:
            raise InputError(f"--out {arguments.out}: {error.strerror}") from None
        title = f"Puzzles from {run_names([stored.uri])[0]}"
        texts = {"puzzles.cgp": puzzles_cgp(puzzles), "puzzles.html": puzzles_page(title, puzzles)}
        for name, text in texts.items():
            path = os.path.join(arguments.out, name)
            write_file(path, text.encode())
            message(f"wrote {path}")
    if arguments.json:
        found = [
            {
                "position": puzzle.row["name"],
                "cgp": puzzle.result.cgp,
                "move": puzzle.best.move,
                "score": puzzle.best.score,
                "tiles_left": puzzle.best.tiles_left,
                "points": puzzle.best.points,
                "total": puzzle.result.total,
                "margin_pct": puzzle.margin,
                "higher_scores": puzzle.higher_scores,
            }
            for puzzle in puzzles
        ]
        print_json({"schema": 1, "puzzles": found})
    elif puzzles:
        results().print(puzzles_table(puzzles))
    else:
        results().print(f"No puzzles: no best play is hidden and better by {arguments.margin:g}% (see --margin).")
    return DONE
