"""The loop of a solve, with an executor that knows the answers."""

from __future__ import annotations

import itertools
import threading
import time
from collections import deque

import pytest

from pegray.preendgame.executors.base import Crew, Lost
from pegray.preendgame.ledger import Ledger, Progress
from pegray.preendgame.problem import Problem
from pegray.preendgame.session import run_session
from pegray.preendgame.work import STOP_NOW, Settled, Unit


class FakeExecutor:
    """Settles every unit at once, as won; loses the first ``lose`` units."""

    crew = Crew(machines=1, threads=1)

    def __init__(self, ledger: Ledger, capacity: int = 1, lose: int = 0, stuck: bool = False) -> None:
        self.capacity = capacity
        self.bounds: list[int] = []
        self.most_in_flight = 0
        self.submitted: list[Unit] = []
        self._ledger = ledger
        self._lose = lose
        self._stuck = stuck
        self._queue: deque[Unit] = deque()

    def submit(self, units: list[Unit]) -> None:
        self.submitted += units
        self._queue.extend(units)
        self.most_in_flight = max(self.most_in_flight, len(self._queue))

    def collect(self, timeout: float) -> list[Settled | Lost]:
        stopped = bool(self.bounds) and self.bounds[-1] == STOP_NOW
        if not self._queue or (self._stuck and not stopped):
            time.sleep(min(timeout, 0.01))
            return []
        unit = self._queue.popleft()
        if self._lose:
            self._lose -= 1
            return [Lost(unit, "died")]
        return [answer(self._ledger, unit, finished=not stopped)]

    def publish_bound(self, losses: int) -> None:
        self.bounds.append(losses)

    def withdraw(self, units: list[Unit]) -> None:
        pass

    def close(self) -> None:
        pass


def answer(ledger: Ledger, unit: Unit, finished: bool = True) -> Settled:
    """The unit is won in every order of the staying tiles."""
    orders = len(ledger.book.eventualities.stays(int(ledger.book.drawn[unit.candidate]), unit.draw)[0])
    verdict = unit.kind == "verdict"
    return Settled(
        unit=unit,
        finished=finished,
        outcomes=(b"\x02" if finished else b"\xff") * orders if verdict else b"",
        replies=(-1,) * orders if verdict else (),
        spread=None if verdict or not finished else 7,
        proven=True,
        nodes=1,
        endgames=1,
        cpu_seconds=0.0,
        seconds=0.0,
    )


def run(
    ledger: Ledger,
    executor: FakeExecutor,
    deadline: float | None = None,
    stop: threading.Event | None = None,
) -> tuple[bool, list[Settled], list[Progress]]:
    settled: list[Settled] = []
    progress: list[Progress] = []
    done = run_session(ledger, executor, progress.append, settled.extend, deadline, stop or threading.Event())
    return done, settled, progress


@pytest.mark.parametrize("capacity", [1, 8])
def test_runs_until_the_ledger_is_done(problem: Problem, capacity: int) -> None:
    ledger = Ledger(problem)
    executor = FakeExecutor(ledger, capacity)
    done, settled, progress = run(ledger, executor)
    assert done and ledger.done
    assert len(settled) == len(executor.submitted) == len({unit.key for unit in executor.submitted})
    assert executor.most_in_flight <= capacity
    assert progress[-1].left == 0
    assert progress[-1].units_in_flight == 0


def test_each_better_bound_is_published_once(problem: Problem) -> None:
    ledger = Ledger(problem)
    executor = FakeExecutor(ledger)
    before = ledger.book.bound
    run(ledger, executor)
    assert executor.bounds[0] == before and executor.bounds[-1] == 0
    assert all(later < sooner for sooner, later in itertools.pairwise(executor.bounds))


def test_lost_items_are_handed_out_again(problem: Problem) -> None:
    ledger = Ledger(problem)
    executor = FakeExecutor(ledger, capacity=4, lose=6)
    done, settled, _ = run(ledger, executor)
    assert done
    assert len(executor.submitted) == len(settled) + 6


def test_stops_at_the_deadline(problem: Problem) -> None:
    ledger = Ledger(problem)
    executor = FakeExecutor(ledger, capacity=2, stuck=True)
    started = time.monotonic()
    done, settled, progress = run(ledger, executor, deadline=started + 0.3)
    assert not done
    assert 0.3 <= time.monotonic() - started < 2
    assert executor.bounds[-1] == STOP_NOW
    assert len(settled) == 2 and not any(result.finished for result in settled)
    assert progress[-1].units_in_flight == 0


def test_stops_when_told_to_and_can_go_on(problem: Problem) -> None:
    ledger = Ledger(problem)
    stop = threading.Event()
    stop.set()
    assert not run(ledger, FakeExecutor(ledger), stop=stop)[0]
    assert run(ledger, FakeExecutor(ledger))[0]


def test_no_work_is_asked_for_while_there_is_no_room(problem: Problem) -> None:
    """Without room nothing is handed out, which must not be taken for the end of the plays."""

    class Waking(FakeExecutor):
        def collect(self, timeout: float) -> list[Settled | Lost]:
            self.capacity = 1
            return super().collect(timeout)

    ledger = Ledger(problem)
    executor = Waking(ledger, capacity=0)
    done, settled, _ = run(ledger, executor)
    assert done
    assert sum(result.unit.kind == "verdict" for result in settled) > 0
    assert executor.submitted[0].kind == "verdict"
