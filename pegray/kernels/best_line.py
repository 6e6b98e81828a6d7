"""Which moves a search has proven: lines of best play, found with the help of the table."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from pegray.kernels.arena import LIST_WORDS, PLAY_WORDS, list_length, play_score
from pegray.kernels.bits import ZERO, kernel, plain, words_of
from pegray.kernels.endgame import node_key, search
from pegray.kernels.lanes import LANES
from pegray.kernels.lists import lane_list
from pegray.kernels.position import gain_if_over
from pegray.kernels.table import mark_of, recall_bounds
from pegray.kernels.turns import place_move, take_back


@kernel
def proving_move(workspace, ply, mover, target, depth):
    """A move that gains the player on turn at least ``target``, which a search of ``depth`` plies has just found."""
    arena = words_of(workspace.arena.words)
    other = 1 - mover
    rack = workspace.position.rack[ply, mover]
    mark = recall_bounds(workspace.table, node_key(workspace.position, ply, mover, depth)).mark
    found = ZERO
    for lane in range(LANES):
        at = lane_list(workspace, ply, mover, lane)
        play = at + LIST_WORDS
        for _ in range(list_length(arena, at)):
            if arena[play + 1] == rack:
                if play_score(arena[play + 2]) + 2 * workspace.position.rack_value[ply, other] >= target:
                    return arena[play]
            if mark != ZERO and mark_of(arena[play]) == mark:
                found = arena[play]
            play += PLAY_WORDS
    return found


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
