"""The bound on what a player gains alone is never below what the slow reference finds it to gain."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pegray.kernels.lane_memory import SLOT_WORDS
from pegray.kernels.numbering import MOST_TILES
from tests.kernels.adapter import KernelPosition, enable_words
from tests.kernels.test_differential import BATCH, FAST, ORACLE, positions
from tests.reference.positions import RandomPosition
from tests.reference.reference import PASS, Board, Reference, in_order, put_on, without

SHORT_WORDS = 4


class Alone:
    """What a player gains on a board if the other side passes until the end, for all that it may come to."""

    def __init__(self, reference: Reference, other_rack: str) -> None:
        self.reference = reference
        self.other_value = reference.rack_value(other_rack)
        self.gains: dict[tuple[Board, str], int] = {}

    def gain(self, board: Board, rack: str) -> int:
        if not rack:
            return 2 * self.other_value
        if (board, rack) not in self.gains:
            self.gains[board, rack] = max(
                self.other_value - self.reference.rack_value(rack)  # it passes too, and the game ends
                if move == PASS
                else move.score + self.gain(put_on(board, move), in_order(without(rack, move.tiles)))
                for move in self.reference.moves(board, rack)
            )
        return self.gains[board, rack]


def check_bound(position: RandomPosition, rack: str) -> int:
    """Compare for each set of tiles that may still be held; returns how far the bound for all of them is off."""
    position = replace(position, our_rack=rack, known="", spread=0, scoreless=0)
    alone = Alone(Reference(position.words), position.unseen)
    bounds = KernelPosition(position).gains_alone()
    gain = alone.gain(position.board, rack)
    for (_, held), exact in alone.gains.items():
        assert exact <= bounds[held], f"{held} held in {position}"
    return bounds[rack] - gain


def some_rack(position: RandomPosition, tiles: int, blank: bool) -> str:
    """Some of the tiles not on the board, with a blank or without."""
    letters = (position.our_rack + position.unseen).replace("?", "")
    return in_order("?" * blank + letters[: tiles - blank])


@pytest.mark.parametrize(("tiles", "blank", "count"), [(2, False, 20), (3, False, 20), (2, True, 10), (3, True, 3)])
def test_bound(tiles: int, blank: bool, count: int) -> None:
    """With the few words of the differential positions, and with all short ones of the bundled lexicon."""
    off = []
    for position in positions(0, count, 5):
        rack = some_rack(position, tiles, blank)
        off.append(check_bound(position, rack))
        off.append(check_bound(replace(position, words=frozenset(enable_words(SHORT_WORDS))), rack))
    assert blank or min(off) == 0, "a bound that is never met says little"


@pytest.mark.parametrize("tiles", [5, MOST_TILES])
def test_bound_of_many_tiles(tiles: int) -> None:
    """With few words, since the reference goes through all orders of them."""
    off = [check_bound(position, some_rack(position, tiles, blank=False)) for position in positions(0, 20, 5)]
    assert min(off) == 0, "a bound that is never met says little"


@pytest.mark.oracle
@pytest.mark.parametrize("start", ORACLE)
def test_more_bounds(start: int) -> None:
    for position in positions(start, BATCH, 8):
        for tiles, blank in ((3, False), (4, False), (3, True), (5, False), (MOST_TILES, False)):
            check_bound(position, some_rack(position, tiles, blank))


def test_racks_out_of_scope() -> None:
    """One tile, too many, too many with a blank, two blanks: no bound."""
    (position,) = positions(FAST, 1, 5)
    for rack in ("A", "A" * (MOST_TILES + 1), "?AEIO", "??A"):
        assert KernelPosition(replace(position, our_rack=rack, unseen="I", known="")).gains_alone() == {}


def test_no_bound_where_scores_are_large() -> None:
    """Sums of scores must be numbers of 16 bits."""
    (position,) = positions(FAST, 1, 5)
    kernels = KernelPosition(replace(position, our_rack="AEI", unseen="I", known=""))
    assert 10_000 < kernels.record["game"]["most_points"][0] < 1 << 15
    kernels.record["game"]["most_points"] = 1 << 15
    assert kernels.gains_alone() == {}


def test_bound_is_used() -> None:
    """Endgames of the differential test come to nodes that it settles."""
    bounds = 0
    for position in positions(0, BATCH, 5):
        kernels = KernelPosition(replace(position, unseen=position.unseen[position.bag_size :], known=""))
        kernels.endgame_gain()
        bounds += int(kernels.record["alone"]["bounds"][0])
    assert bounds > 0


def test_what_is_kept_of_lanes_makes_no_difference() -> None:
    """With so little memory that nearly nothing is found again, no bound is another: the same nodes are searched."""
    bounds = 0
    for position in positions(0, 12, 5):
        usual, little = KernelPosition(position), KernelPosition(position)
        little.workspace.point("lane_memory", "words", np.zeros(1 << 19, np.uint64))
        little.workspace.point("lane_memory", "index", np.zeros(4 * SLOT_WORDS, np.uint64))
        assert little.endgame_gain() == usual.endgame_gain()
        assert little.record["limits"]["nodes"] == usual.record["limits"]["nodes"]
        bounds += usual.record["alone"]["bounds"][0]
    assert bounds > 100
