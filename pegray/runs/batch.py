"""Many positions in one run directory, several at a time, and going on with a run that was stopped."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import asdict, dataclass, replace
from enum import Enum
from typing import Any

from pegray.errors import InputError, PegrayError, RunError
from pegray.kernels.catalogue import FOR_PROBLEMS
from pegray.preendgame.executors.base import Workplace
from pegray.preendgame.ledger import Progress
from pegray.preendgame.problem import Problem
from pegray.preendgame.solve_endgame import NEEDED_KERNELS, EndgameProblem
from pegray.preendgame.solver import kernels_at
from pegray.results.events import events_of, log_event
from pegray.results.model import SolveResult
from pegray.results.read import open_run
from pegray.results.storage import holds_run
from pegray.results.write import RunWriter
from pegray.runs.driver import Live, Solving, abandon, stop_on_interrupt
from pegray.runs.endgames import SolvingEndgame
from pegray.runs.plan import Plan, PlannedPosition, ProblemMaker
from pegray.runs.recorder import Asked, Recorder, has_begun, has_finished, position_row, state_kept
from pegray.runs.workplace import workplace
from pegray.terms import RunState
from pegray.version import __version__

# Positions solved at once; more of them on many threads. A short one waits only if so many long ones come before it;
# but each more takes its share of the memory for transposition tables.
MOST_AT_ONCE = 4
_WATCH_SECONDS = 0.1

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


def begin(directory: str, plan: Plan, problems: Sequence[Asked], faults: Sequence[str] = ()) -> RunWriter:
    """Make the run directory of a plan: from now on it can be taken up. ``problems``: those of its positions.

    The run is this process's until it is released. Raises RunError if it is another's.
    """
    rows = zip(problems, plan.positions, strict=True)
    return begin_with(
        directory, plan, [position_row(problem, position.name, position.source) for problem, position in rows], faults
    )


def begin_with(directory: str, plan: Plan, rows: Sequence[dict[str, Any]], faults: Sequence[str] = ()) -> RunWriter:
    """The same with the rows of its positions, whose problems need not be there yet."""
    out = RunWriter(directory)
    out.claim()
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


def open_batch(directory: str, plan: Plan, faults: Sequence[str] = ()) -> tuple[RunWriter, Plan]:
    """The run directory of a plan, and the plan with the positions in the order that they have there.

    A run of the same job goes on; positions that have been added to the job come last. The run is this process's until
    it is released. Raises InputError if the directory holds the run of another job, RunError if another process works
    on it.
    """
    maker = maker_of(plan)
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


def kernels_for(out: RunWriter, plan: Plan) -> tuple[tuple[str, ...], ...]:
    """What to compile first, and later: what is solved elsewhere is compiled there, but for endgames."""
    bags = [out.position(number)["bag"] for number in range(len(plan.positions))]
    first, *later = kernels_at(plan.address, plan.options, max(bags)) if any(bags) else (FOR_PROBLEMS,)
    return (tuple(dict.fromkeys((*first, *NEEDED_KERNELS))) if 0 in bags else first, *later)


def maker_of(plan: Plan) -> ProblemMaker:
    """Makes the problems of the plan's positions."""
    return ProblemMaker(plan.lexicon, plan.distribution, plan.options)


def run_plan(
    plan: Plan,
    out: RunWriter,
    watch: Watch | None = None,
    on_end: Callable[[int, Ending], None] | None = None,
    tell: Callable[[str], None] = lambda line: None,
    stop: threading.Event | None = None,
    write_seconds: float | None = None,
) -> list[Ending]:
    """Solve what is left of a plan into its run directory, and release it.

    On Ray up to MOST_AT_ONCE are solved at once, or more on many cores, each with its fair share of them. What the
    journal has settled is not done again, and finished positions are passed over. A position that fails is reported and
    the others go on; the time limits stop cleanly, Ctrl-C too. Positions are numbered from 0.

    watch: the display of a position, while it is being solved
    on_end: told of the endings as they come
    tell: is told in one line when work that began in this process goes on elsewhere
    stop: set by the first Ctrl-C, for whoever has to know of it
    write_seconds: between two times that the tables of a position are written, at least; by default some
    Returns the endings in the order of the positions. Raises RunError if nothing can go on, such as where the
    lexicon is not what it was; what is settled is kept.
    """
    try:
        with events_of(out), state_kept(out, plan.options.until), stop_on_interrupt(stop) as stop:
            endings = _Batch(plan, out, watch, on_end, tell, write_seconds, stop).run()
    finally:
        out.release()
    return [endings[number] for number in range(len(plan.positions))]


