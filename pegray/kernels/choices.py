"""Our choice with tiles in the bag: which play to look into next, at which draw, and what the best plays come to.

A *unit* is what we may draw after a play: a multiset of tiles out of the bag. A play's verdicts have an entry for each
order of all tiles in the bag, ascending, as in orders.py; the candidates are the plays and, last, the pass.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from pegray.kernels.bits import kernel
from pegray.kernels.budgets import BUDGET_GROWTH
from pegray.kernels.draws import draw_multisets, head_multiset, tail
from pegray.kernels.moves import tiles_laid
from pegray.kernels.orders import index_of
from pegray.kernels.taken import is_taken, mark_of_play
from pegray.kernels.verdicts import WIN

_LEVELS_AHEAD = 16.0


@kernel
def tiles_drawn(plays, bag):
    """int64[plays + 1]: how many tiles we draw after each play, and after the pass, which is the last."""
    drawn = np.zeros(plays.shape[0] + 1, np.int64)
    for c in range(plays.shape[0]):
        drawn[c] = min(bag, tiles_laid(plays[c, 0]))
    return drawn


@kernel
def _factorial(n):
    product = 1
    for i in range(2, n + 1):
        product *= i
    return product


@kernel
def list_units(game, bag_pool, bag):
    """What we may draw: the first unit for each number of tiles drawn, and each unit's tiles and weight.

    int64[bag + 2], uint64[units], int64[units]
    """
    first_unit = np.zeros(bag + 2, np.int64)
    for drawn in range(bag + 1):
        tiles, _ = draw_multisets(game, bag_pool, drawn)
        first_unit[drawn + 1] = first_unit[drawn] + tiles.shape[0]
    unit_draw = np.empty(first_unit[bag + 1], np.uint64)
    unit_weight = np.empty(first_unit[bag + 1], np.int64)
    for drawn in range(bag + 1):
        tiles, ways = draw_multisets(game, bag_pool, drawn)
        for i in range(tiles.shape[0]):
            unit_draw[first_unit[drawn] + i] = tiles[i]
            unit_weight[first_unit[drawn] + i] = ways[i] * _factorial(drawn)
    return first_unit, unit_draw, unit_weight


@kernel
def unit_of_each(game, sequences, bag, first_unit, unit_draw):
    """int64[bag + 1, n]: for each number of tiles drawn the unit that each order belongs to."""
    unit_of = np.empty((bag + 1, sequences.shape[0]), np.int64)
    for drawn in range(bag + 1):
        tiles = unit_draw[first_unit[drawn] : first_unit[drawn + 1]]
        for i in range(sequences.shape[0]):
            head = head_multiset(game, sequences[i], bag, drawn)
            unit_of[drawn, i] = first_unit[drawn] + index_of(tiles, head)
    return unit_of


@kernel
def choose_play(unsettled, lost, won, due, fewest, total):
    """The unfinished play whose turn it is, if it has lost no more than ``fewest``, or -1.

    By the budget that it needs next, as a power of the growth (``due``), less what it has won and lost so far.
    """
    chosen = -1
    least = 1e9
    for c in range(unsettled.shape[0]):
        if unsettled[c] > 0 and lost[c] <= fewest:
            turn = due[c] - _LEVELS_AHEAD * (won[c] - lost[c]) / (2 * total)
            if turn < least:
                chosen = c
                least = turn
    return chosen


@kernel
def choose_unit(taken, key, move, settled, levels, first, unit_draw, unit_weight, unit_failures):
    """Of a play's units from ``first`` on that are not ``settled``, the one that promises most losses for its budget.

    By what it has cost other plays, and how often it has run out of its budget (``levels``). One that another thread
    has taken only where others have taken all of them.
    """
    chosen = -1
    most = -1.0
    for joining in range(2):
        for i in range(settled.shape[0]):
            unit = first + i
            if settled[i]:
                continue
            if taken.helps and joining == 0 and is_taken(taken, mark_of_play(key + unit_draw[unit], move)):
                continue
            promise = (unit_failures[unit] + 0.1) * unit_weight[unit] / BUDGET_GROWTH ** np.float64(levels[i])
            if promise > most:
                chosen = unit
                most = promise
        if chosen >= 0:
            break
    return chosen


@kernel
def enter_all(verdict, unit, unit_of, table):
    """Enter what comes of a unit that empties the bag, whatever the order."""
    for i in range(table.shape[0]):
        if unit_of[i] == unit:
            table[i] = verdict


@kernel
def enter_each(after, tails, left, unit, unit_of, sequences, weights, table):
    """Enter what comes of a unit that leaves ``left`` tiles: ``after``, one for each order; returns the losses."""
    losses = 0
    for i in range(table.shape[0]):
        if unit_of[i] == unit:
            verdict = np.int64(after[index_of(tails, tail(sequences[i], left))])
            table[i] = verdict
            losses += (WIN - verdict) * weights[i]
    return losses


@kernel
def worst_of_best(table, unsettled, lost, fewest, verdicts):
    """Fill in the worst verdict for each order over the finished plays that lose the fewest."""
    verdicts[:] = WIN
    for c in range(table.shape[0]):
        if unsettled[c] == 0 and lost[c] == fewest:
            for i in range(verdicts.shape[0]):
                verdicts[i] = min(verdicts[i], table[c, i])
