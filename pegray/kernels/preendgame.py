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

from pegray.game.rules import PREENDGAME_BAG
from pegray.kernels.arena import (
    LIST_WORDS,
    PLAY_WORDS,
    list_best_out,
    list_length,
    play_reach,
    play_score,
    play_tile_value,
)
from pegray.kernels.bits import ZERO, kernel, part_of_kernel, plain, words_of
from pegray.kernels.budgets import BUDGET_GROWTH, DECISION_BUDGET, first_budget, learn_usual
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
from pegray.kernels.draws import draw_sequences
from pegray.kernels.game import rack_points, without
from pegray.kernels.lanes import LANES
from pegray.kernels.limits import out_of_own_budget, share_refuted
from pegray.kernels.lists import begin_ply, lane_list, make_side_lists, widen_rack
from pegray.kernels.moves import tiles_laid
from pegray.kernels.orders import best_left, end_game, losable, lower_all, lower_each, staying
from pegray.kernels.position import make_move
from pegray.kernels.replies import cheapest_put_off, learn_reply, reply_bonus
from pegray.kernels.taken import is_taken, leave, mark_of_play, take
from pegray.kernels.turns import take_back
from pegray.kernels.verdicts import DRAW, LOSS, WIN, at_least_draws, verdict_on_turn

OURS = np.int64(0)
THEIRS = np.int64(1)

NO_LIMIT = 1 << 60
_TAKEN = 1e15  # nodes: after all others

PREENDGAME = np.dtype(
    [
        ("cut", "i8"),  # 1 where a walk has ended early, since more was lost than is allowed
        ("good_move", "u8", (PREENDGAME_BAG.stop,)),  # best in the last decision, by the tiles in the bag
    ],
    align=True,
)


@kernel
def emptied_verdict(workspace, ply, spread, passed):
    """Verdict with the bag empty and the opponent on turn; ``spread`` is ours so far."""
    return WIN - verdict_on_turn(workspace, ply, plain(1), -spread, passed)


@kernel
def reply_verdict(workspace, ply, spread, passed, best_wanted):
    """Verdict with the bag empty and us on turn; a draw may be returned for a win when ``best_wanted`` is a draw."""
    if best_wanted == WIN:
        return verdict_on_turn(workspace, ply, plain(0), spread, passed)
    workspace.verdicts.endgames += 1
    return DRAW if at_least_draws(workspace, ply, plain(0), spread, passed) else LOSS


@kernel
def gather_plays(workspace, ply, side, bag):
    """All plays of a side but the pass: uint64[n, 3], the words that a play has in the arena.

    Those that empty a bag of ``bag`` tiles come first; of each kind by falling score, the opponent's with their bonus
    (replies.py). None where the search is stopped.
    """
    arena = words_of(workspace.arena.words)
    number = 0
    for lane in range(LANES):
        number += list_length(arena, lane_list(workspace, ply, side, lane))
    if workspace.limits.stop:
        return np.empty((0, PLAY_WORDS), np.uint64)
    plays = np.empty((number, PLAY_WORDS), np.uint64)
    keys = np.empty(number, np.int64)
    i = 0
    for lane in range(LANES):
        play = lane_list(workspace, ply, side, lane) + LIST_WORDS
        for _ in range(list_length(arena, play - LIST_WORDS)):
            for word in range(PLAY_WORDS):
                plays[i, word] = arena[play + word]
            leaves = tiles_laid(plays[i, 0]) < bag
            worth = play_score(plays[i, 2])
            if side == 1:
                worth += reply_bonus(workspace.replies, plays[i, 0])
            keys[i] = (np.int64(leaves) << 62) + (-worth << 32) | i
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
    make_move(workspace.position, ply, move)
    begin_ply(workspace.lists, ply + 1)
    workspace.position.rack[ply + 1, 0] = rack
    workspace.position.rack[ply + 1, 1] = pool
    workspace.position.rack_value[ply + 1, 0] = rack_points(workspace.game, rack)
    workspace.position.rack_value[ply + 1, 1] = rack_points(workspace.game, pool)


@kernel
def _win_stands(workspace, ply, reach, spread, left_value):
    """Whether we win by a play out that a reply leaves standing: the game lasts no longer than that."""
    arena = words_of(workspace.arena.words)
    out = -1
    for lane in range(LANES):
        if not (reach >> np.uint64(lane)) & np.uint64(1):
            out = max(out, list_best_out(arena, lane_list(workspace, ply, plain(0), lane)))
    return out >= 0 and spread + out + 2 * left_value > 0


