"""No play that another makes possible comes to more than the rough cap of its lane."""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import random

import numpy as np
import pytest

from pegray.kernels.arena import LIST_WORDS, PLAY_WORDS, list_length, play_reach, play_score, play_tile_value
from pegray.kernels.bits import ONE, entry_kernel, plain, words_of
from pegray.kernels.caps import sort_rack
from pegray.kernels.lanes import LANES
from pegray.kernels.lists import lane_list, make_side_lists, side_plays
from pegray.kernels.rough_caps import begin_caps, cap_next, next_cap
from pegray.kernels.turns import place_move, take_back
from tests.kernels.adapter import enable_words, lone_rack, position_of, word_graph
from tests.kernels.test_generate import BOARDS, PUBLISHED, SAMPLE, random_racks
from tests.reference.reference import EMPTY_BOARD, Board, parse_cgp


@entry_kernel
def next_plays(record):
    """Look at each play of side 0 at the root, and at those that it makes possible.

    Returns how many lanes it changes that it should not or the reverse, how many plays it makes possible, how many of
    these score more than their cap, and how many exactly as much.
    """
    workspace = record[0]
    arena = words_of(workspace.arena.words)
    rack = workspace.position.root_rack
    make_side_lists(workspace, plain(0), plain(0))
    begin_caps(workspace, rack)
    counts = np.zeros(4, np.int64)
    for play in side_plays(workspace, plain(0), plain(0))[:-1]:
        if play[1] == rack:
            continue
        rest_value = workspace.position.rack_value[0, 0] - play_tile_value(play[2])
        changed = cap_next(workspace, play[0], rest_value)
        counts[0] += changed != play_reach(play[2])
        place_move(workspace, plain(0), plain(0), play[0])
        for lane in range(LANES):
            before = workspace.lists.at[0, 0, lane] + LIST_WORDS
            known = list_length(arena, workspace.lists.at[0, 0, lane])
            after = lane_list(workspace, plain(1), plain(0), lane)
            for i in range(list_length(arena, after)):
                at = after + LIST_WORDS + i * PLAY_WORDS
                is_new = True
                for other in range(known):
                    is_new &= arena[before + other * PLAY_WORDS] != arena[at]
                if is_new:
                    counts[1] += 1
                    some, everything = next_cap(workspace.rough_caps, lane)
                    cap = everything if arena[at + 1] == rack - play[1] else some
                    counts[2] += play_score(arena[at + 2]) > cap
                    counts[3] += play_score(arena[at + 2]) == cap
        take_back(workspace, plain(0))
    return counts


@entry_kernel
def next_caps(record, disturbed):
    """int64[plays, LANES, 2]: all caps, where (``disturbed``) lanes are capped for other racks meanwhile."""
    workspace = record[0]
    rack = workspace.position.root_rack
    make_side_lists(workspace, plain(0), plain(0))
    begin_caps(workspace, rack)
    plays = side_plays(workspace, plain(0), plain(0))[:-1]
    caps = np.zeros((plays.shape[0], LANES, 2), np.int64)
    for i in range(plays.shape[0]):
        if plays[i, 1] != rack:
            if disturbed:
                sort_rack(workspace.caps.sorted, workspace.game, plays[i, 1])
            changed = cap_next(workspace, plays[i, 0], plain(0))
            for lane in range(LANES):
                if (changed >> np.uint64(lane)) & ONE:
                    caps[i, lane, 0], caps[i, lane, 1] = next_cap(workspace.rough_caps, lane)
    return caps


def check(board: Board, racks: list[str], words: list[str]) -> tuple[int, int]:
    """Compare plays with their caps; returns how many are made possible, and how many come to exactly as much."""
    nodes, possible, met = word_graph(words), 0, 0
    for rack in racks:
        workspace = lone_rack(position_of(board, rack), nodes)
        lanes, plays, more, as_much = next_plays(workspace.record).tolist()
        assert lanes == 0, f"{rack} on {board}"
        assert more == 0, f"{more} plays of {rack} on {board}"
        possible, met = possible + plays, met + as_much
    return possible, met


@pytest.mark.parametrize("name", BOARDS)
def test_no_play_comes_to_more(name: str) -> None:
    chance = random.Random(name)
    position = parse_cgp(PUBLISHED[name])
    racks = [position.rack.replace("?", "S"), *(rack[:5] for rack in random_racks(chance, 5))]
    check(position.board, racks, chance.sample(enable_words(15), SAMPLE))


@pytest.mark.parametrize("name", BOARDS)
def test_with_all_short_words(name: str) -> None:
    """Most plays that another makes possible lie beside it."""
    possible, _ = check(parse_cgp(PUBLISHED[name]).board, ["SAE", "TOE", "EEN", "QI", "?A"], list(enable_words(3)))
    assert possible > 100


def test_caps_are_met() -> None:
    """A cap that no play ever comes to says little."""
    _, met = check(parse_cgp(PUBLISHED["onyx"]).board, ["ES", "AT", "EX"], list(enable_words(15)))
    assert met > 10


def test_the_second_play_of_a_game() -> None:
    check(EMPTY_BOARD, ["AEST", "?QI"], list(enable_words(4)))


@pytest.mark.parametrize("name", BOARDS)
def test_other_racks_meanwhile(name: str) -> None:
    """Other caps are asked for between two plays, of what is left of the rack."""
    board, nodes = parse_cgp(PUBLISHED[name]).board, word_graph(enable_words(3))
    for rack in ("QSAE", "ZO", "?AV"):
        workspace = lone_rack(position_of(board, rack), nodes)
        alone = next_caps(workspace.record, 0)
        assert (alone == next_caps(workspace.record, 1)).all(), f"{rack} on {board}"
