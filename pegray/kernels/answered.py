"""Dropping the plays that one answer of the other side refutes, without a node for each.

Where a player is far behind, each of a hundred plays falls to the same answer, after which the other side goes out next
turn. To make each of them, and then the answer, and look for what is left, is most of what a lost endgame costs.

A play that does not disturb the answer could as well come after it (as in hopeless.py). So the answer is placed once,
each play comes on top of it, and what is left of the player's rack is bounded. The other side then threatens to go out:
one more play of ours, and the game is over, unless that play disturbs all outs that are left. Whether there is such a
play, or one that scores enough, is told for lanes as they were by their lists, and for those that the play changes by
rough caps (rough_caps.py). Where these do not do, the play is made, and the lanes in question are told by caps
(caps.py) and at last by their lists.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from pegray.kernels.arena import (
    LIST_WORDS,
    PLAY_WORDS,
    list_best,
    list_length,
    play_reach,
    play_score,
    play_tile_value,
)
from pegray.kernels.bits import ONE, ZERO, kernel, plain, words_of
from pegray.kernels.caps import kept_caps
from pegray.kernels.game import fits
from pegray.kernels.intrinsics import trailing_zeros
from pegray.kernels.killers import is_plainly_legal
from pegray.kernels.lanes import LANES
from pegray.kernels.limits import count_node
from pegray.kernels.lists import fetch_slots, lane_list, name_of
from pegray.kernels.moves import lane_of
from pegray.kernels.order import PASS_LANE, entry_lane, entry_play
from pegray.kernels.outs import OUTS, gather_outs, mark_zone, outs_beside, stands
from pegray.kernels.rough_caps import begin_caps, cap_next, next_cap
from pegray.kernels.turns import place_move, take_back

_UNKNOWN = 1 << 20
_FEW = 6  # plays: they are searched one by one

ANSWERED = np.dtype(
    [
        ("answer", OUTS),  # the first one
        # after the answer, by lane
        ("beside", "u8", (LANES,)),  # the other side's outs that stand whatever is played there, a bit each
        ("most", "i8", (LANES,)),  # no play of the player's scores more there
        # so far
        ("plays", "i8"),
        ("dropped", "i8"),
    ],
    align=True,
)


@kernel
def drop_answered(workspace, ply, mover, target, base, end, best):
    """Drop those of the plays in ``order[base:end]`` that the last killer of ``ply + 1`` is proven to refute.

    Those are kept that disturb the killer, and all where it is not plainly legal, or leaves the other side no out, or
    where they are few. Returns the best bound of what was dropped (or ``best``), and the new end. The search may be
    stopped.
    """
    other = 1 - mover
    if end - base <= _FEW or not is_plainly_legal(workspace, ply, other, ply + 1, plain(0)):
        return best, end
    answer = workspace.killers.move[ply + 1, 0]
    workspace.answered.answer.move[0] = answer
    workspace.answered.answer.lane[0] = np.uint64(lane_of(answer))
    mark_zone(workspace.answered.answer, workspace.position, 0)
    count_node(workspace.limits)
    place_move(workspace, ply, other, answer)
    outs = gather_outs(workspace, ply + 1, other, False)
    if outs > 0 and workspace.limits.stop == 0:
        _gather_lanes(workspace, ply + 1, mover, outs)
        begin_caps(workspace, workspace.position.rack[ply + 1, mover])
        score = workspace.killers.score[ply + 1, 0]
        best, end = _drop_short(workspace, ply, mover, target + score, base, end, best + score, outs)
        best -= score
    take_back(workspace, ply)
    return best, end


@kernel
def _gather_lanes(workspace, ply, mover, outs):
    """Fill the fields by lane, once the answer is placed."""
    arena = words_of(workspace.arena.words)
    fetch_slots(workspace, ply, mover)
    for lane in range(LANES):
        workspace.answered.beside[lane] = outs_beside(workspace.outs, outs, lane)
        workspace.answered.most[lane] = list_best(arena, lane_list(workspace, ply, mover, lane))


@kernel
def _drop_short(workspace, ply, mover, target, base, end, best, outs):
    """Drop the plays after which the mover gains less than ``target``: the answer is placed, and costs nothing."""
    arena = words_of(workspace.arena.words)
    order = words_of(workspace.order.stack)
    kept = base
    for i in range(base, end):
        value = target
        if workspace.limits.stop == 0 and entry_lane(order[i]) != PASS_LANE:
            play = entry_play(workspace.lists, ply, mover, order[i])
            move = arena[play]
            reach = play_reach(arena[play + 2])
            score = play_score(arena[play + 2])
            standing = ZERO
            if stands(workspace.answered.answer, workspace.position, plain(0), move, reach):
                for out in range(outs):
                    if stands(workspace.outs, workspace.position, out, move, reach):
                        standing |= ONE << np.uint64(out)
            if standing != ZERO:
                workspace.answered.plays += 1
                value, unsure = _most_without(
                    workspace, ply + 1, mover, target - score, move, arena[play + 1], arena[play + 2], standing
                )
                if unsure != ZERO and value < target - score:
                    count_node(workspace.limits)
                    place_move(workspace, ply + 1, mover, move)
                    value = max(value, _most_left(workspace, ply + 2, mover, target - score, standing, unsure))
                    take_back(workspace, ply + 1)
                value += score
        if value < target and workspace.limits.stop == 0:
            workspace.answered.dropped += 1
            best = max(best, value)
        else:
            order[kept] = order[i]
            kept += 1
    return best, kept


@kernel
def _most_without(workspace, ply, mover, target, move, need, meta, standing):
    """What the mover gains after ``move``, which is not made, at the most, and lanes (a bit each) that may bring more.

    The other side goes out next turn with one of the ``standing`` outs (a bit for each that was gathered). A number
    that is not below ``target`` is no bound.
    """
    position = workspace.position
    rest = position.rack[ply, mover] - need
    rest_value = position.rack_value[ply, mover] - play_tile_value(meta)
    left_behind = 2 * position.rack_value[ply, 1 - mover]
    best = -workspace.outs.score[trailing_zeros(standing)] - 2 * rest_value  # the pass
    if best >= target:
        return best, ZERO
    changed = play_reach(meta)
    for lane in range(LANES):
        if (changed >> np.uint64(lane)) & ONE == ZERO and workspace.answered.most[lane] >= 0:
            beside = standing & workspace.answered.beside[lane]
            most = workspace.answered.most[lane] + _after_play(workspace.outs, beside, left_behind)
            if most >= target:
                at = workspace.lists.at[ply, mover, lane]
                most = _most_of_list(workspace, ply, mover, target, standing, at, rest, 2 * rest_value)
            if most >= target:
                return most, ZERO
            best = max(best, most)
    changed = cap_next(workspace, move, rest_value)
    unsure = ZERO
    while changed != ZERO:
        lane = np.int64(trailing_zeros(changed))
        changed &= changed - ONE
        most = _most_changed(workspace, lane, target, standing, left_behind)
        if most >= target:
            unsure |= ONE << np.uint64(lane)
        else:
            best = max(best, most)
    return best, unsure


@kernel
def _most_changed(workspace, lane, target, standing, left_behind):
    """What a play gains in a lane that the play before has changed, at the most; ``target`` if there is no bound."""
    before = workspace.answered.most[lane]
    some, everything = next_cap(workspace.rough_caps, lane)
    beside = standing & workspace.answered.beside[lane]
    if max(before, max(some, everything)) < 0:
        return plain(-_UNKNOWN)
    if beside == ZERO:
        return target
    return max(
        before + _after_play(workspace.outs, beside, left_behind),
        max(some - workspace.outs.score[trailing_zeros(beside)], everything + left_behind),
    )


@kernel
def _after_play(outs, beside, left_behind):
    """What a play gains besides its score, at the most, where the outs ``beside`` its lane (a bit each) stand."""
    if beside == ZERO:
        return plain(_UNKNOWN)
    return max(-outs.score[trailing_zeros(beside)], left_behind)


@kernel
def _most_left(workspace, ply, mover, target, standing, lanes):
    """As :func:`_most_without` once the move is made, by the plays in ``lanes`` (a bit each)."""
    position = workspace.position
    rack = position.rack[ply, mover]
    left_behind = 2 * position.rack_value[ply, 1 - mover]
    left = 2 * position.rack_value[ply, mover]
    best = plain(-_UNKNOWN)
    while lanes != ZERO and best < target and workspace.limits.stop == 0:
        lane = np.int64(trailing_zeros(lanes))
        lanes &= lanes - ONE
        beside = standing & workspace.answered.beside[lane]
        most = target
        if beside != ZERO:
            out = workspace.outs.score[trailing_zeros(beside)]
            some, everything = kept_caps(workspace, lane, rack, name_of(position.lane_key[ply, lane], rack))
            most = max(some - out - left, everything + left_behind)
        if most >= target:
            at = lane_list(workspace, ply, mover, lane)
            most = _most_of_list(workspace, ply, mover, target, standing, at, rack, left)
        best = max(best, most)
    return best


@kernel
def _most_of_list(workspace, ply, mover, target, standing, at, rack, left):
    """The same, by those plays of a list that ``rack`` has the tiles for; ``left`` is twice their value."""
    arena = words_of(workspace.arena.words)
    position = workspace.position
    left_behind = 2 * position.rack_value[ply, 1 - mover]
    best = plain(-_UNKNOWN)
    play = at + LIST_WORDS
    for _ in range(list_length(arena, at)):
        need = arena[play + 1]
        if fits(workspace.game, need, rack):
            meta = arena[play + 2]
            value = play_score(meta)
            if need == rack:
                value += left_behind
            else:
                value -= left - 2 * play_tile_value(meta)
                outs = standing
                while outs != ZERO and not stands(
                    workspace.outs, position, trailing_zeros(outs), arena[play], play_reach(meta)
                ):
                    outs &= outs - ONE
                if outs == ZERO:
                    return target
                value -= workspace.outs.score[trailing_zeros(outs)]
            best = max(best, value)
            if best >= target:
                break
        play += PLAY_WORDS
    return best
