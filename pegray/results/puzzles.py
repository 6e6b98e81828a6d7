"""Positions that are worth setting as puzzles: one play is best by a margin, and it does not look it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from pegray.results.model import SolveResult
from pegray.results.play import PlayResult
from pegray.terms import Status


@dataclass(frozen=True)
class Puzzle:
    """A position with its answer.

    row: of positions.parquet
    next_best: the play that may have most beside the best; None where there is no other
    higher_scores: how many plays score more than the best
    """

    row: dict[str, Any]
    result: SolveResult
    best: PlayResult
    next_best: PlayResult | None
    higher_scores: int

    @property
    def margin(self) -> float:
        """By how much the best play is better than every other at the least, in percent of all draws."""
        others = self.next_best.at_most if self.next_best is not None else 0.0
        return 100 * (self.best.at_least - others) / self.best.total


def find_puzzles(
    answers: Iterable[tuple[dict[str, Any], SolveResult]], margin: float, higher_scores: int
) -> Iterator[Puzzle]:
    """The answered pre-endgames where the best play is better than every other by the margin, and hard to find.

    That is proven, not estimated. The best play leaves a tile in the bag, or at least so many plays score more.

    answers: rows of positions.parquet with results
    """
    for row, result in answers:
        best = result.best
        if best is None or result.bag == 0 or not best.at_least or result.is_estimated:
            continue
        others = [play for play in result.plays if play is not best and play.status != Status.SKIPPED]
        puzzle = Puzzle(
            row=row,
            result=result,
            best=best,
            next_best=max(others, key=lambda play: play.at_most, default=None),
            higher_scores=sum(play.score > best.score for play in others),
        )
        is_hidden = best.tiles_left > 0 or puzzle.higher_scores >= higher_scores
        if is_hidden and puzzle.margin >= margin:
            yield puzzle
