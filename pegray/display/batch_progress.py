"""How a batch goes on, live on stderr: a line for each position that is being solved, and one for all of them.

Above them what all together use and have used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.text import Text

from pegray.display.effort import batch_text
from pegray.display.live import OnLiveLines
from pegray.display.progress import solve_line

if TYPE_CHECKING:
    from pegray.preendgame.ledger import Progress
    from pegray.preendgame.problem import Problem


class BatchProgress(OnLiveLines):
    """Context manager. Nothing is shown off a terminal.

    total, done: positions of the batch, and those that had been finished before
    """

    def __init__(self, total: int, done: int) -> None:
        super().__init__("all", self._picture)
        self._total = total
        self._done = done
        self._live: dict[str, Progress] = {}
        self._ended_cpu_seconds = 0.0

    @contextmanager
    def position(self, name: str, problem: Problem) -> Iterator[Callable[[Progress], None]]:
        """A line for a position, while it is being solved; yields what any thread is to tell of its progress."""
        with self._display.line(name) as line:

            def update(progress: Progress) -> None:
                line.say(solve_line(problem, progress))
                self._live[name] = progress

            self._say_how_many()
            try:
                yield update
            finally:
                last = self._live.pop(name, None)
                if last is not None and last.effort is not None:
                    self._ended_cpu_seconds += last.effort.cpu_seconds

    def ended(self) -> None:
        """One more position has come to its end."""
        self._done += 1
        self._say_how_many()

    def _say_how_many(self) -> None:
        self.say(f"{self._done} of {self._total} positions")

    def _picture(self, width: int, ascii_only: bool) -> Sequence[Text]:
        effort = batch_text(list(self._live.values()), self._ended_cpu_seconds)
        return [Text(effort, "dim")] if effort else []
