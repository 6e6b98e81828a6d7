"""Threads that no call keeps busy help with the units that take long."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import numpy as np
import pytest

from pegray.cluster import helpers
from pegray.cluster.helpers import Helpers
from pegray.game.position import Position
from pegray.kernels.memory import NO_BOUND, new_memory
from pegray.lexicon.find import find_lexicon
from pegray.preendgame.options import SolveOptions
from pegray.preendgame.problem import Problem
from pegray.preendgame.solver import PositionSolver
from pegray.preendgame.work import Settled, Unit
from tests.game.positions import PUBLISHED

WAIT_SECONDS = 30.0
UNIT = Unit(0, 0, "verdict", NO_BOUND)
OTHER = Unit(1, 0, "verdict", NO_BOUND)


class FakeSolver:
    """Helps until it is halted, or to the end of the unit when ``finish`` is set."""

    def __init__(self) -> None:
        self.memory = new_memory(0)
        self.began = threading.Event()
        self.finish = threading.Event()
        self.units: list[Unit] = []
        self._halted = threading.Event()

    def halt(self, wanted: bool) -> None:
        if wanted:
            self._halted.set()
        else:
            self._halted.clear()

    def help(self, unit: Unit) -> Settled:
        self.units.append(unit)
        self.began.set()
        while not (self._halted.is_set() or self.finish.is_set()):
            time.sleep(0.001)
        return Settled(unit, self.finish.is_set(), b"", (), None, True, 100, 3, 0.5, 0.5)


class Solvers:
    """Lends as many solvers as are asked for; none of a position that has ended."""

    def __init__(self) -> None:
        self.lent: list[FakeSolver] = []
        self.ended = False

    @contextmanager
    def lend(self, name: str) -> Iterator[Any]:
        if self.ended:
            yield None
            return
        self.lent.append(FakeSolver())
        yield self.lent[-1]

    def wait_for(self, number: int) -> None:
        """Until so many are helping."""
        until(lambda: sum(solver.began.is_set() for solver in self.lent) == number)


def until(condition: Any) -> None:
    give_up = time.monotonic() + WAIT_SECONDS
    while not condition():
        assert time.monotonic() < give_up, "it has not come to that"
        time.sleep(0.005)


@pytest.fixture
def solvers(monkeypatch: pytest.MonkeyPatch) -> Solvers:
    monkeypatch.setattr(helpers, "_LOOK_SECONDS", 0.01)
    monkeypatch.setattr(helpers, "LONG_SECONDS", 0.0)
    return Solvers()


def test_idle_threads_help_and_what_they_spend_counts(solvers: Solvers) -> None:
    with Helpers(3, solvers.lend).working("a", UNIT) as help:
        solvers.wait_for(2)
        assert [solver.memory.taken[-1] for solver in solvers.lent] == [1, 1]
    assert (help.nodes, help.cpu_seconds) == (200, 1.0)
    assert [solver.units for solver in solvers.lent] == [[UNIT], [UNIT]]
    assert [solver.memory.taken[-1] for solver in solvers.lent] == [0, 0]


def test_helpers_make_room_for_units(solvers: Solvers) -> None:
    team = Helpers(2, solvers.lend)
    with team.working("a", UNIT) as help:
        solvers.wait_for(1)
        with team.working("a", OTHER) as none:
            until(lambda: help.nodes == 100)
        assert none.nodes == 0
        solvers.wait_for(2)  # now the thread is free again
    assert help.nodes == 200


def test_units_share_the_helpers(solvers: Solvers) -> None:
    team = Helpers(4, solvers.lend)
    with ExitStack() as units:
        units.enter_context(team.working("a", UNIT))
        units.enter_context(team.working("b", OTHER))
        solvers.wait_for(2)
        assert {unit for solver in solvers.lent for unit in solver.units} == {UNIT, OTHER}


def test_a_unit_that_a_helper_has_searched_needs_no_more_help(solvers: Solvers) -> None:
    team = Helpers(2, solvers.lend)
    with team.working("a", UNIT) as help:
        solvers.wait_for(1)
        solvers.lent[0].finish.set()
        until(lambda: help.nodes == 100)
        time.sleep(0.1)  # it looks several times
    assert len(solvers.lent) == 1


def test_nobody_helps_where_all_threads_are_busy(solvers: Solvers) -> None:
    team = Helpers(2, solvers.lend)
    with team.working("a", UNIT), team.working("a", OTHER):
        time.sleep(0.1)
        assert not solvers.lent
    with Helpers(1, solvers.lend).working("a", UNIT):
        time.sleep(0.1)
        assert not solvers.lent


def test_nobody_helps_with_a_position_that_has_ended(solvers: Solvers) -> None:
    solvers.ended = True
    with Helpers(2, solvers.lend).working("a", UNIT) as help:
        time.sleep(0.1)
    assert help.nodes == 0


def test_a_helped_unit_has_the_same_outcomes(solvers: Solvers) -> None:
    position = Position.from_cgp(PUBLISHED["onyx"])
    options = SolveOptions(only=("13L ONYX", "pass"))
    problem = Problem.create(position, find_lexicon("ENABLE", position.distribution), options)
    passing = [i for i, move in enumerate(problem.candidates.moves) if move == 0][0]
    units = [Unit(passing, 0, "verdict", NO_BOUND)]
    (alone,) = PositionSolver(problem, new_memory(1 / 64)).settle(units)

    memory = new_memory(1 / 64)

    @contextmanager
    def lend(name: str) -> Iterator[PositionSolver]:
        yield PositionSolver(problem, memory)

    team = Helpers(2, lend)
    (helped,) = PositionSolver(problem, memory).settle(units, lambda unit: team.working("onyx", unit))
    assert helped.finished and helped.outcomes == alone.outcomes and helped.replies == alone.replies
    assert np.frombuffer(helped.outcomes, np.int8).size == 7
