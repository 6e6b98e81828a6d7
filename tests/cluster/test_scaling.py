"""What a run asks an autoscaler for."""

from __future__ import annotations

import time

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


def test_no_more_cpus_than_there_are_units(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    now = 0.0
    monkeypatch.setattr(scaling, "request_resources", lambda num_cpus: asked.append(num_cpus))
    monkeypatch.setattr(time, "monotonic", lambda: now)
    with scaling.wanted(64) as wish:
        assert wish is not None
        assert wish.follow(bundles=0, threads=0, units=0) is None  # no node is there yet
        assert wish.follow(bundles=128, threads=128, units=500) is None
        now = 100.0
        assert wish.follow(bundles=40, threads=128, units=70) is None  # for the moment
        now = 110.0
        assert wish.follow(bundles=128, threads=128, units=128) is None
        now = 120.0
        assert wish.follow(bundles=3, threads=128, units=3) is None
        now = 150.0
        assert wish.follow(bundles=3, threads=128, units=3) == 3
        assert wish.follow(bundles=2, threads=6, units=2) == 2
        assert wish.follow(bundles=6, threads=6, units=6) is None
    assert asked == [64, 3, 2, 64, 0]
