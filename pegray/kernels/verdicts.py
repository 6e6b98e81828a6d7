"""What the endgame is asked with the bag empty: does the player on turn win, draw or lose, and by how much?

Either takes a few questions whether that player gains so much from here on.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from pegray.kernels.bits import kernel
from pegray.kernels.endgame import search
from pegray.kernels.race import RACK_SLOTS, race, rack_slot
from pegray.kernels.table import INFINITE

LOSS = 0
DRAW = 1
WIN = 2

_MARGIN = 16  # points
_DEAR = 3_000  # nodes

VERDICTS = np.dtype(
    [
        ("last", "u1", (RACK_SLOTS,)),  # of the last endgame that a rack was on turn in, by race.rack_slot
        ("endgames", "i8"),  # asked about so far
    ],
    align=True,
)


@kernel
def sign(spread):
    """Verdict of a final spread."""
    if spread > 0:
        return WIN
    if spread == 0:
        return DRAW
    return LOSS


@kernel
def verdict_on_turn(workspace, ply, mover, spread, passed):
    """Verdict for the player on turn (``mover``), whose spread so far is ``spread``; meaningless when stopped.

    Whether that player wins, and whether it at least draws: one of the questions answers the other too, if it is asked
    first. What a rack on turn can do at the end is often the same after other plays, so its last verdict says which.
    """
    workspace.verdicts.endgames += 1
    drawn = -spread
    slot = rack_slot(workspace.position.rack[ply, mover])
    if workspace.verdicts.last[slot] == WIN:
        gain = race(workspace, ply, mover, passed, drawn + 1)
        if gain > drawn:
            verdict = WIN
        elif gain == drawn and workspace.limits.stop == 0 and at_least_draws(workspace, ply, mover, spread, passed):
            verdict = DRAW
        else:
            verdict = LOSS
    else:
        gain = race(workspace, ply, mover, passed, drawn)
        if gain < drawn:
            verdict = LOSS
        elif gain > drawn or workspace.limits.stop != 0:
            verdict = WIN
        elif race(workspace, ply, mover, passed, drawn + 1) > drawn:
            verdict = WIN
        else:
            verdict = DRAW
    if workspace.limits.stop == 0:
        workspace.verdicts.last[slot] = verdict
    return verdict


@kernel
def emptied_verdict(workspace, ply, side, spread, passed):
    """Verdict for ``side``, whose spread so far is ``spread``, with the other on turn."""
    return WIN - verdict_on_turn(workspace, ply, 1 - side, -spread, passed)


@kernel
def at_least_draws(workspace, ply, mover, spread, passed):
    """Whether the player on turn does not lose; meaningless when stopped."""
    return race(workspace, ply, mover, passed, -spread) >= -spread


@kernel
def gain_within(workspace, ply, mover, passed, guess, least, most):
    """What the player on turn gains under best play, found from ``guess`` on, as far as it lies in a window.

    Returns bounds, a lower and an upper one, -INFINITE and INFINITE where none was found: they are equal where the gain
    lies in the window ``least`` to ``most``; else one of them says on which side it lies. If stopped, they are what was
    found until then.

    The questions come from above (as in MTD with a first guess of infinity, A. Plaat): that too much is too much is
    mostly shown by bounds at next to no cost, however often it is asked; that a gain can be reached is what costs. Only
    where answers creep by points and cost something do the steps double. No races: near the exact value few plays prove
    anything.
    """
    lower = -INFINITE
    upper = INFINITE
    target = guess + _MARGIN
    step = 1
    reached = 0
    failed = 0
    while lower < min(upper, most) and upper > least:
        target = min(max(target, least + 1), most)
        before = workspace.limits.nodes
        value = search(workspace, ply, mover, passed, target, workspace.limits.depth)
        nodes = workspace.limits.nodes - before
        if workspace.limits.stop:
            break
        if value >= target:
            lower = value
            reached = nodes
        else:
            upper = value
            failed = nodes
            step = 2 * step if value == target - 1 and nodes > _DEAR else 1
        if upper == INFINITE:
            target = lower + 2 * _MARGIN
        elif lower == -INFINITE:
            target = upper + 1 - step
        elif reached > (upper - lower) * failed:
            target = upper
        else:
            target = lower + (upper - lower + 1) // 2
    return lower, upper
