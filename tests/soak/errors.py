"""Deliberate errors: each a reference solver that gets one rule of the game or of the model wrong.

A soak that compares the solver with one of these must notice. If it did not, it would not notice either if the solver
made that error and the reference were right.
"""

from __future__ import annotations

from tests.reference.reference import HALF_POINTS, PASS, InformationSet, Move, State, information, leftover
from tests.soak.measured import SharingReference


class SeesTheBag(SharingReference):
    """We pick, at our next turn, whatever is best with the tiles that are really in the bag."""

    def _find_outcome(self, state: State, ours: bool, known: str, opponent: str) -> str:
        if not ours or not state.bag or self.final_spread(state) is not None:
            return super()._find_outcome(state, ours, known, opponent)
        choice = self.moves(state.board, state.rack)
        outcomes = [self.outcome(self.play(state, move), False, known, opponent) for move in choice]
        return max(outcomes, key=HALF_POINTS.__getitem__)


class TiesFallTheBestWay(SharingReference):
    """Of the moves that have the most points we are taken to play the one that is best."""

    def _find_outcome(self, state: State, ours: bool, known: str, opponent: str) -> str:
        if not ours or not state.bag or self.final_spread(state) is not None:
            return super()._find_outcome(state, ours, known, opponent)
        choice = self.best_moves(information(state, known), opponent)
        outcomes = [self.outcome(self.play(state, move), False, known, opponent) for move in choice]
        return max(outcomes, key=HALF_POINTS.__getitem__)


class ForgetsTheKnownRack(SharingReference):
    """After a turn nobody knows any more what the opponent was known to hold."""

    def outcome(self, state: State, ours: bool, known: str, opponent: str) -> str:
        return super().outcome(state, ours, "", opponent)


class WeighsNothing(SharingReference):
    """Whoever chooses by points counts every draw once, however many copies of its tiles there are."""

    def best_moves(self, info: InformationSet, opponent: str) -> list[Move]:
        key = info, opponent
        if key not in self._best_moves:
            points = {
                move: sum(HALF_POINTS[outcome] for _, outcome in self.outcomes(info, move, opponent).values())
                for move in self.moves(info.board, info.rack)
            }
            most = max(points.values())
            self._best_moves[key] = [move for move in points if points[move] == most]
        return self._best_moves[key]


class NeverPasses(SharingReference):
    """An opponent who may make any reply makes a play while there is one and tiles are in the bag."""

    def _find_outcome(self, state: State, ours: bool, known: str, opponent: str) -> str:
        if ours or opponent != "guaranteed" or not state.bag or self.final_spread(state) is not None:
            return super()._find_outcome(state, ours, known, opponent)
        replies = [move for move in self.moves(state.board, state.rack) if move != PASS] or [PASS]
        outcomes = [
            self.outcome(self.play(state, move), True, leftover(known, move.tiles), opponent) for move in replies
        ]
        return min(outcomes, key=HALF_POINTS.__getitem__)


class RationalTiesTheWrongWay(SharingReference):
    """Where a rational opponent has several best moves, it is taken to play the one that is best for us."""

    def _find_outcome(self, state: State, ours: bool, known: str, opponent: str) -> str:
        if ours or opponent != "rational" or not state.bag or self.final_spread(state) is not None:
            return super()._find_outcome(state, ours, known, opponent)
        outcomes = [
            self.outcome(self.play(state, move), True, leftover(known, move.tiles), opponent)
            for move in self.best_moves(information(state, ""), opponent)
        ]
        return max(outcomes, key=HALF_POINTS.__getitem__)


ERRORS: dict[str, type[SharingReference]] = {
    "sees-the-bag": SeesTheBag,
    "ties-fall-the-best-way": TiesFallTheBestWay,
    "forgets-the-known-rack": ForgetsTheKnownRack,
    "weighs-nothing": WeighsNothing,
    "never-passes": NeverPasses,
    "rational-ties-the-wrong-way": RationalTiesTheWrongWay,
}
