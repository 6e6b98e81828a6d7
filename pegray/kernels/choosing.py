"""A choice with tiles in the bag: its owner is blind, and settles plays until all with the most points are known.

Both models of the opponent choose like this (preendgame.py, rational.py); they differ in what comes of a play that
leaves tiles. That is the kernel ``after_draw`` of a model: given workspace, choice, play, the number of tiles left, the
orders that these may have with their weights, and the losses that are allowed, it returns the verdict of each order for
the owner, and whether more is lost than is allowed. The play and its draw have been made by then.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pegray.kernels.arena import play_at
from pegray.kernels.bits import ZERO, kernel, part_of_kernel, plain
from pegray.kernels.budgets import BUDGET_GROWTH, DECISION_BUDGET, first_budget, learn_usual
from pegray.kernels.checkpoints import begin_checkpoint
from pegray.kernels.choices import (
    choose_play,
    choose_unit,
    drop_if_idle,
    enter_all,
    enter_each,
    level_of,
    look_ahead,
    lower_to_best,
    put_off_unit,
    settle_unit,
)
from pegray.kernels.draws import draw_sequences
from pegray.kernels.found import keep_found, recall_found
from pegray.kernels.game import rack_points
from pegray.kernels.limits import NO_LIMIT, out_of_own_budget
from pegray.kernels.lists import widen_rack
from pegray.kernels.orders import end_game
from pegray.kernels.taken import leave, mark_of_play, take
from pegray.kernels.turns import place_and_hold, take_back
from pegray.kernels.verdicts import WIN, emptied_verdict


class Choice(NamedTuple):
    """An information set: a turn with tiles in the bag, as its owner sees it."""

    ply: np.int64
    side: np.int64  # the owner, 0 or 1
    bag: np.int64  # tiles in it
    spread: np.int64  # the owner's so far
    passed: np.int64  # 1 where the turn before was a pass
    known: np.uint64  # tiles of the pool that the other side certainly holds, packed
    rack: np.uint64  # the owner's, packed
    pool: np.uint64  # all that the owner does not see, packed
    key: np.uint64  # of all this


@part_of_kernel
def _look_into_draw(workspace, choice, orders, play, candidates, chosen, units, unit, allowed, after_draw):
    """Make a play with one of its draws and enter what comes of it, if that is found within the budget.

    Meanwhile both are taken. Returns the losses: NO_LIMIT where they are more than ``allowed`` for each draw that the
    unit stands for.
    """
    ply, side = choice.ply, choice.side
    draw = units.draw[unit]
    left = choice.bag - candidates.drawn[chosen]
    mark = mark_of_play(choice.key, play.move)
    mark_of_draw = mark_of_play(choice.key + draw, play.move)
    take(workspace.taken, mark)
    take(workspace.taken, mark_of_draw)
    begun = begin_checkpoint(workspace)
    limit = workspace.limits.node_limit
    budget = first_budget(workspace.budgets, plain(1)) if left == 0 else plain(DECISION_BUDGET)
    budget *= BUDGET_GROWTH ** level_of(candidates, chosen, units, unit)
    workspace.limits.node_limit = min(limit, begun.nodes + budget)
    widen_rack(workspace, ply, side, choice.rack + draw)
    unseen = choice.pool - draw
    place_and_hold(workspace, ply, side, play.move, choice.rack - play.need + draw, unseen)
    failed = 0
    if left == 0:
        verdict = emptied_verdict(workspace, ply + 1, side, choice.spread + play.score, plain(0))
        if workspace.limits.stop == 0:
            learn_usual(workspace.budgets, plain(1), workspace.limits.nodes - begun.nodes)
            keep_found(workspace, begun, choice.key, play.move, draw, np.full(1, verdict, np.int8))
            failed = enter_all(candidates, chosen, units, unit, verdict)
    else:
        tails, weights = draw_sequences(workspace.game, unseen - choice.known, left)
        verdicts, lost_too_much = after_draw(workspace, choice, play, left, tails, weights, allowed)
        if workspace.limits.stop == 0:
            if lost_too_much:
                failed = NO_LIMIT
            else:
                keep_found(workspace, begun, choice.key, play.move, draw, verdicts)
                failed = enter_each(candidates, chosen, units, unit, orders, left, tails, verdicts)
    take_back(workspace, ply)
    workspace.limits.node_limit = limit
    leave(workspace.taken, mark_of_draw)
    leave(workspace.taken, mark)
    return failed


@kernel
def _found_before(workspace, choice, orders, play, candidates, chosen, units, unit):
    """Enter what was found of a play's draw, here or by another thread; returns the losses, or -1 if nothing was."""
    draw = units.draw[unit]
    left = choice.bag - candidates.drawn[chosen]
    if left == 0:
        verdict = np.empty(1, np.int8)
        if not recall_found(workspace.found, choice.key, play.move, draw, verdict):
            return plain(-1)
        return enter_all(candidates, chosen, units, unit, np.int64(verdict[0]))
    tails, _ = draw_sequences(workspace.game, choice.pool - draw - choice.known, left)
    verdicts = np.empty(tails.shape[0], np.int8)
    if not recall_found(workspace.found, choice.key, play.move, draw, verdicts):
        return plain(-1)
    return enter_each(candidates, chosen, units, unit, orders, left, tails, verdicts)


