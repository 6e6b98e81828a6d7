"""Who leads while a solve goes on: the plays at the top of the table, with what each has and may have."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pegray.preendgame.book import Book
from pegray.terms import State

SHOWN = 10


@dataclass(frozen=True)
class Standing:
    """A play that may answer what is asked.

    candidate: its number
    at_least, at_most: points won for certain so far, and those that it may still have
    estimate: points as a quick look has them, None without one or where the play is finished
    finished: all its outcomes are settled
    """

    candidate: int
    at_least: float
    at_most: float
    estimate: float | None
    finished: bool


def leading(book: Book, state: State, count: int = SHOWN) -> tuple[Standing, ...]:
    """The first plays of the table, as :func:`pegray.results.state.listing_key` sorts them.

    But for plays that are level at the top, which the tie-break may still put in another order.
    """
    plays = np.flatnonzero(book.contending_mask())
    total, scores = book.problem.total, book.problem.candidates.scores[plays]
    finished = book.finished_mask()[plays]
    least, most = book.won[plays] / 2, total - book.lost[plays] / 2
    guessed = book.estimates[plays]
    expected = np.where(np.isnan(guessed), least, np.clip(guessed, least, most))
    if state == State.OPEN:
        order = np.lexsort((-scores, -most, -least, -expected))
    else:
        order = np.lexsort((-scores, -expected, -most, ~book.ranked_mask()[plays]))
    return tuple(
        Standing(
            candidate=int(plays[place]),
            at_least=float(least[place]),
            at_most=float(most[place]),
            estimate=None if finished[place] or np.isnan(guessed[place]) else float(expected[place]),
            finished=bool(finished[place]),
        )
        for place in order[:count]
    )
