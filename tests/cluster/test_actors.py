"""The actors called as plain objects: positions come and end, bounds only go down."""

from __future__ import annotations

import pickle
import threading
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any

import pytest
import ray

from pegray.cluster.actors import BoundActor, SolverActor
from pegray.game.position import Position
from pegray.kernels.memory import NO_BOUND
from pegray.lexicon.find import find_lexicon
from pegray.preendgame.options import SolveOptions
from pegray.preendgame.problem import Problem
from pegray.preendgame.solver import PositionSolver
from pegray.preendgame.work import STOP_NOW, Settled, Unit
from pegray.terms import UnitKind
from tests.game.positions import PUBLISHED


@pytest.fixture(scope="module")
def problem() -> Problem:
    position = Position.from_cgp(PUBLISHED["onyx"])
    return Problem.create(position, find_lexicon("ENABLE", position.distribution), SolveOptions(only=("13L ONYX",)))


@pytest.fixture
def actor(problem: Problem, monkeypatch: pytest.MonkeyPatch) -> SolverActor:
    monkeypatch.setattr(ray, "get", lambda reference: {"problem": problem}[reference])
    return SolverActor(threads=1, table_gib=1 / 64, positions=2)


def settle(actor: SolverActor, name: str, losses: int = NO_BOUND) -> list[Settled]:
    units = [Unit(0, draw, UnitKind.VERDICT, NO_BOUND) for draw in range(2)]
    settled: list[Settled] = pickle.loads(actor.settle(name, ["problem"], losses, pickle.dumps(units)))
    return settled


def test_units_are_settled_until_their_position_ends(actor: SolverActor) -> None:
    first = settle(actor, "a")
    assert len(first) == 2 and all(result.finished for result in first)
    assert [result.outcomes for result in settle(actor, "a")] == [result.outcomes for result in first]
    assert settle(actor, "b")
    actor.release("a")
    assert settle(actor, "a") == []
    actor.release("a")  # twice is once
    assert settle(actor, "b")


def test_a_bound_stops_what_comes_later_and_does_not_go_up_again(actor: SolverActor) -> None:
    actor.set_bound("a", STOP_NOW)
    assert not any(result.finished for result in settle(actor, "a"))
    actor.set_bound("a", NO_BOUND)
    assert not any(result.finished for result in settle(actor, "a"))
    assert all(result.finished for result in settle(actor, "b"))


def test_a_unit_that_is_withdrawn_stops_and_no_other(actor: SolverActor) -> None:
    actor.withdraw("a", [Unit(0, 0, UnitKind.VERDICT, 0).key])
    withdrawn, other = settle(actor, "a")
    assert not withdrawn.finished or withdrawn.nodes < 256  # it looks every 256 nodes
    assert other.finished
    assert all(result.finished for result in settle(actor, "a"))  # it is forgotten


def test_calls_wait_for_a_free_thread(actor: SolverActor, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go_on = threading.Event(), threading.Event()
    settle_units = PositionSolver.settle

    def settle_slowly(solver: PositionSolver, *arguments: Any) -> list[Settled]:
        assert not begun.is_set()  # no other call has begun
        begun.set()
        go_on.wait()
        return settle_units(solver, *arguments)

    monkeypatch.setattr(PositionSolver, "settle", settle_slowly)
    with ThreadPoolExecutor(3) as callers:
        first = callers.submit(settle, actor, "a")
        begun.wait()
        others = [callers.submit(settle, actor, "b") for _ in range(2)]
        assert not wait(others, 0.2).done
        actor.release("b")  # meanwhile it ends
        go_on.set()
        assert len(first.result()) == 2
        assert [call.result() for call in others] == [[], []]


class Told:
    """Stands for a solver actor: what it is told, by Ray's way of calling."""

    def __init__(self) -> None:
        self.heard: list[tuple[Any, ...]] = []

    def __getattr__(self, name: str) -> Any:
        told = self

        class Method:
            def remote(self, *arguments: Any) -> None:
                told.heard.append((name, *arguments))

        return Method()


def test_the_fewest_losses_are_passed_on() -> None:
    bound, solver = BoundActor(NO_BOUND), Told()
    for losses in (8, 12, 6):
        bound.improve("a", losses, [solver])
    assert solver.heard == [("set_bound", "a", 8), ("set_bound", "a", 8), ("set_bound", "a", 6)]
    bound.release("a", [solver])
    assert solver.heard[-1] == ("release", "a")
    bound.improve("a", 9, [solver])
    assert solver.heard[-1] == ("set_bound", "a", 9)
