"""What writing down a simulated solve takes of the driver."""

from __future__ import annotations

from benchmarks.simulation.cluster import Cluster
from benchmarks.simulation.costs import COSTS
from pegray.preendgame.ledger import Ledger
from pegray.preendgame.work import Settled
from pegray.runs.recorder import WriteTimes

_UNKNOWN = b"\xff"


def orders_known(ledger: Ledger) -> int:
    """Orders whose outcome is known: about as many as the rows of their table."""
    every = [found.outcomes for known in (ledger.book.settled, ledger.book.partial) for found in known.values()]
    return sum(len(outcomes) - outcomes.count(_UNKNOWN) for outcomes in every)


class Recording:
    """Stands for the :class:`pegray.runs.recorder.Recorder` of a position: nothing is written, and it takes as long."""

    def __init__(self, cluster: Cluster, ledger: Ledger) -> None:
        self._cluster = cluster
        self._ledger = ledger
        self._times = WriteTimes(ledger.state)

    def settled(self, results: list[Settled]) -> None:
        """Journal results, and write the tables when it is time, or the state has changed."""
        cluster = self._cluster
        cluster.spend("journal", (COSTS.keep_unit + COSTS.write_journal_unit) * len(results))
        started, state = cluster.now, self._ledger.state
        if not self._ledger.done and self._times.due(state, started):
            cluster.spend("tables", COSTS.write_tables + COSTS.write_order * orders_known(self._ledger))
            self._times.wrote(state, started, cluster.now, len(cluster.live))
