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

from pegray.kernels.alone import ALONE_TILES, NO_GUESS, bound_alone, guess_alone, set_number
from pegray.kernels.arena import LIST_WORDS, PLAY_WORDS, list_length, play_reach, play_score, play_tile_value
from pegray.kernels.bits import kernel, plain, words_of
from pegray.kernels.game import blanks_in, rack_size
from pegray.kernels.lanes import LANES
from pegray.kernels.lists import lane_list
from pegray.kernels.order import PASS_LANE, entry_lane, entry_play
from pegray.kernels.outs import OUTS, disturbs, mark_zone, stands
from pegray.kernels.turns import place_move, take_back

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
_SHORTFALLS = 32  # classes of how far a player seems to fall short
_KINDS_OF_BOUND = 8  # for nodes and for looks, without an answer and with one, without a blank and with one

HOPELESS = np.dtype(
    [
        ("answers", OUTS),  # best first
        ("worth", "i8", (_ANSWERS,)),  # of each answer
        # by _kind_of_bound: how often it was considered, and what it has brought lately (of _WHOLE, a moving average)
        ("tries", "i8", (_KINDS_OF_BOUND * (ALONE_TILES + 1) * _SHORTFALLS,)),
        ("gains", "i8", (_KINDS_OF_BOUND * (ALONE_TILES + 1) * _SHORTFALLS,)),
        ("answered_bounds", "i8"),  # tried so far
    ],
    align=True,
)


@kernel
def drop_hopeless(workspace, ply, mover, target, depth, base, end, best, looking):
    """Drop those of the plays in ``order[base:end]`` that are proven not to reach ``target``.

    All lists of ``ply`` must be there. ``looking`` is 1 where replies are looked at before they are searched, 0 at a
    node. Returns the best bound of what was dropped (or ``best``), and the new end.
    """
    rack = workspace.position.rack[ply, mover]
    tiles = rack_size(workspace.game, rack)
    if looking and tiles > _LOOK_TILES:
        return best, end
    guess = guess_alone(workspace, ply, mover)
    if guess == NO_GUESS:
        return best, end
    blank = blanks_in(workspace.game, rack)
    shortfall = target - guess
    if shortfall >= _LEAST_SHORTFALL[tiles]:
        kind = _kind_of_bound(looking, 0, blank, tiles, shortfall)
        if _promises(workspace.hopeless, kind, looking, blank):
            before = end
            if bound_alone(workspace, ply, mover):
                nothing = workspace.position.rack_value[ply, 1 - mover] - workspace.position.rack_value[ply, mover]
                best, end = _drop_short(workspace, ply, mover, target, base, end, best, nothing, plain(_NO_ANSWER))
            _learn(workspace.hopeless, kind, looking, before - base, end - base)
    if end <= base + 2 or depth <= 2 or workspace.limits.stop != 0:
        return best, end
    answers = _choose_answers(workspace, ply, 1 - mover)
    for answer in range(answers):
        short = shortfall + workspace.hopeless.worth[answer]
        if end > base and workspace.limits.stop == 0 and short >= _LEAST_ANSWERED[tiles]:
            kind = _kind_of_bound(looking, 1, blank, tiles, short)
            if _promises(workspace.hopeless, kind, looking, blank):
                before = end
                best, end = _drop_answered(workspace, ply, mover, target, base, end, best, answer)
                _learn(workspace.hopeless, kind, looking, before - base, end - base)
    return best, end


@kernel
def _kind_of_bound(looking, answered, blank, tiles, shortfall):
    """Index of ``tries`` and ``gains`` for a kind of bound."""
    kind = ((looking * 2 + answered) * 2 + blank) * (ALONE_TILES + 1) + tiles
    return kind * _SHORTFALLS + min(shortfall >> 1, _SHORTFALLS - 1)


@kernel
def _promises(hopeless, kind, looking, blank):
    """Whether a bound is worth its time, by what came of others of its kind lately."""
    tries = hopeless.tries[kind]
    hopeless.tries[kind] += 1
    if tries < _FIRST_TRIES or tries & _TRY_AGAIN == 0:
        return True
    worth = plain(_WORTH_IT)
    if blank:
        worth = plain(_WORTH_A_LOOK_BLANK) if looking else plain(_WORTH_IT_BLANK)
    return hopeless.gains[kind] >= worth


