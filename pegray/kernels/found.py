"""What has come of the draws of a choice, for the other threads that are at the same choice.

The table has the bounds of the endgames, but to look all of them up takes as many nodes as many of them took. So where
threads help one another, what a draw of a play brings is kept, as decisions are (decisions.py), but apart from them:
there are many more.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pegray.kernels.bits import ARRAY, kernel, mix
from pegray.kernels.decisions import empty_decisions, recall_verdicts, remember_verdicts
from pegray.kernels.taken import are_many

_SLOTS = 1 << 18
_DRAW_FACTOR = np.uint64(0x94D049BB133111EB)
_MOVE_FACTOR = np.uint64(0xBF58476D1CE4E5B9)

FOUND = np.dtype(
    [
        ("recalled", "i8"),  # draws of which another thread has found what they bring
        ("rows", ARRAY),  # uint64[], shared by all threads
    ],
    align=True,
)


def nothing_found() -> npt.NDArray[np.uint64]:
    """The array of a process in which no draw was settled: uint64[]."""
    return empty_decisions(_SLOTS)


@kernel
def _name_of_draw(key, move, draw):
    """What a play and draw of the choice ``key`` is found by: no two are thought to have the same."""
    return mix(key ^ mix(move * _MOVE_FACTOR) ^ mix(draw * _DRAW_FACTOR + np.uint64(1)))


@kernel
def recall_found(found, key, move, draw, verdicts):
    """Fill ``verdicts`` (int8[n]) with what a thread has found of a play and draw; False where none has."""
    known = recall_verdicts(found, _name_of_draw(key, move, draw), verdicts)
    found.recalled += known
    return known


@kernel
def share_verdicts(workspace, key, move, draw, verdicts):
    """Tell the other threads, if there are any, what each order of the tiles that stay has brought (int8[n])."""
    if are_many(workspace.taken):
        remember_verdicts(workspace.found, _name_of_draw(key, move, draw), verdicts)


@kernel
def share_verdict(workspace, key, move, draw, verdict):
    """The same of a draw that leaves none."""
    if are_many(workspace.taken):
        share_verdicts(workspace, key, move, draw, np.full(1, verdict, np.int8))
