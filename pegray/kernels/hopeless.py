"""Dropping plays that fall short of the target whatever the player does, without making them.

The other side can always do one of these, so each bounds what a play gains, and the lowest bound counts:

- it only passes from now on: the play's score and what can still be gained alone (alone.py) with the tiles left;
- it *answers* with a play that stands wherever we play, and then only passes: that too, with the answer on the board
  and its score against us.

A bound costs as much as some ten nodes, so it must promise something. How far a player seems to fall short is told by a
guess; how often that was far enough is learned as the search goes on, since it depends on the board: for the two kinds
of bound, for nodes and for replies that are looked at, for racks with and without a blank, by their tiles.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from pegray.kernels.alone import NO_GUESS, bound_alone, guess_alone, set_number
from pegray.kernels.bits import ONE, kernel, plain, words_at
from pegray.kernels.generate import PLAY_WORDS, count_rack
from pegray.kernels.lanes import unmake_move
from pegray.kernels.lists import HEADER_WORDS, lane_list, list_length, play_reach, play_score, play_tile_value
from pegray.kernels.order import PASS_LANE, entry_lane, entry_play
from pegray.kernels.outs import disturbs, mark_zone
from pegray.kernels.turns import place_move
from pegray.kernels.workspace import ALONE_TILES, SHORTFALLS

LOOK_TILES = 3  # replies that are looked at before they are searched: only racks of so many tiles are bounded
_ANSWERS = 2
_NEVER = 1 << 20
# by how much a player with so many tiles must seem to fall short, at the least
_LEAST_SHORTFALL = (_NEVER, _NEVER, 2, 4, 6, 12)
_LEAST_ANSWERED = (_NEVER, _NEVER, 4, 6, 10, 16)
_WHOLE = 1024  # all plays dropped
_WORTH_IT = 300
_WORTH_IT_BLANK = 400
_WORTH_A_LOOK_BLANK = 600
_FIRST_TRIES = 4
_TRY_AGAIN = 15  # one in sixteen is tried whatever it promises
_MEMORY = 8


@kernel
def drop_hopeless(workspace, ply, mover, target, depth, base, end, best, most_tiles):
    """Drop those of the plays in ``order[base:end]`` that are proven not to reach ``target``.

    All lists of ``ply`` must be there. Racks of more than ``most_tiles`` are left alone. Returns the best bound of what
    was dropped (or ``best``), and the new end.
    """
    tiles = count_rack(workspace, workspace.rack[ply, mover])
    blank = min(workspace.count[0], 1)
    if tiles > most_tiles:
        return best, end
    guess = guess_alone(workspace, ply, mover)
    if guess == NO_GUESS:
        return best, end
    looking = np.int64(most_tiles < ALONE_TILES)
    shortfall = target - guess
    if shortfall >= _LEAST_SHORTFALL[tiles]:
        kind = _kind_of_bound(looking, 0, blank, tiles)
        if _promises(workspace, kind, looking, blank, shortfall):
            before = end
            if bound_alone(workspace, ply, mover):
                best, end = _drop_alone(workspace, ply, mover, target, base, end, best)
            _learn(workspace, kind, looking, shortfall, before - base, end - base)
    if end <= base + 2 or depth <= 2 or workspace.stop != 0:
        return best, end
    answers = _choose_answers(workspace, ply, 1 - mover)
    for answer in range(answers):
        short = shortfall + workspace.answer_worth[answer]
        if end > base and workspace.stop == 0 and short >= _LEAST_ANSWERED[tiles]:
            kind = _kind_of_bound(looking, 1, blank, tiles)
            if _promises(workspace, kind, looking, blank, short):
                before = end
                best, end = _drop_answered(workspace, ply, mover, target, base, end, best, answer)
                _learn(workspace, kind, looking, short, before - base, end - base)
    return best, end


@kernel
def _kind_of_bound(looking, answered, blank, tiles):
    """First index of ``bound_tries`` and ``bound_gains`` for a kind of bound."""
    return (((looking * 2 + answered) * 2 + blank) * (ALONE_TILES + 1) + tiles) * SHORTFALLS


@kernel
def _promises(workspace, kind, looking, blank, shortfall):
    """Whether a bound is worth its time, by what came of others of its kind lately."""
    i = kind + min(shortfall >> 1, SHORTFALLS - 1)
    tries = workspace.bound_tries[i]
    workspace.bound_tries[i] += 1
    if tries < _FIRST_TRIES or tries & _TRY_AGAIN == 0:
        return True
    worth = plain(_WORTH_IT)
    if blank:
        worth = plain(_WORTH_A_LOOK_BLANK) if looking else plain(_WORTH_IT_BLANK)
    return workspace.bound_gains[i] >= worth


@kernel
def _learn(workspace, kind, looking, shortfall, before, after):
    """Remember how many of the plays a bound has dropped; in a look only that all were."""
    i = kind + min(shortfall >> 1, SHORTFALLS - 1)
    gain = _WHOLE * (before - after) // before
    if looking and after > 0:
        gain = plain(0)
    workspace.bound_gains[i] += (gain - workspace.bound_gains[i]) // _MEMORY


@kernel
def _drop_alone(workspace, ply, mover, target, base, end, best):
    """Drop what falls short if the other side only passes, by ``alone_gain``."""
    arena = words_at(workspace.arena_address, workspace.arena_length)
    order = words_at(workspace.order_address, workspace.order_length)
    everything = workspace.alone_sets - 1
    kept = base
    for i in range(base, end):
        if entry_lane(order[i]) == PASS_LANE:
            value = workspace.rack_value[ply, 1 - mover] - workspace.rack_value[ply, mover]
        else:
            play = entry_play(workspace, ply, mover, order[i])
            left = everything - set_number(workspace, arena[play + 1])
            value = play_score(arena[play + 2]) + workspace.alone_gain[left]
        if value < target:
            best = max(best, value)
        else:
            order[kept] = order[i]
            kept += 1
    return best, kept


@kernel
def _choose_answers(workspace, ply, side):
    """Put the plays of a side that are worth most, and leave it tiles, into the first ``out_*`` fields.

    Worth (``answer_worth``) is the score and, since the tiles no longer count against it, twice their value. None is on
    squares that one before depends on. Returns their number.
    """
    arena = words_at(workspace.arena_address, workspace.arena_length)
    rack = workspace.rack[ply, side]
    answers = plain(0)
    for _ in range(_ANSWERS):
        most = plain(0)
        found = plain(0)
        found_lane = plain(0)
        for lane in range(30):
            at = lane_list(workspace, ply, side, lane)
            play = at + HEADER_WORDS
            for _ in range(list_length(arena, at)):
                if arena[play + 1] != rack:
                    worth = play_score(arena[play + 2]) + 2 * play_tile_value(arena[play + 2])
                    if worth > most and not _near_others(workspace, arena[play], answers):
                        most = worth
                        found = play
                        found_lane = plain(lane)
                play += PLAY_WORDS
        if most == 0:
            break
        workspace.out_move[answers] = arena[found]
        workspace.out_lane[answers] = np.uint64(found_lane)
        workspace.out_score[answers] = play_score(arena[found + 2])
        workspace.answer_worth[answers] = most
        mark_zone(workspace, answers)
        answers += 1
    return answers


@kernel
def _near_others(workspace, move, answers):
    for i in range(answers):
        if disturbs(workspace, move, i):
            return True
    return False


@kernel
def _drop_answered(workspace, ply, mover, target, base, end, best, answer):
    """Drop what falls short if the other side plays ``answer`` next and then only passes.

    A play that does not disturb the answer could as well come after it: neither is part of, or next to, a word of the
    other. So all that the mover gains is bounded by what it gains alone on the board with the answer.
    """
    workspace.answered_bounds += 1
    score = workspace.out_score[answer]
    lane = workspace.out_lane[answer]
    place_move(workspace, ply, 1 - mover, workspace.out_move[answer])
    bounded = bound_alone(workspace, ply + 1, mover)
    unmake_move(workspace, ply)
    workspace.live_ply = ply
    if not bounded:
        return best, end
    arena = words_at(workspace.arena_address, workspace.arena_length)
    order = words_at(workspace.order_address, workspace.order_length)
    everything = workspace.alone_sets - 1
    kept = base
    for i in range(base, end):
        value = target
        if entry_lane(order[i]) == PASS_LANE:
            value = workspace.alone_gain[everything] - score
        else:
            play = entry_play(workspace, ply, mover, order[i])
            meta = arena[play + 2]
            if not (play_reach(meta) >> lane) & ONE or not disturbs(workspace, arena[play], answer):
                left = everything - set_number(workspace, arena[play + 1])
                value = play_score(meta) + workspace.alone_gain[left] - score
        if value < target:
            best = max(best, value)
        else:
            order[kept] = order[i]
            kept += 1
    return best, kept
