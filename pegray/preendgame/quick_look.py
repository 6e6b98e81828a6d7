"""Estimates of what plays come to, so that the table of a long solve says something before much is proven.

A play is looked at with a few of its draws, endgames of two plies and few nodes. No point and no rank rests on what
comes of that, nor does the order of the work: that was tried, and saved nothing.
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from pegray.kernels.memory import NO_BOUND
from pegray.kernels.verdicts import DRAW, LOSS, WIN
from pegray.preendgame.book import Book
from pegray.preendgame.eventualities import Eventualities
from pegray.preendgame.problem import Problem
from pegray.preendgame.work import Settled, Unit
from pegray.terms import Opponent, UnitKind

AFTER_NODES = 30_000  # a solve that is over sooner needs no estimates
SHARE = 0.5  # of all CPU time, at the most
DRAWS = 4
PLIES = 2
NODES = 100  # for a draw
_UNSEEN = 0.5  # four draws won are no proof: one more counts as half won (the rule of succession)
_SHARE_WON = {LOSS: 0.0, DRAW: 0.5, WIN: 1.0}


class QuickLook:
    """Which plays are still to be estimated: those that may matter once a solve has taken AFTER_NODES.

    Those that score most come first. Each is asked for once: an estimate that is lost with its worker is not missed.
    """

    def __init__(self, book: Book, wanted: bool) -> None:
        self._book = book
        # the rational model would need other kernels than those of the solve
        self._wanted = wanted and book.problem.options.opponent == Opponent.GUARANTEED
        self._queue: deque[int] | None = None
        self._cpu_seconds = 0.0

    def next_units(self, count: int) -> list[Unit]:
        """Up to ``count`` units of plays that have no estimate yet; none while estimates have had their share."""
        if not self._wanted or self._book.nodes < AFTER_NODES:
            return []
        if self._queue is None:
            self._queue = self._open_plays()
        units: list[Unit] = []
        while self._queue and len(units) < count and self._cpu_seconds <= SHARE * self._book.cpu_seconds:
            candidate = self._queue.popleft()
            if not self._book.is_finished(candidate) and not self._book.is_cut(candidate):
                units.append(Unit(candidate, 0, UnitKind.ESTIMATE, DRAWS * NODES))
        return units

    def take(self, result: Settled) -> None:
        """Go by what an estimate has cost."""
        self._cpu_seconds += result.cpu_seconds

    def _open_plays(self) -> deque[int]:
        book, candidates = self._book, self._book.problem.candidates
        wanted = book.contending_mask() & ~book.finished_mask() & ~book.cut_mask() & np.isnan(book.estimates)
        plays = np.flatnonzero(wanted & ~candidates.ends_game)
        # of one play alone nobody asks how it stands among others
        return deque(plays[np.argsort(-candidates.scores[plays], kind="stable")].tolist() if len(plays) > 1 else [])


class Estimator:
    """Points of plays, from what was found of a few of their draws."""

    def __init__(self, eventualities: Eventualities, total: int) -> None:
        self._eventualities = eventualities
        self._total = total
        # of the draws that were settled so far, of whatever play, and one that is half won
        self._won = 0.5
        self._settled = 1.0

    def points(self, results: list[Settled], drawn: int) -> float | None:
        """Points of a play; what is not settled counts as what was settled so far on average.

        None where nothing at all was found.
        """
        usual = self._won / self._settled
        shares = [_UNSEEN]
        if not any(outcome in _SHARE_WON for result in results for outcome in result.outcomes):
            return None
        for result in results:
            _, weights = self._eventualities.stays(drawn, result.unit.draw)
            won = [_SHARE_WON.get(outcome, usual) for outcome in result.outcomes] or [usual] * len(weights)
            shares.append(float(np.average(won, weights=weights)))
            if result.finished:
                self._won += shares[-1]
                self._settled += 1.0
        return self._total * float(np.mean(shares))


def problem_to_look_at(problem: Problem) -> Problem:
    """The same with short endgames: for a solver with a memory of its own, since what it finds is not proven."""
    return replace(problem, options=replace(problem.options, endgame_plies=PLIES))


def look_units(candidate: int, weights: npt.NDArray[np.int64]) -> list[Unit]:
    """Units that say something of a play whose draws have these weights; no bound stops them."""
    return [Unit(candidate, draw, UnitKind.VERDICT, NODES, -NO_BOUND) for draw in sampled_draws(weights)]


def sampled_draws(weights: npt.NDArray[np.int64]) -> list[int]:
    """Numbers of DRAWS draws, spread evenly over all by their weights; fewer where there are not so many."""
    ends = np.cumsum(weights)
    places = (np.arange(DRAWS) + 0.5) * int(ends[-1]) / DRAWS
    draws: list[int] = np.unique(np.searchsorted(ends, places)).tolist()
    return draws
