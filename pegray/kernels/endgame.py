"""Endgames: the bag is empty, both racks are known, and the search goes to the end of the game.

The question is always a null window: does the player on turn gain at least ``target`` from here on? The pre-endgame
needs two such questions for a verdict; an exact spread is found by asking until the bounds meet (as MTD(f), A. Plaat).

What keeps the tree small, in order of effect (docs/performance.md has the measurements):

- the *standing out*: if the opponent can play out on squares that our play leaves alone, the game lasts no longer than
  that, which bounds our play's value without making it;
- plays that set up going out next turn come first;
- the rest are ordered by score less the best reply that they leave standing;
- where we seem to fall short even if the opponent only passed, or played once and then passed, a bound proves it, for
  all or for some of our plays (hopeless.py);
- of the best-looking plays, the one that leaves the opponent the fewest replies to refute is searched first.

And what keeps a node cheap: a play that settled another node of this ply is tried before any list of ours is made.
"""

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
from pegray.kernels.bits import ONE, ZERO, kernel, mix, plain, words_of
from pegray.kernels.caps import cap_lane, sort_rack
from pegray.kernels.estimates import order_plays
from pegray.kernels.game import rack_size
from pegray.kernels.hopeless import drop_hopeless
from pegray.kernels.killers import remember_killer
from pegray.kernels.lanes import LANES
from pegray.kernels.limits import STOPPED_BY_ROOM, count_node, is_limited, stop
from pegray.kernels.lists import lane_list, source_list
from pegray.kernels.moves import lane_of, move_tiles
from pegray.kernels.order import (
    ENTRY_LANE_SHIFT,
    ESTIMATE_BIAS,
    ESTIMATE_SHIFT,
    PASS_LANE,
    entry_lane,
    play_of,
    put_best_at,
)
from pegray.kernels.outs import gather_outs, out_beside, standing_out
from pegray.kernels.table import INFINITE, endgame_key, entry_lower, entry_move, entry_upper, mark_of, probe, store
from pegray.kernels.taken import are_many, is_taken, leave, mark_of_play, take
from pegray.kernels.turns import place_move, take_back

_EASIEST_BONUS = 1 << 18
_LEAST_TRIED = 4
_MOST_TRIED = 16
_MOST_TRIED_LATE = 6  # where the other side has so few tiles that bounds settle most replies anyway
_LATE_TILES = 4
_FEW_REPLIES = 3  # no easier play is looked for
_REFUTED = 1 << 30


@kernel
def node_key(position, ply, mover, depth):
    """Table key of a position; what is searched to a limited depth is kept apart.

    Whether the turn before was a pass is not part of it. Where a second pass would not reach the target, passing cannot
    reach it after a play either (the other player may pass too), so the question is the same; where it
    would, nobody asks the table.
    """
    key = endgame_key(position.board_key[ply], position.rack[ply, mover], position.rack[ply, 1 - mover])
    if is_limited(depth):
        key ^= mix(np.uint64(depth + 1))
    return key


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
    capped = ZERO
    tiles = 0
    best_out = -1
    for lane in range(LANES):
        out = out_beside(workspace.outs, outs, lane)
        if out >= 0:
            at = source_list(workspace, ply, mover, lane)
            if at >= 0:
                score = list_best(arena, at)
                most = max(score - out, score + 2 * other_value)
            else:
                if tiles == 0:
                    tiles = sort_rack(workspace.caps, workspace.game, workspace.position.rack[ply, mover])
                some, everything = cap_lane(workspace, lane, tiles)
                most = max(some - out - 2 * my_value, everything + 2 * other_value)
            if most < target:
                best = max(best, most)
                capped |= ONE << np.uint64(lane)
                continue
        best_out = max(best_out, list_best_out(arena, lane_list(workspace, ply, mover, lane)))
    if best_out >= 0:
        best = max(best, best_out + 2 * other_value)
    return best, capped


