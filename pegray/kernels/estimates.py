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
def order_plays(workspace, ply, mover, target, table_move, base, end, best):  # noqa: C901, PLR0915 (in parts it would be dearer)
    """Give each play in ``order[base:end]`` an estimate, and drop those that a standing out of the opponent refutes.

    Returns the best bound of what was dropped (or ``best``), and the new end.
    """
    arena = words_of(workspace.arena.words)
    order = words_of(workspace.order.stack)
    other = 1 - mover
    my_value = workspace.position.rack_value[ply, mover]
    rack = workspace.position.rack[ply, mover]
    replies = _gather_replies(workspace, ply, other)
    outs = gather_outs(workspace, ply, other, False)
    if workspace.limits.stop:
        return best, end

    # our best play for each set of tiles, to see which plays let us go out on the turn after
    need_key = workspace.estimates.need_key
    need_score = workspace.estimates.need_score
    need_lane = workspace.estimates.need_lane
    for i in range(_NEED_SLOTS):
        need_key[i] = ZERO
    for lane in range(LANES):
        at = workspace.lists.at[ply, mover, lane]
        play = at + LIST_WORDS
        for _ in range(list_length(arena, at)):
            need = arena[play + 1]
            slot = np.int64(need * _NEED_FACTOR >> _NEED_SHIFT)
            while need_key[slot] != ZERO and need_key[slot] != need:
                slot = (slot + 1) & (_NEED_SLOTS - 1)
            score = play_score(arena[play + 2])
            if need_key[slot] == ZERO or need_score[slot] < score:
                need_key[slot] = need
                need_score[slot] = score
                need_lane[slot] = np.uint64(lane)
            play += PLAY_WORDS

    kept = base
    for i in range(base, end):
        lane = entry_lane(order[i])
        if lane == PASS_LANE:
            move = ZERO
            reach = ZERO
            score = plain(0)
            left = my_value
        else:
            play = entry_play(workspace.lists, ply, mover, order[i])
            move = arena[play]
            meta = arena[play + 2]
            reach = play_reach(meta)
            score = play_score(meta)
            left = my_value - play_tile_value(meta)
        out = standing_out(workspace.outs, workspace.position, outs, move, reach)
        if out >= 0:
            value = score - out - 2 * left
            if value < target:
                best = max(best, value)
                continue
        estimate = score - _standing_reply(workspace.estimates, replies, reach) - 2 * left
        if lane != PASS_LANE:
            rest = rack - arena[play + 1]
            slot = np.int64(rest * _NEED_FACTOR >> _NEED_SHIFT)
            while need_key[slot] != ZERO and need_key[slot] != rest:
                slot = (slot + 1) & (_NEED_SLOTS - 1)
            if need_key[slot] == rest and not (reach >> need_lane[slot]) & np.uint64(1):
                estimate += need_score[slot] + 2 * left + _OUT_NEXT_BONUS
            if move == workspace.killers.move[ply, 0] or move == workspace.killers.move[ply, 1]:
                estimate += _KILLER_BONUS
        if table_move != ZERO and mark_of(move) == table_move:
            estimate += _TABLE_MOVE_BONUS
        order[kept] = np.uint64(estimate + ESTIMATE_BIAS) << ESTIMATE_SHIFT | (order[i] & PLACE_MASK)
        kept += 1
    return best, kept


@kernel
def drop_refuted(workspace, ply, mover, target, base, end, best):
    """As :func:`order_plays`, where nobody asks for the estimates."""
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
