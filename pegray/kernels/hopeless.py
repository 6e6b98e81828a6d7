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
from pegray.kernels.bits import kernel, plain, words_at
from pegray.kernels.generate import PLAY_WORDS, count_rack
from pegray.kernels.lists import HEADER_WORDS, lane_list, list_length, play_reach, play_score, play_tile_value
from pegray.kernels.order import PASS_LANE, entry_lane, entry_play
from pegray.kernels.outs import disturbs, mark_zone, stands
from pegray.kernels.turns import place_move, take_back
from pegray.kernels.workspace import ALONE_TILES, SHORTFALLS

_LOOK_TILES = 3  # replies that are looked at before they are searched: only racks of so many tiles are bounded
_ANSWERS = 2
_NO_ANSWER = -1
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
def drop_hopeless(workspace, ply, mover, target, depth, base, end, best, looking):
    """Drop those of the plays in ``order[base:end]`` that are proven not to reach ``target``.

    All lists of ``ply`` must be there. ``looking`` is 1 where replies are looked at before they are searched, 0 at a
    node. Returns the best bound of what was dropped (or ``best``), and the new end.
    """
    tiles = count_rack(workspace, workspace.rack[ply, mover])
    if looking and tiles > _LOOK_TILES:
        return best, end
    guess = guess_alone(workspace, ply, mover)
    if guess == NO_GUESS:
        return best, end
    blank = workspace.count[0]
    shortfall = target - guess
    if shortfall >= _LEAST_SHORTFALL[tiles]:
        kind = _kind_of_bound(looking, 0, blank, tiles, shortfall)
        if _promises(workspace, kind, looking, blank):
            before = end
            if bound_alone(workspace, ply, mover):
                nothing = workspace.rack_value[ply, 1 - mover] - workspace.rack_value[ply, mover]
                best, end = _drop_short(workspace, ply, mover, target, base, end, best, nothing, plain(_NO_ANSWER))
            _learn(workspace, kind, looking, before - base, end - base)
    if end <= base + 2 or depth <= 2 or workspace.stop != 0:
        return best, end
    answers = _choose_answers(workspace, ply, 1 - mover)
    for answer in range(answers):
        short = shortfall + workspace.answer_worth[answer]
        if end > base and workspace.stop == 0 and short >= _LEAST_ANSWERED[tiles]:
            kind = _kind_of_bound(looking, 1, blank, tiles, short)
            if _promises(workspace, kind, looking, blank):
                before = end
                best, end = _drop_answered(workspace, ply, mover, target, base, end, best, answer)
                _learn(workspace, kind, looking, before - base, end - base)
    return best, end


@kernel
def _kind_of_bound(looking, answered, blank, tiles, shortfall):
    """Index of ``bound_tries`` and ``bound_gains`` for a kind of bound."""
    kind = ((looking * 2 + answered) * 2 + blank) * (ALONE_TILES + 1) + tiles
    return kind * SHORTFALLS + min(shortfall >> 1, SHORTFALLS - 1)


@kernel
def _promises(workspace, kind, looking, blank):
    """Whether a bound is worth its time, by what came of others of its kind lately."""
    tries = workspace.bound_tries[kind]
    workspace.bound_tries[kind] += 1
    if tries < _FIRST_TRIES or tries & _TRY_AGAIN == 0:
        return True
    worth = plain(_WORTH_IT)
    if blank:
        worth = plain(_WORTH_A_LOOK_BLANK) if looking else plain(_WORTH_IT_BLANK)
    return workspace.bound_gains[kind] >= worth


@kernel
def _learn(workspace, kind, looking, before, after):
    """Remember how many of the plays a bound has dropped; in a look only that all were."""
    gain = _WHOLE * (before - after) // before
    if looking and after > 0:
        gain = plain(0)
    workspace.bound_gains[kind] += (gain - workspace.bound_gains[kind]) // _MEMORY


@kernel
def _drop_short(workspace, ply, mover, target, base, end, best, passing, answer):
    """Drop what falls short by ``alone_gain``, the pass if it gains ``passing``.

    ``answer`` is the play of the other side that ``alone_gain`` supposes, or _NO_ANSWER. Plays that disturb it stay.
    """
    arena = words_at(workspace.arena_address, workspace.arena_length)
    order = words_at(workspace.order_address, workspace.order_length)
    everything = workspace.alone_sets - 1
    score = plain(0) if answer == _NO_ANSWER else workspace.out_score[answer]
    kept = base
    for i in range(base, end):
        value = target
        if entry_lane(order[i]) == PASS_LANE:
            value = passing
        else:
            play = entry_play(workspace, ply, mover, order[i])
            meta = arena[play + 2]
            if answer == _NO_ANSWER or stands(workspace, answer, arena[play], play_reach(meta)):
                left = everything - set_number(workspace, arena[play + 1])
                value = play_score(meta) + workspace.alone_gain[left] - score
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
    place_move(workspace, ply, 1 - mover, workspace.out_move[answer])
    bounded = bound_alone(workspace, ply + 1, mover)
    take_back(workspace, ply)
    if not bounded:
        return best, end
    passing = workspace.alone_gain[workspace.alone_sets - 1] - workspace.out_score[answer]
    return _drop_short(workspace, ply, mover, target, base, end, best, passing, answer)
