"""What a session needs of those that do the work: an executor for one position, a workplace for one after the other.

The implementations: :mod:`.inprocess`, :mod:`.moving`, and :mod:`pegray.cluster.executor` on Ray.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from pegray.preendgame.problem import Problem
from pegray.preendgame.work import Settled, Unit


@dataclass(frozen=True)
class Lost:
    """A unit whose worker died; it has to be worked on again."""

    unit: Unit
    reason: str


@dataclass(frozen=True)
class Crew:
    """Those who do the work: solver threads that are ready, and how many machines they are on.

    together: quick draws, each of another play, that a thread takes in place of one unit
    """

    machines: int
    threads: int
    together: int = 1


class Executor(Protocol):
    """Where units are worked on."""

    @property
    def crew(self) -> Crew:
        """Who does the work now, for all positions that are being solved at this place."""

    @property
    def capacity(self) -> int:
        """How many units to keep in flight."""

    def submit(self, units: list[Unit]) -> None:
        """Begin to work on units."""

    def collect(self, timeout: float) -> list[Settled | Lost]:
        """Results that have come in; waits at most ``timeout`` seconds for the first."""

    def publish_bound(self, losses: int) -> None:
        """Tell all running work the fewest losses found (half weights), or STOP_NOW."""

    def withdraw(self, units: list[Unit]) -> None:
        """Nobody needs what comes of these any more: they may come back at once, unfinished."""

    def close(self) -> None:
        """Release what the executor holds."""


class Workplace(Protocol):
    """Where positions are solved."""

    def has_room(self) -> bool:
        """Whether another position can begin now."""

    def open(self, problem: Problem) -> AbstractContextManager[Executor]:
        """An executor for one position, while it is being solved."""


class Pool(Workplace, Protocol):
    """A workplace of several workers."""

    @property
    def workers(self) -> int:
        """Solver threads that are ready."""
