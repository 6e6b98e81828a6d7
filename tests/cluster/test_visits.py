"""What the executor sends to nodes and makes of their answers, with a stand-in for Ray."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any

import pytest
import ray
from ray.exceptions import ActorUnavailableError, RayTaskError

from pegray.cluster.actors import Visit
from pegray.cluster.executor import RayExecutor
from pegray.cluster.nodes import Node
from pegray.errors import PegrayError
from pegray.preendgame.executors.base import Crew, Lost
from pegray.preendgame.work import Settled, Unit
from pegray.terms import UnitKind


class FakeCall:
    """Also stands for Ray's reference to what it brings."""

    def __init__(self) -> None:
        self._future: Future[bytes] = Future()

    def future(self) -> Future[bytes]:
        return self._future

    def bring(self, answer: dict[int, Any] | Exception) -> None:
        """End it with an answer, or raise."""
        if isinstance(answer, Exception):
            self._future.set_exception(answer)
        else:
            self._future.set_result(pickle.dumps(answer))


class FakeActor:
    """Keeps the calls that are made. calls: each with what it was asked, and whether it was told the problem."""

    def __init__(self) -> None:
        self.calls: list[tuple[Visit, bool]] = []
        self.visit = self
        self._made: list[FakeCall] = []

    def remote(self, asked: bytes, problem: Sequence[Any] = ()) -> FakeCall:
        self.calls.append((pickle.loads(asked), bool(problem)))
        self._made.append(FakeCall())
        return self._made[-1]

    def answer(self, number: int, brings: dict[int, Any] | Exception) -> None:
        """End a call, the first of which has number 1."""
        self._made[number - 1].bring(brings)


class FakePool:
    """Two nodes that take bundles in turn; also stands for the pool's Nodes."""

    workers = 2
    crew = Crew(machines=2, threads=2)

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.nodes = self
        self.there = [Node(name, FakeActor(), 1) for name in ("a", "b")]
        self.dead: list[list[int]] = []
        self._placed = 0
        monkeypatch.setattr(ray, "put", lambda problem: "problem")

    def share_of(self, executor: RayExecutor) -> int:
        return 4

    def look_after(self) -> None:
        pass

    def place(self, blames: list[Callable[[], None]], wanted: list[Node | None]) -> list[tuple[int, Node]]:
        self.wanted = wanted
        numbers = range(self._placed, self._placed + len(blames))
        self._placed += len(blames)
        return [(number, self.there[number % 2]) for number in numbers]

    def done(self, numbers: Sequence[int], node: Node) -> None:
        pass

    def died(self, numbers: list[int], node: Node) -> None:
        self.dead.append(numbers)


class FakeProblem:
    candidates = range(3)


def units(*draws: int) -> list[Unit]:
    return [Unit(0, draw, UnitKind.VERDICT, 1) for draw in draws]


def result(draw: int) -> Settled:
    return Settled(units(draw)[0], True, b"", (), None, False, 1, 1, 0.0, 0.0)


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> FakePool:
    return FakePool(monkeypatch)


@pytest.fixture
def executor(pool: FakePool) -> RayExecutor:
    return RayExecutor(pool, "it", FakeProblem())  # type: ignore[arg-type]


def test_a_unit_that_goes_on_would_rather_be_where_it_was(pool: FakePool, executor: RayExecutor) -> None:
    first, _ = pool.there
    executor.submit(units(0, 1))
    assert pool.wanted == [None, None]
    leg = result(0)
    leg.finished, leg.checkpoints = False, b"checkpoints"
    first.actor.answer(1, {0: [leg]})
    executor.collect(0.0)
    executor.submit(units(0, 2))
    assert pool.wanted == [first, None]
    executor.submit(units(0))
    assert pool.wanted == [None], "it is told once"


def test_a_node_gets_its_bundles_in_one_call(pool: FakePool, executor: RayExecutor) -> None:
    first, second = (node.actor for node in pool.there)
    executor.submit(units(0, 1, 2))
    ((visit, told),) = first.calls
    assert visit.bundles == {0: units(0), 2: units(2)} and visit.expected == [0, 2] and told
    assert [visit.bundles for visit, _ in second.calls] == [{1: units(1)}]
    assert (executor.packing.bundles_out, executor.packing.units_out) == (3, 3)
    first.answer(1, {2: [result(2)]})
    assert executor.collect(0.0) == [result(2)]
    assert (executor.packing.bundles_out, executor.packing.units_out) == (2, 2)


def test_a_node_that_has_bundles_is_always_asked_for_them(pool: FakePool, executor: RayExecutor) -> None:
    actor = pool.there[0].actor
    executor.submit(units(0, 1, 2))
    actor.answer(1, {0: [result(0)]})
    executor.collect(0.0)
    executor.collect(0.0)
    visit, told = actor.calls[1]
    assert visit.bundles == {} and visit.expected == [2]
    assert not told  # it has answered, so it knows
    executor.collect(0.0)
    assert len(actor.calls) == 2
    actor.answer(2, {2: [result(2)]})
    executor.collect(0.0)
    executor.collect(0.0)
    assert len(actor.calls) == 2  # it has nothing


def test_what_a_dead_solver_was_at_is_lost_once(pool: FakePool, executor: RayExecutor) -> None:
    actor = pool.there[0].actor
    executor.submit(units(0, 1))
    executor.submit(units(2, 3))
    for call in (1, 2):
        actor.answer(call, ActorUnavailableError("gone for now", None))
    lost = executor.collect(0.0)
    assert [(type(one), one.unit.draw) for one in lost] == [(Lost, 0), (Lost, 2)] and pool.dead == [[0, 2]]
    assert executor.collect(0.0) == [] and executor.packing.bundles_out == 2


def test_what_a_solver_that_was_started_again_does_not_know_is_lost(pool: FakePool, executor: RayExecutor) -> None:
    actor = pool.there[0].actor
    executor.submit(units(0, 1, 2))
    actor.answer(1, {})
    executor.collect(0.0)
    executor.submit(units(3, 4))
    actor.answer(2, {0: None, 2: None, 4: [result(4)]})
    lost, *rest = executor.collect(0.0)
    assert isinstance(lost, Lost) and lost.unit.draw == 0 and lost.reason == "its solver was started again"
    assert [one.unit.draw for one in rest] == [2, 4] and pool.dead == [[0, 2]]
    executor.submit(units(5, 6))
    assert actor.calls[-1][1]  # it is told the problem again


def test_a_solver_that_fails_ends_the_position(pool: FakePool, executor: RayExecutor) -> None:
    executor.submit(units(0))
    pool.there[0].actor.answer(1, RayTaskError("visit", "trace", ValueError("out of order")))
    with pytest.raises(PegrayError, match="a solver failed: ValueError"):
        executor.collect(0.0)
