"""Many positions at one workplace, each result as soon as it is there."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import pytest

from pegray.kernels.memory import new_memory
from pegray.preendgame.executors.inprocess import InProcessExecutor
from pegray.preendgame.problem import Problem
from pegray.runs import many
from tests.runs.long_work import LongWork


class OneThenLong:
    """A workplace where the first position is solved, and the others go on until they are stopped."""

    def __init__(self) -> None:
        self.opened: list[Any] = []

    def has_room(self) -> bool:
        return len(self.opened) < 3

    @contextmanager
    def open(self, problem: Problem) -> Iterator[Any]:
        self.opened.append(LongWork() if self.opened else InProcessExecutor(problem, new_memory(1 / 64)))
        yield self.opened[-1]


def test_leaving_the_loop_ends_the_work(problem: Problem, monkeypatch: pytest.MonkeyPatch) -> None:
    place = OneThenLong()
    monkeypatch.setattr(many, "workplace", lambda *arguments: nullcontext(place))
    before = set(threading.enumerate())
    results = many.solve_each([problem] * 5)
    assert next(results).best is not None
    underway = set(threading.enumerate()) - before
    assert len(underway) == 2
    results.close()  # type: ignore[attr-defined]
    assert not any(thread.is_alive() for thread in underway)
    assert len(place.opened) == 3
