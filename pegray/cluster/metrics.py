"""What solver actors and the process that hands out work tell Ray's metrics, for Prometheus and Grafana to read.

Ray puts ``ray_`` before the names and adds the node; a counter's name ends in ``_total``.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from ray.util.metrics import Counter, Gauge

from pegray.kernels.table import HEADER_WORDS
from pegray.preendgame.executors.base import Crew
from pegray.preendgame.work import Settled

_FILL_SECONDS = 10.0
_TELL_SECONDS = 5.0
_FILL_SAMPLE = 1 << 14
_WORDS_PER_ENTRY = 2


class SolverMetrics:
    """Counts what one node's solvers have settled. Threads may share it."""

    def __init__(self) -> None:
        self._units = Counter("pegray_units", "Units of work done")
        self._finished = Counter("pegray_units_finished", "Units of work with all outcomes settled")
        self._cut_off = Counter("pegray_units_cut_off", "Units of work given up because the play cannot be best")
        self._nodes = Counter("pegray_nodes", "Nodes searched")
        self._endgames = Counter("pegray_endgames", "Endgames searched")
        self._cpu_seconds = Counter("pegray_cpu_seconds", "CPU time in solver threads, seconds")
        self._nodes_per_second = Gauge(
            "pegray_nodes_per_second", "Nodes a second of a solver thread and its helpers, last bundle"
        )
        self._table_fill = Gauge("pegray_table_fill", "Share of the transposition table in use, 0 to 1")
        self._next_fill = 0.0

    def settled(self, results: Sequence[Settled], table: npt.NDArray[np.uint64]) -> None:
        """Count the results of a bundle; every few seconds look at the table as well."""
        finished = sum(result.finished for result in results)
        cut_off = sum(not result.finished and not result.out_of_budget for result in results)
        nodes = sum(result.nodes for result in results)
        seconds = sum(result.seconds for result in results)
        for counter, amount in (
            (self._units, len(results)),
            (self._finished, finished),
            (self._cut_off, cut_off),
            (self._nodes, nodes),
            (self._endgames, sum(result.endgames for result in results)),
            (self._cpu_seconds, sum(result.cpu_seconds for result in results)),
        ):
            if amount:  # Ray refuses to count nothing
                counter.inc(amount)
        if seconds > 0:
            self._nodes_per_second.set(nodes / seconds)
        now = time.monotonic()
        if now >= self._next_fill:
            self._next_fill = now + _FILL_SECONDS
            self._table_fill.set(table_fill(table))


class PoolMetrics:
    """Says every few seconds who works for a run, and on how much. Threads may share it."""

    def __init__(self) -> None:
        self._machines = Gauge("pegray_machines", "Nodes of the cluster that are ready for work")
        self._threads = Gauge("pegray_threads", "Solver threads that are ready")
        self._units = Gauge("pegray_units_in_flight", "Units of work that are being worked on, or wait at a node")
        self._next = 0.0

    def tell(self, crew: Crew, units: int) -> None:
        """Who works now, on so many units; most calls do nothing."""
        now = time.monotonic()
        if now >= self._next:
            self._next = now + _TELL_SECONDS
            self._machines.set(crew.machines)
            self._threads.set(crew.threads)
            self._units.set(units)


def table_fill(table: npt.NDArray[np.uint64]) -> float:
    """Share of a transposition table's entries that are in use, from a sample spread over it."""
    entries = table[HEADER_WORDS::_WORDS_PER_ENTRY]
    sample = entries[:: max(1, entries.size // _FILL_SAMPLE)]
    return float(np.count_nonzero(sample)) / sample.size
