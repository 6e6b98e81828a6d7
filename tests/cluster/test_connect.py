"""Starting a private Ray, or joining one that runs, with a stand-in for Ray itself."""

from __future__ import annotations

import threading
from typing import Any

import pytest
import ray

from pegray.cluster import connect
from pegray.errors import RunError


class FakeRay:
    """Notes how Ray is started and ended. start: what happens then"""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.started: list[dict[str, Any]] = []
        self.ended = 0
        self.start = lambda: None
        monkeypatch.setattr(ray, "is_initialized", lambda: False)
        monkeypatch.setattr(ray, "init", self._init)
        monkeypatch.setattr(ray, "shutdown", self._shutdown)

    def _init(self, **options: Any) -> None:
        self.started.append(options)
        self.start()

    def _shutdown(self) -> None:
        self.ended += 1


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeRay:
    return FakeRay(monkeypatch)


def test_a_private_one_has_so_many_cpus_and_ends(fake: FakeRay) -> None:
    with connect.joined("local", 3):
        assert not fake.ended
    (options,) = fake.started
    assert (options["address"], options["num_cpus"]) == ("local", 3)
    assert fake.ended == 1


def test_one_that_is_joined_already_is_used_as_it_is(fake: FakeRay, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray, "is_initialized", lambda: True)
    with connect.joined("auto", None):
        pass
    assert not fake.started and not fake.ended


def test_why_a_cluster_cannot_be_joined_is_one_line(fake: FakeRay) -> None:
    def start() -> None:
        raise ConnectionError("\n  no cluster is running\nTraceback ...")

    fake.start = start
    with pytest.raises(RunError) as error, connect.joined("auto", None):
        pass
    assert (error.value.fault, error.value.option) == ("no cluster is running", "address")


def test_a_cluster_that_does_not_answer_is_not_waited_for(fake: FakeRay, monkeypatch: pytest.MonkeyPatch) -> None:
    never = threading.Event()
    fake.start = lambda: never.wait(30) and None
    monkeypatch.setattr(connect, "_CONNECT_SECONDS", 0.05)
    with (
        pytest.raises(RunError, match="^address='auto': no Ray cluster answered within 0 s$"),
        connect.joined("auto", None),
    ):
        pass
    never.set()
