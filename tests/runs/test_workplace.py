"""Which workplace an address means."""

from __future__ import annotations

import pytest

from pegray.preendgame.executors.inprocess import ThisProcess
from pegray.runs.workplace import workplace


@pytest.mark.parametrize(
    "address, workers, cpus", [("none", None, 8), ("none", 4, 8), ("local", 1, 8), ("local", None, 1)]
)
def test_one_worker_needs_no_ray(monkeypatch: pytest.MonkeyPatch, address: str, workers: int | None, cpus: int) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: cpus)
    with workplace(address, workers, 1 / 64, most=4) as place:
        assert isinstance(place, ThisProcess)
