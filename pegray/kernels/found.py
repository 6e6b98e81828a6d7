"""What has come of the draws of a choice, for whoever is at the same choice: another thread, or this one once more.

The table has the bounds of the endgames, but to look all of them up takes as many nodes as many of them took. So what a
draw of a play brings is kept, as decisions are (decisions.py), but apart from them: there are many more.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pegray.kernels.bits import ARRAY, kernel, mix
from pegray.kernels.checkpoints import DRAW, keep_row
from pegray.kernels.decisions import empty_decisions, recall_verdicts, remember, row_of

_SLOTS = 1 << 18
_DRAW_FACTOR = np.uint64(0x94D049BB133111EB)
_MOVE_FACTOR = np.uint64(0xBF58476D1CE4E5B9)

FOUND = np.dtype(
    [
        ("recalled", "i8"),  # draws of which it was found before what they bring
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
    """Fill ``verdicts`` (int8[n]) with what was found of a play and draw; False if nothing was."""
    known = recall_verdicts(found, _name_of_draw(key, move, draw), verdicts)
    found.recalled += known
    return known


@kernel
def keep_found(workspace, begun, key, move, draw, verdicts):
    """Keep what each order of the tiles that stay has brought (int8[n]; one, if none stay), by what has begun then."""
    name, row = _name_of_draw(key, move, draw), row_of(verdicts)
    remember(workspace.found, name, row)
    keep_row(workspace, DRAW, begun, name, row)