@part_of_kernel
def race_candidates(workspace, choice, plays, orders, candidates, units, worst_is_enough, after_draw):
    """Settle the plays as far as it takes to know those with the most points, and the worst of them for each order.

    A unit that runs out of its budget is put off. The play comes next that needs the least, less what it has won and
    lost so far (choices.py), at the draw that promises most losses; a play is dropped once it has lost more than a
    finished one. A play that never loses ends the race if it empties the bag.

    ``worst_is_enough``: not all of the best plays need be found. Then a play that never loses always ends the race, and
    those that would be one more of the best, but no worse for any order, are dropped.

    Returns what the best plays lose, the index of the first of them, -1 if there is none yet, and int8[orders]: the
    worst verdict for each order over those that were found.
    """
    worst = np.full(orders.verdicts.shape[0], WIN, np.int8)
    total = orders.weights.sum()
    fewest = plain(NO_LIMIT)
    best = plain(-1)
    while True:
        chosen = choose_play(workspace.taken, choice.key, plays, candidates, fewest)
        if chosen < 0:
            break
        if worst_is_enough and drop_if_idle(candidates, chosen, units, fewest, worst):
            continue
        play = play_at(plays, chosen)
        unit = choose_unit(workspace.taken, choice.key, play.move, candidates, chosen, units)
        if play.move == ZERO and choice.passed == 1:
            mine = rack_points(workspace.game, choice.rack)
            failed = end_game(workspace.game, orders, choice.spread, mine, choice.pool, candidates.verdicts[chosen])
        else:
            failed = _found_before(workspace, choice, orders, play, candidates, chosen, units, unit)
            if failed < 0:
                allowed = (fewest - candidates.lost[chosen]) // units.weight[unit]
                failed = _look_into_draw(
                    workspace, choice, orders, play, candidates, chosen, units, unit, allowed, after_draw
                )
                if out_of_own_budget(workspace.limits):
                    put_off_unit(candidates, chosen, units, unit)
                    look_ahead(workspace.taken, choice.key, play.move, candidates, chosen, units, total)
                    continue
                if workspace.limits.stop:
                    break
        settle_unit(candidates, chosen, units, unit, failed, total)
        look_ahead(workspace.taken, choice.key, play.move, candidates, chosen, units, total)
        if candidates.unsettled[chosen] > 0:
            continue
        if candidates.lost[chosen] < fewest:
            fewest = candidates.lost[chosen]
            best = chosen
            worst[:] = WIN
        lower_to_best(candidates, chosen, fewest, worst)
        if fewest == 0 and (worst_is_enough or candidates.drawn[best] == choice.bag):
            break
    return fewest, best, worst
