"""Solving a plan as several commands do: what is said while it goes on, and what of it at the end."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from pegray.commands.exit_codes import COULD_NOT_FINISH, DONE, INTERRUPTED

if TYPE_CHECKING:
    from pegray.preendgame.problem import Problem
    from pegray.results.write import RunWriter
    from pegray.runs.batch import Ending, Update
    from pegray.runs.plan import Plan, PlannedPosition


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
