"""A part of the opponent's replies to our first play: asked about by itself, with what the others have brought.

The walk through all replies to one play and draw of ours can be long. One that ends early says which replies are left;
these are then asked about in *portions*, by whoever has time. What a portion is told, and what it comes back with, are
verdicts for each order of the staying tiles, which other replies have lowered already. A reply that is not left can
bring down no order any further.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from pegray.kernels.arena import PLAY_WORDS, copy_play, play_at
from pegray.kernels.bits import ARRAY, kernel, words_of
from pegray.kernels.moves import tiles_laid
from pegray.kernels.orders import best_left
from pegray.kernels.replies import unsettled_replies
from pegray.kernels.verdicts import LOSS

FIRST_TURN = 1
"""The ply of the opponent's first turn."""

MOST_LEFT = 1 << 11
"""If more replies are left, none is named: the walk has hardly begun."""

NOT_NAMED = -1

PORTION = np.dtype(
    [
        ("asked", ARRAY),  # uint64[], ascending: the replies to look into; empty: all
        ("verdicts", ARRAY),  # uint64[], by order: what others have brought; empty: nothing
        ("left", ARRAY),  # uint64[]: room for the replies that are left; none where nobody asks
        ("number_left", "i8"),  # how many, or NOT_NAMED
        ("untried", "i8"),  # how many of them, the last, were not looked into at all
    ],
    align=True,
)


@kernel
def is_whole(portion):
    """Whether all replies are asked about, and nobody wants those named that are left."""
    return portion.asked.length == 0 and portion.left.length == 0


@kernel
def lower_to_known(portion, orders):
    """Take over what others have brought; returns the losses (half weights) that it adds."""
    known = words_of(portion.verdicts)
    losses = 0
    for i in range(known.shape[0]):
        verdict = np.int8(known[i])
        if verdict < orders.verdicts[i]:
            losses += (orders.verdicts[i] - verdict) * orders.weights[i]
            orders.verdicts[i] = verdict
    return losses


@kernel
def asked_replies(portion, plays, number):
    """Those of the first ``number`` replies (uint64[n, PLAY_WORDS]) that are asked about, and how many they are."""
    asked = words_of(portion.asked)
    if asked.shape[0] == 0:
        return plays, number
    kept = np.empty((number, PLAY_WORDS), np.uint64)
    count = 0
    for i in range(number):
        at = np.searchsorted(asked, plays[i, 0])
        if at < asked.shape[0] and asked[at] == plays[i, 0]:
            copy_play(kept, count, plays, i)
            count += 1
    return kept, count


@kernel
def name_left(workspace, pool, plays, race, stakes):
    """Name the replies that may still bring down an order: those put off, the cheapest first, then the untried.

    ``pool``: the opponent's tiles and the bag together; ``race``: of the replies, see replies.py;
    ``stakes``: see orders.py
    """
    portion = workspace.portion
    left = words_of(portion.left)
    indices, tried = unsettled_replies(race)
    number = 0
    untried = 0
    for i in range(indices.shape[0]):
        reply = play_at(plays, indices[i])
        if tiles_laid(reply.move) > workspace.position.opponent_rack_size:
            continue
        if best_left(workspace.game, stakes, pool - reply.need) == LOSS:
            continue
        if number == left.shape[0]:
            return
        left[number] = reply.move
        number += 1
        if i >= tried:
            untried += 1
    portion.number_left = number
    portion.untried = untried
