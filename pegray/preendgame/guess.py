"""What a solve may cost: a guess from the size of the position and the figures of docs/performance.md."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pegray.preendgame.options import SolveOptions
from pegray.preendgame.problem import Problem
from pegray.terms import Opponent

# CPU seconds on one core by tiles in the bag, from the cheapest position measured to the dearest; where none was
# measured, figures between those of the bag sizes beside it.

# For all plays that empty the bag together: how many there are makes little difference.
_EMPTYING = {1: (0.2, 500.0), 2: (2.0, 500.0), 3: (5.0, 500.0), 4: (8.0, 1000.0), 5: (20.0, 1000.0), 6: (50.0, 1000.0)}
# For one play that leaves one tile. With one in the bag that is the pass: the figures above include it.
_LEAVING_ONE = {1: (0.0, 0.0), 2: (0.1, 2.0), 3: (1.0, 14.0), 4: (5.0, 20.0), 5: (50.0, 100.0), 6: (300.0, 1000.0)}
# A play costs about so many times as much for each further tile that it leaves: where most of them are refuted by an
# easy draw, and where they have to be worked out.
_EACH_TILE = (5.0, 20.0)
# The share of their cost that plays which leave tiles still have where cutoff spares most.
_CUT_OFF = 0.01


@dataclass(frozen=True)
class Size:
    """How large a position is. left: the number of plays to be solved that leave 0, 1, 2 ... tiles in the bag"""

    bag: int
    left: tuple[int, ...]

    @classmethod
    def of(cls, problem: Problem) -> Size:
        """The size of a problem; plays that its options leave out do not count."""
        candidates = problem.candidates
        left = np.maximum(problem.bag - candidates.tiles[~candidates.skipped].astype(np.int64), 0)
        return cls(problem.bag, tuple(np.bincount(left, minlength=problem.bag + 1).tolist()))

    @property
    def plays(self) -> int:
        """Plays to be solved."""
        return sum(self.left)


@dataclass(frozen=True)
class Guess:
    """CPU seconds on one core, from one to the other; a position may well cost ten times as much."""

    low: float
    high: float

    def __add__(self, other: Guess) -> Guess:
        return Guess(self.low + other.low, self.high + other.high)


def guess_cost(size: Size, options: SolveOptions) -> Guess | None:
    """What a position may cost; None for a model of the opponent of which nothing has been measured."""
    if options.opponent != Opponent.GUARANTEED:
        return None
    leaving = Guess(0.0, 0.0)
    for tiles, plays in enumerate(size.left[1:]):
        low, high = _LEAVING_ONE[size.bag]
        least, most = _EACH_TILE
        leaving += Guess(plays * low * least**tiles, plays * high * most**tiles)
    emptying = Guess(*_EMPTYING[size.bag]) if size.left[0] or size.bag == 1 else Guess(0.0, 0.0)
    spared = _CUT_OFF if options.early_cutoff else 1.0
    return emptying + Guess(leaving.low * spared, leaving.high)
