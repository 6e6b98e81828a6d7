"""Standing plays: listed above, and legal still. They are tried at a node before any list is made for it.

Two plays change some eight lanes each; in all others a list from above has every play that can be made now. One of
those plays often settles the node, and then the lists of the changed lanes, the dearest part of a node with large
racks, are not needed. How often that is so depends on the position and on who is behind, so it is learned: by side, by
the tiles on the rack and by place among the best.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from pegray.game.rules import RACK_SIZE
from pegray.kernels.arena import LIST_WORDS, PLAY_WORDS, list_best, list_length, play_score, play_tile_value
from pegray.kernels.bits import kernel, plain, words_of
from pegray.kernels.game import fits
from pegray.kernels.killers import KILLERS_OF_PLY
from pegray.kernels.lanes import LANES
from pegray.kernels.lists import source_list

STANDING_PLAYS = 2
_LISTS_SPARED = 3  # fewer are made sooner than plays are tried
_OFTEN = 1024  # always settles the node
_WORTH_IT = 96
_FIRST_TRIES = 4
_TRY_AGAIN = 31  # one in 32 is tried whatever it promises
_MEMORY = 16

STANDING = np.dtype(
    [
        # the best plays of the node looked at last, the best first
        ("move", "u8", (STANDING_PLAYS,)),
        ("score", "i8", (STANDING_PLAYS,)),
        ("worth", "i8", (STANDING_PLAYS,)),
        # by side, tiles on the rack and place among the best: how often one was considered, and how often (of _OFTEN, a
        # moving average) one that was tried has settled its node lately
        ("considered", "i8", (2, RACK_SIZE + 1, STANDING_PLAYS)),
        ("settles", "i8", (2, RACK_SIZE + 1, STANDING_PLAYS)),
    ],
    align=True,
)


@kernel
def choose_standing(workspace, ply, mover):
    """Put the plays that are worth most, of those that are listed already, into ``standing``; returns their number.

    Worth is the score and, since its tiles no longer count against the mover, twice their value. Left out are plays
    that empty the rack, and the killers of this ply, which have been tried. 0 where hardly a list would be spared.
    """
    arena = words_of(workspace.arena.words)
    standing = workspace.standing
    rack = workspace.position.rack[ply, mover]
    for i in range(STANDING_PLAYS):
        standing.worth[i] = -1
    most_left = 2 * workspace.position.rack_value[ply, mover]
    missing = 0
    for lane in range(LANES):
        at = source_list(workspace, ply, mover, lane)
        if at < 0:
            missing += 1
            continue
        if list_best(arena, at) + most_left <= standing.worth[STANDING_PLAYS - 1]:
            continue
        play = at + LIST_WORDS
        for _ in range(list_length(arena, at)):
            meta = arena[play + 2]
            worth = play_score(meta) + 2 * play_tile_value(meta)
            if worth > standing.worth[STANDING_PLAYS - 1]:
                need = arena[play + 1]
                if need != rack and fits(workspace.game, need, rack):
                    _insert(standing, workspace.killers, ply, arena[play], play_score(meta), worth)
            play += PLAY_WORDS
    if missing < _LISTS_SPARED:
        return plain(0)
    number = plain(0)
    while number < STANDING_PLAYS and standing.worth[number] >= 0:
        number += 1
    return number


@kernel
def _insert(standing, killers, ply, move, score, worth):
    """Put a play in its place among the best, unless it is a killer of this ply."""
    for i in range(KILLERS_OF_PLY):
        if move == killers.move[ply, i]:
            return
    at = STANDING_PLAYS - 1
    while at > 0 and standing.worth[at - 1] < worth:
        standing.move[at] = standing.move[at - 1]
        standing.score[at] = standing.score[at - 1]
        standing.worth[at] = standing.worth[at - 1]
        at -= 1
    standing.move[at] = move
    standing.score[at] = score
    standing.worth[at] = worth


@kernel
def is_worth_trying(standing, mover, tiles, place):
    """Whether a try is worth its time, by what came of others lately."""
    considered = standing.considered[mover, tiles, place]
    standing.considered[mover, tiles, place] += 1
    if considered < _FIRST_TRIES or considered & _TRY_AGAIN == 0:
        return True
    return standing.settles[mover, tiles, place] >= _WORTH_IT


@kernel
def learn_try(standing, mover, tiles, place, settled):
    """Remember whether a play that was tried has settled its node."""
    found = plain(_OFTEN) if settled else plain(0)
    standing.settles[mover, tiles, place] += (found - standing.settles[mover, tiles, place]) // _MEMORY
