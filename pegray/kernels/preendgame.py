"""The pre-endgame recursion of the guaranteed-win model, on the board of the endgame kernels.

Three questions call one another until the bag is empty:

``emptied_verdict``  our play took the last tiles: one endgame, the opponent to move (verdicts.py)
``_opponent_turn``   our play left tiles in the bag: the worst for us of the opponent's replies (they race: replies.py),
                     for every order that the staying tiles may have (orders.py)
``_our_turn``        our turn again, tiles in the bag: we choose blind, by points (choosing.py), and ties fall the
                     worst way

Verdicts are 2 (win), 1 (draw), 0 (loss) for side 0. A reply that empties the bag leads to the same endgame whichever
of the pool's tiles were in the bag, so each reply is searched once for all the splits that could have made it; one
that leaves tiles leads, for all its splits, to one decision of ours.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pegray.game.rules import PREENDGAME_BAG
from pegray.kernels.arena import PLAY_WORDS, copy_play, list_best_out, play_at, play_score
from pegray.kernels.bits import ONE, ZERO, kernel, part_of_kernel, plain, words_of
from pegray.kernels.budgets import BUDGET_GROWTH, DECISION_BUDGET, first_budget, learn_usual
from pegray.kernels.checkpoints import DECISION, begin_checkpoint, keep_row
from pegray.kernels.choices import list_candidates, list_units
from pegray.kernels.choosing import Choice, race_candidates
from pegray.kernels.decisions import decision_key, recall_verdicts, remember, row_of
from pegray.kernels.draws import draw_sequences
from pegray.kernels.game import without
from pegray.kernels.lanes import LANES
from pegray.kernels.limits import NO_LIMIT, out_of_own_budget, share_refuted
from pegray.kernels.lists import lane_list, make_side_lists, side_plays
from pegray.kernels.moves import tiles_laid
from pegray.kernels.orders import all_orders, best_left, end_game, losable, lower_all, lower_each, stakes_of
from pegray.kernels.portions import FIRST_TURN, asked_replies, is_whole, lower_to_known, name_left
from pegray.kernels.replies import (
    begin_race,
    count_try,
    learn_reply,
    leave_to_others,
    next_good,
    next_reply,
    none_tried,
    put_off,
    remember_good,
    reply_worth,
)
from pegray.kernels.taken import is_taken, leave, mark_of_play, take
from pegray.kernels.turns import place_and_hold, take_back
from pegray.kernels.verdicts import DRAW, LOSS, WIN, at_least_draws, verdict_on_turn

OURS = np.int64(0)
THEIRS = np.int64(1)
_MOST_GOOD = 4  # replies that are tried before all are listed


class Turn(NamedTuple):
    """A turn with tiles in the bag. ``rack[ply, 0]`` is our rack, ``rack[ply, 1]`` the pool, all unseen to us."""

    ply: np.int64
    bag: np.int64  # tiles in it
    spread: np.int64  # ours so far
    passed: np.int64  # 1 where the turn before was a pass
    known: np.uint64  # tiles of the pool that the opponent certainly holds, packed


PREENDGAME = np.dtype(
    [
        ("cut", "i8"),  # 1 where a walk has ended early, since more was lost than is allowed
        ("good_move", "u8", (PREENDGAME_BAG.stop,)),  # best in the last decision, by the tiles in the bag
    ],
    align=True,
)


@kernel
def reply_verdict(workspace, ply, spread, passed, best_wanted):
    """Verdict with the bag empty and us on turn; a draw may be returned for a win when ``best_wanted`` is a draw."""
    if best_wanted == WIN:
        return verdict_on_turn(workspace, ply, plain(0), spread, passed)
    workspace.verdicts.endgames += 1
    return DRAW if at_least_draws(workspace, ply, plain(0), spread, passed) else LOSS


@kernel
def gather_plays(workspace, ply, side, bag):
    """All plays of a side and, last, the pass: uint64[n, PLAY_WORDS]; none where the search is stopped.

    Those that empty a bag of ``bag`` tiles come first; of each kind by falling score, the opponent's with their bonus
    (replies.py).
    """
    plays = side_plays(workspace, ply, side)
    if workspace.limits.stop:
        return plays
    passing = plays.shape[0] - 1
    worth = np.empty(passing, np.int64)
    most, least = plain(0), plain(0)
    for i in range(passing):
        worth[i] = reply_worth(workspace.replies, plays, i) if side == 1 else play_score(plays[i, 2])
        most, least = max(most, worth[i]), min(least, worth[i])
    # sorted by counting: numpy's own sort takes longer for some thousand plays than most endgames behind them
    classes = most - least + 1
    first = np.zeros(2 * classes + 1, np.int64)
    for i in range(passing):
        worth[i] = most - worth[i] + classes * np.int64(tiles_laid(plays[i, 0]) < bag)
        first[worth[i] + 1] += 1
    for i in range(2 * classes):
        first[i + 1] += first[i]
    ordered = np.empty((passing + 1, PLAY_WORDS), np.uint64)
    for i in range(passing):
        copy_play(ordered, first[worth[i]], plays, i)
        first[worth[i]] += 1
    copy_play(ordered, passing, plays, passing)
    return ordered


@kernel
def _win_stands(workspace, ply, reach, spread, left_value):
    """Whether we win by a play out that a reply leaves standing: the game lasts no longer than that."""
    arena = words_of(workspace.arena.words)
    out = -1
    for lane in range(LANES):
        if not (reach >> np.uint64(lane)) & np.uint64(1):
            out = max(out, list_best_out(arena, lane_list(workspace, ply, plain(0), lane)))
    return out >= 0 and spread + out + 2 * left_value > 0


@kernel
def _is_harmless(workspace, turn, reply):
    """Whether a reply cannot be made, or empties the bag and leaves a play standing that we win by."""
    tiles = tiles_laid(reply.move)
    if tiles > workspace.position.opponent_rack_size:
        return True
    left_value = workspace.position.rack_value[turn.ply, 1] - reply.tile_value
    return tiles >= turn.bag and _win_stands(workspace, turn.ply, reply.reach, turn.spread - reply.score, left_value)


@kernel
def _reply_budget(budgets, is_first, spent, empties):
    """Nodes for the next try of a reply, which empties the bag or not, after ``spent`` at the last.

    ``is_first``: no node was spent on any reply yet
    """
    budget = first_budget(budgets, plain(0)) if empties else DECISION_BUDGET
    if is_first:
        budget = max(budget, DECISION_BUDGET)
    return max(budget, BUDGET_GROWTH * spent)


@part_of_kernel
def _look_into_reply(workspace, turn, key, orders, stakes, reply, rest, best, budget, decide):
    """Make a reply and enter what it brings, if that is found within the budget; meanwhile it is taken.

    ``key``: of the turn; ``rest``: what it leaves of the pool; ``best``: the best verdict that it may lower

    Returns the losses that it adds, 0 where the budget was too small, and the nodes spent.
    """
    ply = turn.ply
    mark = mark_of_play(key, reply.move)
    take(workspace.taken, mark)
    before = workspace.limits.nodes
    limit = workspace.limits.node_limit
    workspace.limits.node_limit = min(limit, before + budget)
    workspace.limits.replies_listed[ply + 1] = 0
    place_and_hold(workspace, ply, OURS, reply.move, workspace.position.rack[ply, 0], rest)
    lowered = 0
    tiles = tiles_laid(reply.move)
    if tiles >= turn.bag:
        verdict = reply_verdict(workspace, ply + 1, turn.spread - reply.score, plain(0), best)
        if workspace.limits.stop == 0:
            learn_usual(workspace.budgets, plain(0), workspace.limits.nodes - before)
            lowered = lower_all(workspace.game, orders, stakes, rest, reply.move, verdict)
    else:
        left = turn.bag - tiles
        known_left = without(workspace.game, turn.known, reply.need)
        after = Turn(ply + 1, left, turn.spread - reply.score, np.int64(tiles == 0), known_left)
        nested, _ = decide(workspace, OURS, after, plain(NO_LIMIT))
        if workspace.limits.stop == 0:
            tails, _ = draw_sequences(workspace.game, rest - known_left, left)
            lowered = lower_each(workspace.game, orders, stakes, rest, reply.move, left, tails, nested)
    take_back(workspace, ply)
    workspace.limits.node_limit = limit
    leave(workspace.taken, mark)
    return lowered, workspace.limits.nodes - before


@part_of_kernel
def _try_good_replies(workspace, turn, key, orders, stakes, losses, losses_allowed, decide):
    """Lower the verdicts by replies that have brought down something lately; ``losses`` and what is returned as below.

    Most turns that lose everything lose it by these, and no reply need be listed: with all unseen tiles, that takes
    longer than most endgames.
    """
    pool = workspace.position.rack[turn.ply, 1]
    tried = ZERO
    spent = plain(0)
    for _ in range(_MOST_GOOD):
        if losses > losses_allowed:
            break
        index = next_good(workspace.replies, workspace.position, workspace.game, stakes, turn.ply, turn.bag, tried)
        if index < 0:
            break
        tried |= ONE << np.uint64(index)
        reply = play_at(workspace.replies.good, index)
        if _is_harmless(workspace, turn, reply):
            continue
        rest = pool - reply.need
        best = best_left(workspace.game, stakes, rest)
        possible = losable(workspace.game, stakes, rest)
        budget = _reply_budget(workspace.budgets, spent == 0, plain(0), True)
        lowered, nodes = _look_into_reply(workspace, turn, key, orders, stakes, reply, rest, best, budget, decide)
        spent += nodes
        if workspace.limits.stop and not out_of_own_budget(workspace.limits):
            break
        learn_reply(workspace.replies, reply.move, lowered, possible, nodes)
        losses += lowered
    return losses


@part_of_kernel
def _race_replies(workspace, turn, key, orders, stakes, losses, losses_allowed, decide):
    """Lower the verdicts of all orders by the opponent's replies, until more is lost than is allowed.

    ``losses``: what is lost already. Returns what is lost in all.
    """
    plays = gather_plays(workspace, turn.ply, plain(1), turn.bag)
    if workspace.limits.stop:
        return losses
    number = plays.shape[0] - turn.passed
    if turn.ply == FIRST_TURN:
        plays, number = asked_replies(workspace.portion, plays, number)
    pool = workspace.position.rack[turn.ply, 1]
    race = begin_race(workspace.replies, plays, number, turn.bag)
    while losses <= losses_allowed and losses < stakes.everything:
        index = next_reply(race, workspace.game, stakes, plays, pool)
        if index < 0:
            break
        reply = play_at(plays, index)
        rest = pool - reply.need
        best = best_left(workspace.game, stakes, rest)
        if best == LOSS or _is_harmless(workspace, turn, reply):
            continue
        new = race.spent[index] == 0
        if workspace.taken.helps and new and is_taken(workspace.taken, mark_of_play(key, reply.move)):
            leave_to_others(race, index)
            continue
        possible = losable(workspace.game, stakes, rest)
        empties = tiles_laid(reply.move) >= turn.bag
        budget = _reply_budget(workspace.budgets, none_tried(race), race.spent[index], empties)
        lowered, nodes = _look_into_reply(workspace, turn, key, orders, stakes, reply, rest, best, budget, decide)
        count_try(race, index, nodes)
        if workspace.limits.stop:
            put_off(race, index, nodes, nodes / share_refuted(workspace.limits, turn.ply + 1))
            if not out_of_own_budget(workspace.limits):
                break
        learn_reply(workspace.replies, reply.move, lowered, possible, nodes)
        if lowered > 0 and empties:
            remember_good(workspace.replies, workspace.position, turn.ply, plays, index)
        losses += lowered
    if turn.ply == FIRST_TURN and (workspace.limits.stop != 0 or losses > losses_allowed):
        name_left(workspace, pool, plays, race, stakes)
    return losses


@part_of_kernel
def _opponent_turn(workspace, turn, losses_allowed, decide):
    """Verdict of each order of the tiles that stay in the bag, the opponent on turn.

    The pool is the opponent's tiles and the bag together. ``decide`` is the kernel for what comes after a reply that
    leaves tiles, :func:`value` or one that stands for it.

    Returns int8[n] verdicts and uint64[n] replies (a move that brings a draw or loss, 0 where there is none or it is
    the pass), by ascending sequence. When losses (in half weights) exceed ``losses_allowed`` the walk ends early with
    ``preendgame.cut`` set: verdicts are then upper bounds.
    """
    pool = workspace.position.rack[turn.ply, 1]
    orders = all_orders(workspace.game, pool - turn.known, turn.bag)
    losses = 0
    if turn.passed == 1:
        # the opponent passes too
        mine = workspace.position.rack_value[turn.ply, 0]
        losses = end_game(workspace.game, orders, turn.spread, mine, pool, orders.verdicts)
    if turn.ply == FIRST_TURN:
        losses += lower_to_known(workspace.portion, orders)
    stakes = stakes_of(workspace.game, orders, pool - turn.known, turn.bag)
    key = decision_key(workspace.position, turn.ply, turn.spread, turn.passed, turn.known)
    if workspace.taken.helps == 0 and (turn.ply > FIRST_TURN or is_whole(workspace.portion)):
        losses = _try_good_replies(workspace, turn, key, orders, stakes, losses, losses_allowed, decide)
    if workspace.limits.stop == 0 and losses <= losses_allowed and losses < stakes.everything:
        losses = _race_replies(workspace, turn, key, orders, stakes, losses, losses_allowed, decide)
    workspace.preendgame.cut = np.int64(losses > losses_allowed)
    return orders.verdicts, orders.replies


@part_of_kernel
def _after_draw(workspace, choice, play, left, tails, weights, allowed):
    """What comes of a play of ours and its draw, for each order of the tiles that stay in the bag: see choosing.py."""
    after = Turn(choice.ply + 1, left, choice.spread + play.score, np.int64(play.move == ZERO), choice.known)
    verdicts, _ = value(workspace, THEIRS, after, allowed)
    return verdicts, workspace.preendgame.cut != 0


@part_of_kernel
def _our_turn(workspace, turn):
    """Verdicts of an information set of ours, for each order that the tiles in the bag may be in.

    Returns int8[n] verdicts, ascending by sequence: the worst over the plays that have the most points; and uint64[n]
    that mean nothing.
    """
    bag_pool = workspace.position.rack[turn.ply, 1] - turn.known
    orders = all_orders(workspace.game, bag_pool, turn.bag)
    key = decision_key(workspace.position, turn.ply, turn.spread, turn.passed, turn.known)
    if recall_verdicts(workspace.decisions, key, orders.verdicts):
        workspace.decisions.recalled += 1
        return orders.verdicts, orders.replies
    workspace.decisions.made += 1
    begun = begin_checkpoint(workspace)
    plays = gather_plays(workspace, turn.ply, plain(0), turn.bag)
    if workspace.limits.stop:
        return orders.verdicts, orders.replies
    make_side_lists(workspace, turn.ply, plain(1))
    _promote(workspace.preendgame, turn.bag, plays)
    rack, pool = workspace.position.rack[turn.ply, 0], workspace.position.rack[turn.ply, 1]
    choice = Choice(turn.ply, OURS, turn.bag, turn.spread, turn.passed, turn.known, rack, pool, key)
    units = list_units(workspace.game, orders.sequences, bag_pool, turn.bag)
    candidates = list_candidates(plays, units, turn.bag)
    _, best, worst = race_candidates(workspace, choice, plays, orders, candidates, units, plain(1), _after_draw)
    if best >= 0:
        workspace.preendgame.good_move[turn.bag] = plays[best, 0]
    if workspace.limits.stop == 0:
        orders.verdicts[:] = worst
        workspace.preendgame.cut = 0
        row = row_of(orders.verdicts)
        remember(workspace.decisions, key, row)
        keep_row(workspace, DECISION, begun, key, row)
    return orders.verdicts, orders.replies


@kernel
def value(workspace, side, turn, losses_allowed):
    """Verdicts with ``side`` on turn for each order of the tiles in the bag: see the parts for the two sides."""
    if side == THEIRS:
        return _opponent_turn(workspace, turn, losses_allowed, value)
    return _our_turn(workspace, turn)


@kernel
def value_after_play(workspace, bag, spread, passed, known, losses_allowed):
    """As :func:`value` after a play of ours at the root, which ``passed`` or not."""
    return value(workspace, THEIRS, Turn(plain(1), bag, spread, passed, known), losses_allowed)


@kernel
def _no_decision(workspace, side, turn, losses_allowed):
    """Stands for :func:`value` where it is never asked."""
    return np.empty(0, np.int8), np.empty(0, np.uint64)


@kernel
def value_after_pass(workspace, spread, known, losses_allowed):
    """As :func:`value` after a pass of ours at the root with one tile in the bag: every reply empties it or ends all.

    So no decision of ours comes, and none has to be compiled.
    """
    turn = Turn(plain(1), plain(1), spread, plain(1), known)
    return _opponent_turn(workspace, turn, losses_allowed, _no_decision)


@kernel
def _promote(preendgame, bag, plays):
    """Put the play that was best in the last decision with so many tiles in the bag first."""
    wanted = preendgame.good_move[bag]
    for i in range(plays.shape[0] - 1):  # not the pass
        if plays[i, 0] == wanted:
            for word in range(PLAY_WORDS):
                kept = plays[i, word]
                for j in range(i, 0, -1):
                    plays[j, word] = plays[j - 1, word]
                plays[0, word] = kept
            return
