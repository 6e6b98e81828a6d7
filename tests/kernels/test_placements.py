"""Placements are listed by the letters of their lane: what lies across does not matter."""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import random

import numpy as np
import pytest

from pegray.kernels.arena import LIST_WORDS, PLAY_WORDS, list_length
from pegray.kernels.bits import entry_kernel, plain, words_of
from pegray.kernels.lanes import LANES
from pegray.kernels.lists import PLACEMENTS, lane_list, make_side_lists, side_plays
from pegray.kernels.placements import generate_placements
from pegray.kernels.turns import place_move, take_back
from tests.kernels.adapter import enable_words, lone_rack, position_of, word_graph
from tests.kernels.test_generate import BOARDS, PUBLISHED, SAMPLE, random_racks
from tests.reference.reference import parse_cgp


@entry_kernel
def placements_after_plays(record):
    """Make each play of side 0 at the root, with the same rack after it, and list the placements.

    Returns how many lists are other than one that is generated at once, and how many are those of the root though the
    state of their lane is another.
    """
    workspace = record[0]
    arena = words_of(workspace.arena.words)
    position = workspace.position
    rack = position.root_rack
    make_side_lists(workspace, plain(0), plain(0))
    make_side_lists(workspace, plain(0), plain(PLACEMENTS))
    counts = np.zeros(2, np.int64)
    for play in side_plays(workspace, plain(0), plain(0))[:-1]:
        place_move(workspace, plain(0), plain(0), play[0])
        position.rack[1, 0] = rack
        for lane in range(LANES):
            at = lane_list(workspace, plain(1), plain(PLACEMENTS), lane)
            length = list_length(arena, at)
            end = workspace.arena.next
            other = end + LIST_WORDS
            same = generate_placements(workspace, lane, rack, other) == length
            for word in range(length * PLAY_WORDS if same else 0):
                same &= arena[at + LIST_WORDS + word] == arena[other + word]
            workspace.arena.next = end
            counts[0] += not same
            kept = at == workspace.lists.at[0, PLACEMENTS, lane]
            counts[1] += kept and position.lane_key[0, lane] != position.lane_key[1, lane]
        take_back(workspace, plain(0))
    return counts


@pytest.mark.parametrize("name", BOARDS)
def test_lists_are_found_by_the_letters_of_their_lane(name: str) -> None:
    chance = random.Random(name)
    board = parse_cgp(PUBLISHED[name]).board
    nodes = word_graph(chance.sample(enable_words(15), SAMPLE))
    kept = 0
    for rack in random_racks(chance, 3):
        workspace = lone_rack(position_of(board, rack[:5]), nodes)  # it keeps the memory alive
        wrong, found = placements_after_plays(workspace.record)
        assert wrong == 0
        kept += int(found)
    assert kept > 0