@part_of_kernel
def _opponent_turn(workspace, ply, bag, spread, passed, known, losses_allowed, decide):
    """Verdict of each order of the ``bag`` tiles that stay, the opponent on turn.

    ``rack[ply, 0]`` is our rack, ``rack[ply, 1]`` the pool: the opponent's tiles and the bag together. ``known``
    are pool tiles that the opponent certainly holds. ``passed`` is 1 when our turn was a pass. ``decide`` is the kernel
    for what comes after a reply that leaves tiles, :func:`value` or one that stands for it.

    Returns int8[n] verdicts and uint64[n] replies (a move that brings a draw or loss, 0 where there is none or it is
    the pass), by ascending sequence. When losses (in half weights) exceed ``losses_allowed`` the walk ends early with
    ``workspace.cut`` set: verdicts are then upper bounds.
    """
    pool = workspace.position.rack[ply, 1]
    sequences, weights = draw_sequences(workspace.game, pool - known, bag)
    number = sequences.shape[0]
    verdicts = np.full(number, WIN, np.int8)
    replies = np.zeros(number, np.uint64)
    stays = staying(workspace.game, sequences, bag)
    workspace.preendgame.cut = 0
    losses = 0
    losable_in_all = WIN * weights.sum()
    if passed == 1:
        # the opponent passes too
        losses = end_game(workspace.game, stays, weights, spread, workspace.position.rack_value[ply, 0], pool, verdicts)
    if losses > losses_allowed:
        workspace.preendgame.cut = 1
        return verdicts, replies

    plays = gather_plays(workspace, ply, plain(1), bag)
    if workspace.limits.stop:
        return verdicts, replies
    key = decision_key(workspace.position, ply, spread, passed, known)
    # the replies race, as the plays of an endgame do (race.py): one whose answer comes cheaply may spare the others
    number_listed = plays.shape[0] + (1 - passed)
    spent = np.zeros(number_listed, np.int64)
    cost = np.zeros(number_listed, np.float64)
    limit = workspace.limits.node_limit
    put_off = np.empty(number_listed, np.int64)
    number_put_off = 0
    fresh = 0  # the next that nobody has looked into
    # nodes spent at the first try, and again: about as many on each
    spent_first = 0
    spent_again = 0
    while losses < losable_in_all:
        cheapest = cheapest_put_off(put_off, cost, number_put_off)
        again = cheapest >= 0 and spent_again <= spent_first and cost[put_off[cheapest]] < _TAKEN
        if fresh < number_listed and not again:
            index = fresh
            fresh += 1
        elif cheapest < 0:
            break
        else:
            index = put_off[cheapest]
            number_put_off -= 1
            put_off[cheapest] = put_off[number_put_off]
        if index == plays.shape[0]:
            move = ZERO
            need = ZERO
            score = 0
            reach = ZERO
            left_value = workspace.position.rack_value[ply, 1]
        else:
            move = plays[index, 0]
            need = plays[index, 1]
            meta = plays[index, 2]
            score = play_score(meta)
            reach = play_reach(meta)
            left_value = workspace.position.rack_value[ply, 1] - play_tile_value(meta)
        tiles = tiles_laid(move)
        rest = pool - need
        best = best_left(workspace.game, stays, rest, verdicts)
        if tiles > workspace.position.opponent_rack_size or best == LOSS:
            continue
        if tiles >= bag and spent[index] == 0 and _win_stands(workspace, ply, reach, spread - score, left_value):
            continue
        mark = mark_of_play(key, move)
        if workspace.taken.helps and spent[index] == 0 and is_taken(workspace.taken, mark):
            # another thread is at it: later
            spent[index] = 1
            cost[index] = _TAKEN
            put_off[number_put_off] = index
            number_put_off += 1
            continue
        _place(workspace, ply, move, workspace.position.rack[ply, 0], rest)
        take(workspace.taken, mark)
        before = workspace.limits.nodes
        budget = first_budget(workspace.budgets, plain(0)) if tiles >= bag else DECISION_BUDGET
        if spent_first == 0:
            budget = max(budget, DECISION_BUDGET)
        workspace.limits.node_limit = min(limit, before + max(budget, BUDGET_GROWTH * spent[index]))
        workspace.limits.replies_listed[ply + 1] = 0
        possible = losable(workspace.game, stays, rest, weights, verdicts)
        lowered = 0
        if tiles >= bag:
            verdict = reply_verdict(workspace, ply + 1, spread - score, plain(0), best)
            if workspace.limits.stop == 0:
                learn_usual(workspace.budgets, plain(0), workspace.limits.nodes - before)
                lowered = lower_all(workspace.game, verdict, move, stays, rest, weights, verdicts, replies)
        else:
            left = bag - tiles
            known_left = without(workspace.game, known, need)
            nested, _ = decide(
                workspace,
                ply + 1,
                OURS,
                left,
                spread - score,
                np.int64(tiles == 0),
                known_left,
                plain(NO_LIMIT),
            )
            if workspace.limits.stop == 0:
                tails, _ = draw_sequences(workspace.game, rest - known_left, left)
                lowered = lower_each(
                    workspace.game, nested, tails, left, move, sequences, stays, rest, weights, verdicts, replies
                )
        leave(workspace.taken, mark)
        take_back(workspace, ply)
        workspace.limits.node_limit = limit
        nodes = workspace.limits.nodes - before
        if spent[index] == 0:
            spent_first += nodes
        else:
            spent_again += nodes
        if out_of_own_budget(workspace.limits):
            spent[index] = nodes
            cost[index] = nodes / share_refuted(workspace.limits, ply + 1)
            put_off[number_put_off] = index
            number_put_off += 1
            continue
        if workspace.limits.stop:
            return verdicts, replies
        learn_reply(workspace.replies, move, lowered, possible, nodes)
        losses += lowered
        if losses > losses_allowed:
            workspace.preendgame.cut = 1
            return verdicts, replies
    return verdicts, replies


