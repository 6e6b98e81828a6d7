"""The nodes of a cluster with a stand-in for Ray: which are ready, which compile first, which are lost."""

from __future__ import annotations

import math
import time
from functools import partial
from typing import Any

import pytest
import ray
from ray.exceptions import ActorDiedError, ActorUnavailableError

from pegray.cluster import nodes
from pegray.errors import RunError
from pegray.preendgame.executors.base import Crew


class FakeActor:
    """Answers calls when told to. answers: by method, what comes or is raised; a method without one does not answer."""

    def __init__(self, **answers: Any) -> None:
        self.answers = answers
        self.asked: list[str] = []

    def __getattr__(self, name: str) -> Any:
        actor = self

        class Method:
            def remote(self, *arguments: Any) -> tuple[FakeActor, str]:
                actor.asked.append(name)
                return actor, name

        return Method()


class FakeRay:
    """A cluster of nodes with two CPUs each, by their actors.

    killed: actors that were; to_go: seconds that nodes which are to be taken away have, by node
    """

    def __init__(self, actors: list[FakeActor], monkeypatch: pytest.MonkeyPatch) -> None:
        self.actors = actors
        self.waiting = list(actors)
        self.killed: list[FakeActor] = []
        self.to_go: dict[str, float] = {}
        monkeypatch.setattr(ray, "remote", lambda **options: lambda actor: self)
        monkeypatch.setattr(ray, "nodes", self.nodes)
        monkeypatch.setattr(ray, "wait", self.wait)
        monkeypatch.setattr(ray, "get", self.get)
        monkeypatch.setattr(ray, "kill", self.killed.append)
        monkeypatch.setattr(nodes, "nodes_to_go", lambda: self.to_go)

    def options(self, **options: Any) -> FakeRay:
        return self

    def remote(self, *arguments: Any) -> FakeActor:
        return self.waiting.pop(0)

    def nodes(self) -> list[dict[str, Any]]:
        return [
            {
                "NodeID": f"{number:056x}",
                "Alive": True,
                "Resources": {"CPU": 2.0},
                "NodeManagerAddress": f"10.0.0.{number}",
            }
            for number in range(len(self.actors))
        ]

    def wait(self, calls: list[tuple[FakeActor, str]], **options: Any) -> tuple[list[Any], list[Any]]:
        return [call for call in calls if call[1] in call[0].answers], []

    def get(self, call: tuple[FakeActor, str]) -> Any:
        answer = call[0].answers[call[1]]
        if isinstance(answer, Exception):
            raise answer
        return answer


def test_a_node_that_compiles_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    compiles, compiled = FakeActor(to_compile=7), FakeActor(to_compile=0, prepare=None)
    FakeRay([compiled, compiles], monkeypatch)
    said: list[str] = []
    there = nodes.Nodes(None, 1, said.append)
    for _ in range(3):
        there.look_after()
    assert said == ["compiling 7 kernels on 10.0.0.1, once on that machine"]
    assert there.workers == 2
    compiles.answers["prepare"] = None
    there.look_after()
    assert there.workers == 4 and len(said) == 1


def test_a_node_that_dies_before_it_says_what_it_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    unavailable = ActorUnavailableError("gone for now", None)
    restarted, good = FakeActor(to_compile=unavailable, prepare=unavailable), FakeActor(prepare=None)
    FakeRay([restarted, good], monkeypatch)
    monkeypatch.setattr(nodes, "_PING_SECONDS", 0.0)
    there = nodes.Nodes(None, 1)
    for _ in range(2):
        there.look_after()
    assert there.workers == 2
    restarted.answers["prepare"] = None
    for _ in range(2):
        there.look_after()
    assert there.workers == 4


def test_without_a_node_nothing_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    FakeRay([FakeActor(prepare=ActorDiedError())], monkeypatch)
    there = nodes.Nodes(None, 1)
    there.look_after()
    with pytest.raises(RunError, match="^no node is left: "):
        there.look_after()
    FakeRay([], monkeypatch)
    with pytest.raises(RunError, match="^the Ray cluster has no node with CPUs$"):
        nodes.Nodes(None, 1).look_after()


