"""Many positions in one run directory, one after another, and going on with a run that was stopped."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import asdict, dataclass, replace
from enum import Enum

import pegray
from pegray.cluster import driver
from pegray.cluster.plan import Plan, PlannedPosition, ProblemMaker
from pegray.errors import InputError, PegrayError, RunError
from pegray.preendgame.ledger import Progress
from pegray.preendgame.problem import Problem
from pegray.results.model import SolveResult
from pegray.results.read import open_run
from pegray.results.write import RunWriter, holds_run

Update = Callable[[Progress], None]
Watch = Callable[[int, PlannedPosition, Problem], AbstractContextManager[Update]]


class End(Enum):
    """How a position came out of a batch."""

    FINISHED = "finished"
    EARLIER = "finished earlier"
    OUT_OF_TIME = "out of time"
    INTERRUPTED = "interrupted"
    FAILED = "failed"
    NOT_STARTED = "not started"


@dataclass(frozen=True)
class Ending:
    """What became of one position.

    answer: its result, if this batch has worked on it; fault: why it failed
    """

    position: PlannedPosition
    end: End
    answer: SolveResult | None = None
    fault: str = ""


def begin(directory: str, plan: Plan, problems: Sequence[Problem], faults: Sequence[str] = ()) -> RunWriter:
    """Make the run directory of a plan: from now on it can be taken up. ``problems``: those of its positions."""
    out = RunWriter(directory)
    rows = zip(problems, plan.positions, strict=True)
    out.announce([driver.position_row(problem, position.name, position.source) for problem, position in rows])
    out.write_manifest(
        {
            "program": f"pegray {pegray.__version__}",
            "job": plan.to_manifest(),
            "faults": list(faults),
            "options": asdict(plan.options),
            "positions": len(plan.positions),
            "state": "running",
            "stats": {},
        }
    )
    return out


def open_batch(directory: str, plan: Plan, faults: Sequence[str] = ()) -> tuple[RunWriter, Plan]:
    """The run directory of a plan, and the plan with the positions in the order that they have there.

    A run of the same job goes on; positions that have been added to the job come last. Raises InputError if the
    directory holds the run of another job.
    """
    maker = maker_of(plan)
    if not holds_run(directory):
        return begin(directory, plan, [maker.of(position) for position in plan.positions], faults), plan
    stored = Plan.from_manifest(open_run(directory).manifest, directory)
    if not plan.continues(stored):
        raise InputError(f"{directory}: holds the run of another job (other positions, options or lexicon)")
    added = [position for position in plan.positions if position not in stored.positions]
    merged = replace(plan, positions=(*stored.positions, *added))
    out = RunWriter(directory)
    if added:
        rows = [driver.position_row(maker.of(position), position.name, position.source) for position in added]
        out.announce(rows, start=len(stored.positions))
    out.write_manifest({"job": merged.to_manifest(), "faults": list(faults), "positions": len(merged.positions)})
    return out, merged


def take_up(directory: str) -> tuple[RunWriter, Plan]:
    """A run directory and what it is to do. Raises InputError if it cannot be taken up."""
    manifest = open_run(directory).manifest
    plan = Plan.from_manifest(manifest, directory)
    return RunWriter(directory), plan


def maker_of(plan: Plan) -> ProblemMaker:
    """Makes the problems of the plan's positions."""
    return ProblemMaker(plan.lexicon, plan.distribution, plan.options)


def run_plan(
    plan: Plan,
    out: RunWriter,
    watch: Watch | None = None,
    on_end: Callable[[int, Ending], None] | None = None,
) -> list[Ending]:
    """Solve what is left of a plan, one position after another, into its run directory.

    What the journal has settled is not done again, and finished positions are passed over. A position that fails is
    reported and the others go on; the time limits stop cleanly, Ctrl-C too. Positions are numbered from 0.

    Raises InputError if the lexicon is not what it was, and RunError if nothing can go on; what is settled is kept.
    """
    deadline = None if plan.total is None else time.monotonic() + plan.total
    maker = maker_of(plan)
    endings: list[Ending] = []

    def ended(ending: Ending) -> None:
        endings.append(ending)
        if on_end is not None:
            on_end(len(endings) - 1, ending)

    with _state_kept(out), _workers(plan, out):
        stopped = False
        for number, position in enumerate(plan.positions):
            if driver.has_finished(out, number):
                ended(Ending(position, End.EARLIER))
            elif stopped or (deadline is not None and time.monotonic() >= deadline):
                ended(Ending(position, End.NOT_STARTED))
            else:
                ending = _solve_one(plan, maker, out, number, deadline, watch)
                stopped = ending.end is End.INTERRUPTED
                ended(ending)
    return endings


def _solve_one(
    plan: Plan, maker: ProblemMaker, out: RunWriter, number: int, deadline: float | None, watch: Watch | None
) -> Ending:
    position = plan.positions[number]
    try:
        problem = maker.of(position)
        _check_lexicon(plan, problem)
        limits = [] if plan.per_position is None else [plan.per_position]
        if deadline is not None:
            limits.append(max(0.0, deadline - time.monotonic()))
        limit = min(limits, default=None)
        display = nullcontext(None) if watch is None else watch(number, position, problem)
        with display as update:
            answer = driver.solve(
                problem,
                address=plan.address,
                workers=plan.workers,
                out=out,
                time_limit=limit,
                on_progress=update,
                table_gib=plan.table_gib,
                name=position.name,
                source=position.source,
                position_id=number,
            )
    except RunError:
        raise
    except PegrayError as error:
        return Ending(position, End.FAILED, fault=str(error))
    if not answer.stats.interrupted:
        return Ending(position, End.FINISHED, answer)
    out_of_time = limit is not None and answer.stats.seconds >= limit
    return Ending(position, End.OUT_OF_TIME if out_of_time else End.INTERRUPTED, answer)


def _check_lexicon(plan: Plan, problem: Problem) -> None:
    """Results of two lexica must not stand in one run."""
    before = plan.hashes.get(problem.lexicon_name)
    if before is not None and before != problem.lexicon_hash:
        raise RunError(f"lexicon {problem.lexicon_name}: not what it was when the run began")


@contextmanager
def _workers(plan: Plan, out: RunWriter) -> Iterator[None]:
    """One Ray for all positions that are left."""
    left = not driver.is_finished(out)
    if plan.address == "none" or not left:
        yield
        return
    from pegray.cluster.executor import joined
    from pegray.cluster.scaling import wanted

    with joined(plan.address, plan.workers), wanted(plan.cpus):
        yield


@contextmanager
def _state_kept(out: RunWriter) -> Iterator[None]:
    """The manifest says in the end whether the run is finished."""
    if not driver.is_finished(out):
        out.write_manifest({"state": "running"})
    try:
        yield
    except BaseException:
        # a disk that is full must not hide what happened
        with suppress(PegrayError):
            out.write_manifest({"state": "interrupted"})
        raise
    out.write_manifest({"state": "finished" if driver.is_finished(out) else "interrupted"})
