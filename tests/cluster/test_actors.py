"""The actors called as plain objects: positions come and end, bounds only go down."""

from __future__ import annotations

import itertools
import pickle
from typing import Any

import pytest
import ray

from pegray.cluster.actors import BoundActor, SolverActor, Visit
from pegray.game.position import Position
from pegray.kernels.memory import NO_BOUND
from pegray.lexicon.find import find_lexicon
from pegray.preendgame.options import SolveOptions
from pegray.preendgame.problem import Problem
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


NUMBERS = itertools.count()


def visit(actor: SolverActor, name: str, bundles: dict[int, list[Unit]], expected: list[int]) -> dict[int, Any]:
    asked = pickle.dumps(Visit(name, NO_BOUND, bundles, expected, gather=0.0))
    answer: dict[int, Any] = pickle.loads(actor.visit(asked, ["problem"]))
    return answer


def settle(actor: SolverActor, name: str) -> list[Settled]:
    """Two units in a bundle; nothing if the position has ended."""
    units = [Unit(0, draw, UnitKind.VERDICT, NO_BOUND) for draw in range(2)]
    number = next(NUMBERS)
    settled: list[Settled] = visit(actor, name, {number: units}, [number]).get(number, [])
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


def test_what_came_to_another_process_is_missing(actor: SolverActor) -> None:
    assert visit(actor, "a", {}, [-2, -1]) == {-2: None, -1: None}
    unknown = pickle.dumps(Visit("a", NO_BOUND, {7: [Unit(0, 0, UnitKind.VERDICT, 1)]}, [5, 7], gather=0.0))
    other = SolverActor(threads=1, table_gib=1 / 64, positions=2)
    assert pickle.loads(other.visit(unknown)) == {5: None, 7: None}  # it has not been told the problem
    assert len(settle(actor, "a")) == 2


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
