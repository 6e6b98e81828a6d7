"""The plays of a node that may still reach the target, each with an estimate where it is searched, not looked at."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from pegray.kernels.arena import (
    LIST_WORDS,
    PLAY_WORDS,
    list_best,
    list_best_out,
    list_length,
    play_reach,
    play_score,
    play_tile_value,
)
from pegray.kernels.bits import ONE, ZERO, kernel, words_of
from pegray.kernels.caps import kept_caps
from pegray.kernels.estimates import drop_refuted, order_plays
from pegray.kernels.hopeless import drop_hopeless
from pegray.kernels.lanes import LANES
from pegray.kernels.limits import STOPPED_BY_ROOM, stop
from pegray.kernels.lists import fetch_slots, lane_list, name_of, source_list
from pegray.kernels.order import ENTRY_LANE_SHIFT, PASS_LANE
from pegray.kernels.outs import gather_outs, out_beside, standing_out
from pegray.kernels.position import gain_if_over
from pegray.kernels.table import INFINITE


@kernel
def open_plays(workspace, ply, mover, passed, target, table_move, depth, looking):
    """List the plays that may still reach ``target`` in ``order[order.next:end]``, and drop what is hopeless.

    ``table_move`` is the mark of the play that seemed best before, or 0; ``looking`` is 1 where replies are looked at
    before they are searched, 0 at a node, where each play is given an estimate. Returns the best that is certain, or
    bounds what was left out, and the end of the list. Stops the search where the stack is full.
    """
    base = workspace.order.next
    best = -INFINITE
    if passed == 1:
        best = gain_if_over(workspace.position, ply, mover)
    best = _go_out(workspace, ply, mover, target, best)
    if workspace.limits.stop or best >= target:
        return best, base
    # the opponent's plays out: a play of ours that leaves one standing gains no more than it leaves us
    outs = gather_outs(workspace, ply, 1 - mover, True)
    best, capped = _make_lists(workspace, ply, mover, target, outs, best)
    if workspace.limits.stop or best >= target:
        return best, base
    best, end = _list_plays(workspace, ply, mover, passed, target, outs, capped, best)
    if workspace.limits.stop == 0 and end > base + 1:
        if looking:
            best, end = drop_refuted(workspace, ply, mover, target, base, end, best)
        else:
            best, end = order_plays(workspace, ply, mover, target, table_move, base, end, best)
    if workspace.limits.stop == 0 and end > base + 1 and depth > 1:
        best, end = drop_hopeless(workspace, ply, mover, target, depth, base, end, best, looking)
    return best, end


@kernel
def _go_out(workspace, ply, mover, target, best):
    """What going out at once gains, where that may reach ``target`` and needs no list to be generated, or ``best``."""
    arena = words_of(workspace.arena.words)
    left_behind = 2 * workspace.position.rack_value[ply, 1 - mover]
    for lane in range(LANES):
        at = source_list(workspace, ply, mover, lane)
        if at >= 0 and list_best(arena, at) + left_behind >= target:
            out = list_best_out(arena, lane_list(workspace, ply, mover, lane))
            if out >= 0:
                best = max(best, out + left_behind)
    return best


@kernel
def _make_lists(workspace, ply, mover, target, outs, best):
    """Make the mover's lists, but of lanes in which no play can reach ``target``; one that empties the rack may.

    Those are told by the best score of a list with more plays, or by a cap (caps.py), less an out of the opponent's
    that stands beside the whole lane. Returns the best that is certain, or bounds what was left out, and a bit for each
    lane that is left out.
    """
    arena = words_of(workspace.arena.words)
    my_value = workspace.position.rack_value[ply, mover]
    other_value = workspace.position.rack_value[ply, 1 - mover]
    rack = workspace.position.rack[ply, mover]
    capped = ZERO
    fetch_slots(workspace, ply, mover)
    for lane in range(LANES):
        out = out_beside(workspace.outs, outs, lane)
        if out >= 0:
            at = source_list(workspace, ply, mover, lane)
            if at >= 0:
                score = list_best(arena, at)
                most = max(score - out, score + 2 * other_value)
            else:
                name = name_of(workspace.position.lane_key[ply, lane], rack)
                some, everything = kept_caps(workspace, lane, rack, name)
                most = max(some - out - 2 * my_value, everything + 2 * other_value)
            if most < target:
                best = max(best, most)
                capped |= ONE << np.uint64(lane)
                continue
        best_out = list_best_out(arena, lane_list(workspace, ply, mover, lane))
        if best_out >= 0:
            best = max(best, best_out + 2 * other_value)
            if best >= target:
                break
    return best, capped


@kernel
def _list_plays(workspace, ply, mover, passed, target, outs, capped, best):
    """Put the plays that may still reach ``target`` on the stack, the pass too, but none of the ``capped`` lanes.

    Left out are those that leave an out of the opponent's standing (the first ``outs`` gathered) and so fall short, and
    those that empty the rack. Returns the best bound of what was left out (or ``best``), and the end of the list.
    """
    arena = words_of(workspace.arena.words)
    order = words_of(workspace.order.stack)
    my_value = workspace.position.rack_value[ply, mover]
    rack = workspace.position.rack[ply, mover]
    base = workspace.order.next
    end = base
    for lane in range(LANES):
        if (capped >> np.uint64(lane)) & ONE:
            continue
        at = workspace.lists.at[ply, mover, lane]
        play = at + LIST_WORDS
        length = list_length(arena, at)
        if end + length >= workspace.order.stack.length:  # with the pass
            stop(workspace.limits, STOPPED_BY_ROOM)
            return best, base
        for index in range(length):
            if arena[play + 1] != rack:
                meta = arena[play + 2]
                out = standing_out(workspace.outs, workspace.position, outs, arena[play], play_reach(meta))
                value = target
                if out >= 0:
                    value = play_score(meta) - out - 2 * (my_value - play_tile_value(meta))
                if value < target:
                    best = max(best, value)
                else:
                    order[end] = np.uint64(lane) << ENTRY_LANE_SHIFT | np.uint64(index)
                    end += 1
            play += PLAY_WORDS
    if passed == 0:
        value = gain_if_over(workspace.position, ply, mover)
        if outs > 0:
            value = min(value, -workspace.outs.score[0] - 2 * my_value)
        if value < target:
            best = max(best, value)
        else:
            order[end] = np.uint64(PASS_LANE) << ENTRY_LANE_SHIFT
            end += 1
    workspace.order.next = end
    return best, end