def two_nodes(monkeypatch: pytest.MonkeyPatch) -> tuple[FakeRay, nodes.Nodes]:
    """Two nodes that are ready; they look for notices and other nodes at every moment."""
    fake = FakeRay([FakeActor(prepare=None), FakeActor(prepare=None)], monkeypatch)
    monkeypatch.setattr(nodes, "_NOTICES_SECONDS", 0.0)
    monkeypatch.setattr(nodes, "_SCAN_SECONDS", 0.0)
    there = nodes.Nodes(None, 1)
    for _ in range(2):
        there.look_after()
    assert there.crew == Crew(machines=2, threads=4)
    return fake, there


def place(there: nodes.Nodes, bundles: int = 1) -> list[tuple[int, nodes.Node]]:
    return there.place([lambda: None] * bundles)


def test_a_node_that_is_to_go_finishes_what_it_has_time_for(monkeypatch: pytest.MonkeyPatch) -> None:
    fake, there = two_nodes(monkeypatch)
    first, second = fake.actors
    ((number, node),) = place(there)
    assert node.actor is first
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now)
    fake.to_go = {node.node_id: 120.0}
    there.look_after()
    assert there.crew == Crew(machines=1, threads=2) and there.slots == 4
    assert [node.actor for _, node in place(there, 3)] == [second] * 3
    assert "leave_off" not in first.asked
    now += 101.0  # and nineteen seconds are left
    for _ in range(2):
        there.look_after()
    assert first.asked.count("leave_off") == 1 and fake.killed == []
    there.done([number], node)
    there.look_after()
    assert fake.killed == [first]  # so that Ray takes the node for idle, and lets it go
    fake.to_go = {}
    there.look_after()
    assert there.crew == Crew(machines=1, threads=2)


def test_when_all_nodes_are_to_go_nothing_is_handed_out(monkeypatch: pytest.MonkeyPatch) -> None:
    fake, there = two_nodes(monkeypatch)
    held = place(there, 2)
    fake.to_go = {node.node_id: math.inf for _, node in held}
    there.look_after()
    assert there.slots == 0 and fake.killed == []


def test_nodes_that_nobody_needs_are_let_go_and_taken_back(monkeypatch: pytest.MonkeyPatch) -> None:
    fake, there = two_nodes(monkeypatch)
    place(there)
    there.let_go(3)
    assert fake.killed == []
    there.let_go(1)
    there.look_after()
    assert fake.killed == [fake.actors[1]] and there.workers == 2
    fake.waiting = [FakeActor(prepare=None)]
    there.take_back()
    for _ in range(2):
        there.look_after()
    assert there.workers == 4


def test_bundles_go_to_the_least_busy_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    fake, there = two_nodes(monkeypatch)
    first, second = fake.actors
    placed = place(there, 3)
    assert [node.actor for _, node in placed] == [first, second, first]
    there.done([number for number, node in placed if node.actor is first], placed[0][1])
    assert [node.actor for _, node in place(there, 2)] == [first, first]


def test_the_bundles_that_a_dead_solver_was_at_are_blamed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nodes, "_PING_SECONDS", 0.0)
    _, there = two_nodes(monkeypatch)
    blamed: list[int] = []
    placed = there.place([partial(blamed.append, bundle) for bundle in range(8)])
    node = placed[0][1]
    here = [number for number, where in placed if where is node]
    there.done(here[:1], node)
    node.actor.answers.clear()
    there.died(here[1:2], node)
    there.died(here[2:], node)  # another position notices too
    assert there.crew == Crew(machines=1, threads=2) and blamed == []
    there.look_after()
    node.actor.answers["prepare"] = None  # it has been started again: its machine was not to blame
    there.look_after()
    assert there.workers == 4 and blamed == [2, 4]  # it has two threads, the others were waiting