@kernel
def expand(workspace, ply, mover, passed, target, table_move):
    """List the plays that may still reach ``target`` in ``order[order_next:end]``, each with an estimate.

    Returns the best that is certain, or bounds what was left out, and the end of the list. Stops the search where the
    stack is full.
    """
    other = 1 - mover
    my_value = workspace.position.rack_value[ply, mover]
    other_value = workspace.position.rack_value[ply, other]
    arena = words_of(workspace.arena.words)
    rack = workspace.position.rack[ply, mover]
    best = -INFINITE
    if passed == 1:
        best = other_value - my_value

    # going out at once, where that needs no list to be generated
    best_out = -1
    for lane in range(LANES):
        at = source_list(workspace, ply, mover, lane)
        if at >= 0 and list_best(arena, at) + 2 * other_value >= target:
            best_out = max(best_out, list_best_out(arena, lane_list(workspace, ply, mover, lane)))
    if workspace.limits.stop:
        return best, workspace.order.next
    if best_out >= 0 and best_out + 2 * other_value >= target:
        return best_out + 2 * other_value, workspace.order.next

    # the opponent's plays out: a play of ours that leaves one standing gains no more than it leaves us
    outs = gather_outs(workspace, ply, other, True)
    best, capped = _make_lists(workspace, ply, mover, target, outs, best)
    if workspace.limits.stop or best >= target:
        return best, workspace.order.next

    # the plays that may still reach the target
    order = words_of(workspace.order.stack)
    base = workspace.order.next
    end = base
    for lane in range(LANES):
        if (capped >> np.uint64(lane)) & ONE:
            continue
        at = lane_list(workspace, ply, mover, lane)
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
        value = other_value - my_value
        if outs > 0:
            value = min(value, -workspace.outs.score[0] - 2 * my_value)
        if value < target:
            best = max(best, value)
        else:
            order[end] = np.uint64(PASS_LANE) << ENTRY_LANE_SHIFT
            end += 1
    workspace.order.next = end
    if end > base + 1:
        best, end = order_plays(workspace, ply, mover, target, table_move, base, end, best)
    return best, end


@kernel
def _replies_left(workspace, ply, mover, move, score, target, depth):
    """How many replies may still refute a play: 0 if it reaches ``target``, _REFUTED if it cannot; and a bound.

    The bound is what the play gains at least (where 0 replies are left) or at most (_REFUTED).
    """
    workspace.limits.nodes += 1
    other = 1 - mover
    passed = np.int64(move == ZERO)
    reply_target = score - target + 1
    place_move(workspace, ply, mover, move)
    key = node_key(workspace.position, ply + 1, other, depth - 1)
    lower = -INFINITE
    upper = INFINITE
    ended = plain(-INFINITE)
    if passed == 1:
        ended = workspace.position.rack_value[ply + 1, mover] - workspace.position.rack_value[ply + 1, other]
    if ended < reply_target:
        data = probe(workspace.table, key)
        if data != ZERO:
            lower = entry_lower(data)
            upper = max(ended, entry_upper(data))
    bound = plain(0)
    if ended >= reply_target:
        lower = ended
    if lower >= reply_target:
        left = plain(_REFUTED)
        bound = score - lower
    elif upper < reply_target:
        left = plain(0)
        bound = score - upper
    else:
        base = workspace.order.next
        best, end = expand(workspace, ply + 1, other, passed, reply_target, ZERO)
        if end > base + 1 and depth > 2 and workspace.limits.stop == 0:
            looking = plain(1)
            best, end = drop_hopeless(workspace, ply + 1, other, reply_target, depth - 1, base, end, best, looking)
        workspace.order.next = base
        left = end - base
        if workspace.limits.stop == 0:
            if best >= reply_target:
                left = plain(_REFUTED)
                bound = score - best
                store(workspace.table, key, max(lower, best), upper, ZERO)
            elif left == 0:
                bound = score - min(upper, best)
                store(workspace.table, key, lower, min(upper, best), ZERO)
    take_back(workspace, ply)
    return left, bound


@kernel
def _killer_bound(workspace, ply, mover, target, depth):
    """Try the killers of this ply that are plain to be legal: the gain and the mark of one that leaves no reply.

    Returns a bound below ``target`` if there is none. A killer is as it was where its lane is: no list need be made.
    """
    guard = workspace.game.guard
    rack = workspace.position.rack[ply, mover]
    for i in range(2):
        move = workspace.killers.move[ply, i]
        lane = lane_of(move)
        if move == ZERO or workspace.killers.lane_key[ply, i] != workspace.position.lane_key[ply, lane]:
            continue
        need, _ = move_tiles(workspace.game, move)
        if ((rack | guard) - need) & guard != guard or need == rack:
            continue
        left, bound = _replies_left(workspace, ply, mover, move, workspace.killers.score[ply, i], target, depth)
        if workspace.limits.stop:
            break
        if left == 0:
            return bound, mark_of(move)
    return target - 1, ZERO


@kernel
def _put_easiest_first(workspace, ply, mover, target, base, end, depth):
    """Raise the estimate of the play in ``order[base:end]`` that leaves the opponent the fewest replies to look into.

    The plays with the best estimates are tried, and the pass, which holds more than its estimate says where
    somebody is stuck with a tile.
    """
    order = words_of(workspace.order.stack)
    fewest = plain(_REFUTED)
    chosen = plain(-1)
    last = end
    if entry_lane(order[end - 1]) == PASS_LANE:
        last -= 1
    late = rack_size(workspace.game, workspace.position.rack[ply, 1 - mover]) <= _LATE_TILES
    limit = base + (_MOST_TRIED_LATE if late else _MOST_TRIED)
    looked = base
    while looked < last and looked < limit and fewest > _FEW_REPLIES:
        put_best_at(order, looked, last)
        estimate = np.int64(order[looked] >> ESTIMATE_SHIFT) - ESTIMATE_BIAS
        if estimate < target and looked >= base + _LEAST_TRIED:
            break
        move, score = play_of(workspace, ply, mover, order[looked])
        left, _ = _replies_left(workspace, ply, mover, move, score, target, depth)
        if workspace.limits.stop:
            return
        if left < fewest:
            fewest = left
            chosen = looked
        looked += 1
    if last < end and fewest > _FEW_REPLIES:
        left, _ = _replies_left(workspace, ply, mover, ZERO, plain(0), target, depth)
        if left < fewest:
            chosen = last
    if chosen >= 0:
        order[chosen] += np.uint64(_EASIEST_BONUS) << ESTIMATE_SHIFT


