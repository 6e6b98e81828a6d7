"""How many nodes an endgame, or a decision, may take at the first try while tiles are in the bag.

Most endgames behind a turn with tiles in the bag take a handful of nodes, a few take a million, and one that is settled
often spares others. So each gets a budget; what runs out of it is put off, and comes again with four times as much.
What was found until then is in the table.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from pegray.kernels.bits import kernel

DECISION_BUDGET = 1_000
BUDGET_GROWTH = 4
_LEAST_BUDGET = 100
_MOST_BUDGET = 4_000
_MOST_LEARNT = 16 * _MOST_BUDGET
_MEMORY = 16  # endgames

BUDGETS = np.dtype([("usual_nodes", "i8", (2,))], align=True)
"""Nodes that an endgame takes, by whose turn it is first: a moving average."""

FIRST_USUAL_NODES = 25


@kernel
def first_budget(budgets, side):
    """Nodes for the first try at an endgame with ``side`` on turn: four times what they take lately."""
    return min(max(BUDGET_GROWTH * budgets.usual_nodes[side], _LEAST_BUDGET), _MOST_BUDGET)


@kernel
def learn_usual(budgets, side, nodes):
    """An endgame with ``side`` on turn has taken so many nodes."""
    budgets.usual_nodes[side] += (min(nodes, _MOST_LEARNT) - budgets.usual_nodes[side]) // _MEMORY
