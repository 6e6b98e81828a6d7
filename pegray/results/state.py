"""How far the question of a position is answered (:class:`pegray.terms.State`): when, and how plays are listed then."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pegray.terms import State

MAX_TIEBREAKS = 20
"""Plays level at the top that the tie-break tells apart, those that score most."""


@dataclass
class Milestones:
    """After how many seconds of solving a position was answered, and complete; None until then."""

    answered: float | None = None
    complete: float | None = None

    def note(self, state: State, seconds: float) -> None:
        """The position is in this state after so many seconds."""
        if state == State.OPEN:
            self.answered = None
        elif self.answered is None:
            self.answered = seconds
        if state != State.COMPLETE:
            self.complete = None
        elif self.complete is None:
            self.complete = seconds


def listing_key(
    state: State,
    rank: int | None,
    skipped: bool,
    bounds: tuple[float, float],
    score: int,
    move: str,
    estimate: float | None = None,
) -> Any:
    """A key that sorts plays: by rank, the others by the points that they may at most have.

    Of an open position by what is expected of a play: its estimate, or the bound next to it where that is out of
    bounds; without an estimate what is won for certain. bounds: points at least and at most
    """
    at_least, at_most = bounds
    expected = at_least if estimate is None else min(max(estimate, at_least), at_most)
    known = (-expected, -at_least, -at_most) if state == State.OPEN else (-at_most, -expected)
    return (rank is None, rank or 0, skipped, *known, -score, move)
