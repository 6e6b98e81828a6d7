"""Live progress of one solve on stderr: only where somebody is looking."""

from __future__ import annotations

import time
from types import TracebackType
from typing import TYPE_CHECKING

from rich.progress import BarColumn, SpinnerColumn, TextColumn
from rich.progress import Progress as RichProgress

from pegray.display.console import messages
from pegray.display.numbers import number
from pegray.durations import format_duration

if TYPE_CHECKING:
    from pegray.preendgame.ledger import Progress
    from pegray.preendgame.problem import Problem

# Below this share of the work an expected time would be a guess.
LEAST_FRACTION = 0.02


def live_lines() -> RichProgress:
    """A display of tasks, each with a bar and the field ``line``; off a terminal it shows nothing."""
    console = messages()
    return RichProgress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(bar_width=12),
        TextColumn("{task.fields[line]}"),
        console=console,
        disable=not console.is_terminal,
        transient=True,
    )


class SolveProgress:
    """Context manager; `update` is the solver's `on_progress`. Nothing is shown off a terminal."""

    def __init__(self, name: str, problem: Problem) -> None:
        self._problem = problem
        self._started = time.monotonic()
        self._display = live_lines()
        self._task = self._display.add_task(name, total=1.0, line="starting")

    def __enter__(self) -> SolveProgress:
        self._display.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._display.stop()

    def update(self, progress: Progress) -> None:
        """Show how far the solve has come."""
        line = solve_line(self._problem, progress, time.monotonic() - self._started)
        self._display.update(self._task, completed=progress.fraction, line=line)


def solve_line(problem: Problem, progress: Progress, elapsed: float) -> str:
    """:func:`progress_line` with the best play so far written out."""
    best = None if progress.best_candidate is None else play_text(problem, progress.best_candidate)
    return progress_line(progress, best, elapsed)


def play_text(problem: Problem, candidate: int) -> str:
    """A candidate play as players write it."""
    from pegray.game.notation import format_move
    from pegray.preendgame.moves import unpack_move

    move = unpack_move(int(problem.candidates.moves[candidate]), problem.position.board)
    return format_move(move, problem.position.distribution)


def progress_line(progress: Progress, best: str | None, elapsed: float) -> str:
    """``12 finished, 600 cut, 13 left; best 13L ONYX 7.5; 0:42, about 1:10 more``; `elapsed` in seconds."""
    finished, cut_off, left = map(number, (progress.finished, progress.cut_off, progress.left))
    parts = [f"{finished} finished, {cut_off} cut, {left} left"]
    if best is not None:
        parts.append(f"best {best} {number(progress.best_points)}")
    time_text = format_duration(elapsed)
    remaining = expected_seconds(progress.fraction, elapsed)
    if remaining is not None:
        time_text += f", about {format_duration(remaining)} more"
    return "; ".join([*parts, time_text])


def expected_seconds(fraction: float, elapsed: float) -> float | None:
    """Seconds still to go at the pace so far; None while that cannot be told."""
    if not LEAST_FRACTION <= fraction <= 1.0:
        return None
    return elapsed * (1.0 - fraction) / fraction
