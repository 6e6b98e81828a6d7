"""How long a node takes, for each draw of plays that empty the bag.

Budgets are nodes, but a bound on a player alone (kernels/alone.py) takes as long as many of them, and one draw asks for
twice as many bounds as another: at each fifth node where the other side is stuck with the Q, say, and at each tenth
where we are. So what a draw promises for its budget is weighed by what its nodes cost. That is told by their bounds,
not by the clock, so that one thread does the same work each time.
"""

from __future__ import annotations

_NODES_OF_A_BOUND = 15  # that take as long: docs/log/2026-11-29-the-price-of-a-node.md
_NODES_BEFORE = 20_000  # as many at the usual price count with those of each draw


class Prices:
    """What came of all tries so far."""

    def __init__(self, draws: int) -> None:
        self._nodes = [0] * draws
        self._work = [0] * draws
        self._all_nodes = 0
        self._all_work = 0

    def learn(self, draw: int, nodes: int, bounds: int) -> None:
        """A try at a draw has taken so many nodes and bounds."""
        work = nodes + _NODES_OF_A_BOUND * bounds
        self._nodes[draw] += nodes
        self._work[draw] += work
        self._all_nodes += nodes
        self._all_work += work

    def price(self, draw: int) -> float:
        """How long a node of a draw takes, by one of any draw."""
        if not self._all_nodes:
            return 1.0
        usual = self._all_work / self._all_nodes
        return (self._work[draw] / usual + _NODES_BEFORE) / (self._nodes[draw] + _NODES_BEFORE)
