"""What a run asks an autoscaler for."""

from __future__ import annotations

import pytest

from pegray.cluster import scaling


def test_cpus_are_asked_for_and_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(scaling, "request_resources", lambda num_cpus: asked.append(num_cpus))
    with pytest.raises(KeyError), scaling.wanted(64):
        assert asked == [64]
        raise KeyError
    assert asked == [64, 0]


def test_nothing_is_asked_for_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scaling, "request_resources", lambda num_cpus: pytest.fail("asked"))
    with scaling.wanted(None):
        pass
