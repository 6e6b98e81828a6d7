"""Our choice with tiles in the bag: which play to look into next, at which draw, and what the best plays come to.

A *unit* is what we may draw after a play: a multiset of tiles out of the bag. A unit that runs out of its budget is put
off. The *candidates* are the plays and, last, the pass. Losses and wins are half weights.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pegray.kernels.bits import kernel
from pegray.kernels.budgets import BUDGET_GROWTH
from pegray.kernels.draws import draw_multisets, head_multiset, tail
from pegray.kernels.limits import NO_LIMIT
from pegray.kernels.moves import tiles_laid
from pegray.kernels.orders import index_of
from pegray.kernels.taken import are_many, is_for_others, is_taken, mark_of_play
from pegray.kernels.verdicts import WIN

_LEVELS_AHEAD = 16.0


class Units(NamedTuple):
    """What may be drawn, by the number of tiles."""

    first: npt.NDArray[np.int64]  # where the units of so many tiles begin
    draw: npt.NDArray[np.uint64]  # packed tiles
    weight: npt.NDArray[np.int64]
    failures: npt.NDArray[np.int64]  # how many plays have lost something at it
    of_order: npt.NDArray[np.int64]  # [tiles drawn, order]: the unit that each order of the bag belongs to


class Candidates(NamedTuple):
    """How far each candidate is; the second index is one of its units, or an order of the bag."""

    drawn: npt.NDArray[np.int64]  # tiles
    unsettled: npt.NDArray[np.int64]  # how many units are left
    turn: npt.NDArray[np.float64]  # the lowest comes next; infinity where no unit is left
    lost: npt.NDArray[np.int64]  # NO_LIMIT where it is dropped
    won: npt.NDArray[np.int64]
    settled: npt.NDArray[np.bool_]  # [candidate, unit]
    level: npt.NDArray[np.int8]  # [candidate, unit]: how often it has run out of its budget
    verdicts: npt.NDArray[np.int8]  # [candidate, order]


@kernel
def _factorial(n):
    product = 1
    for i in range(2, n + 1):
        product *= i
    return product


@kernel
def list_units(game, sequences, bag_pool, bag):
    """What may be drawn of ``bag_pool``, with ``bag`` tiles in the bag in one of the orders ``sequences``."""
    first = np.zeros(bag + 2, np.int64)
    for drawn in range(bag + 1):
        tiles, _ = draw_multisets(game, bag_pool, drawn)
        first[drawn + 1] = first[drawn] + tiles.shape[0]
    units = first[bag + 1]
    draw = np.empty(units, np.uint64)
    weight = np.empty(units, np.int64)
    of_order = np.empty((bag + 1, sequences.shape[0]), np.int64)
    for drawn in range(bag + 1):
        tiles, ways = draw_multisets(game, bag_pool, drawn)
        for i in range(tiles.shape[0]):
            draw[first[drawn] + i] = tiles[i]
            weight[first[drawn] + i] = ways[i] * _factorial(drawn)
        for i in range(sequences.shape[0]):
            of_order[drawn, i] = first[drawn] + index_of(tiles, head_multiset(game, sequences[i], bag, drawn))
    return Units(first, draw, weight, np.zeros(units, np.int64), of_order)


@kernel
def list_candidates(plays, units, bag):
    """The plays, of whom nothing is settled yet; the last is the pass."""
    number = plays.shape[0]
    drawn = np.empty(number, np.int64)
    for c in range(number):
        drawn[c] = min(bag, tiles_laid(plays[c, 0]))
    unsettled = units.first[drawn + 1] - units.first[drawn]
    most = unsettled.max()
    return Candidates(
        drawn,
        unsettled,
        np.zeros(number, np.float64),
        np.zeros(number, np.int64),
        np.zeros(number, np.int64),
        np.zeros((number, most), np.bool_),
        np.zeros((number, most), np.int8),
        np.empty((number, units.of_order.shape[1]), np.int8),
    )


@kernel
def choose_play(taken, key, plays, candidates, fewest):
    """The unfinished play whose turn it is, if it has lost no more than ``fewest``, or -1.

    One that another thread is at, or begins with, only where there is no other.
    """
    chosen = -1
    many = are_many(taken)
    for joining in range(2):
        least = np.inf
        for c in range(candidates.turn.shape[0]):
            if candidates.turn[c] >= least or candidates.lost[c] > fewest:
                continue
            mark = mark_of_play(key, plays[c, 0])
            if joining == 0 and ((many and is_taken(taken, mark)) or is_for_others(taken, mark)):
                continue
            chosen = c
            least = candidates.turn[c]
        if chosen >= 0:
            break
    return chosen


@kernel
def choose_unit(taken, key, move, candidates, chosen, units):
    """Of a play's units that are not settled, the one that promises most losses for its budget.

    By what it has cost other plays, and how often it has run out of its budget. One that another thread has taken only
    where others have taken all of them.
    """
    first = units.first[candidates.drawn[chosen]]
    found = -1
    many = are_many(taken)
    most = -1.0
    for joining in range(2):
        for i in range(units.first[candidates.drawn[chosen] + 1] - first):
            unit = first + i
            if candidates.settled[chosen, i]:
                continue
            if many and joining == 0 and is_taken(taken, mark_of_play(key + units.draw[unit], move)):
                continue
            growth = BUDGET_GROWTH ** np.float64(candidates.level[chosen, i])
            promise = (units.failures[unit] + 0.1) * units.weight[unit] / growth
            if promise > most:
                found = unit
                most = promise
        if found >= 0:
            break
    return found


@kernel
def look_ahead(taken, key, move, candidates, chosen, units, total):
    """Work out when a play has its turn, after a unit of it was settled or put off.

    By the budget that the unit needs which comes next, as a power of the growth, less what the play has won and lost so
    far of ``total`` weights.
    """
    if candidates.unsettled[chosen] == 0:
        candidates.turn[chosen] = np.inf
        return
    unit = choose_unit(taken, key, move, candidates, chosen, units)
    ahead = _LEVELS_AHEAD * (candidates.won[chosen] - candidates.lost[chosen]) / (2 * total)
    candidates.turn[chosen] = level_of(candidates, chosen, units, unit) - ahead


@kernel
def level_of(candidates, chosen, units, unit):
    """How often a play's unit has run out of its budget."""
    return np.int64(candidates.level[chosen, unit - units.first[candidates.drawn[chosen]]])


