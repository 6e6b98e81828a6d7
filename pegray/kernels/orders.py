"""Verdicts for each order that the tiles in the bag may have, and what the opponent's replies make of them.

All arrays have an entry for each order, ascending: uint64[n] ``sequences`` (see draws.py), int64[n] ``weights``,
uint64[n] ``stays`` (the tiles of each, packed), int8[n] ``verdicts``, uint64[n] ``replies``. Losses are half weights.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from pegray.kernels.bits import kernel, plain
from pegray.kernels.draws import sequence_multiset, tail
from pegray.kernels.game import fits, rack_points
from pegray.kernels.verdicts import LOSS, WIN, sign


@kernel
def index_of(values, value):
    """Index of ``value`` in an ascending array that holds it."""
    return np.searchsorted(values, value)


@kernel
def staying(game, sequences, bag):
    """uint64[n]: the packed ``bag`` tiles of each sequence."""
    stays = np.empty(sequences.shape[0], np.uint64)
    for i in range(sequences.shape[0]):
        stays[i] = sequence_multiset(game, sequences[i], bag)
    return stays


@kernel
def end_game(game, stays, weights, spread, mine, pool, verdicts):
    """Fill in the verdicts if the game is over, with ``mine`` the value of our tiles; returns the losses."""
    losses = 0
    for i in range(stays.shape[0]):
        verdict = sign(spread - mine + rack_points(game, pool - stays[i]))
        losses += (WIN - verdict) * weights[i]
        verdicts[i] = verdict
    return losses


@kernel
def best_left(game, stays, rest, verdicts):
    """The best verdict for us among the orders in which the opponent can have made a reply that leaves ``rest``."""
    best = plain(LOSS)
    for i in range(stays.shape[0]):
        if verdicts[i] > best and fits(game, stays[i], rest):
            best = verdicts[i]
    return best


@kernel
def losable(game, stays, rest, weights, verdicts):
    """Half weights that a reply that leaves ``rest`` may still bring down."""
    most = 0
    for i in range(stays.shape[0]):
        if verdicts[i] > LOSS and fits(game, stays[i], rest):
            most += verdicts[i] * weights[i]
    return most


@kernel
def lower_all(game, verdict, move, stays, rest, weights, verdicts, replies):
    """Take over what a reply brings that empties the bag, whatever the order; returns the losses that it adds."""
    losses = 0
    for i in range(stays.shape[0]):
        if verdict < verdicts[i] and fits(game, stays[i], rest):
            losses += (verdicts[i] - verdict) * weights[i]
            verdicts[i] = verdict
            replies[i] = move
    return losses


@kernel
def lower_each(game, nested, tails, left, move, sequences, stays, rest, weights, verdicts, replies):
    """Take over what a reply brings that leaves ``left`` tiles: ``nested`` verdicts, one for each of their orders."""
    losses = 0
    for i in range(stays.shape[0]):
        if verdicts[i] > LOSS and fits(game, stays[i], rest):
            verdict = np.int64(nested[index_of(tails, tail(sequences[i], left))])
            if verdict < verdicts[i]:
                losses += (verdicts[i] - verdict) * weights[i]
                verdicts[i] = verdict
                replies[i] = move
    return losses
