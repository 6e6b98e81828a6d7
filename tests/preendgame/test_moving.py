"""Work that begins in this process and moves to a pool: nothing is lost, doubled or changed. No Ray here."""

from __future__ import annotations

import gc
import threading
import time
import weakref
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

from pegray.kernels.memory import new_memory
from pegray.preendgame.executors import moving
from pegray.preendgame.executors.base import Executor
from pegray.preendgame.executors.inprocess import InProcessExecutor
from pegray.preendgame.executors.moving import MovingExecutor, MovingWorkplace
from pegray.preendgame.ledger import Ledger
from pegray.preendgame.problem import Problem
from pegray.preendgame.session import run_session
from pegray.preendgame.work import STOP_NOW, Settled, Unit
from pegray.runs.driver import solve_at

TABLE_GIB = 1 / 64
WAIT_SECONDS = 30.0
A_FEW_HUNDRED = 400


class Remote(InProcessExecutor):
    """Stands for the pool's executor: keeps many units in flight, and notes what it is given."""

    capacity = 4

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem, new_memory(TABLE_GIB))
        self.given: list[Unit] = []
        self.bounds: list[int] = []
        self.closed = False

    def submit(self, units: list[Unit]) -> None:
        self.given += units
        super().submit(units)

    def publish_bound(self, losses: int) -> None:
        self.bounds.append(losses)
        super().publish_bound(losses)


class FakePool:
    """Three positions at once."""

    workers = 2

    def __init__(self) -> None:
        self.opened: list[Remote] = []
        self.ended = False

    def has_room(self) -> bool:
        return sum(not remote.closed for remote in self.opened) < 3

    @contextmanager
    def open(self, problem: Problem) -> Iterator[Executor]:
        self.opened.append(remote := Remote(problem))
        try:
            yield remote
        finally:
            remote.closed = True


@pytest.fixture(scope="module")
def whole(problem: Problem) -> Problem:
    """Every play to its end: which losses cut a play off is chance."""
    return replace(problem, options=replace(problem.options, early_cutoff=False))


def said(ledger: Ledger) -> tuple[Any, Any]:
    """All outcomes and spreads, without what they cost."""
    outcomes = {where: settled.outcomes for where, settled in ledger.book.settled.items()}
    return outcomes, {play: ledger.tiebreak.average(play) for play in ledger.tiebreak.compared()}


def in_this_process(problem: Problem) -> Ledger:
    ledger = Ledger(problem)
    run_session(ledger, InProcessExecutor(problem, new_memory(TABLE_GIB)), ignore, ignore, None, threading.Event())
    return ledger


def ignore(news: object) -> None:
    pass


def nothing() -> None:
    pass


@pytest.mark.parametrize("moves_after", [0, 1, 9])
def test_what_was_settled_before_the_move_carries_over(whole: Problem, moves_after: int) -> None:
    """However much has been settled: nothing of it is worked on again."""
    ledger, pool = Ledger(whole), FakePool()
    executor = MovingExecutor(whole, new_memory(TABLE_GIB), nothing)
    before: list[Settled] = []
    after: list[Settled] = []

    def on_settled(results: list[Settled]) -> None:
        (after if pool.opened else before).extend(results)
        if len(before) >= moves_after and not pool.opened:
            executor.move_to(pool)

    if not moves_after:
        executor.move_to(pool)
    assert run_session(ledger, executor, ignore, on_settled, None, threading.Event())
    executor.close()
    (remote,) = pool.opened
    assert remote.closed and remote.given
    counts = Counter(result.unit.key for result in before + after if result.finished)
    assert set(counts.values()) == {1}
    assert said(ledger) == said(in_this_process(whole))


def test_no_work_is_taken_while_something_is_in_flight_here(problem: Problem) -> None:
    ledger, pool = Ledger(problem), FakePool()
    executor = MovingExecutor(problem, new_memory(TABLE_GIB), nothing)
    executor.publish_bound(ledger.book.bound)
    units = ledger.next_units(executor.capacity)
    executor.submit(units)
    executor.move_to(pool)
    assert executor.capacity == 0 and not pool.opened
    (result,) = executor.collect(0.1)
    # told to leave off before it began, which it hears of after some hundred nodes if it takes so many
    assert isinstance(result, Settled) and result.unit == units[0]
    assert result.nodes < A_FEW_HUNDRED
    assert executor.capacity == Remote.capacity and len(pool.opened) == 1
    executor.close()


def test_the_memory_of_this_process_is_let_go(problem: Problem) -> None:
    memory = new_memory(TABLE_GIB)
    table = weakref.ref(memory.table)
    executor = MovingExecutor(problem, memory, nothing)
    del memory
    executor.move_to(FakePool())
    executor.collect(0.0)
    gc.collect()
    assert table() is None
    executor.close()


