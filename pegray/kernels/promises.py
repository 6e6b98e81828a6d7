"""Which bounds are worth their time, by what has come of others of their kind lately.

A bound costs as much as some nodes, so it must promise something. How far a player seems to fall short is told by a
guess; how often that was far enough is learned as the search goes on, since it depends on the board: for each use of a
bound, for racks with and without a blank, by their tiles.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from pegray.kernels.bits import kernel
from pegray.kernels.numbering import MOST_TILES

# what a bound is used for: see hopeless.py, and foreseen.py for the last
OF_NODE = 0
OF_NODE_ANSWERED = 1
OF_LOOK = 2
OF_LOOK_ANSWERED = 3
OF_NODE_REFUTED = 4
BEFORE_LISTS = 5
_USES = 6

WHOLE = 1024  # a gain
_FIRST_TRIES = 4
_TRY_AGAIN = 15  # one in sixteen is tried whatever it promises
_MEMORY = 8
_SHORTFALLS = 32  # classes of how far a player seems to fall short

PROMISES = np.dtype(
    [
        # by kind_of_bound: how often it was considered, and what it has brought lately (a moving average)
        ("tries", "i8", (_USES * 2 * (MOST_TILES + 1) * _SHORTFALLS,)),
        ("gains", "i8", (_USES * 2 * (MOST_TILES + 1) * _SHORTFALLS,)),
    ],
    align=True,
)


@kernel
def kind_of_bound(use, blank, tiles, shortfall):
    """Number of a kind of bound; ``blank`` is how many blanks are among the ``tiles``."""
    kind = (use * 2 + blank) * (MOST_TILES + 1) + tiles
    return kind * _SHORTFALLS + min(shortfall >> 1, _SHORTFALLS - 1)


@kernel
def promises(learned, kind, worth):
    """Whether a bound that is considered has brought ``worth`` or more lately, or is due to be tried again."""
    tries = learned.tries[kind]
    learned.tries[kind] += 1
    return tries < _FIRST_TRIES or tries & _TRY_AGAIN == 0 or learned.gains[kind] >= worth


@kernel
def learn_gain(learned, kind, gain):
    """Remember what a bound has brought."""
    learned.gains[kind] += (gain - learned.gains[kind]) // _MEMORY
