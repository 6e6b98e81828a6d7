"""A node's bundles: who works on them, and who is told what came of them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest

from pegray.cluster.workshop import Results, Workshop
from pegray.preendgame.work import Settled, Unit
from pegray.terms import UnitKind

SECONDS = 10.0  # after which a test that waits has failed


class Work:
    """Takes as long as it is held up. begun: the draws of the units that threads have begun."""

    def __init__(self) -> None:
        self.begun: list[int] = []
        self._go_on = threading.Semaphore(0)

    def settle(self, name: str, units: list[Unit]) -> list[Settled]:
        self.begun.append(units[0].draw)
        assert self._go_on.acquire(timeout=SECONDS)
        if name == "faulty":
            raise ValueError("out of order")
        return [settled(unit) for unit in units]

    def go_on(self, bundles: int) -> None:
        self._go_on.release(bundles)


def bundle(draw: int) -> list[Unit]:
    return [Unit(0, draw, UnitKind.VERDICT, 1)]


def settled(unit: Unit) -> Settled:
    return Settled(unit, True, b"", (), None, False, 1, 1, 0.0, 0.0)


def drawn(answer: dict[int, Results]) -> dict[int, int]:
    """The draw in each bundle."""
    return {number: results[0].unit.draw for number, results in answer.items() if results}


def until(condition: Callable[[], object]) -> None:
    for _ in range(int(SECONDS / 0.01)):
        if condition():
            return
        time.sleep(0.01)
    raise AssertionError("it did not come")


@pytest.fixture
def work() -> Iterator[Work]:
    work = Work()
    yield work
    work.go_on(100)


@pytest.fixture
def caller() -> Iterator[Callable[..., Future[Any]]]:
    with ThreadPoolExecutor(4) as callers:
        yield callers.submit


def test_bundles_wait_for_a_free_thread(work: Work) -> None:
    workshop = Workshop(2, work.settle)
    workshop.take("a", {7: bundle(0), 8: bundle(1), 9: bundle(2)})
    until(lambda: len(work.begun) == 2)
    work.go_on(1)
    first = workshop.fetch("a", [7, 8, 9])
    assert len(first) == 1 and drawn(first).items() <= {7: 0, 8: 1}.items()
    until(lambda: work.begun == [0, 1, 2] or work.begun == [1, 0, 2])
    work.go_on(2)
    rest: dict[int, Results] = {}
    while len(rest) < 2:
        rest |= workshop.fetch("a", [*({7, 8, 9} - first.keys() - rest.keys())])
    assert drawn(first | rest) == {7: 0, 8: 1, 9: 2}


def test_each_position_is_told_of_its_own(work: Work) -> None:
    workshop = Workshop(2, work.settle)
    workshop.take("a", {1: bundle(0)})
    workshop.take("b", {2: bundle(1)})
    work.go_on(2)
    assert drawn(workshop.fetch("b", [2])) == {2: 1}
    assert drawn(workshop.fetch("a", [1])) == {1: 0}


def test_of_those_that_wait_for_a_position_the_last_is_told(work: Work, caller: Callable[..., Future[Any]]) -> None:
    workshop = Workshop(1, work.settle)
    workshop.take("a", {1: bundle(0)})
    earlier = caller(workshop.fetch, "a", [1])
    until(lambda: workshop._positions["a"].listens == 1)
    workshop.take("a", {2: bundle(1)})
    later = caller(workshop.fetch, "a", [1, 2])
    assert earlier.result(SECONDS) == {}
    work.go_on(1)
    assert drawn(later.result(SECONDS)) == {1: 0}


def test_what_is_not_here_is_said_at_once_and_what_was_fetched_is_not_missing(work: Work) -> None:
    workshop = Workshop(1, work.settle)
    workshop.take("a", {1: bundle(0), 2: bundle(1)})
    assert workshop.fetch("a", [0, 1, 2]) == {0: None}
    work.go_on(1)
    assert drawn(workshop.fetch("a", [1, 2])) == {1: 0}
    work.go_on(1)
    assert drawn(workshop.fetch("a", [1, 2])) == {2: 1}  # the answer with 1 was still on its way
    workshop.take("a", {3: bundle(2)})
    work.go_on(1)
    assert drawn(workshop.fetch("a", [3])) == {3: 2}


def test_more_is_gathered_while_every_thread_has_work(work: Work, caller: Callable[..., Future[Any]]) -> None:
    workshop = Workshop(1, work.settle)
    workshop.take("a", {1: bundle(0), 2: bundle(1), 3: bundle(2)})
    answer = caller(workshop.fetch, "a", [1, 2, 3], SECONDS)
    work.go_on(1)
    until(lambda: work.begun == [0, 1])
    assert not answer.done()
    work.go_on(1)  # nothing waits for the thread any more
    assert drawn(answer.result(SECONDS)) == {1: 0, 2: 1}


def test_whoever_waits_for_a_position_that_ends_goes_on(work: Work, caller: Callable[..., Future[Any]]) -> None:
    workshop = Workshop(1, work.settle)
    workshop.take("a", {1: bundle(0)})
    answer = caller(workshop.fetch, "a", [1])
    until(lambda: workshop._positions["a"].listens == 1)
    workshop.forget("a")
    assert answer.result(SECONDS) == {}
    workshop.forget("a")  # twice is once


def test_what_goes_wrong_is_raised_where_it_is_waited_for(work: Work) -> None:
    workshop = Workshop(1, work.settle)
    workshop.take("faulty", {1: bundle(0)})
    workshop.take("a", {2: bundle(1)})
    work.go_on(2)
    with pytest.raises(ValueError, match="out of order"):
        workshop.fetch("faulty", [1])
    assert drawn(workshop.fetch("a", [2])) == {2: 1}
