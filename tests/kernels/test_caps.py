"""No play of a lane comes to more than the lane's cap."""

from __future__ import annotations

import random

import numpy as np
import numpy.typing as npt
import pytest

from pegray.kernels.bits import entry_kernel
from pegray.kernels.caps import cap_lane, kept_caps
from pegray.kernels.lanes import LANES
from pegray.kernels.lists import name_of
from pegray.preendgame.engine import legal_plays
from tests.kernels.adapter import ENGLISH, enable_words, lone_rack, position_of, word_graph
from tests.kernels.test_generate import BOARDS, PUBLISHED, SAMPLE, random_racks
from tests.reference.reference import EMPTY_BOARD, Board, parse_cgp


@entry_kernel
def caps_of_lanes(record):
    """int64[3, LANES, 2]: the caps of side 0 at the root: of cap_lane, as they are kept, and as found again."""
    workspace = record[0]
    caps = np.empty((3, LANES, 2), np.int64)
    rack = workspace.position.root_rack
    for lane in range(LANES):
        caps[0, lane, 0], caps[0, lane, 1] = cap_lane(workspace, lane, rack)
        name = name_of(workspace.position.lane_key[0, lane], rack)
        for i in range(1, 3):
            caps[i, lane, 0], caps[i, lane, 1] = kept_caps(workspace, lane, rack, name)
    return caps


def tile_value(move: int, values: npt.NDArray[np.int8]) -> int:
    """Value of the tiles that a packed move takes from the rack."""
    tiles = [(move >> (12 + 7 * i)) & 127 for i in range(move & 7)]
    return sum(int(values[tile]) for tile in tiles if tile < 64)


def check(board: Board, racks: list[str], words: list[str]) -> int:
    """Compare each play with its lane's cap; returns how many lanes with plays have a cap that a play comes to."""
    nodes, met = word_graph(words), 0
    for rack in racks:
        position = position_of(board, rack)
        workspace = lone_rack(position, nodes)
        caps, *kept = caps_of_lanes(workspace.record)
        assert all((some == caps).all() for some in kept)
        reached = np.full((LANES, 2), -1)
        for move, score in zip(*(values.tolist() for values in legal_plays(position, nodes)), strict=True):
            if move:
                lane, empties = (move >> 7) & 31, int(move & 7 == len(rack))
                comes_to = score if empties else score + 2 * tile_value(move, ENGLISH.values)
                assert comes_to <= caps[lane, empties], f"{rack} in lane {lane} on {board}"
                reached[lane, empties] = max(reached[lane, empties], comes_to)
        met += int(((reached == caps) & (reached >= 0)).sum())
    return met


@pytest.mark.parametrize("name", BOARDS)
def test_no_play_comes_to_more(name: str) -> None:
    chance = random.Random(name)
    position = parse_cgp(PUBLISHED[name])
    racks = [position.rack.replace("?", "S"), *random_racks(chance, 5)]
    check(position.board, racks, chance.sample(enable_words(15), SAMPLE))


def test_caps_are_met() -> None:
    """A cap that no play ever comes to says little."""
    assert check(parse_cgp(PUBLISHED["onyx"]).board, ["E", "S", "AT", "?"], list(enable_words(15))) > 10


def test_an_empty_board_has_no_cap() -> None:
    check(EMPTY_BOARD, ["AEINRST", "?AEINRS", "QI"], list(enable_words(15)[::20]) + ["QI", "RETINAS"])
