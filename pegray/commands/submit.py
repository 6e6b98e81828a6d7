"""``pegray submit``: a batch as a job of a Ray cluster."""

from __future__ import annotations

import argparse
from typing import Any

from pegray.commands.arguments import add_command, add_job_address_argument, add_json_argument
from pegray.commands.batch import report_faults
from pegray.commands.exit_codes import DONE

EXAMPLES = """\
  pegray submit jobs/cluster.yaml --address http://10.0.0.1:8265
  pegray submit jobs/overnight.yaml --address http://10.0.0.1:8265 --out s3://bucket/overnight
  pegray status raysubmit_eXaMpLe --address http://10.0.0.1:8265
"""


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = add_command(commands, "submit", "run the batch of a job file on a cluster", EXAMPLES)
    parser.add_argument("job", metavar="JOB.yaml", help="see docs/batch.md and docs/cluster.md")
    add_job_address_argument(parser)
    parser.add_argument(
        "--out",
        metavar="DIR",
        help="run directory: an absolute path on the head, or a URI (default: the job's out)",
    )
    add_json_argument(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Check the job, send it, and print its id."""
    from pegray.display.console import message, print_json
    from pegray.submission.client import JobClient
    from pegray.text.numbers import count

    sent = JobClient(arguments.address).submit(arguments.job, arguments.out)
    report_faults(sent.faults)
    message(f"{count(sent.positions, 'position')} to solve, results in {sent.out}")
    message(f"see how it goes: pegray logs {sent.job_id} --address {arguments.address} --follow")
    if arguments.json:
        print_json({"id": sent.job_id, "address": arguments.address, "out": sent.out, "positions": sent.positions})
    else:
        print(sent.job_id)
    return DONE
