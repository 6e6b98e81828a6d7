"""Live progress of a batch on stderr: a line for each position that is being solved, and one for all of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING

from pegray.display.progress import live_lines, solve_line
from pegray.durations import format_duration

if TYPE_CHECKING:
    from pegray.preendgame.ledger import Progress
    from pegray.preendgame.problem import Problem


class BatchProgress:
    """Context manager. Nothing is shown off a terminal.

    total, done: positions of the batch, and those that had been finished before
    """

    def __init__(self, total: int, done: int) -> None:
        self._total = total
        self._done = done
        self._started = time.monotonic()
        self._display = live_lines()
        self._whole = self._display.add_task("all", total=total, completed=done, line="starting")

    def __enter__(self) -> BatchProgress:
        self._display.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._display.stop()

    @contextmanager
    def position(self, name: str, problem: Problem) -> Iterator[Callable[[Progress], None]]:
        """A line for a position, while it is being solved; yields what is to be told of its progress."""
        started = time.monotonic()
        task = self._display.add_task(name, total=1.0, line="starting")
        self._keep_whole_last()

        def update(progress: Progress) -> None:
            line = solve_line(problem, progress, time.monotonic() - started)
            self._display.update(task, completed=progress.fraction, line=line)
            self._display.update(self._whole, line=self._whole_line())

        try:
            yield update
        finally:
            self._display.remove_task(task)

    def ended(self) -> None:
        """One more position has come to its end."""
        self._done += 1
        self._display.update(self._whole, completed=self._done, line=self._whole_line())

    def _keep_whole_last(self) -> None:
        """Lines are shown in the order in which they were added."""
        self._display.remove_task(self._whole)
        self._whole = self._display.add_task("all", total=self._total, completed=self._done, line=self._whole_line())

    def _whole_line(self) -> str:
        return f"{self._done} of {self._total} positions; {format_duration(time.monotonic() - self._started)}"