@kernel
def _learn(hopeless, kind, looking, before, after):
    """Remember how many of the plays a bound has dropped; in a look only that all were."""
    gain = _WHOLE * (before - after) // before
    if looking and after > 0:
        gain = plain(0)
    hopeless.gains[kind] += (gain - hopeless.gains[kind]) // _MEMORY


@kernel
def _drop_short(workspace, ply, mover, target, base, end, best, passing, answer):
    """Drop what falls short by ``alone.gain``, the pass if it gains ``passing``.

    ``answer`` is the play of the other side that ``alone.gain`` supposes, or _NO_ANSWER. Plays that disturb it stay.
    """
    arena = words_of(workspace.arena.words)
    order = words_of(workspace.order.stack)
    everything = workspace.alone.sets - 1
    score = plain(0) if answer == _NO_ANSWER else workspace.hopeless.answers.score[answer]
    kept = base
    for i in range(base, end):
        value = target
        if entry_lane(order[i]) == PASS_LANE:
            value = passing
        else:
            play = entry_play(workspace.lists, ply, mover, order[i])
            meta = arena[play + 2]
            if answer == _NO_ANSWER or stands(
                workspace.hopeless.answers, workspace.position, answer, arena[play], play_reach(meta)
            ):
                left = everything - set_number(workspace.alone, workspace.game, arena[play + 1])
                value = play_score(meta) + workspace.alone.gain[left] - score
        if value < target:
            best = max(best, value)
        else:
            order[kept] = order[i]
            kept += 1
    return best, kept


@kernel
def _choose_answers(workspace, ply, side):
    """Put the plays of a side that are worth most, and leave it tiles, into ``hopeless.answers``.

    Worth (``hopeless.worth``) is the score and, since the tiles no longer count against it, twice their value. None is
    on squares that one before depends on. Returns their number.
    """
    arena = words_of(workspace.arena.words)
    rack = workspace.position.rack[ply, side]
    answers = plain(0)
    for _ in range(_ANSWERS):
        most = plain(0)
        found = plain(0)
        found_lane = plain(0)
        for lane in range(LANES):
            at = lane_list(workspace, ply, side, lane)
            play = at + LIST_WORDS
            for _ in range(list_length(arena, at)):
                if arena[play + 1] != rack:
                    worth = play_score(arena[play + 2]) + 2 * play_tile_value(arena[play + 2])
                    if worth > most and not _near_others(
                        workspace.hopeless.answers, workspace.position, arena[play], answers
                    ):
                        most = worth
                        found = play
                        found_lane = plain(lane)
                play += PLAY_WORDS
        if most == 0:
            break
        workspace.hopeless.answers.move[answers] = arena[found]
        workspace.hopeless.answers.lane[answers] = np.uint64(found_lane)
        workspace.hopeless.answers.score[answers] = play_score(arena[found + 2])
        workspace.hopeless.worth[answers] = most
        mark_zone(workspace.hopeless.answers, workspace.position, answers)
        answers += 1
    return answers


@kernel
def _near_others(answers, position, move, found):
    for i in range(found):
        if disturbs(answers, position, move, i):
            return True
    return False


@kernel
def _drop_answered(workspace, ply, mover, target, base, end, best, answer):
    """Drop what falls short if the other side plays ``answer`` next and then only passes.

    A play that does not disturb the answer could as well come after it: neither is part of, or next to, a word of the
    other. So all that the mover gains is bounded by what it gains alone on the board with the answer.
    """
    workspace.hopeless.answered_bounds += 1
    place_move(workspace, ply, 1 - mover, workspace.hopeless.answers.move[answer])
    bounded = bound_alone(workspace, ply + 1, mover)
    take_back(workspace, ply)
    if not bounded:
        return best, end
    passing = workspace.alone.gain[workspace.alone.sets - 1] - workspace.hopeless.answers.score[answer]
    return _drop_short(workspace, ply, mover, target, base, end, best, passing, answer)
