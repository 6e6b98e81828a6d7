"""``pegray status``: how far a running or interrupted run has come."""

from __future__ import annotations

import argparse
from collections import Counter
from typing import Any

from pegray.commands.arguments import add_command, add_json_argument
from pegray.commands.exit_codes import DONE

EXAMPLES = """\
  pegray status runs/20260102-030405-first
  watch pegray status runs/20260102-030405-first
"""


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = add_command(commands, "status", "progress of a running or interrupted run", EXAMPLES)
    parser.add_argument("run_directory", metavar="RUN")
    add_json_argument(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the state of the run and, for every position, how many plays are finished, cut off and left."""
    from pegray.display.console import print_json, results
    from pegray.display.status import status_table
    from pegray.results.read import open_run

    stored = open_run(arguments.run_directory)
    document = {
        "state": stored.manifest["state"],
        "positions": position_rows(stored.positions().to_pylist(), stored.plays().to_pylist()),
    }
    if arguments.json:
        print_json(document)
    else:
        console = results()
        console.print(f"{arguments.run_directory}: {document['state']}")
        console.print(status_table(document["positions"]))
    return DONE


def position_rows(positions: list[dict[str, Any]], plays: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """For every position its plays by status, and the best of them so far (None if none is finished)."""
    plays_of: dict[int, list[dict[str, Any]]] = {}
    for play in plays:
        plays_of.setdefault(play["position_id"], []).append(play)
    rows = []
    for position in positions:
        own = plays_of.get(position["position_id"], [])
        counts = Counter(play["status"] for play in own)
        best = min((play for play in own if play["rank"]), key=lambda play: play["rank"], default=None)
        rows.append(
            {
                "position": position["name"],
                "bag": position["bag"],
                "plays": len(own),
                **{status: counts[status] for status in ("finished", "cut_off", "unfinished", "skipped")},
                "best": best["move"] if best else None,
                "points": best["points"] if best else None,
                "total": position["total"],
            }
        )
    return rows
