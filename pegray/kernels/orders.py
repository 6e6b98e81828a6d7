"""Verdicts for each order that the tiles in the bag may have, and what the opponent's replies make of them.

Losses are half weights.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pegray.kernels.bits import kernel, plain
from pegray.kernels.draws import draw_sequences, sequence_multiset, tail
from pegray.kernels.game import fits, rack_points
from pegray.kernels.verdicts import LOSS, WIN, sign


class Orders(NamedTuple):
    """Each order, ascending, and what has come of it."""

    sequences: npt.NDArray[np.uint64]  # see draws.py
    weights: npt.NDArray[np.int64]
    stays: npt.NDArray[np.uint64]  # the tiles, packed
    verdicts: npt.NDArray[np.int8]  # for us, the worst so far
    replies: npt.NDArray[np.uint64]  # what brought that; 0 where nothing did, or it is the pass


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
def best_left(game, orders, rest):
    """The best verdict for us among the orders in which the opponent can have made a reply that leaves ``rest``."""
    best = plain(LOSS)
    for i in range(orders.stays.shape[0]):
        if orders.verdicts[i] > best and fits(game, orders.stays[i], rest):
            best = orders.verdicts[i]
    return best


@kernel
def losable(game, orders, rest):
    """Half weights that a reply that leaves ``rest`` may still bring down."""
    most = 0
    for i in range(orders.stays.shape[0]):
        if orders.verdicts[i] > LOSS and fits(game, orders.stays[i], rest):
            most += orders.verdicts[i] * orders.weights[i]
    return most


@kernel
def lower_all(game, orders, rest, move, verdict):
    """Take over what a reply brings that empties the bag, whatever the order; returns the losses that it adds."""
    losses = 0
    for i in range(orders.stays.shape[0]):
        if verdict < orders.verdicts[i] and fits(game, orders.stays[i], rest):
            losses += _lower(orders, i, move, verdict)
    return losses


@kernel
def lower_each(game, orders, rest, move, left, tails, nested):
    """Take over what a reply brings that leaves ``left`` tiles, whose orders are ``tails``; returns the added losses.

    ``nested``: int8[tails], the verdict of each
    """
    losses = 0
    for i in range(orders.stays.shape[0]):
        if orders.verdicts[i] > LOSS and fits(game, orders.stays[i], rest):
            verdict = np.int64(nested[index_of(tails, tail(orders.sequences[i], left))])
            if verdict < orders.verdicts[i]:
                losses += _lower(orders, i, move, verdict)
    return losses


@kernel
def _lower(orders, i, move, verdict):
    losses = (orders.verdicts[i] - verdict) * orders.weights[i]
    orders.verdicts[i] = verdict
    orders.replies[i] = move
    return losses