class _Batch:
    """The state of :func:`run_plan`."""

    def __init__(
        self,
        plan: Plan,
        out: RunWriter,
        watch: Watch | None,
        on_end: Callable[[int, Ending], None] | None,
        tell: Callable[[str], None],
        write_seconds: float | None,
        stop: threading.Event,
    ) -> None:
        self._plan = plan
        self._out = out
        self._watch = watch
        self._on_end = on_end
        self._tell = tell
        self._write_seconds = write_seconds
        self._stop = stop
        self._deadline = None if plan.total is None else time.monotonic() + plan.total
        self._maker = maker_of(plan)
        self._waiting: deque[int] = deque()
        self._live: dict[int, Live] = {}
        self._endings: dict[int, Ending] = {}
        self._something_ended = threading.Event()

    def run(self) -> dict[int, Ending]:
        """Solve what is left; the endings by number."""
        plan = self._plan
        for number, position in enumerate(plan.positions):
            if has_finished(self._out, number, plan.options.until):
                self._end(number, Ending(position, End.EARLIER))
            else:
                self._waiting.append(number)
        # what is new first: what was not finished in its time before may take as long again
        self._waiting = deque(sorted(self._waiting, key=lambda number: has_begun(self._out, number)))
        if self._waiting:
            with workplace(plan.address, plan.workers, plan.table_gib, MOST_AT_ONCE, self._tell, plan.cpus) as place:
                try:
                    self._solve_on(place)
                except BaseException:
                    abandon(self._live.values(), self._stop)
                    raise
        return self._endings

    def _solve_on(self, place: Workplace) -> None:
        while self._waiting or self._live:
            while self._waiting and self._is_over():
                number = self._waiting.popleft()
                self._end(number, Ending(self._plan.positions[number], End.NOT_STARTED))
            while self._waiting and self._has_room(place):
                self._begin(self._waiting.popleft(), place)
            if self._live:
                self._something_ended.wait(_WATCH_SECONDS)
                self._something_ended.clear()
            for number in [number for number, live in self._live.items() if not live.solving.watch()]:
                self._finish(number)

    def _is_over(self) -> bool:
        """Whether no other position is to begin."""
        return self._stop.is_set() or (self._deadline is not None and time.monotonic() >= self._deadline)

    def _has_room(self, place: Workplace) -> bool:
        """Whether the workplace has room for another position; of endgames, which are solved here, there is one."""
        return place.has_room() and not any(isinstance(live.solving, SolvingEndgame) for live in self._live.values())

    def _begin(self, number: int, place: Workplace) -> None:
        position = self._plan.positions[number]
        try:
            with ExitStack() as stack:
                problem = self._maker.of(position)
                _check_lexicon(self._plan, problem)
                if isinstance(problem, EndgameProblem):
                    log_event("position started", position=number, name=position.name)
                    endgame = SolvingEndgame(
                        problem, self._out, number, self._stop, self._limit(), self._something_ended
                    )
                    self._live[number] = Live(endgame, stack.pop_all())
                    return
                update = None if self._watch is None else stack.enter_context(self._watch(number, position, problem))
                executor = stack.enter_context(place.open(problem))
                recorder = Recorder(problem, self._out, position.name, position.source, number, self._write_seconds)
                log_event("position started", position=number, name=position.name)
                started = time.monotonic()
                solving = Solving(
                    problem, executor, recorder, self._stop, started, self._limit(), update, self._something_ended
                )
                self._live[number] = Live(solving, stack.pop_all())
        except RunError:
            raise
        except PegrayError as error:
            self._end(number, Ending(position, End.FAILED, fault=str(error)))

    def _limit(self) -> float | None:
        """Seconds for a position that begins now."""
        limits = [] if self._plan.per_position is None else [self._plan.per_position]
        if self._deadline is not None:
            limits.append(max(0.0, self._deadline - time.monotonic()))
        return min(limits, default=None)

    def _finish(self, number: int) -> None:
        """Take the result of a position that has ended."""
        position, live = self._plan.positions[number], self._live.pop(number)
        try:
            answer = live.end()
        except RunError:
            raise
        except PegrayError as error:
            self._end(number, Ending(position, End.FAILED, fault=str(error)))
            return
        end = End.FINISHED
        if answer.stats.interrupted:
            end = End.INTERRUPTED if self._stop.is_set() else End.OUT_OF_TIME
        self._end(number, Ending(position, end, answer))

    def _end(self, number: int, ending: Ending) -> None:
        self._endings[number] = ending
        if ending.end is not End.EARLIER:
            log_event("position ended", position=number, name=ending.position.name, end=ending.end.value)
        if self._on_end is not None:
            self._on_end(number, ending)


def _check_lexicon(plan: Plan, problem: Asked) -> None:
    """Results of two lexica must not stand in one run."""
    before = plan.hashes.get(problem.lexicon_name)
    if before is not None and before != problem.lexicon_hash:
        raise RunError(f"lexicon {problem.lexicon_name}: not what it was when the run began")
