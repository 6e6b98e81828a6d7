"""Win, draw or loss with the bag empty: one or two questions to the endgame search."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from pegray.kernels.bits import kernel, mix
from pegray.kernels.endgame import search

LOSS = 0
DRAW = 1
WIN = 2

_RACK_SHIFT = np.uint64(56)  # to an index of ``last_verdict``


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
    rack = np.int64(mix(workspace.rack[ply, mover]) >> _RACK_SHIFT)
    if workspace.last_verdict[rack] == WIN:
        gain = search(workspace, ply, mover, passed, drawn + 1, workspace.depth)
        if gain > drawn:
            verdict = WIN
        elif gain == drawn and workspace.stop == 0 and at_least_draws(workspace, ply, mover, spread, passed):
            verdict = DRAW
        else:
            verdict = LOSS
    else:
        gain = search(workspace, ply, mover, passed, drawn, workspace.depth)
        if gain < drawn:
            verdict = LOSS
        elif gain > drawn or workspace.stop != 0:
            verdict = WIN
        elif search(workspace, ply, mover, passed, drawn + 1, workspace.depth) > drawn:
            verdict = WIN
        else:
            verdict = DRAW
    if workspace.stop == 0:
        workspace.last_verdict[rack] = verdict
    return verdict


@kernel
def at_least_draws(workspace, ply, mover, spread, passed):
    """Whether the player on turn does not lose; meaningless when stopped."""
    return search(workspace, ply, mover, passed, -spread, workspace.depth) >= -spread
