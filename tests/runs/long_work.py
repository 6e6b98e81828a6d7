"""Work that goes on until it is stopped."""

from __future__ import annotations

import threading
from typing import Any

from pegray.preendgame.executors.base import Crew
from pegray.preendgame.work import STOP_NOW, Settled, Unit


class LongWork:
    """An executor whose only unit runs until it is stopped or the test fails."""

    capacity = 1
    crew = Crew(machines=1, threads=1)

    def __init__(self, *arguments: Any) -> None:
        self.stopped = threading.Event()
        self._unit: Unit | None = None

    def submit(self, units: list[Unit]) -> None:
        (self._unit,) = units

    def collect(self, timeout: float) -> list[Settled]:
        assert self._unit is not None
        assert self.stopped.wait(30.0), "nobody stopped the kernel"
        return [Settled(self._unit, False, b"", (), None, True, 0, 0, 0.0, 0.0)]

    def publish_bound(self, losses: int) -> None:
        if losses == STOP_NOW:
            self.stopped.set()

    def withdraw(self, units: list[Unit]) -> None:
        pass

    def close(self) -> None:
        pass
