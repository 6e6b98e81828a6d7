"""``pegray logs``: what a job on a cluster prints."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from pegray.commands.arguments import add_command, add_job_address_argument
from pegray.commands.exit_codes import COULD_NOT_FINISH, DONE

EXAMPLES = """\
  pegray logs raysubmit_eXaMpLe --address http://10.0.0.1:8265
  pegray logs raysubmit_eXaMpLe --address http://10.0.0.1:8265 --follow
"""


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = add_command(commands, "logs", "what a job on a cluster prints", EXAMPLES)
    parser.add_argument("job_id", metavar="ID", help="printed by pegray submit")
    add_job_address_argument(parser)
    parser.add_argument("--follow", action="store_true", help="until the job ends; exit code 1 if it has not succeeded")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print what there is, or all that comes until the job ends."""
    from pegray.submission.client import JobClient

    client = JobClient(arguments.address)
    if not arguments.follow:
        sys.stdout.write(client.logs(arguments.job_id))
        return DONE
    for piece in client.follow(arguments.job_id):
        sys.stdout.write(piece)
        sys.stdout.flush()
    return DONE if client.state(arguments.job_id).succeeded else COULD_NOT_FINISH
