"""Verdicts for each order that the tiles in the bag may have, and what the opponent's replies make of them.

Losses are half weights.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pegray.kernels.bits import kernel, plain
from pegray.kernels.draws import draw_multisets, draw_sequences, sequence_multiset, tail
from pegray.kernels.game import fits, rack_points
from pegray.kernels.verdicts import DRAW, LOSS, WIN, sign


class Orders(NamedTuple):
    """Each order, ascending, and what has come of it."""

    sequences: npt.NDArray[np.uint64]  # see draws.py
    weights: npt.NDArray[np.int64]
    stays: npt.NDArray[np.uint64]  # the tiles, packed
    verdicts: npt.NDArray[np.int8]  # for us, the worst so far
    replies: npt.NDArray[np.uint64]  # what brought that; 0 where nothing did, or it is the pass


class Stakes(NamedTuple):
    """What the orders can still lose, by the multiset of the tiles that stay: there are far fewer of these.

    Of six tiles out of thirteen, 1,716 for 1,235,520 orders.
    """

    stays: npt.NDArray[np.uint64]  # packed, ascending
    of_order: npt.NDArray[np.int64]  # the multiset that each order is of
    won: npt.NDArray[np.int64]  # weights of the orders that are won so far
    drawn: npt.NDArray[np.int64]
    everything: np.int64  # half weights of all orders


@kernel
def all_orders(game, pool, bag):
    """The orders of ``bag`` tiles of a packed pool: :class:`Orders`, all won so far."""
    sequences, weights = draw_sequences(game, pool, bag)
    number = sequences.shape[0]
    stays = np.empty(number, np.uint64)
    for i in range(number):
        stays[i] = sequence_multiset(game, sequences[i], bag)
    return Orders(sequences, weights, stays, np.full(number, WIN, np.int8), np.zeros(number, np.uint64))


@kernel
def index_of(values, value):
    """Index of ``value`` in an ascending array that holds it."""
    return np.searchsorted(values, value)


@kernel
def end_game(game, orders, spread, mine, pool, verdicts):
    """Fill in a verdict for each order if the game is over, ``mine`` the value of our tiles; returns the losses."""
    losses = 0
    for i in range(verdicts.shape[0]):
        verdict = sign(spread - mine + rack_points(game, pool - orders.stays[i]))
        losses += (WIN - verdict) * orders.weights[i]
        verdicts[i] = verdict
    return losses


@kernel
def stakes_of(game, orders, pool, bag):
    """What is at stake of the orders of ``bag`` tiles of a packed pool, by their verdicts so far: :class:`Stakes`."""
    stays, _ = draw_multisets(game, pool, bag)
    of_order = np.empty(orders.stays.shape[0], np.int64)
    won = np.zeros(stays.shape[0], np.int64)
    drawn = np.zeros(stays.shape[0], np.int64)
    for i in range(of_order.shape[0]):
        of_order[i] = index_of(stays, orders.stays[i])
        if orders.verdicts[i] == WIN:
            won[of_order[i]] += orders.weights[i]
        elif orders.verdicts[i] == DRAW:
            drawn[of_order[i]] += orders.weights[i]
    return Stakes(stays, of_order, won, drawn, WIN * orders.weights.sum())


@kernel
def best_left(game, stakes, rest):
    """The best verdict for us among the orders in which the opponent can have made a reply that leaves ``rest``."""
    best = plain(LOSS)
    for group in range(stakes.stays.shape[0]):
        if stakes.won[group] + stakes.drawn[group] > 0 and fits(game, stakes.stays[group], rest):
            if stakes.won[group] > 0:
                return plain(WIN)
            best = plain(DRAW)
    return best


@kernel
def losable(game, stakes, rest):
    """Half weights that a reply that leaves ``rest`` may still bring down."""
    most = 0
    for group in range(stakes.stays.shape[0]):
        left = WIN * stakes.won[group] + DRAW * stakes.drawn[group]
        if left > 0 and fits(game, stakes.stays[group], rest):
            most += left
    return most


@kernel
def lower_all(game, orders, stakes, rest, move, verdict):
    """Take over what a reply brings that empties the bag, whatever the order; returns the losses that it adds."""
    losses = 0
    if verdict == WIN:
        return losses
    may_be = _that_fit(game, stakes, rest)
    for i in range(orders.verdicts.shape[0]):
        if verdict < orders.verdicts[i] and may_be[stakes.of_order[i]]:
            losses += _lower(orders, stakes, i, move, verdict)
    return losses


@kernel
def lower_each(game, orders, stakes, rest, move, left, tails, nested):
    """Take over what a reply brings that leaves ``left`` tiles, whose orders are ``tails``; returns the added losses.

    ``nested``: int8[tails], the verdict of each
    """
    losses = 0
    may_be = _that_fit(game, stakes, rest)
    for i in range(orders.verdicts.shape[0]):
        if orders.verdicts[i] > LOSS and may_be[stakes.of_order[i]]:
            verdict = np.int64(nested[index_of(tails, tail(orders.sequences[i], left))])
            if verdict < orders.verdicts[i]:
                losses += _lower(orders, stakes, i, move, verdict)
    return losses


@kernel
def _that_fit(game, stakes, rest):
    """Of each multiset of tiles that stay, whether it is in ``rest``: bool[m]."""
    may_be = np.empty(stakes.stays.shape[0], np.bool_)
    for group in range(may_be.shape[0]):
        may_be[group] = fits(game, stakes.stays[group], rest)
    return may_be


@kernel
def _lower(orders, stakes, i, move, verdict):
    group, weight = stakes.of_order[i], orders.weights[i]
    losses = (orders.verdicts[i] - verdict) * weight
    if orders.verdicts[i] == WIN:
        stakes.won[group] -= weight
    else:
        stakes.drawn[group] -= weight
    if verdict == DRAW:
        stakes.drawn[group] += weight
    orders.verdicts[i] = verdict
    orders.replies[i] = move
    return losses
