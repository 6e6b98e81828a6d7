"""Plays that are taken from lists above are legal now, score the same, and are the best of the lanes left alone."""

from __future__ import annotations

import numpy as np

from pegray.kernels.arena import play_reach, play_score, play_tile_value
from pegray.kernels.bits import ZERO, entry_kernel, plain
from pegray.kernels.lists import make_side_lists, side_plays
from pegray.kernels.moves import lane_of
from pegray.kernels.standing import STANDING_PLAYS, choose_standing
from pegray.kernels.turns import place_move, take_back
from tests.kernels.adapter import KernelPosition
from tests.kernels.test_differential import BATCH, as_endgame, positions

LANES_SPARED = 3


@entry_kernel
def moves_at_root(record):
    """uint64[n, 2]: the plays of side 0, whose lists are made, and the lanes that may change."""
    workspace = record[0]
    make_side_lists(workspace, plain(0), plain(1))
    plays = side_plays(workspace, plain(0), plain(0))
    moves = np.empty((len(plays) - 1, 2), np.uint64)
    for i in range(len(moves)):
        moves[i, 0] = plays[i, 0]
        moves[i, 1] = play_reach(plays[i, 2])
    return moves


@entry_kernel
def listed_after(record, move):
    """After ``move`` of side 0 and a pass, what stands and all plays of side 0 that do not empty its rack.

    Rows of move, score, worth; and, of the latter, the lane.
    """
    workspace = record[0]
    place_move(workspace, plain(0), plain(0), move)
    place_move(workspace, plain(1), plain(1), ZERO)
    number = choose_standing(workspace, plain(2), plain(0))
    chosen = np.empty((number, 3), np.int64)
    for i in range(number):
        chosen[i, 0] = np.int64(workspace.standing.move[i])
        chosen[i, 1] = workspace.standing.score[i]
        chosen[i, 2] = workspace.standing.worth[i]
    plays = side_plays(workspace, plain(2), plain(0))
    rows = np.empty((len(plays), 4), np.int64)
    kept = 0
    for i in range(len(plays) - 1):
        if plays[i, 1] != workspace.position.rack[2, 0]:
            score = play_score(plays[i, 2])
            rows[kept, 0] = np.int64(plays[i, 0])
            rows[kept, 1] = score
            rows[kept, 2] = score + 2 * play_tile_value(plays[i, 2])
            rows[kept, 3] = lane_of(plays[i, 0])
            kept += 1
    take_back(workspace, plain(1))
    take_back(workspace, plain(0))
    return chosen, rows[:kept].copy()


def check(kernels: KernelPosition) -> int:
    """Compare after each play of the root; returns how often something stood."""
    found = 0
    for move, reach in moves_at_root(kernels.record):
        chosen, plays = (rows.tolist() for rows in listed_after(kernels.record, move))
        if int(reach).bit_count() < LANES_SPARED:
            assert not chosen
            continue
        alone = sorted((worth for _, _, worth, lane in plays if not int(reach) >> lane & 1), reverse=True)
        assert [worth for _, _, worth in chosen] == alone[:STANDING_PLAYS]
        assert {tuple(play) for play in chosen} <= {tuple(play[:3]) for play in plays}
        found += bool(chosen)
    return found


def test_standing_plays() -> None:
    assert sum(check(KernelPosition(as_endgame(position))) for position in positions(0, BATCH // 2, 5)) > 0
