"""Dropping plays that fall short of the target whatever the player does, without making them.

The other side can always do one of these, so each bounds what a play gains, and the lowest bound counts:

- it only passes from now on: the play's score and what can still be gained alone (alone.py) with the tiles left;
- it *answers* with a play that stands wherever we play, and then only passes: that too, with the answer on the board
  and its score against us.

While the plays of a node are searched, what has just refuted one of them is such an answer too.

Which bounds are tried is learned (promises.py).
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from pegray.kernels.alone import NO_GUESS, bound_alone, guess_alone, whole_gain
from pegray.kernels.arena import LIST_WORDS, PLAY_WORDS, list_length, play_reach, play_score, play_tile_value
from pegray.kernels.bits import kernel, plain, words_of
from pegray.kernels.foreseen import remember_bound
from pegray.kernels.game import blanks_in, rack_size
from pegray.kernels.killers import is_plainly_legal
from pegray.kernels.lanes import LANES
from pegray.kernels.lists import lane_list
from pegray.kernels.moves import lane_of
from pegray.kernels.numbering import MOST_TILES, set_number
from pegray.kernels.order import PASS_LANE, entry_lane, entry_play
from pegray.kernels.outs import OUTS, disturbs, mark_zone, stands
from pegray.kernels.position import MAX_PLIES
from pegray.kernels.promises import (
    OF_LOOK,
    OF_LOOK_ANSWERED,
    OF_NODE,
    OF_NODE_ANSWERED,
    OF_NODE_REFUTED,
    WHOLE,
    kind_of_bound,
    learn_gain,
    promises,
)
from pegray.kernels.turns import place_move, take_back

_LOOK_TILES = 3  # replies that are looked at before they are searched: only racks of so many tiles are bounded
_ANSWERS = 2
_NO_ANSWER = -1
_NEVER = 1 << 20
_MOST_ANSWERED = 5  # tiles of a player for whom an answer is chosen
# by how much a player with so many tiles must seem to fall short, at the least
_LEAST_SHORTFALL = (_NEVER, _NEVER, 2, 4, 6, 12, 32)
_LEAST_ANSWERED = (_NEVER, _NEVER, 4, 6, 10, 16)
_WORTH_IT = 300  # of WHOLE, which is all plays dropped
_WORTH_IT_BLANK = 400
_WORTH_A_LOOK_BLANK = 600
_FEW = 4  # plays: they are searched one by one
# by tiles of the player: plays that must be dropped by what refuted another, at the least
_WORTH_REFUTING = (_NEVER, _NEVER, 2, 2, 3, 8, 16)
_PLAY_DROPPED = 16  # of WHOLE
_MOST_COUNTED = WHOLE // _PLAY_DROPPED

HOPELESS = np.dtype(
    [
        ("answers", OUTS),  # best first
        ("worth", "i8", (_ANSWERS,)),  # of each answer
        ("guess", "i8", (MAX_PLIES,)),  # what the player on turn gains alone at the node searched at a ply
        # so far
        ("answered_bounds", "i8"),
        ("refuted_bounds", "i8"),
    ],
    align=True,
)


@kernel
def drop_hopeless(workspace, ply, mover, target, depth, base, end, best, looking):
    """Drop those of the plays in ``order[base:end]`` that are proven not to reach ``target``.

    The lists of ``ply`` are there but for those that a cap has left out, whose plays are no part of the guess: it may
    be too low, and then a bound is tried in vain. ``looking`` is 1 where replies are looked at before they are
    searched, 0 at a node. Returns the best bound of what was dropped (or ``best``), and the new end.
    """
    rack = workspace.position.rack[ply, mover]
    tiles = rack_size(workspace.game, rack)
    if looking and tiles > _LOOK_TILES:
        return best, end
    guess = guess_alone(workspace, ply, mover)
    if looking == 0:
        workspace.hopeless.guess[ply] = guess
    if guess == NO_GUESS:
        return best, end
    blank = blanks_in(workspace.game, rack)
    worth = _worth_of_bound(looking, blank)
    shortfall = target - guess
    if shortfall >= _LEAST_SHORTFALL[tiles]:
        use = plain(OF_LOOK) if looking else plain(OF_NODE)
        kind = kind_of_bound(use, blank, tiles, shortfall)
        if promises(workspace.promises, kind, worth):
            before = end
            if bound_alone(workspace, ply, mover):
                remember_bound(workspace.foreseen, rack, whole_gain(workspace.alone))
                nothing = workspace.position.rack_value[ply, 1 - mover] - workspace.position.rack_value[ply, mover]
                best, end = _drop_short(workspace, ply, mover, target, base, end, best, nothing, plain(_NO_ANSWER))
            learn_gain(workspace.promises, kind, _share_dropped(looking, before - base, end - base))
    if end <= base + 2 or depth <= 2 or tiles > _MOST_ANSWERED or workspace.limits.stop != 0:
        return best, end
    answers = _choose_answers(workspace, ply, 1 - mover)
    for answer in range(answers):
        short = shortfall + workspace.hopeless.worth[answer]
        if end > base and workspace.limits.stop == 0 and short >= _LEAST_ANSWERED[tiles]:
            use = plain(OF_LOOK_ANSWERED) if looking else plain(OF_NODE_ANSWERED)
            kind = kind_of_bound(use, blank, tiles, short)
            if promises(workspace.promises, kind, worth):
                before = end
                best, end = _drop_answered(workspace, ply, mover, target, base, end, best, answer)
                learn_gain(workspace.promises, kind, _share_dropped(looking, before - base, end - base))
    return best, end


@kernel
def drop_refuted_alike(workspace, ply, mover, target, base, end, best):
    """Drop those of the plays in ``order[base:end]`` that fall short after the last killer of ``ply + 1``.

    For a node whose plays are being searched. Those are kept that disturb the killer, and all where it is not plainly
    legal or where they are few. Returns the best bound of what was dropped (or ``best``), and the new end.
    """
    hopeless = workspace.hopeless
    rack = workspace.position.rack[ply, mover]
    tiles = rack_size(workspace.game, rack)
    if (
        end - base < _FEW
        or tiles > MOST_TILES
        or hopeless.guess[ply] == NO_GUESS
        or not is_plainly_legal(workspace, ply, 1 - mover, ply + 1, plain(0))
    ):
        return best, end
    answer = workspace.killers.move[ply + 1, 0]
    score = workspace.killers.score[ply + 1, 0]
    shortfall = max(0, target - hopeless.guess[ply] + score)
    kind = kind_of_bound(plain(OF_NODE_REFUTED), blanks_in(workspace.game, rack), tiles, shortfall)
    if not promises(workspace.promises, kind, _WORTH_REFUTING[tiles] * plain(_PLAY_DROPPED)):
        return best, end
    hopeless.refuted_bounds += 1
    hopeless.answers.move[0] = answer
    hopeless.answers.lane[0] = np.uint64(lane_of(answer))
    hopeless.answers.score[0] = score
    mark_zone(hopeless.answers, workspace.position, 0)
    before = end
    best, end = _drop_answered(workspace, ply, mover, target, base, end, best, plain(0))
    learn_gain(workspace.promises, kind, plain(_PLAY_DROPPED) * min(before - end, _MOST_COUNTED))
    return best, end


@kernel
def _worth_of_bound(looking, blank):
    """What a bound must bring."""
    if blank:
        return plain(_WORTH_A_LOOK_BLANK) if looking else plain(_WORTH_IT_BLANK)
    return plain(_WORTH_IT)


@kernel
def _share_dropped(looking, before, after):
    """What share of the plays a bound has dropped, of WHOLE; in a look only that all were counts."""
    if looking and after > 0:
        return plain(0)
    return WHOLE * (before - after) // before


@kernel
def _drop_short(workspace, ply, mover, target, base, end, best, passing, answer):
    """Drop what falls short by ``alone.gain``, the pass if it gains ``passing``.

    ``answer`` is the play of the other side that ``alone.gain`` supposes, or _NO_ANSWER. Plays that disturb it stay.
    """
    arena = words_of(workspace.arena.words)
    order = words_of(workspace.order.stack)
    everything = workspace.alone.numbering.sets - 1
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
                left = everything - set_number(workspace.alone.numbering, arena[play + 1])
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
    passing = whole_gain(workspace.alone) - workspace.hopeless.answers.score[answer]
    return _drop_short(workspace, ply, mover, target, base, end, best, passing, answer)
