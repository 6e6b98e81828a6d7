"""A program that the server starts: it goes on with a run, and tells how it comes along.

``python -m pegray.serve.solving '{"directory": "runs/first", "until": null, "time_limit": null}'``
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from pegray.display.progress import solve_line
from pegray.errors import PegrayError
from pegray.kernels.beside import compiled_beside
from pegray.preendgame.ledger import Progress
from pegray.preendgame.problem import Problem
from pegray.results.write import RunWriter
from pegray.runs.batch import Ending, Update, kernels_for, run_plan
from pegray.runs.directories import take_up
from pegray.runs.plan import Plan, PlannedPosition
from pegray.serve.child import Tell, end_with_server, interruptible, news

WRITE_SECONDS = 1.0
"""Between two times that the tables are written: somebody is watching."""


def main(asked: dict[str, Any]) -> None:
    """Go on with the run of a directory; ``until`` and ``time_limit`` (seconds) as it was begun if they are None."""
    tell = news()
    interruptible()
    end_with_server()
    try:
        out, plan = take_up(asked["directory"])
        if asked["until"] is not None:
            plan = replace(plan, options=replace(plan.options, until=asked["until"]))
        if asked["time_limit"] is not None:
            plan = replace(plan, per_position=asked["time_limit"])
        _run(out, plan, tell)
    except PegrayError as error:
        tell({"event": "failed", "fault": str(error)})
    except KeyboardInterrupt:
        pass  # told to stop; what is settled is kept


def _run(out: RunWriter, plan: Plan, tell: Tell) -> None:
    @contextmanager
    def watch(number: int, position: PlannedPosition, problem: Problem) -> Iterator[Update]:
        def update(progress: Progress) -> None:
            line = solve_line(problem, progress)
            tell({"event": "progress", "position": number, "line": line, "fraction": progress.fraction})

        yield update

    def on_end(number: int, ending: Ending) -> None:
        tell({"event": "ended", "position": number, "end": ending.end.value, "fault": ending.fault})

    with compiled_beside(*kernels_for(out, plan)) as compiled:
        compiled(lambda done, total: tell({"event": "compiling", "done": done, "total": total}))
        tell({"event": "begun"})
        said = lambda line: tell({"event": "said", "line": line})  # noqa: E731
        run_plan(plan, out, watch, on_end, said, write_seconds=WRITE_SECONDS)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
