"""``pegray batch``: the positions of a job file, solved into one run directory."""

from __future__ import annotations

import argparse
import threading
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pegray.commands.arguments import add_command, add_json_argument
from pegray.commands.exit_codes import COULD_NOT_FINISH, DONE, INTERRUPTED

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager

    from pegray.preendgame.problem import Problem
    from pegray.results.write import RunWriter
    from pegray.runs.batch import Ending, Update
    from pegray.runs.job import CheckedJob
    from pegray.runs.plan import Plan, PlannedPosition

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
        "--out", metavar="DIR", help="run directory (default: the job's out, else runs/<name of the job>)"
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
    from pegray.runs.batch import open_batch
    from pegray.runs.job import parse_job, read_job
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


def solve_plan(directory: str, out: RunWriter, plan: Plan, faults: Sequence[str], as_json: bool) -> int:
    """Solve what is left of a plan, say how it goes, print all its results, and return the exit code."""
    from pegray.display.batch import batch_table, summary_line
    from pegray.display.console import print_json, results
    from pegray.display.resume import say_how_to_resume
    from pegray.results.read import open_run
    from pegray.runs.batch import End

    stop = threading.Event()
    endings = solve_and_tell(directory, out, plan, stop)
    answers = [answer for _, answer in islice(open_run(directory).results(), len(endings))]
    if as_json:
        print_json([answer.to_json() for answer in answers])
    else:
        complete = [replace(ending, answer=answer) for ending, answer in zip(endings, answers, strict=True)]
        results().print(batch_table(complete))
        results().print(summary_line(complete, faults))
    ends = {ending.end for ending in endings}
    if not ends <= {End.FINISHED, End.EARLIER}:
        say_how_to_resume(directory)
        return INTERRUPTED if stop.is_set() else COULD_NOT_FINISH
    return COULD_NOT_FINISH if faults else DONE


def solve_and_tell(directory: str, out: RunWriter, plan: Plan, stop: threading.Event) -> list[Ending]:
    """Solve what is left of a plan, and say on stderr how it goes; how each position ended.

    stop: is set when the user interrupts it
    """
    from pegray.display.batch import ending_line, known_rack_lines
    from pegray.display.batch_progress import BatchProgress
    from pegray.display.compiling import compiling
    from pegray.display.console import message
    from pegray.display.resume import resumable
    from pegray.runs.batch import End, kernels_for, run_plan
    from pegray.runs.recorder import has_finished

    total = len(plan.positions)
    done = sum(has_finished(out, number, plan.options.until) for number in range(total))
    message(f"results in {directory}" + (f", {done} of {total} positions finished earlier" if done else ""))
    for line in known_rack_lines(plan.positions):
        message(line)

    def watch(number: int, position: PlannedPosition, problem: Problem) -> AbstractContextManager[Update]:
        return progress.position(f"{number + 1}/{total} {position.name}", problem)

    def on_end(number: int, ending: Ending) -> None:
        if ending.end not in (End.EARLIER, End.NOT_STARTED):
            progress.ended()
            message(f"[{number + 1}/{total}] {ending_line(ending)}")

    with resumable(directory), compiling(*kernels_for(out, plan)) as compiled:
        compiled()
        with BatchProgress(total, done) as progress:
            return run_plan(plan, out, watch, on_end, message, stop)


def report_faults(faults: Sequence[str]) -> None:
    """Name the positions and files that a job leaves out."""
    from pegray.display.console import message

    for fault in faults:
        message(f"pegray: left out: {fault}")
