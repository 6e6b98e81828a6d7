"""Which moves a search has proven: lines of best play, found with the help of the table."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from pegray.kernels.arena import LIST_WORDS, PLAY_WORDS, list_length, play_score
from pegray.kernels.bits import ZERO, kernel, plain, words_of
from pegray.kernels.endgame import node_key, search
from pegray.kernels.killers import KILLERS_OF_PLY
from pegray.kernels.lanes import LANES
from pegray.kernels.lists import lane_list, make_side_lists, source_list
from pegray.kernels.moves import lane_of
from pegray.kernels.position import gain_if_over
from pegray.kernels.table import mark_of, recall_bounds
from pegray.kernels.turns import place_move, take_back


@kernel
def proving_move(workspace, ply, mover, target, depth):
    """A move that gains the player on turn at least ``target``, which a search of ``depth`` plies has just found."""
    mark = recall_bounds(workspace.table, node_key(workspace.position, ply, mover, depth)).mark
    if mark != ZERO:
        killers = workspace.killers
        for i in range(KILLERS_OF_PLY):
            move = killers.move[ply, i]
            if mark_of(move) == mark and killers.lane_key[ply, i] == workspace.position.lane_key[ply, lane_of(move)]:
                return move
    # lists that have to be generated come last
    for generated in range(2):
        for lane in range(LANES):
            if (source_list(workspace, ply, mover, lane) < 0) == (generated == 1):
                move = _proving_move_of(workspace, ply, mover, lane, target, mark)
                if move != ZERO:
                    return move
    return ZERO


@kernel
def _proving_move_of(workspace, ply, mover, lane, target, mark):
    """A play of a lane that goes out with enough, or has a mark that is not 0; else 0."""
    arena = words_of(workspace.arena.words)
    rack = workspace.position.rack[ply, mover]
    left_behind = 2 * workspace.position.rack_value[ply, 1 - mover]
    at = lane_list(workspace, ply, mover, lane)
    play = at + LIST_WORDS
    for _ in range(list_length(arena, at)):
        if mark == ZERO:
            if arena[play + 1] == rack and play_score(arena[play + 2]) + left_behind >= target:
                return arena[play]
        elif mark_of(arena[play]) == mark:
            return arena[play]
        play += PLAY_WORDS
    return ZERO


@kernel
def best_move(workspace, ply, mover, passed, gain, depth):
    """A move that gains the player on turn ``gain``, the exact value of the position.

    Returns the packed move, its score, and whether it ends the game.
    """
    arena = words_of(workspace.arena.words)
    other = 1 - mover
    rack = workspace.position.rack[ply, mover]
    left_behind = workspace.position.rack_value[ply, other]
    if passed == 1 and gain_if_over(workspace.position, ply, mover) == gain:
        return ZERO, plain(0), True
    make_side_lists(workspace, ply, mover)
    hint = proving_move(workspace, ply, mover, gain, depth)
    for attempt in range(2):
        # the move that the table remembers first, then all
        for lane in range(LANES):
            length = list_length(arena, lane_list(workspace, ply, mover, lane))
            for index in range(length):
                play = lane_list(workspace, ply, mover, lane) + LIST_WORDS + index * PLAY_WORDS
                move = arena[play]
                score = play_score(arena[play + 2])
                if (attempt == 0) != (move == hint):
                    continue
                if arena[play + 1] == rack:
                    if score + 2 * left_behind == gain:
                        return move, score, True
                    continue
                place_move(workspace, ply, mover, move)
                value = search(workspace, ply + 1, other, plain(0), score - gain + 1, depth - 1)
                take_back(workspace, ply)
                if score - value >= gain:
                    return move, score, False
    return ZERO, plain(0), False