@kernel
def search(workspace, ply, mover, passed, target, depth):
    """Bound on what the player on turn (``mover``: side 0 or 1) gains from here to the end of the game.

    Returns a lower bound if it is at least ``target``, else an upper bound; meaningless when ``workspace.stop`` is set.
    ``passed`` is 1 when the turn before was a pass. ``depth`` is the number of plies left to search.
    """
    count_node(workspace.limits)
    if workspace.limits.stop:
        return 0
    other = 1 - mover
    my_value = workspace.position.rack_value[ply, mover]
    other_value = workspace.position.rack_value[ply, other]
    if passed == 1 and other_value - my_value >= target:
        return other_value - my_value
    key = node_key(workspace.position, ply, mover, depth)
    lower = -INFINITE
    upper = INFINITE
    table_move = ZERO
    data = probe(workspace.table, key)
    if data != ZERO:
        lower = entry_lower(data)
        upper = entry_upper(data)
        if lower >= target:
            return lower
        if upper < target:
            return max(upper, other_value - my_value) if passed == 1 else upper
        table_move = entry_move(data)
    if depth <= 0:
        return other_value - my_value  # the estimate at the horizon: nobody scores any more

    order = words_of(workspace.order.stack)
    base = workspace.order.next
    if depth > 1:
        best, mark = _killer_bound(workspace, ply, mover, target, depth)
        if workspace.limits.stop:
            return 0
        if best >= target:
            store(workspace.table, key, max(lower, best), upper, mark)
            return best
    best, end = expand(workspace, ply, mover, passed, target, table_move)
    if workspace.limits.stop:
        workspace.order.next = base
        return 0
    if best >= target:
        workspace.order.next = base
        store(workspace.table, key, max(lower, best), upper, table_move)
        return best
    if end > base + 1 and depth > 1:
        looking = plain(0)
        best, end = drop_hopeless(workspace, ply, mover, target, depth, base, end, best, looking)
        if end > base + 1 and workspace.limits.stop == 0:
            _put_easiest_first(workspace, ply, mover, target, base, end, depth)
        if workspace.limits.stop:
            workspace.order.next = base
            return 0

    best_mark = ZERO
    move = ZERO
    picked = base
    left = base  # plays that another thread has taken are kept in order[base:left]
    while best < target:
        if picked < end:
            put_best_at(order, picked, end)
            entry = order[picked]
            picked += 1
        elif left > base:
            left -= 1
            entry = order[left]
        else:
            break
        move, score = play_of(workspace, ply, mover, entry)
        mark = ZERO
        if are_many(workspace.taken):
            mark = mark_of_play(key, move)
            # the first is searched by all: it may be the only one that is needed
            if base + 1 < picked < end and is_taken(workspace.taken, mark):
                order[left] = entry
                left += 1
                continue
            take(workspace.taken, mark)
        place_move(workspace, ply, mover, move)
        value = score - search(workspace, ply + 1, other, np.int64(move == ZERO), score - target + 1, depth - 1)
        take_back(workspace, ply)
        if mark != ZERO:
            leave(workspace.taken, mark)
        if workspace.limits.stop:
            workspace.order.next = base
            workspace.limits.replies_tried[ply] = picked - base
            workspace.limits.replies_listed[ply] = end - base
            return 0
        if value > best:
            best = value
            best_mark = mark_of(move)
    workspace.order.next = base
    if best >= target:
        remember_killer(workspace.killers, workspace.position, ply, move, score)
        store(workspace.table, key, max(lower, best), upper, best_mark)
    else:
        store(workspace.table, key, lower, min(upper, best), table_move)
    return best


@kernel
def proving_move(workspace, ply, mover, target, depth):
    """A move that gains the player on turn at least ``target``, which a search of ``depth`` plies has just found."""
    arena = words_of(workspace.arena.words)
    other = 1 - mover
    rack = workspace.position.rack[ply, mover]
    data = probe(workspace.table, node_key(workspace.position, ply, mover, depth))
    mark = entry_move(data) if data != ZERO else ZERO
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
    if passed == 1 and left_behind - workspace.position.rack_value[ply, mover] == gain:
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
