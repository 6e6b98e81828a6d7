"""What the plays of a node seem to be worth, which says in what order they are searched.

An estimate is a play's score less the best reply that it leaves standing, and more if it sets up going out next turn.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from pegray.kernels.arena import LIST_WORDS, PLAY_WORDS, list_best, list_length, play_reach, play_score, play_tile_value
from pegray.kernels.bits import ONE, ZERO, kernel, plain, words_of
from pegray.kernels.lanes import LANES
from pegray.kernels.lists import lane_list
from pegray.kernels.order import ESTIMATE_BIAS, ESTIMATE_SHIFT, PASS_LANE, PLACE_MASK, entry_lane, entry_play
from pegray.kernels.outs import gather_outs, standing_out
from pegray.kernels.table import mark_of

_NEED_SLOTS = 512  # a hash table of the sets of tiles within a rack of 7: 127 at the most
_NEED_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_NEED_SHIFT = np.uint64(55)  # to one of _NEED_SLOTS
_TABLE_MOVE_BONUS = 1 << 19
_OUT_NEXT_BONUS = 20
_KILLER_BONUS = 30

ESTIMATES = np.dtype(
    [
        # a side's best score in each lane that it has a play in, falling
        ("reply_score", "i8", (LANES,)),
        ("reply_lane", "u8", (LANES,)),
        # need -> best play with exactly that need
        ("need_key", "u8", (_NEED_SLOTS,)),
        ("need_score", "i8", (_NEED_SLOTS,)),
        ("need_lane", "u8", (_NEED_SLOTS,)),
    ],
    align=True,
)
"""Of the node whose plays are being put in order."""


@kernel
def order_plays(workspace, ply, mover, target, table_move, base, end, best):
    """Drop the plays in ``order[base:end]`` that :func:`drop_refuted` does, and give each that is left an estimate.

    Returns the best bound of what was dropped (or ``best``), and the new end.
    """
    arena = words_of(workspace.arena.words)
    order = words_of(workspace.order.stack)
    my_value = workspace.position.rack_value[ply, mover]
    rack = workspace.position.rack[ply, mover]
    replies = _gather_replies(workspace, ply, 1 - mover)
    best, end = drop_refuted(workspace, ply, mover, target, base, end, best)
    if workspace.limits.stop:
        return best, end
    _gather_needs(workspace, ply, mover)
    for i in range(base, end):
        if entry_lane(order[i]) == PASS_LANE:
            move = ZERO
            estimate = -_standing_reply(workspace.estimates, replies, ZERO) - 2 * my_value
        else:
            play = entry_play(workspace.lists, ply, mover, order[i])
            move = arena[play]
            meta = arena[play + 2]
            reach = play_reach(meta)
            left = my_value - play_tile_value(meta)
            estimate = play_score(meta) - _standing_reply(workspace.estimates, replies, reach) - 2 * left
            slot = _need_slot(workspace.estimates, rack - arena[play + 1])
            lane = workspace.estimates.need_lane[slot]
            if workspace.estimates.need_key[slot] != ZERO and not (reach >> lane) & ONE:
                estimate += workspace.estimates.need_score[slot] + 2 * left + _OUT_NEXT_BONUS
            if move == workspace.killers.move[ply, 0] or move == workspace.killers.move[ply, 1]:
                estimate += _KILLER_BONUS
        if table_move != ZERO and mark_of(move) == table_move:
            estimate += _TABLE_MOVE_BONUS
        order[i] = np.uint64(estimate + ESTIMATE_BIAS) << ESTIMATE_SHIFT | (order[i] & PLACE_MASK)
    return best, end


@kernel
def drop_refuted(workspace, ply, mover, target, base, end, best):
    """Drop the plays in ``order[base:end]`` that leave an out of the opponent standing and so fall short of ``target``.

    Returns the best bound of what was dropped (or ``best``), and the new end.
    """
    arena = words_of(workspace.arena.words)
    order = words_of(workspace.order.stack)
    my_value = workspace.position.rack_value[ply, mover]
    outs = gather_outs(workspace, ply, 1 - mover, False)
    if workspace.limits.stop or outs == 0:
        return best, end
    kept = base
    for i in range(base, end):
        move, reach, score, left = ZERO, ZERO, plain(0), my_value
        if entry_lane(order[i]) != PASS_LANE:
            play = entry_play(workspace.lists, ply, mover, order[i])
            move = arena[play]
            meta = arena[play + 2]
            reach, score, left = play_reach(meta), play_score(meta), my_value - play_tile_value(meta)
        out = standing_out(workspace.outs, workspace.position, outs, move, reach)
        value = score - out - 2 * left
        if out >= 0 and value < target:
            best = max(best, value)
        else:
            order[kept] = order[i]
            kept += 1
    return best, kept


@kernel
def _gather_needs(workspace, ply, side):
    """Put a side's best play for each set of tiles into the ``need_*`` fields: it may go out on the turn after."""
    arena = words_of(workspace.arena.words)
    estimates = workspace.estimates
    for i in range(_NEED_SLOTS):
        estimates.need_key[i] = ZERO
    for lane in range(LANES):
        at = workspace.lists.at[ply, side, lane]
        play = at + LIST_WORDS
        for _ in range(list_length(arena, at)):
            slot = _need_slot(estimates, arena[play + 1])
            score = play_score(arena[play + 2])
            if estimates.need_key[slot] == ZERO or estimates.need_score[slot] < score:
                estimates.need_key[slot] = arena[play + 1]
                estimates.need_score[slot] = score
                estimates.need_lane[slot] = np.uint64(lane)
            play += PLAY_WORDS


@kernel
def _need_slot(estimates, tiles):
    """The slot that holds a set of tiles, or the empty one that it would take."""
    slot = np.int64(tiles * _NEED_FACTOR >> _NEED_SHIFT)
    while estimates.need_key[slot] != ZERO and estimates.need_key[slot] != tiles:
        slot = (slot + 1) & (_NEED_SLOTS - 1)
    return slot


@kernel
def _gather_replies(workspace, ply, side):
    """Put a side's best score in each lane into the ``reply_*`` fields, falling; returns their number."""
    arena = words_of(workspace.arena.words)
    replies = plain(0)
    for lane in range(LANES):
        score = list_best(arena, lane_list(workspace, ply, side, lane))
        if score < 0:
            continue
        i = replies
        while i > 0 and workspace.estimates.reply_score[i - 1] < score:
            workspace.estimates.reply_score[i] = workspace.estimates.reply_score[i - 1]
            workspace.estimates.reply_lane[i] = workspace.estimates.reply_lane[i - 1]
            i -= 1
        workspace.estimates.reply_score[i] = score
        workspace.estimates.reply_lane[i] = np.uint64(lane)
        replies += 1
    return replies


@kernel
def _standing_reply(estimates, replies, reach):
    """Best of the gathered replies whose lane is not in ``reach``, or 0 for the pass."""
    for i in range(replies):
        if not (reach >> estimates.reply_lane[i]) & ONE:
            return estimates.reply_score[i]
    return 0
