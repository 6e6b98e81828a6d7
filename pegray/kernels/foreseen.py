"""Replies that are bounded before any list of plays is made.

A look at what a play leaves the other side (endgame.py) comes to the bound on a player alone (alone.py) nearly always,
where that player has two or three tiles left: then the lists of its plays were made for nothing. How far it will fall
short is told by the bound that the same rack had last, on a board that is much the same.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from pegray.kernels.alone import bound_alone, whole_gain
from pegray.kernels.bits import kernel, mix, plain
from pegray.kernels.game import blanks_in, rack_size
from pegray.kernels.promises import BEFORE_LISTS, WHOLE, kind_of_bound, learn_gain, promises

_RACKS = 1 << 10
_RACK_SHIFT = np.uint64(54)  # to one of them
_LEAST_SHORTFALL = -10  # against the last bound
_WORTH_IT = (WHOLE, WHOLE, 700, 700, 250, 250, 250)  # by tiles: those with many have many replies

FORESEEN = np.dtype(
    [
        # racks that were bounded, by slot, and what they gain alone at the most
        ("rack", "u8", (_RACKS,)),
        ("gain", "i8", (_RACKS,)),
        ("settled", "i8"),  # so far
    ],
    align=True,
)


@kernel
def _slot_of(rack):
    """Where a rack is remembered."""
    return np.int64(mix(rack) >> _RACK_SHIFT)


@kernel
def remember_bound(foreseen, rack, gain):
    """A rack has been bounded."""
    slot = _slot_of(rack)
    foreseen.rack[slot] = rack
    foreseen.gain[slot] = gain


@kernel
def bound_before_lists(workspace, ply, mover, target):
    """Bound what a player gains, if that may settle it; what is not below ``target`` tells nothing."""
    foreseen = workspace.foreseen
    rack = workspace.position.rack[ply, mover]
    slot = _slot_of(rack)
    shortfall = target - foreseen.gain[slot]
    if foreseen.rack[slot] != rack or shortfall < _LEAST_SHORTFALL:
        return target
    tiles = rack_size(workspace.game, rack)
    kind = kind_of_bound(
        plain(BEFORE_LISTS), blanks_in(workspace.game, rack), tiles, shortfall - plain(_LEAST_SHORTFALL)
    )
    if not promises(workspace.promises, kind, _WORTH_IT[tiles]) or not bound_alone(workspace, ply, mover):
        return target
    gain = whole_gain(workspace.alone)
    remember_bound(foreseen, rack, gain)
    foreseen.settled += gain < target
    learn_gain(workspace.promises, kind, plain(WHOLE) if gain < target else plain(0))
    return gain