def test_the_pool_hears_of_the_bound_and_a_stop_stays_a_stop(problem: Problem) -> None:
    pool = FakePool()
    executor = MovingExecutor(problem, new_memory(TABLE_GIB), nothing)
    executor.publish_bound(5)
    executor.move_to(pool)
    executor.collect(0.0)
    executor.publish_bound(STOP_NOW)
    executor.publish_bound(3)
    assert pool.opened[0].bounds == [5, STOP_NOW, STOP_NOW]
    executor.close()


def test_who_was_told_to_stop_does_not_move(problem: Problem) -> None:
    pool = FakePool()
    executor = MovingExecutor(problem, new_memory(TABLE_GIB), nothing)
    executor.publish_bound(STOP_NOW)
    executor.move_to(pool)
    executor.collect(0.0)
    assert not pool.opened
    executor.close()


class Starting:
    """Starts a FakePool when it is told to."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self.asked = threading.Event()
        self.pool = FakePool()
        self.lines: list[str] = []

    @contextmanager
    def start(self, given_up: threading.Event) -> Iterator[FakePool]:
        self.asked.set()
        while not self.go.wait(0.01) and not given_up.is_set():
            pass
        yield self.pool
        self.pool.ended = True


@pytest.fixture
def starting(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Starting, MovingWorkplace]]:
    """A workplace that asks for its pool at the first thing settled."""
    monkeypatch.setattr(moving, "WORTH_SECONDS", 0.0)
    starting = Starting()
    place = MovingWorkplace(starting.start, TABLE_GIB, starting.lines.append)
    yield starting, place
    place.close()


def test_a_short_solve_starts_nothing(problem: Problem) -> None:
    starting = Starting()
    place = MovingWorkplace(starting.start, TABLE_GIB, starting.lines.append)
    result = solve_at(place, problem)
    place.close()
    assert not result.stats.interrupted
    assert not starting.asked.is_set() and not starting.lines


def test_a_solve_moves_when_the_pool_is_there(whole: Problem, starting: tuple[Starting, MovingWorkplace]) -> None:
    start, place = starting
    ledger = Ledger(whole)

    def on_settled(results: list[Settled]) -> None:
        # with the first result the pool is started; it is there before the second
        start.go.set()
        wait_until(lambda: bool(start.lines))

    with place.open(whole) as executor:
        assert not place.has_room()
        assert run_session(ledger, executor, ignore, on_settled, None, threading.Event())
        assert place.has_room(), "the one that has moved is in nobody's way here"
    assert start.lines == ["long enough for a private Ray: going on with 2 workers"]
    assert len(start.pool.opened) == 1 and start.pool.opened[0].closed
    assert said(ledger) == said(in_this_process(whole))
    # the next one begins there, and there is room for more
    with place.open(whole) as executor:
        assert isinstance(executor, Remote) and place.has_room()
    place.close()
    assert start.pool.ended


def test_a_solve_that_ends_first_does_not_wait_for_the_pool(
    problem: Problem, starting: tuple[Starting, MovingWorkplace]
) -> None:
    start, place = starting
    result = solve_at(place, problem)
    assert start.asked.wait(WAIT_SECONDS)
    place.close()
    assert not result.stats.interrupted
    assert not start.pool.opened and not start.lines
    assert start.pool.ended


def test_without_ray_the_work_goes_on_here(problem: Problem, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moving, "WORTH_SECONDS", 0.0)
    lines: list[str] = []

    @contextmanager
    def fail(given_up: threading.Event) -> Iterator[FakePool]:
        raise OSError("no room\nfor it")
        yield

    place = MovingWorkplace(fail, TABLE_GIB, lines.append)
    result = solve_at(place, problem)
    place.close()
    assert result.best is not None and result.best.points == 7.5
    assert lines == ["going on in this process: no Ray could be started here (no room)"]


def test_nobody_waits_for_a_pool_that_does_not_come_up(
    problem: Problem, monkeypatch: pytest.MonkeyPatch, starting: tuple[Starting, MovingWorkplace]
) -> None:
    """And no other is started before it has gone."""
    monkeypatch.setattr(moving, "_LEAVE_SECONDS", 0.0)
    stuck, lines = Starting(), list[str]()

    @contextmanager
    def hang(given_up: threading.Event) -> Iterator[FakePool]:
        stuck.asked.set()
        stuck.go.wait(WAIT_SECONDS)
        raise OSError("timed out")
        yield

    place = MovingWorkplace(hang, TABLE_GIB, lines.append)
    solve_at(place, problem)
    assert stuck.asked.wait(WAIT_SECONDS)
    place.close()
    start, next_place = starting
    solve_at(next_place, problem)
    assert moving.has_pool() and not start.asked.is_set()
    stuck.go.set()
    assert start.asked.wait(WAIT_SECONDS)
    next_place.close()
    wait_until(lambda: not moving.has_pool())
    assert not lines and start.pool.ended


def wait_until(condition: Any) -> None:
    until = time.monotonic() + WAIT_SECONDS
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.01)
