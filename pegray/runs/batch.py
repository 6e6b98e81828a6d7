"""Many positions in one run directory, several at a time, and going on with a run that was stopped."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from enum import Enum

from pegray.errors import PegrayError, RunError
from pegray.kernels.catalogue import FOR_PROBLEMS
from pegray.preendgame.executors.base import Workplace
from pegray.preendgame.ledger import Progress
from pegray.preendgame.problem import Problem
from pegray.preendgame.solve_endgame import NEEDED_KERNELS, EndgameProblem
from pegray.preendgame.solver import kernels_at
from pegray.results.events import events_of, log_event
from pegray.results.model import SolveResult
from pegray.results.write import RunWriter
from pegray.runs.driver import Live, Solving, abandon, stop_on_interrupt
from pegray.runs.endgames import SolvingEndgame
from pegray.runs.plan import Plan, PlannedPosition
from pegray.runs.recorder import Asked, Recorder, has_begun, has_finished, state_kept
from pegray.runs.workplace import workplace

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


def kernels_for(out: RunWriter, plan: Plan) -> tuple[tuple[str, ...], ...]:
    """What to compile first, and later: what is solved elsewhere is compiled there, but for endgames."""
    bags = [out.position(number)["bag"] for number in range(len(plan.positions))]
    first, *later = kernels_at(plan.address, plan.options, max(bags)) if any(bags) else (FOR_PROBLEMS,)
    return (tuple(dict.fromkeys((*first, *NEEDED_KERNELS))) if 0 in bags else first, *later)


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
        self._maker = plan.maker()
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
