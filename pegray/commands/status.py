"""``pegray status``: how far a running or interrupted run has come, or a job on a cluster."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable, Mapping
from typing import Any

from pegray.commands.arguments import add_command, add_job_address_argument, add_json_argument
from pegray.commands.exit_codes import DONE
from pegray.commands.stored import position_rows

EXAMPLES = """\
  pegray status runs/20260102-030405-first
  watch pegray status runs/20260102-030405-first
  pegray status raysubmit_eXaMpLe --address http://10.0.0.1:8265
"""


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = add_command(commands, "status", "progress of a running or interrupted run, or of a job", EXAMPLES)
    parser.add_argument("target", metavar="RUN|ID", help="a run directory; with --address, the id of a job")
    add_job_address_argument(parser, required=False)
    add_json_argument(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print how a run has come along, or how a job is doing."""
    return _of_run(arguments) if arguments.address is None else _of_job(arguments)


def _of_run(arguments: argparse.Namespace) -> int:
    """The state of the run and, for every position, how many plays are finished, cut off and left."""
    from pegray.display.console import print_json, results
    from pegray.display.effort import cost_text, effort_lines
    from pegray.display.status import status_table
    from pegray.game.rules import exchange_note
    from pegray.results.read import open_run

    stored = open_run(arguments.target)
    manifest = stored.manifest
    rows = position_rows(stored.positions().to_pylist(), stored.plays().to_pylist())
    efforts = effort_rows(stored.progress().to_pylist())
    document: dict[str, Any] = {
        "state": stored.state,
        "no_exchange": stored.no_exchange,
        "cpu_seconds": cpu_seconds_of(manifest.get("stats", {}), efforts),
        "positions": [row | efforts.get(number, {}) for number, row in enumerate(rows)],
    }
    if arguments.json:
        print_json(document)
        return DONE
    console = results()
    note = exchange_note(stored.no_exchange)
    console.print(f"{arguments.target}: {document['state']}{note}{cost_text(document['cpu_seconds'])}")
    console.print(status_table(rows))
    for line in effort_lines(document, time.time()):
        console.print(line, soft_wrap=True)
    return DONE


def _of_job(arguments: argparse.Namespace) -> int:
    """The state of the job, and where its results are."""
    from dataclasses import asdict

    from pegray.display.console import print_json, results
    from pegray.display.status import job_lines
    from pegray.submission.client import JobClient

    state = JobClient(arguments.address).state(arguments.target)
    if arguments.json:
        print_json(asdict(state))
    else:
        results().print("\n".join(job_lines(state)), soft_wrap=True)
    return DONE


def effort_rows(progress: Iterable[dict[str, Any]]) -> dict[int, dict[str, Any]]:
    """By position ``effort``, its last row of ``progress``, and ``bounds``, each [seconds, at_least, at_most] once."""
    efforts: dict[int, dict[str, Any]] = {}
    for row in progress:
        bounds = efforts.setdefault(row["position_id"], {"bounds": []})["bounds"]
        new = [row["at_least"], row["at_most"]]
        if not bounds or bounds[-1][1:] != new:
            bounds.append([row["seconds"], *new])
        efforts[row["position_id"]]["effort"] = row | {"time": row["time"].isoformat()}
    return efforts


def cpu_seconds_of(stats: Mapping[str, Mapping[str, Any]], efforts: Mapping[int, Mapping[str, Any]]) -> float:
    """CPU seconds of a run so far. stats: of the manifest, which says it of runs without progress too"""
    spent = {int(number): float(cost["cpu_seconds"]) for number, cost in stats.items()}
    for number, effort in efforts.items():
        spent[number] = max(spent.get(number, 0.0), effort["effort"]["cpu_seconds"])
    return sum(spent.values())
