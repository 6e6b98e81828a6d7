"""Walks through replies that are split, on small positions: what comes of them is what one walk finds.

So it is if memory is lost on the way, and all that is handed on are checkpoints, and whichever plays of ours come first
since others are thought to be at the rest.
"""

from __future__ import annotations

from random import Random

import numpy as np
import numpy.typing as npt
import pytest

from pegray.kernels.checkpoints import HEAD_WORDS
from pegray.kernels.decisions import empty_decisions
from pegray.kernels.entry import UNIT, list_multisets, restore_checkpoints, settle_draws, settle_staying
from pegray.kernels.table import empty_table
from pegray.preendgame.engine import ask_about, named_left
from pegray.preendgame.walks import Walk
from pegray.preendgame.work import Settled, Unit
from pegray.terms import UnitKind
from tests.kernels.adapter import NO_BOUND, KernelPosition, enable_words
from tests.reference.positions import RandomPosition, random_position

SEED = 21
FAST = 8
MORE = range(FAST, 400, 8)
PLAYS = 6
SLOTS = 1 << 10


class SplitPosition(KernelPosition):
    """A position whose walks end early, again and again, and go on in portions handed out in any order."""

    def __init__(self, position: RandomPosition, random: Random) -> None:
        super().__init__(position)
        self.random = random
        self.portions = 0
        self.restored = 0
        self.checkpoints: list[npt.NDArray[np.uint64]] = []
        self.workspace.part("checkpoints")["least"] = 1

    def move_elsewhere(self) -> None:
        """Nothing is remembered any more but the checkpoints so far."""
        self.workspace.point("table", "entries", empty_table(SLOTS))
        for part in ("decisions", "found"):
            self.workspace.point(part, "rows", empty_decisions(SLOTS))
        for rows in self.checkpoints:
            restore_checkpoints(self.record, rows)
            self.restored += len(rows) > HEAD_WORDS

    def settle(self, unit: Unit, move: int, draw: np.uint64, stays: int, score: int) -> Settled:
        """What the kernels find of a unit in its budget, now and then in another process."""
        if self.random.random() < 0.3:
            self.move_elsewhere()
        others = self.random.randint(0, 3)
        self.workspace.part("taken")["others"] = others
        self.workspace.part("taken")["place"] = self.random.randint(0, others)
        ask_about(self.workspace, unit.portion, unit.known[0], True)
        units = np.array([(move, draw, self.position.spread + score, 0, 0, unit.budget)], UNIT)
        known = np.uint64(self.known)
        if stays == 1 and move == 0:
            verdicts, replies, (end,) = settle_draws(self.record, units, stays, known, NO_BOUND)
        else:
            verdicts, replies, end = settle_staying(self.record, units, stays, known, NO_BOUND)
        finished = end[2] == 0
        used = int(self.workspace.part("checkpoints")["used"][0])
        self.checkpoints.append(self.workspace.arrays["checkpoints.rows"][:used].copy())
        outcomes = verdicts if finished else np.where(verdicts < 2, verdicts, -1).astype(np.int8)
        left = None if finished else named_left(self.workspace)
        named = tuple(replies.view(np.int64).tolist())
        costs = (int(end[0]), int(end[1]), 0.0, 0.0, not finished)
        untried = int(self.workspace.part("portion")["untried"][0])
        found = Settled(unit, finished, outcomes.tobytes(), named, None, True, *costs)
        found.replies_left, found.untried = left, untried if left else 0
        return found

    def split(self, move: int, draw: np.uint64, stays: int, score: int, orders: int) -> npt.NDArray[np.int8]:
        """Verdicts put together from portions with small budgets; some results are lost, others come twice."""
        walk = Walk(0, 0, orders)
        budget = self.random.choice([1, 3, 10])
        results: list[Settled] = []
        while not walk.is_settled:
            left = list(walk.left or ())
            self.random.shuffle(left)
            portion = tuple(sorted(left[: self.random.randint(1, 3)]))
            known = walk.known() if portion else (b"", ())
            unit = Unit(0, 0, UnitKind.VERDICT, budget, 0, portion=portion, known=known, names_left=True)
            result = self.settle(unit, move, draw, stays, score)
            self.portions += bool(portion)
            budget += 1
            if self.random.random() < 0.9:
                walk.take(result)
                results.append(result)
            if results and self.random.random() < 0.2:
                walk.take(self.random.choice(results))
        again = Walk(0, 0, orders)
        for result in self.random.sample(results, len(results)):
            again.take(result)
        assert again.is_settled and again.so_far().outcomes == walk.so_far().outcomes
        return np.frombuffer(walk.so_far().outcomes, np.int8)


def compare(position: RandomPosition, random: Random) -> tuple[int, int]:
    """Compare all walks of the first plays of a position; how many portions it took, and checkpoints restored."""
    whole, split = KernelPosition(position), SplitPosition(position, random)
    bag = position.bag_size
    for name, move, score in list(whole._moves())[-PLAYS:]:
        drawn = min(move & 7, bag)
        if drawn == bag:
            continue
        draws, _ = list_multisets(whole.record, np.uint64(whole.pool), drawn)
        for draw in draws:
            expected, complete = whole._verdicts(move, draw, bag - drawn, score, NO_BOUND)
            assert complete
            found = split.split(move, draw, bag - drawn, score, len(expected))
            assert found.tolist() == expected.tolist(), f"{name} after {draw} in {position}"
    return split.portions, split.restored


@pytest.mark.parametrize("start", range(0, FAST, 4))
def test_portions_come_to_the_same(start: int) -> None:
    random = Random(start)
    counts = [compare(random_position(enable_words(5), SEED, start + i), random) for i in range(4)]
    portions, restored = map(sum, zip(*counts, strict=True))
    assert portions > 100 and restored > 100


@pytest.mark.oracle
@pytest.mark.parametrize("start", MORE)
def test_more_portions_come_to_the_same(start: int) -> None:
    random = Random(start)
    for i in range(8):
        compare(random_position(enable_words(8), SEED, start + i), random)
