"""What the endgame is asked with the bag empty: does the player on turn win, draw or lose, and by how much?

Either takes a few questions whether that player gains so much from here on.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from pegray.kernels.bits import kernel
from pegray.kernels.endgame import search
from pegray.kernels.race import race, rack_slot
from pegray.kernels.table import INFINITE

LOSS = 0
DRAW = 1
WIN = 2

_STEP_UP = 8  # asking for too much is cheaper than asking for too little


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
    workspace.endgames += 1
    drawn = -spread
    slot = rack_slot(workspace, ply, mover)
    if workspace.last_verdict[slot] == WIN:
        gain = race(workspace, ply, mover, passed, drawn + 1)
        if gain > drawn:
            verdict = WIN
        elif gain == drawn and workspace.stop == 0 and at_least_draws(workspace, ply, mover, spread, passed):
            verdict = DRAW
        else:
            verdict = LOSS
    else:
        gain = race(workspace, ply, mover, passed, drawn)
        if gain < drawn:
            verdict = LOSS
        elif gain > drawn or workspace.stop != 0:
            verdict = WIN
        elif race(workspace, ply, mover, passed, drawn + 1) > drawn:
            verdict = WIN
        else:
            verdict = DRAW
    if workspace.stop == 0:
        workspace.last_verdict[slot] = verdict
    return verdict


@kernel
def at_least_draws(workspace, ply, mover, spread, passed):
    """Whether the player on turn does not lose; meaningless when stopped."""
    return race(workspace, ply, mover, passed, -spread) >= -spread


@kernel
def exact_spread(workspace, ply, mover, passed, guess):
    """What the player on turn gains under best play, found from ``guess`` on; meaningless if stopped.

    A bound that falls short of what was asked is often the answer, so it is asked for next. Where bounds creep, the
    steps double until the value is between two of them, and what is between is halved. No races: near the exact value
    few plays prove anything.
    """
    lower = -INFINITE
    upper = INFINITE
    target = guess
    step = 1
    while lower < upper:
        value = search(workspace, ply, mover, passed, target, workspace.depth)
        if workspace.stop:
            return 0
        fell_short = value < target - 1
        if value < target:
            upper = value
        else:
            lower = value
        if fell_short:
            target = upper
        elif lower == -INFINITE:
            target = upper + 1 - step
        elif upper == INFINITE:
            target = lower + _STEP_UP * step
        else:
            target = lower + (upper - lower + 1) // 2
        step *= 2
    return lower
