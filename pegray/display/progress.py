"""How one solve goes on, live on stderr: only where somebody is looking."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from pegray.display.bars import bars
from pegray.display.effort import effort_line
from pegray.display.live import OnLiveLines
from pegray.terms import State
from pegray.text.numbers import count, number

if TYPE_CHECKING:
    from pegray.preendgame.ledger import Progress
    from pegray.preendgame.problem import Problem


class SolveProgress(OnLiveLines):
    """Context manager; `update` is the solver's `on_progress`. Nothing is shown off a terminal.

    Above the line that says how far it is: the plays that lead, once one of them has a point or an estimate, and what
    the solve uses, has used and may still need.
    """

    def __init__(self, name: str, problem: Problem) -> None:
        super().__init__(name, self._picture)
        self._problem = problem
        self._progress: Progress | None = None

    def update(self, progress: Progress) -> None:
        """Show how far the solve has come."""
        # where bars are drawn, the first of them says who is best
        self.say(progress_line(progress, None) if _has_bars(progress) else solve_line(self._problem, progress))
        self._progress = progress

    def _picture(self, width: int, ascii_only: bool) -> Sequence[Text]:
        progress = self._progress
        if progress is None:
            return []
        rows: list[Text] = []
        if _has_bars(progress):
            names = [play_text(self._problem, play.candidate) for play in progress.leading]
            rows = bars(progress, names, width, ascii_only)
        return [*rows, Text(effort_line(progress), "dim")] if progress.effort is not None else rows


def _has_bars(progress: Progress) -> bool:
    """Whether there is more to draw than that all is open."""
    return any(play.at_least or play.estimate is not None for play in progress.leading)


def solve_line(problem: Problem, progress: Progress) -> str:
    """:func:`progress_line` with the best play so far written out."""
    best = None if progress.best_candidate is None else play_text(problem, progress.best_candidate)
    return progress_line(progress, best)


def play_text(problem: Problem, candidate: int) -> str:
    """A candidate play as players write it."""
    from pegray.game.notation import format_move
    from pegray.preendgame.packed_moves import unpack_move

    move = unpack_move(int(problem.candidates.moves[candidate]), problem.position.board)
    return format_move(move, problem.position.distribution)


def progress_line(progress: Progress, best: str | None) -> str:
    """``13 of 625 plays left, 12 finished, 600 cut; 13L ONYX has 7.5; 1,234,567 nodes``

    What matters most comes first: a narrow window shows no more. There is no time to go: how long the plays that are
    left will take cannot be told from those before, since the last ones are the hardest.
    """
    left, finished, cut_off = map(number, (progress.left, progress.finished, progress.cut_off))
    parts = [f"{left} of {count(progress.plays_total, 'play')} left, {finished} finished, {cut_off} cut"]
    if best is not None:
        if progress.state == State.OPEN:
            parts.append(f"{best} has {number(progress.best_points)}, others up to {number(progress.most_open)}")
        else:
            parts.append(f"{progress.state}: {best} {number(progress.best_points)}")
    return "; ".join([*parts, count(progress.nodes, "node")])