@part_of_kernel
def _our_turn(workspace, ply, bag, spread, passed, known):
    """Verdicts of an information set of ours with ``bag`` tiles in the bag, for each order they may be in.

    ``rack[ply, 0]`` is our rack, ``rack[ply, 1]`` all tiles unseen to us, ``known`` those of them that the opponent
    certainly holds. Returns int8[n] verdicts and uint64[n] sequences (ascending): the worst over the plays that have
    the most points.

    A unit that runs out of its budget is put off. The play comes next that needs the least, less what it has won and
    lost so far (choices.py), at the draw that promises most losses; a play is dropped once it has lost more than a
    finished one, and a play that never loses ends the search.
    """
    pool = workspace.position.rack[ply, 1]
    rack = workspace.position.rack[ply, 0]
    bag_pool = pool - known
    sequences, weights = draw_sequences(workspace.game, bag_pool, bag)
    number = sequences.shape[0]
    verdicts = np.empty(number, np.int8)
    no_replies = np.empty(0, np.uint64)
    key = decision_key(workspace.position, ply, spread, passed, known)
    if recall_verdicts(workspace.decisions, key, verdicts):
        workspace.decisions.recalled += 1
        return verdicts, no_replies
    workspace.decisions.made += 1

    plays = gather_plays(workspace, ply, plain(0), bag)
    if workspace.limits.stop:
        return verdicts, no_replies
    make_side_lists(workspace, ply, plain(1))
    _promote(workspace.preendgame, bag, plays)
    candidates = plays.shape[0] + 1
    played = tiles_drawn(plays, bag)
    first_unit, unit_draw, unit_weight = list_units(workspace.game, bag_pool, bag)
    unit_failures = np.zeros(unit_draw.shape[0], np.int64)
    unit_of = unit_of_each(workspace.game, sequences, bag, first_unit, unit_draw)
    unsettled = first_unit[played + 1] - first_unit[played]
    settled = np.zeros((candidates, unsettled.max()), np.bool_)
    levels = np.zeros((candidates, unsettled.max()), np.int8)  # how often a unit has run out of its budget
    due = np.zeros(candidates, np.int64)  # that of the unit that comes next
    lost = np.zeros(candidates, np.int64)
    won = np.zeros(candidates, np.int64)
    total = weights.sum()
    limit = workspace.limits.node_limit
    table = np.empty((candidates, number), np.int8)

    fewest = plain(NO_LIMIT)
    dropped = NO_LIMIT
    while True:
        chosen = choose_play(unsettled, lost, won, due, fewest, total)
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
        units = first_unit[drawn + 1] - first
        done = settled[chosen, :units]
        level = levels[chosen, :units]
        unit = choose_unit(workspace.taken, key, move, done, level, first, unit_draw, unit_weight, unit_failures)
        draw = unit_draw[unit]
        mark = mark_of_play(key + draw, move)
        failed = 0
        if chosen == candidates - 1 and passed == 1:
            mine = rack_points(workspace.game, rack)
            stays = staying(workspace.game, sequences, bag)
            failed = end_game(workspace.game, stays, weights, spread, mine, pool, table[chosen])
        else:
            widen_rack(workspace, ply, plain(0), rack + draw)
            _place(workspace, ply, move, rack - need + draw, pool - draw)
            take(workspace.taken, mark)
            before = workspace.limits.nodes
            budget = first_budget(workspace.budgets, plain(1)) if drawn == bag else plain(DECISION_BUDGET)
            workspace.limits.node_limit = min(limit, before + budget * BUDGET_GROWTH ** np.int64(level[unit - first]))
            if drawn == bag:
                verdict = emptied_verdict(workspace, ply + 1, spread + score, plain(0))
                failed = (WIN - verdict) * unit_weight[unit]
                if workspace.limits.stop == 0:
                    learn_usual(workspace.budgets, plain(1), workspace.limits.nodes - before)
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
                if workspace.limits.stop == 0:
                    if workspace.preendgame.cut:
                        failed = dropped
                    else:
                        left = bag - drawn
                        tails, _ = draw_sequences(workspace.game, bag_pool - draw, left)
                        failed = enter_each(after, tails, left, unit, unit_of[drawn], sequences, weights, table[chosen])
            leave(workspace.taken, mark)
            take_back(workspace, ply)
            workspace.limits.node_limit = limit
            if out_of_own_budget(workspace.limits):
                level[unit - first] += 1
                unit = choose_unit(
                    workspace.taken, key, move, done, level, first, unit_draw, unit_weight, unit_failures
                )
                due[chosen] = level[unit - first]
                continue
            if workspace.limits.stop:
                return verdicts, no_replies
        settled[chosen, unit - first] = True
        unsettled[chosen] -= 1
        lost[chosen] = min(dropped, lost[chosen] + failed)
        won[chosen] += max(0, 2 * unit_weight[unit] * (total // unit_weight[first : first + units].sum()) - failed)
        if failed > 0:
            unit_failures[unit] += 1
        if unsettled[chosen] > 0:
            unit = choose_unit(workspace.taken, key, move, done, level, first, unit_draw, unit_weight, unit_failures)
            due[chosen] = level[unit - first]
        if unsettled[chosen] == 0 and lost[chosen] < fewest:
            fewest = lost[chosen]
            workspace.preendgame.good_move[bag] = move
            if fewest == 0:
                break

    worst_of_best(table, unsettled, lost, fewest, verdicts)
    workspace.preendgame.cut = 0
    remember_verdicts(workspace.decisions, key, verdicts)
    return verdicts, no_replies


@kernel
def value(workspace, ply, turn, bag, spread, passed, known, losses_allowed):
    """Verdicts with ``bag`` tiles in the bag for each order that they may be in: see the parts for the two turns."""
    if turn == THEIRS:
        return _opponent_turn(workspace, ply, bag, spread, passed, known, losses_allowed, value)
    return _our_turn(workspace, ply, bag, spread, passed, known)


@kernel
def _no_decision(workspace, ply, turn, bag, spread, passed, known, losses_allowed):
    """Stands for :func:`value` where it is never asked."""
    return np.empty(0, np.int8), np.empty(0, np.uint64)


@kernel
def value_after_pass(workspace, ply, spread, known, losses_allowed):
    """As :func:`value` after a pass of ours with one tile in the bag: every reply empties it or ends the game.

    So no decision of ours comes, and none has to be compiled.
    """
    return _opponent_turn(workspace, ply, plain(1), spread, plain(1), known, losses_allowed, _no_decision)


@kernel
def _promote(preendgame, bag, plays):
    """Put the play that was best in the last decision with so many tiles in the bag first."""
    wanted = preendgame.good_move[bag]
    for i in range(plays.shape[0]):
        if plays[i, 0] == wanted:
            for word in range(PLAY_WORDS):
                kept = plays[i, word]
                for j in range(i, 0, -1):
                    plays[j, word] = plays[j - 1, word]
                plays[0, word] = kept
            return
