"""Simulated solves: of one position, and of a batch."""

from __future__ import annotations

import threading
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from benchmarks.simulation.cluster import CPUS_OF_A_NODE, Cluster, Opening, Session, SimulatedExecutor
from benchmarks.simulation.recorded import Recorded
from benchmarks.simulation.recording import Recording
from pegray.preendgame.ledger import Ledger
from pegray.preendgame.problem import Problem
from pegray.preendgame.session import run_session
from pegray.preendgame.work import Settled

Trace = tuple[Problem, Sequence[Settled]]


@dataclass
class Simulated:
    """What came of simulated solves.

    seconds: until the last was done; work: CPU seconds of threads on units of theirs; help: on those of others
    answers: the settled outcomes of each position
    """

    cpus: int
    seconds: float
    work: float
    help: float
    units: int
    driver: Counter[str]
    answers: list[dict[tuple[int, int], bytes]]

    @property
    def busy(self) -> float:
        """Share of the CPUs' time that was work on units, help not counted."""
        return self.work / (self.cpus * self.seconds)

    @property
    def helping(self) -> float:
        """Share of the CPUs' time in which threads without a unit helped others."""
        return self.help / (self.cpus * self.seconds)

    @property
    def driver_busy(self) -> float:
        """Share of the time that the driver was at work."""
        return sum(self.driver.values()) / self.seconds


def simulate(
    traces: Sequence[Trace],
    cpus: int,
    slower: float = 1.0,
    most: int = 1,
    per_node: int = CPUS_OF_A_NODE,
    larger: int = 1,
) -> Simulated:
    """Solve positions on so many CPUs, at most ``most`` at once.

    slower: how many times as long each node takes; larger: how many times as many nodes everything takes. Both stand
        for larger positions
    per_node: CPUs of a node of the cluster
    """
    cluster = Cluster(cpus, per_node)
    ledgers = [Ledger(problem) for problem, _ in traces]
    # a position that comes several times is the same rows each time
    once = {id(rows): (problem, rows) for problem, rows in traces}
    kernels = {rows_id: Recorded(problem, rows, slower, larger) for rows_id, (problem, rows) in once.items()}
    sessions: deque[Opening] = deque(
        partial(_open, cluster, ledger, kernels[id(rows)]) for ledger, (_, rows) in zip(ledgers, traces, strict=True)
    )
    cluster.run(sessions, most)
    answers = [{where: found.outcomes for where, found in ledger.book.settled.items()} for ledger in ledgers]
    return Simulated(cpus, cluster.now, cluster.work, cluster.help, cluster.units, cluster.driver, answers)


def _open(cluster: Cluster, ledger: Ledger, kernels: Recorded) -> tuple[SimulatedExecutor, Session]:
    """A position that begins."""
    executor = SimulatedExecutor(cluster, ledger.problem, kernels)
    settled = Recording(cluster, ledger).settled
    return executor, partial(run_session, ledger, executor, _ignore, settled, None, threading.Event())


def _ignore(news: object) -> None:
    pass
