"""Whole positions: what it costs to prove the best of all plays, and what all that may be level with it is.

What counts is the CPU time of this process, on one core without Ray, since other programs cannot stretch it much.
"""

from __future__ import annotations

import resource
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass

from pegray.bench.record import WholeMeasurement
from pegray.game.position import Position
from pegray.kernels.catalogue import FOR_SOLVING, warm_up
from pegray.kernels.memory import new_memory
from pegray.lexicon.lexicon import Lexicon
from pegray.preendgame.engine import default_table_gib
from pegray.preendgame.executors.base import Executor
from pegray.preendgame.executors.inprocess import InProcessExecutor
from pegray.preendgame.ledger import Ledger, Progress
from pegray.preendgame.options import SolveOptions
from pegray.preendgame.problem import Problem
from pegray.preendgame.ranking import build_result
from pegray.preendgame.session import run_session
from pegray.preendgame.work import STOP_NOW, Settled
from pegray.results.model import SolveStats
from pegray.terms import State, Until

_LOOK_SECONDS = 0.05
# The states that a position has reached, by the one that it is in.
_PASSED = {State.OPEN: (), State.ANSWERED: (State.ANSWERED,), State.COMPLETE: (State.ANSWERED, State.COMPLETE)}


@dataclass(frozen=True)
class Cost:
    """What had been spent when a state was reached."""

    cpu_seconds: float
    nodes: int


def measure_whole(name: str, position: Position, lexicon: Lexicon, until: str, cap: float) -> WholeMeasurement:
    """Solve one position in this process; compiling is not counted.

    until: as the option of a solve; spreads are worked out with ``spread`` alone, so that else a position is complete
    when what may be level with the best is finished. cap: CPU seconds after which it is left as it is

    Raises InputError for a position that is no pre-endgame.
    """
    warm_up(FOR_SOLVING)
    wall, cpu = time.perf_counter(), time.process_time()

    def spent() -> float:
        return time.process_time() - cpu

    options = SolveOptions(until=until, tiebreak=until == Until.SPREAD)
    ledger = Ledger(Problem.create(position, lexicon, options))
    executor = InProcessExecutor(ledger.problem, new_memory(default_table_gib()))
    reached = solve_capped(ledger, executor, spent, cap)
    cpu_seconds, seconds = spent(), time.perf_counter() - wall
    stats = SolveStats(seconds, cpu_seconds, ledger.book.endgames, ledger.book.nodes, not ledger.done)
    result = build_result(ledger, stats)
    progress = ledger.progress()
    answered, complete = reached.get(State.ANSWERED), reached.get(State.COMPLETE)
    return WholeMeasurement(
        name=name,
        cgp=position.to_cgp(),
        lexicon=lexicon.name,
        bag=result.bag,
        plays=progress.plays_total,
        total=result.total,
        state=result.state,
        best=result.best.move if result.best else None,
        points=progress.best_points,
        at_most=max(progress.best_points or 0, progress.most_open or 0),
        answered_cpu_seconds=answered.cpu_seconds if answered else None,
        answered_nodes=answered.nodes if answered else None,
        complete_cpu_seconds=complete.cpu_seconds if complete else None,
        complete_nodes=complete.nodes if complete else None,
        cpu_seconds=cpu_seconds,
        seconds=seconds,
        nodes=ledger.book.nodes,
        endgames=ledger.book.endgames,
        peak_mib=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    )


def _ignore(_: Progress) -> None:
    pass


def solve_capped(
    ledger: Ledger,
    executor: Executor,
    spent: Callable[[], float],
    cap: float,
    on_progress: Callable[[Progress], None] = _ignore,
) -> dict[str, Cost]:
    """Work until the ledger is done, or until ``cap`` CPU seconds are ``spent``; what each state had cost.

    The session has a thread of its own and this one watches it: a kernel would keep Python from noticing Ctrl-C, and
    that the time is over.
    """
    reached: dict[str, Cost] = {}

    def note(_: list[Settled]) -> None:
        if State.COMPLETE in reached:
            return
        for passed in _PASSED[ledger.state]:
            reached.setdefault(passed, Cost(spent(), ledger.book.nodes))

    stop = threading.Event()
    with ThreadPoolExecutor(1, "session") as pool:
        session = pool.submit(run_session, ledger, executor, on_progress, note, None, stop)
        try:
            while not wait([session], _LOOK_SECONDS).done:
                if spent() >= cap:
                    stop.set()
                    # every time: the session may have published a bound over it
                    executor.publish_bound(STOP_NOW)
        finally:
            stop.set()
            executor.publish_bound(STOP_NOW)
    session.result()
    return reached
