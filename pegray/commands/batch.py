"""``pegray batch``: the positions of a job file, solved into one run directory."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pegray.commands.arguments import add_command, add_json_argument, named_path
from pegray.commands.exit_codes import COULD_NOT_FINISH, DONE
from pegray.commands.plans import report_faults, solve_plan

if TYPE_CHECKING:
    from pegray.runs.job import CheckedJob

EXAMPLES = """\
  pegray batch jobs/overnight.yaml
  pegray batch jobs/overnight.yaml --check
  pegray batch jobs/overnight.yaml --out s3://bucket/overnight
  pegray status runs/overnight
"""


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = add_command(commands, "batch", "solve the positions of a job file, or go on with it", EXAMPLES)
    parser.add_argument("job", metavar="JOB.yaml", help="see docs/batch.md")
    parser.add_argument(
        "--out",
        type=named_path,
        metavar="DIR",
        help="run directory (default: the job's out, else runs/<name of the job>)",
    )
    parser.add_argument("--check", action="store_true", help="check the job and all that it names, and solve nothing")
    add_json_argument(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Check the job, then solve what is not solved yet."""
    from pegray.display.compiling import compiling
    from pegray.display.console import message
    from pegray.game.rules import exchange_note
    from pegray.kernels.catalogue import FOR_PROBLEMS
    from pegray.runs.directories import open_batch
    from pegray.runs.job import read_job
    from pegray.runs.job_file import parse_job
    from pegray.text.numbers import count

    with compiling(FOR_PROBLEMS) as compiled:
        parse_job(Path(arguments.job))  # what is wrong in the file itself is said before anything is compiled
        compiled()
        job = read_job(arguments.job)
    report_faults(job.faults)
    if arguments.check:
        note = exchange_note(job.plan.options.no_exchange)
        message(f"{arguments.job}: {count(len(job.plan.positions), 'position')} to solve{note}")
        print_check(job, arguments.json)
        return COULD_NOT_FINISH if job.faults else DONE
    directory = arguments.out or job.out
    out, plan = open_batch(directory, job.plan, job.faults)
    return solve_plan(directory, out, plan, job.faults, arguments.json)


def print_check(job: CheckedJob, as_json: bool) -> None:
    """How large the positions of a job are, and a guess of what they cost."""
    from pegray.display.batch import check_line, check_table, known_rack_lines
    from pegray.display.console import message, print_json, results
    from pegray.preendgame.guess import guess_cost

    positions = job.plan.positions
    guesses = [guess_cost(size, job.plan.options) for size in job.sizes]
    if as_json:
        rows = [
            {
                "name": position.name,
                "source": position.source,
                "cgp": position.cgp,
                "known_rack": job.plan.options.known_rack if position.known_rack is None else position.known_rack,
                "bag": size.bag,
                "plays": size.plays,
                "plays_by_tiles_left": list(size.left),
                "guessed_cpu_seconds": None if guess is None else [guess.low, guess.high],
            }
            for position, size, guess in zip(positions, job.sizes, guesses, strict=True)
        ]
        asked = {"no_exchange": job.plan.options.no_exchange}
        print_json({"schema": 1, **asked, "positions": rows, "faults": list(job.faults)})
        return
    for line in known_rack_lines(positions):
        message(line)
    results().print(check_table(positions, job.sizes, guesses))
    results().print(check_line(guesses))
