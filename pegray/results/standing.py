"""How far the question of a position is answered, in words that results, views and displays share.

``open``: some play may still have more points than every finished one: there is no best play yet
``answered``: the best points are proven; plays that are not finished may at most be level with them
``complete``: they are finished as well, and told apart by the tie-break, if it is wanted
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

OPEN, ANSWERED, COMPLETE = "open", "answered", "complete"
STATES = (OPEN, ANSWERED, COMPLETE)

UNTIL = ("answer", "level", "spread")
"""How far a solve may go: until the answer, until what is level with it is finished, until the tie-break's spreads."""

MAX_TIEBREAKS = 20
"""Plays level at the top that the tie-break tells apart, those that score most."""


@dataclass
class Milestones:
    """After how many seconds of solving a position was answered, and complete; None until then."""

    answered: float | None = None
    complete: float | None = None

    def note(self, state: str, seconds: float) -> None:
        """The position is in this state after so many seconds."""
        if state == OPEN:
            self.answered = None
        elif self.answered is None:
            self.answered = seconds
        if state != COMPLETE:
            self.complete = None
        elif self.complete is None:
            self.complete = seconds


def place(state: str, rank: int | None, skipped: bool, bounds: tuple[float, float], score: int, move: str) -> Any:
    """A key that sorts plays: by rank, the others by the points that they may at most have.

    Of an open position those come first that have won most for certain. bounds: points at least and at most
    """
    at_least, at_most = bounds
    known = (-at_least, -at_most) if state == OPEN else (-at_most,)
    return (rank is None, rank or 0, skipped, *known, -score, move)
