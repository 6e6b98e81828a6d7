"""The pre-endgame recursion of the guaranteed-win model, on the board of the endgame kernels.

Three questions call one another until the bag is empty:

``emptied_verdict``  our play took the last tiles: one endgame, the opponent to move
``_opponent_turn``   our play left tiles in the bag: the worst for us of the opponent's replies, for every order
                     that the staying tiles may have (orders.py)
``_our_turn``        our turn again, tiles in the bag: we choose blind, by points, and ties fall the worst way
                     (choices.py)

Verdicts are 2 (win), 1 (draw), 0 (loss) for side 0. A reply that empties the bag leads to the same endgame whichever
of the pool's tiles were in the bag, so each reply is searched once for all the splits that could have made it; one
that leaves tiles leads, for all its splits, to one decision of ours.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from pegray.kernels.bits import ZERO, kernel, part_of_kernel, plain, words_at
from pegray.kernels.choices import (
    choose_play,
    choose_unit,
    enter_all,
    enter_each,
    list_units,
    tiles_drawn,
    unit_of_each,
    worst_of_best,
)
from pegray.kernels.decisions import decision_key, recall_verdicts, remember_verdicts
from pegray.kernels.draws import draw_sequences, rack_points, without
from pegray.kernels.generate import PLAY_WORDS
from pegray.kernels.lanes import COUNT_MASK, make_move
from pegray.kernels.lists import (
    HEADER_WORDS,
    begin_ply,
    lane_list,
    list_best_out,
    list_length,
    make_side_lists,
    play_reach,
    play_score,
    play_tile_value,
    widen_rack,
)
from pegray.kernels.orders import best_left, end_game, lower_all, lower_each, staying
from pegray.kernels.taken import is_taken, leave, mark_of_play, take
from pegray.kernels.turns import take_back
from pegray.kernels.verdicts import DRAW, LOSS, WIN, at_least_draws, verdict_on_turn

OURS = np.int64(0)
THEIRS = np.int64(1)

NO_LIMIT = 1 << 60


@kernel
def emptied_verdict(workspace, ply, spread, passed):
    """Verdict with the bag empty and the opponent on turn; ``spread`` is ours so far."""
    return WIN - verdict_on_turn(workspace, ply, plain(1), -spread, passed)


@kernel
def reply_verdict(workspace, ply, spread, passed, best_wanted):
    """Verdict with the bag empty and us on turn; a draw may be returned for a win when ``best_wanted`` is a draw."""
    if best_wanted == WIN:
        return verdict_on_turn(workspace, ply, plain(0), spread, passed)
    workspace.endgames += 1
    return DRAW if at_least_draws(workspace, ply, plain(0), spread, passed) else LOSS


@kernel
def gather_plays(workspace, ply, side):
    """All plays of a side but the pass, by falling score: uint64[n, 3], the words that a play has in the arena."""
    arena = words_at(workspace.arena_address, workspace.arena_length)
    number = 0
    for lane in range(30):
        number += list_length(arena, lane_list(workspace, ply, side, lane))
    plays = np.empty((number, PLAY_WORDS), np.uint64)
    keys = np.empty(number, np.int64)
    i = 0
    for lane in range(30):
        play = lane_list(workspace, ply, side, lane) + HEADER_WORDS
        for _ in range(list_length(arena, play - HEADER_WORDS)):
            for word in range(PLAY_WORDS):
                plays[i, word] = arena[play + word]
            keys[i] = (-play_score(plays[i, 2]) << 32) | i
            i += 1
            play += PLAY_WORDS
    keys.sort()
    ordered = np.empty((number, PLAY_WORDS), np.uint64)
    for i in range(number):
        source = keys[i] & 0xFFFFFFFF
        for word in range(PLAY_WORDS):
            ordered[i, word] = plays[source, word]
    return ordered


@kernel
def _place(workspace, ply, move, rack, pool):
    """Make ``move`` and set what both sides hold after it."""
    make_move(workspace, ply, move)
    begin_ply(workspace, ply + 1)
    workspace.rack[ply + 1, 0] = rack
    workspace.rack[ply + 1, 1] = pool
    workspace.rack_value[ply + 1, 0] = rack_points(workspace, rack)
    workspace.rack_value[ply + 1, 1] = rack_points(workspace, pool)


@kernel
def _win_stands(workspace, ply, reach, spread, left_value):
    """Whether we win by a play out that a reply leaves standing: the game lasts no longer than that."""
    arena = words_at(workspace.arena_address, workspace.arena_length)
    out = -1
    for lane in range(30):
        if not (reach >> np.uint64(lane)) & np.uint64(1):
            out = max(out, list_best_out(arena, lane_list(workspace, ply, plain(0), lane)))
    return out >= 0 and spread + out + 2 * left_value > 0


@part_of_kernel
def _opponent_turn(workspace, ply, bag, spread, passed, known, losses_allowed):
    """Verdict of each order of the ``bag`` tiles that stay, the opponent on turn.

    ``rack[ply, 0]`` is our rack, ``rack[ply, 1]`` the pool: the opponent's tiles and the bag together. ``known``
    are pool tiles that the opponent certainly holds. ``passed`` is 1 when our turn was a pass.

    Returns int8[n] verdicts and uint64[n] replies (a move that brings a draw or loss, 0 where there is none or it is
    the pass), by ascending sequence. When losses (in half weights) exceed ``losses_allowed`` the walk ends early with
    ``workspace.cut`` set: verdicts are then upper bounds.
    """
    pool = workspace.rack[ply, 1]
    sequences, weights = draw_sequences(workspace, pool - known, bag)
    number = sequences.shape[0]
    verdicts = np.full(number, WIN, np.int8)
    replies = np.zeros(number, np.uint64)
    stays = staying(workspace, sequences, bag)
    workspace.cut = 0
    losses = 0
    if passed == 1:
        # the opponent passes too
        losses = end_game(workspace, stays, weights, spread, workspace.rack_value[ply, 0], pool, verdicts)
    if losses > losses_allowed:
        workspace.cut = 1
        return verdicts, replies

    plays = gather_plays(workspace, ply, plain(1))
    if workspace.stop:
        return verdicts, replies
    replies_listed = plays.shape[0] + 1
    key = decision_key(workspace, ply, spread, passed, known)
    taken = np.zeros(replies_listed, np.bool_)
    for leaving in range(2):
        # replies that empty the bag first: they cost an endgame, the others a decision
        taken[:] = False
        for turn in range(2 * replies_listed):
            index = turn % replies_listed
            if turn >= replies_listed and not taken[index]:
                continue  # only those that another thread had taken are looked into again
            if index == plays.shape[0]:
                if leaving == 0 or passed == 1:
                    continue
                move = ZERO
                need = ZERO
                score = 0
                reach = ZERO
                left_value = workspace.rack_value[ply, 1]
            else:
                move = plays[index, 0]
                need = plays[index, 1]
                meta = plays[index, 2]
                score = play_score(meta)
                reach = play_reach(meta)
                left_value = workspace.rack_value[ply, 1] - play_tile_value(meta)
            tiles = np.int64(move & COUNT_MASK)
            if (tiles >= bag) == (leaving == 1) or tiles > workspace.opponent_rack_size:
                continue
            rest = pool - need
            best = best_left(workspace, stays, rest, verdicts)
            if best == LOSS:
                continue
            mark = mark_of_play(key, move)
            if workspace.helps and turn < replies_listed and is_taken(workspace, mark):
                taken[index] = True
                continue
            if leaving == 0:
                if _win_stands(workspace, ply, reach, spread - score, left_value):
                    continue
                _place(workspace, ply, move, workspace.rack[ply, 0], rest)
                take(workspace, mark)
                verdict = reply_verdict(workspace, ply + 1, spread - score, plain(0), best)
                leave(workspace, mark)
                take_back(workspace, ply)
                if workspace.stop:
                    return verdicts, replies
                losses += lower_all(workspace, verdict, move, stays, rest, weights, verdicts, replies)
            else:
                _place(workspace, ply, move, workspace.rack[ply, 0], rest)
                known_left = without(workspace, known, need)
                take(workspace, mark)
                nested, _ = value(
                    workspace,
                    ply + 1,
                    OURS,
                    bag - tiles,
                    spread - score,
                    np.int64(tiles == 0),
                    known_left,
                    plain(NO_LIMIT),
                )
                leave(workspace, mark)
                take_back(workspace, ply)
                if workspace.stop:
                    return verdicts, replies
                left = bag - tiles
                tails, _ = draw_sequences(workspace, rest - known_left, left)
                losses += lower_each(
                    workspace, nested, tails, left, move, sequences, stays, rest, weights, verdicts, replies
                )
            if losses > losses_allowed:
                workspace.cut = 1
                return verdicts, replies
    return verdicts, replies


@part_of_kernel
def _our_turn(workspace, ply, bag, spread, passed, known):
    """Verdicts of an information set of ours with ``bag`` tiles in the bag, for each order they may be in.

    ``rack[ply, 0]`` is our rack, ``rack[ply, 1]`` all tiles unseen to us, ``known`` those of them that the opponent
    certainly holds. Returns int8[n] verdicts and uint64[n] sequences (ascending): the worst over the plays that have
    the most points.

    The play with the fewest losses so far is always the one looked into next, at the draw that beat most others; a
    play is dropped once it has lost more than a finished one, and a play that never loses ends the search.
    """
    pool = workspace.rack[ply, 1]
    rack = workspace.rack[ply, 0]
    bag_pool = pool - known
    sequences, weights = draw_sequences(workspace, bag_pool, bag)
    number = sequences.shape[0]
    verdicts = np.empty(number, np.int8)
    no_replies = np.empty(0, np.uint64)
    key = decision_key(workspace, ply, spread, passed, known)
    if recall_verdicts(workspace, key, verdicts):
        workspace.decision_hits += 1
        return verdicts, no_replies
    workspace.decisions += 1

    plays = gather_plays(workspace, ply, plain(0))
    if workspace.stop:
        return verdicts, no_replies
    make_side_lists(workspace, ply, plain(1))
    _promote(workspace, bag, plays)
    candidates = plays.shape[0] + 1
    played = tiles_drawn(plays, bag)
    first_unit, unit_draw, unit_weight = list_units(workspace, bag_pool, bag)
    unit_failures = np.zeros(unit_draw.shape[0], np.int64)
    unit_of = unit_of_each(workspace, sequences, bag, first_unit, unit_draw)
    unsettled = first_unit[played + 1] - first_unit[played]
    settled = np.zeros((candidates, unsettled.max()), np.bool_)
    lost = np.zeros(candidates, np.int64)
    table = np.empty((candidates, number), np.int8)

    fewest = plain(NO_LIMIT)
    dropped = NO_LIMIT
    while True:
        chosen = choose_play(unsettled, lost, played, fewest, bag)
        if chosen < 0:
            break
        drawn = played[chosen]
        if chosen == candidates - 1:
            move = ZERO
            need = ZERO
            score = 0
        else:
            move = plays[chosen, 0]
            need = plays[chosen, 1]
            score = play_score(plays[chosen, 2])
        first = first_unit[drawn]
        done = settled[chosen, : first_unit[drawn + 1] - first]
        unit = choose_unit(workspace, key, move, done, first, unit_draw, unit_weight, unit_failures)
        draw = unit_draw[unit]
        mark = mark_of_play(key + draw, move)
        failed = 0
        if chosen == candidates - 1 and passed == 1:
            mine = rack_points(workspace, rack)
            stays = staying(workspace, sequences, bag)
            failed = end_game(workspace, stays, weights, spread, mine, pool, table[chosen])
        else:
            widen_rack(workspace, ply, plain(0), rack + draw)
            _place(workspace, ply, move, rack - need + draw, pool - draw)
            take(workspace, mark)
            if drawn == bag:
                verdict = emptied_verdict(workspace, ply + 1, spread + score, plain(0))
                leave(workspace, mark)
                take_back(workspace, ply)
                if workspace.stop:
                    return verdicts, no_replies
                failed = (WIN - verdict) * unit_weight[unit]
                enter_all(verdict, unit, unit_of[drawn], table[chosen])
            else:
                allowed = (fewest - lost[chosen]) // unit_weight[unit]
                after, _ = value(
                    workspace,
                    ply + 1,
                    THEIRS,
                    bag - drawn,
                    spread + score,
                    np.int64(drawn == 0),
                    known,
                    allowed,
                )
                leave(workspace, mark)
                take_back(workspace, ply)
                if workspace.stop:
                    return verdicts, no_replies
                if workspace.cut:
                    failed = dropped
                else:
                    left = bag - drawn
                    tails, _ = draw_sequences(workspace, bag_pool - draw, left)
                    failed = enter_each(after, tails, left, unit, unit_of[drawn], sequences, weights, table[chosen])
        settled[chosen, unit - first] = True
        unsettled[chosen] -= 1
        lost[chosen] = min(dropped, lost[chosen] + failed)
        if failed > 0:
            unit_failures[unit] += 1
        if unsettled[chosen] == 0 and lost[chosen] < fewest:
            fewest = lost[chosen]
            workspace.good_move[bag] = move
            if fewest == 0:
                break

    worst_of_best(table, unsettled, lost, fewest, verdicts)
    workspace.cut = 0
    remember_verdicts(workspace, key, verdicts)
    return verdicts, no_replies


@kernel
def value(workspace, ply, turn, bag, spread, passed, known, losses_allowed):
    """Verdicts with ``bag`` tiles in the bag for each order that they may be in: see the parts for the two turns."""
    if turn == THEIRS:
        return _opponent_turn(workspace, ply, bag, spread, passed, known, losses_allowed)
    return _our_turn(workspace, ply, bag, spread, passed, known)


@kernel
def _promote(workspace, bag, plays):
    """Put the play that was best in the last decision with so many tiles in the bag first."""
    wanted = workspace.good_move[bag]
    for i in range(plays.shape[0]):
        if plays[i, 0] == wanted:
            for word in range(PLAY_WORDS):
                kept = plays[i, word]
                for j in range(i, 0, -1):
                    plays[j, word] = plays[j - 1, word]
                plays[0, word] = kept
            return
