"""Run directories: named where nobody has, begun, and taken up again."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from itertools import count
from pathlib import Path
from typing import Any

from pegray.errors import InputError
from pegray.results.read import open_run
from pegray.results.storage import holds_run
from pegray.results.write import RunWriter
from pegray.runs.plan import Plan
from pegray.runs.recorder import Asked, position_row
from pegray.terms import RunState
from pegray.version import __version__

RUNS = "runs"
"""The folder for them, in the working directory."""


def new_directory(folder: str | os.PathLike[str], name: str) -> str:
    """Make ``<folder>/20260102-030405-<name>``, with ``-2`` and so on at its end where that is another run's.

    It is empty, and this process's alone, however many begin in the same second. Raises InputError if it cannot be
    made.
    """
    wanted = f"{time.strftime('%Y%m%d-%H%M%S')}-{name}"
    for number in count(1):
        directory = Path(folder, wanted if number == 1 else f"{wanted}-{number}")
        try:
            directory.parent.mkdir(parents=True, exist_ok=True)
            directory.mkdir()
        except FileExistsError:
            if not directory.exists():  # it is the folder that is something else
                raise InputError(f"{folder}: not a directory") from None
            continue
        except OSError as error:
            raise InputError(f"{directory}: cannot be written: {error.strerror or error}") from None
        return str(directory)
    raise AssertionError("there is always another number")


def begin(directory: str, plan: Plan, problems: Sequence[Asked], faults: Sequence[str] = ()) -> RunWriter:
    """Make the run directory of a plan: from now on it can be taken up. ``problems``: those of its positions.

    The run is this process's until it is released. Raises InputError if the directory holds a run, RunError if another
    process is at it.
    """
    rows = zip(problems, plan.positions, strict=True)
    return begin_with(
        directory, plan, [position_row(problem, position.name, position.source) for problem, position in rows], faults
    )


def begin_with(directory: str, plan: Plan, rows: Sequence[dict[str, Any]], faults: Sequence[str] = ()) -> RunWriter:
    """The same with the rows of its positions, whose problems need not be there yet. InputError if it holds a run."""
    if holds_run(directory):
        raise _held(directory)
    out = RunWriter(directory)
    out.claim()
    if out.manifest:  # another process was there first
        out.release()
        raise _held(directory)
    out.announce(rows)
    out.write_manifest(
        {
            "program": f"pegray {__version__}",
            "job": plan.to_manifest(),
            "faults": list(faults),
            "options": asdict(plan.options),
            "positions": len(plan.positions),
            "state": RunState.RUNNING,
            "stats": {},
        }
    )
    return out


def _held(directory: str) -> InputError:
    return InputError(f"{directory}: holds a run already")


def open_batch(directory: str, plan: Plan, faults: Sequence[str] = ()) -> tuple[RunWriter, Plan]:
    """The run directory of a plan, and the plan with the positions in the order that they have there.

    A run of the same job goes on; positions that have been added to the job come last. The run is this process's until
    it is released. Raises InputError if the directory holds the run of another job, RunError if another process works
    on it.
    """
    maker = plan.maker()
    if not holds_run(directory):
        return begin(directory, plan, [maker.of(position) for position in plan.positions], faults), plan
    _continued(plan, open_run(directory).manifest, directory)
    with _claimed(directory) as out:
        stored = _continued(plan, out.manifest, directory)
        added = [position for position in plan.positions if position not in stored.positions]
        merged = replace(plan, positions=(*stored.positions, *added))
        if added:
            rows = [position_row(maker.of(position), position.name, position.source) for position in added]
            out.announce(rows, start=len(stored.positions))
        out.write_manifest({"job": merged.to_manifest(), "faults": list(faults), "positions": len(merged.positions)})
    return out, merged


def _continued(plan: Plan, manifest: dict[str, Any], directory: str) -> Plan:
    """What a run was to do that a plan goes on with. Raises InputError if it is the run of another job."""
    stored = Plan.from_manifest(manifest, directory)
    if not plan.continues(stored):
        raise InputError(f"{directory}: holds the run of another job (other positions, options or lexicon)")
    return stored


def take_up(directory: str) -> tuple[RunWriter, Plan]:
    """A run directory and what it is to do; it is this process's until it is released.

    Raises InputError if it cannot be taken up, RunError if another process works on it.
    """
    Plan.from_manifest(open_run(directory).manifest, directory)  # what cannot be taken up is left as it is
    with _claimed(directory) as out:
        plan = Plan.from_manifest(out.manifest, directory)
        if out.position_count > len(plan.positions):
            # the process was killed after it wrote the rows of new positions and before the job that names them: the
            # rows go, and `pegray batch` with that job adds them again
            out.announce([], start=len(plan.positions))
    return out, plan


@contextmanager
def _claimed(directory: str) -> Iterator[RunWriter]:
    """A run directory that is this process's from here on; others may have it again if what is done with it fails.

    It is read once it is claimed: whoever worked on it before has written all that there is to read then.
    """
    out = RunWriter(directory)
    out.claim()
    try:
        yield out
    except BaseException:
        out.release()
        raise
