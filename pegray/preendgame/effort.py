"""What a solve uses, has used and may still need, for whoever pays for it."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass

from pegray.preendgame.book import Book
from pegray.preendgame.executors.base import Crew
from pegray.preendgame.guess import Guess
from pegray.preendgame.remaining import remaining
from pegray.terms import State

_SAMPLE_SECONDS = 1.0
_SAMPLES = 30


@dataclass(frozen=True)
class Effort:
    """What a solve uses, has used and may still need.

    machines, threads: those that are ready for work; positions that are being solved at the same time share them
    nodes_per_second: searched by all threads, over the last half minute
    cpu_seconds: of the units that are done, in all sessions
    left: CPU seconds until the answer, from ``left.low`` to ``left.high``; None where nothing can be said
    """

    machines: int
    threads: int
    nodes_per_second: float
    cpu_seconds: float
    left: Guess | None


class Meter:
    """Measures the effort of one solve. What is in its book at first is from earlier sessions."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self._left: Guess | None = None
        # nodes searched at moments a second apart, the last ones
        self._samples: deque[tuple[float, int]] = deque(maxlen=_SAMPLES)

    def read(self, crew: Crew, state: State) -> Effort:
        """The effort so far; to be called a few times a second. state: of the position"""
        book = self._book
        now = time.monotonic()
        if not self._samples or now - self._samples[-1][0] >= _SAMPLE_SECONDS:
            self._samples.append((now, book.nodes))
            self._left = remaining(book) if state == State.OPEN else None
        since, nodes = self._samples[0]
        return Effort(
            crew.machines,
            crew.threads,
            (book.nodes - nodes) / (now - since) if now > since else 0.0,
            book.cpu_seconds,
            self._left if state == State.OPEN else None,
        )