@kernel
def put_off_unit(candidates, chosen, units, unit):
    """A play's unit has run out of its budget."""
    candidates.level[chosen, unit - units.first[candidates.drawn[chosen]]] += 1


@kernel
def settle_unit(candidates, chosen, units, unit, failed, total):
    """A play's unit is settled, at which it lost ``failed`` (NO_LIMIT: so much that it is dropped)."""
    first = units.first[candidates.drawn[chosen]]
    end = units.first[candidates.drawn[chosen] + 1]
    candidates.settled[chosen, unit - first] = True
    candidates.unsettled[chosen] -= 1
    candidates.lost[chosen] = min(NO_LIMIT, candidates.lost[chosen] + failed)
    at_stake = 2 * units.weight[unit] * (total // units.weight[first:end].sum())
    candidates.won[chosen] += max(0, at_stake - failed)
    if failed > 0:
        units.failures[unit] += 1


@kernel
def enter_all(candidates, chosen, units, unit, verdict):
    """Enter what comes of a unit that empties the bag, whatever the order; returns the losses."""
    unit_of = units.of_order[candidates.drawn[chosen]]
    for i in range(unit_of.shape[0]):
        if unit_of[i] == unit:
            candidates.verdicts[chosen, i] = verdict
    return (WIN - verdict) * units.weight[unit]


@kernel
def enter_each(candidates, chosen, units, unit, orders, left, tails, after):
    """Enter what comes of a unit that leaves ``left`` tiles, whose orders are ``tails``; returns the losses.

    ``after``: int8[tails], the verdict of each
    """
    unit_of = units.of_order[candidates.drawn[chosen]]
    losses = 0
    for i in range(unit_of.shape[0]):
        if unit_of[i] == unit:
            verdict = np.int64(after[index_of(tails, tail(orders.sequences[i], left))])
            candidates.verdicts[chosen, i] = verdict
            losses += (WIN - verdict) * orders.weights[i]
    return losses


@kernel
def lower_to_best(candidates, chosen, fewest, worst):
    """Lower the worst verdict of each order, over the plays that lose the fewest, to that of a play if it is one."""
    if candidates.lost[chosen] == fewest:
        for i in range(worst.shape[0]):
            worst[i] = min(worst[i], candidates.verdicts[chosen, i])


@kernel
def drop_if_idle(candidates, chosen, units, fewest, worst):
    """Drop an unfinished play that cannot change ``worst``; whether it was dropped.

    It has lost as much as the best, and no order more than ``worst`` says. If it loses more it is none of the best; and
    if it does not it is one of them, and wins all other orders.
    """
    if candidates.lost[chosen] < fewest:
        return False
    unit_of = units.of_order[candidates.drawn[chosen]]
    first = units.first[candidates.drawn[chosen]]
    for i in range(worst.shape[0]):
        if candidates.settled[chosen, unit_of[i] - first] and candidates.verdicts[chosen, i] < worst[i]:
            return False
    candidates.lost[chosen] = NO_LIMIT
    return True
