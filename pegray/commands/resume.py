"""``pegray resume``: go on with a run that was stopped or killed."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import Any

from pegray.commands.arguments import (
    add_command,
    add_json_argument,
    add_option,
)
from pegray.commands.plans import solve_plan
from pegray.errors import InputError
from pegray.preendgame.options import SOLVE_OPTIONS
from pegray.runs.options import RUN_OPTIONS

CHANGEABLE = ("time_limit", "workers", "address")

EXAMPLES = """\
  pegray resume runs/overnight
  pegray resume runs/20260102-030405-first --time-limit 2h
"""


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = add_command(commands, "resume", "go on with a run that was stopped or killed", EXAMPLES)
    parser.add_argument("run_directory", metavar="RUN", help="written by pegray solve or pegray batch")
    again = "(default: as the run was started)"
    for option in (*(RUN_OPTIONS[name] for name in CHANGEABLE), SOLVE_OPTIONS["until"]):
        add_option(parser, option, default=None, note=again)
    add_json_argument(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Solve what the run has left open."""
    from pegray.results.read import open_run
    from pegray.runs.directories import take_up
    from pegray.runs.plan import Plan

    stored = Plan.from_manifest(open_run(arguments.run_directory).manifest, arguments.run_directory)
    if arguments.address is None and ":" in stored.address:
        # whoever made the directory wrote it there, and to join a cluster is to trust it with this account
        raise InputError(
            f"needed here: the run was started at {stored.address}; say so again, or local to go on on this machine",
            "address",
        )
    out, plan = take_up(arguments.run_directory)
    changes = {"per_position": arguments.time_limit, "workers": arguments.workers, "address": arguments.address}
    plan = replace(plan, **{name: value for name, value in changes.items() if value is not None})
    if arguments.until is not None:
        plan = replace(plan, options=replace(plan.options, until=arguments.until))
    return solve_plan(arguments.run_directory, out, plan, out.manifest.get("faults", []), arguments.json)
