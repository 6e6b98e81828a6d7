"""``pegray stop``: stop a job on a cluster."""

from __future__ import annotations

import argparse
from typing import Any

from pegray.commands.arguments import add_command, add_job_address_argument
from pegray.commands.exit_codes import DONE

EXAMPLES = """\
  pegray stop raysubmit_eXaMpLe --address http://10.0.0.1:8265
"""


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = add_command(commands, "stop", "stop a job on a cluster, keeping what is settled", EXAMPLES)
    parser.add_argument("job_id", metavar="ID", help="printed by pegray submit")
    add_job_address_argument(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Ask the job to stop, and say how to go on."""
    from pegray.display.console import message
    from pegray.submission.client import JobClient

    client = JobClient(arguments.address)
    if client.stop(arguments.job_id):
        message(f"{arguments.job_id}: told to stop; submit the same job again to go on with it")
    else:
        message(f"{arguments.job_id}: had ended already")
    return DONE
