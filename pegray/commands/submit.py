"""``pegray submit``: a batch as a job of a Ray cluster."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from pegray.commands.arguments import add_command, add_job_address_argument, add_json_argument, named_path
from pegray.commands.exit_codes import DONE
from pegray.commands.plans import report_faults
from pegray.errors import InputError

if TYPE_CHECKING:
    from pegray.preendgame.guess import Guess

EXAMPLES = """\
  pegray submit jobs/cluster.yaml --address http://10.0.0.1:8265
  pegray submit jobs/overnight.yaml --address http://10.0.0.1:8265 --out s3://bucket/overnight
  pegray submit jobs/overnight.yaml --estimate
  pegray status raysubmit_eXaMpLe --address http://10.0.0.1:8265
"""


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = add_command(commands, "submit", "run the batch of a job file on a cluster", EXAMPLES)
    parser.add_argument("job", metavar="JOB.yaml", help="see docs/batch.md and docs/cluster.md")
    add_job_address_argument(parser, required=False)
    parser.add_argument(
        "--out",
        type=named_path,
        metavar="DIR",
        help="run directory: an absolute path on the head, or a URI (default: the job's out)",
    )
    parser.add_argument(
        "--estimate",
        action="store_true",
        help="say what it is likely to cost, and how long it takes; send nothing",
    )
    add_json_argument(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Check the job, send it, and print its id; or say what it is likely to cost."""
    if arguments.estimate:
        return estimate(arguments.job, arguments.address, arguments.json)
    if arguments.address is None:
        raise InputError("--address http://HEAD:8265: needed to send the job")
    return send(arguments)


def estimate(path: str, address: str | None, as_json: bool) -> int:
    """What the positions of a job are likely to cost, and how long they take on the cluster that is asked for.

    address: of a cluster that is asked how many CPUs it has, unless the job says how many it wants
    """
    from pegray.display.console import message, print_json, results
    from pegray.display.estimate import estimate_lines, estimate_table
    from pegray.preendgame.forecast import forecast
    from pegray.preendgame.guess import guess_cost
    from pegray.runs.job import read_job
    from pegray.submission.client import JobClient
    from pegray.text.numbers import count

    job = read_job(path)
    report_faults(job.faults)
    plan = job.plan
    cpus = plan.cpus or (None if address is None else JobClient(address).cpus())
    guesses = [guess_cost(size, plan.options) for size in job.sizes]
    likely = forecast(guesses, cpus, plan.per_position, plan.total)
    if as_json:
        rows = [
            {"name": position.name, "bag": size.bag, "plays": size.plays, "cpu_seconds": as_list(guess)}
            for position, size, guess in zip(plan.positions, job.sizes, likely.positions, strict=True)
        ]
        whole = {"cpu_seconds": as_list(likely.work), "cpus": cpus, "seconds": as_list(likely.seconds)}
        print_json({"schema": 1, "positions": rows, **whole, "faults": list(job.faults)})
        return DONE
    message(f"{path}: {count(len(plan.positions), 'position')} to solve")
    results().print(estimate_table(plan.positions, job.sizes, likely))
    for line in estimate_lines(likely, cpus):
        results().print(line)
    return DONE


def as_list(guess: Guess | None) -> list[float] | None:
    """[from, to] of a range."""
    return None if guess is None else [guess.low, guess.high]


def send(arguments: argparse.Namespace) -> int:
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
