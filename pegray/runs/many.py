"""Many positions at one workplace, without a run directory: each result as soon as it is there."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, nullcontext
from functools import partial

from pegray.preendgame.executors.base import Workplace
from pegray.preendgame.ledger import Progress
from pegray.preendgame.problem import Problem
from pegray.results.model import SolveResult
from pegray.runs.batch import MOST_AT_ONCE
from pegray.runs.driver import Live, Solving, abandon, stop_on_interrupt
from pegray.runs.workplace import workplace

_WATCH_SECONDS = 0.1


def solve_each(
    problems: Sequence[Problem],
    address: str = "none",
    workers: int | None = None,
    time_limit: float | None = None,
    table_gib: float | None = None,
    on_progress: Callable[[int, Progress], None] | None = None,
) -> Iterator[SolveResult]:
    """Solve problems at a workplace that is opened once (see :func:`pegray.runs.driver.solve`), as they come.

    time_limit: seconds for each; on_progress: also told the number of the problem, from 0

    After Ctrl-C the problems being solved end with what is settled, and no other begins. Raises PegrayError.
    """
    if not problems:
        return
    stop, ended = threading.Event(), threading.Event()
    waiting = deque(enumerate(problems))
    live: list[Live] = []
    with workplace(address, workers, table_gib, min(MOST_AT_ONCE, len(problems))) as place:
        try:
            while live or (waiting and not stop.is_set()):
                # Our handler is in place only here: Ctrl-C in the caller's own loop is the caller's. After the first
                # one here it is not put back, so that a second one raises KeyboardInterrupt.
                with nullcontext() if stop.is_set() else stop_on_interrupt(stop):
                    while waiting and not stop.is_set() and place.has_room():
                        number, problem = waiting.popleft()
                        told = None if on_progress is None else partial(on_progress, number)
                        live.append(_begin(problem, place, stop, ended, time_limit, told))
                    ended.wait(_WATCH_SECONDS)
                    ended.clear()
                    over = [one for one in live if not one.solving.watch()]
                for one in over:
                    live.remove(one)
                    yield one.end()
        finally:
            abandon(live, stop)


def _begin(
    problem: Problem,
    place: Workplace,
    stop: threading.Event,
    ended: threading.Event,
    time_limit: float | None,
    on_progress: Callable[[Progress], None] | None,
) -> Live:
    with ExitStack() as stack:
        executor = stack.enter_context(place.open(problem))
        solving = Solving(problem, executor, None, stop, time.monotonic(), time_limit, on_progress, ended)
        return Live(solving, stack.pop_all())
