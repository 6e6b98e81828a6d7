"""Simulates the scheduling of a solve on 1 to 1,024 CPUs, on the costs of the units of work of real solves.

    python benchmarks/scheduling.py                    # the tables of docs/scaling.md
    python benchmarks/scheduling.py --trace FILE --copies 30 --cpus 64 256

A model of its own that shares no code with pegray. One driver thread hands out calls of a few units, two calls for each
CPU; a unit that runs out of its budget is followed by one with a larger budget. No play is cut off, and units come in
the order of their budgets. What the driver's steps cost is measured by `benchmarks/scheduling_costs.py`.
"""

from __future__ import annotations

import argparse
import heapq
import itertools
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pyarrow.parquet as pq

TRACES = Path(__file__).parent / "traces"
CPUS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)
COMPARED = (8, 16, 32, 64, 128, 256, 512, 1024)

Chain = tuple[float, ...]
"""CPU seconds of the units of one play with one draw; each can begin when the one before it has come back."""


@dataclass(frozen=True)
class Costs:
    """Seconds of the driver's one thread, and what else bounds a solve.

    latency: from the driver to an actor, or back
    tables: writing a position's plays and outcomes, at most `tables_share` of the time
    """

    hand_out_unit: float = 0.04e-3
    send_call: float = 0.13e-3
    send_unit: float = 0.008e-3
    ask_call_in_flight: float = 0.0004e-3
    take_call: float = 0.018e-3
    take_unit: float = 0.003e-3
    record_unit: float = 0.07e-3
    keep_unit: float = 0.035e-3
    write_journal_unit: float = 0.014e-3
    tables_share: float = 0.02
    latency: float = 0.5e-3
    threads_per_node: int = 16
    calls_per_thread: int = 2
    most_units_per_call: int = 32
    short_call: float = 0.1
    long_call: float = 0.5


COSTS = Costs()
DRIVER_COSTS = (
    "hand_out_unit",
    "send_call",
    "send_unit",
    "ask_call_in_flight",
    "take_call",
    "take_unit",
    "record_unit",
    "keep_unit",
    "write_journal_unit",
)


@dataclass
class Outcome:
    """What came of a simulated solve, in seconds."""

    cpus: int
    work: float
    seconds: float = 0.0
    units: int = 0
    calls: int = 0
    driver: Counter[str] = field(default_factory=Counter)

    @property
    def efficiency(self) -> float:
        """Share of the CPUs' time that was work."""
        return self.work / (self.cpus * self.seconds)

    @property
    def driver_busy(self) -> float:
        """Share of the time that the driver was at work."""
        return sum(self.driver.values()) / self.seconds


class Simulation:
    """One solve on some CPUs. Calls begin in the order in which they reach their node."""

    def __init__(self, chains: Sequence[Chain], cpus: int, costs: Costs = COSTS) -> None:
        self._costs = costs
        # by rounds of budgets, as the ledger puts off what has run out
        self._ready = [(0, number) for number in range(len(chains))]
        self._chains = chains
        per_node = min(cpus, costs.threads_per_node)
        self._nodes = [[0.0] * per_node for _ in range(cpus // per_node)]
        self._calls_of = [0] * len(self._nodes)
        self._running: list[tuple[float, int, int, list[tuple[int, int]]]] = []
        self._numbers = itertools.count()
        self._in_flight = 0
        self._units_per_call = 1
        self._now = 0.0
        self._slots = costs.calls_per_thread * cpus
        self._outcome = Outcome(cpus, sum(map(sum, chains)))

    def run(self) -> Outcome:
        """Simulate until all is settled."""
        while self._ready or self._running:
            self._hand_out()
            self._take_in()
        self._outcome.seconds = self._now
        return self._outcome

    def _spend(self, what: str, seconds: float) -> None:
        self._now += seconds
        self._outcome.driver[what] += seconds  # type: ignore[assignment]

    def _hand_out(self) -> None:
        costs = self._costs
        free = self._slots - len(self._running)
        items = [heapq.heappop(self._ready) for _ in range(min(self._room(), len(self._ready)))]
        size = max(1, min(self._units_per_call, -(-len(items) // max(1, free))))
        self._spend("handing out", costs.hand_out_unit * len(items))
        for start in range(0, len(items), size):
            self._send(items[start : start + size])

    def _room(self) -> int:
        """Units that may be handed out now: so many in flight in all."""
        return max(0, self._slots * self._units_per_call - self._in_flight)

    def _send(self, items: list[tuple[int, int]]) -> None:
        costs = self._costs
        self._spend("Ray", costs.send_call + costs.send_unit * len(items))
        node = self._calls_of.index(min(self._calls_of))
        self._calls_of[node] += 1
        begin = max(self._now + costs.latency, heapq.heappop(self._nodes[node]))
        end = begin + sum(self._chains[chain][step] for step, chain in items)
        heapq.heappush(self._nodes[node], end)
        heapq.heappush(self._running, (end + costs.latency, next(self._numbers), node, items))
        self._in_flight += len(items)
        self._outcome.calls += 1

    def _take_in(self) -> None:
        costs = self._costs
        if not self._running:
            return
        self._now = max(self._now, self._running[0][0])
        self._spend("Ray", costs.ask_call_in_flight * len(self._running))
        while self._running and self._running[0][0] <= self._now:
            _, _, node, items = heapq.heappop(self._running)
            self._calls_of[node] -= 1
            self._in_flight -= len(items)
            self._outcome.units += len(items)
            self._spend("Ray", costs.take_call + costs.take_unit * len(items))
            self._spend("ledger", costs.record_unit * len(items))
            journal = (costs.keep_unit + costs.write_journal_unit) * len(items)
            self._spend("journal", journal)
            self._adapt(sum(self._chains[chain][step] for step, chain in items))
            for step, chain in items:
                if step + 1 < len(self._chains[chain]):
                    heapq.heappush(self._ready, (step + 1, chain))
        self._spend_tables()

    def _spend_tables(self) -> None:
        due = self._costs.tables_share * self._now - self._outcome.driver["tables"]
        self._spend("tables", max(0.0, due))

    def _adapt(self, seconds: float) -> None:
        if seconds < self._costs.short_call:
            self._units_per_call = min(self._costs.most_units_per_call, self._units_per_call + 1)
        elif seconds > self._costs.long_call:
            self._units_per_call = max(1, self._units_per_call // 2)


class CallsCounted(Simulation):
    """Calls in flight are counted, not units: a thread does not go without when calls get shorter."""

    def _room(self) -> int:
        return max(0, self._slots - len(self._running)) * self._units_per_call


class SmallerLast(CallsCounted):
    """And calls get smaller as units run out, so that all CPUs end at about the same time."""

    def _room(self) -> int:
        share = max(1, len(self._ready) // self._slots)
        return max(0, self._slots - len(self._running)) * min(self._units_per_call, share)


def read_trace(path: Path) -> list[Chain]:
    """The chains of a trace that `scheduling_costs.py` has kept."""
    chains: dict[tuple[int, int], list[float]] = {}
    for row in pq.read_table(path).to_pylist():
        chains.setdefault((row["candidate"], row["draw"]), []).append(row["cpu_seconds"])
    return [tuple(chain) for chain in chains.values()]


def merged(chains: Iterable[Chain]) -> list[Chain]:
    """The same work if a unit went on until it is done: larger budgets from the start."""
    return [(sum(chain),) for chain in chains]


def print_table(
    title: str, chains: Sequence[Chain], cpus: Sequence[int], kind: type[Simulation] = Simulation, costs: Costs = COSTS
) -> None:
    """One row for each number of CPUs, as Markdown."""
    units = sum(map(len, chains))
    work, longest = sum(map(sum, chains)), max(map(sum, chains))
    mean = work / units * 1000
    print(f"\n{title}: {units:,} units, {work:,.0f} CPU s, {mean:.0f} ms a unit, longest chain {longest:.1f} s\n")
    print("| CPUs | seconds | efficiency | driver busy | units a call | Ray, ledger, journal, tables |")
    print("|---|---|---|---|---|---|")
    for count in cpus:
        outcome = kind(chains, count, costs).run()
        spent = outcome.driver
        total = sum(spent.values())
        ledger = spent["handing out"] + spent["ledger"]
        shares = (spent["Ray"] / total, ledger / total, spent["journal"] / total, spent["tables"] / total)
        print(
            f"| {count:,} | {outcome.seconds:,.1f} | {outcome.efficiency:.0%} | {outcome.driver_busy:.0%} | "
            f"{outcome.units / outcome.calls:.1f} | {', '.join(f'{share:.0%}' for share in shares)} |"
        )


def print_comparison(title: str, chains: Sequence[Chain], cpus: Sequence[int]) -> None:
    """Efficiency by number of CPUs for each way to schedule, as Markdown."""
    halved = replace(COSTS, **{name: getattr(COSTS, name) / 2 for name in DRIVER_COSTS})
    variants = (
        ("units counted", Simulation, chains, COSTS),
        ("calls counted", CallsCounted, chains, COSTS),
        ("and smaller calls last", SmallerLast, chains, COSTS),
        ("and units that go on until they are done", SmallerLast, merged(chains), COSTS),
        ("and a driver twice as fast", SmallerLast, merged(chains), halved),
    )
    print(f"\n{title}: efficiency\n")
    print(f"| scheduling | {' | '.join(f'{count:,} CPUs' for count in cpus)} |")
    print("|---" * (len(cpus) + 1) + "|")
    for name, kind, work, costs in variants:
        row = [f"{kind(work, count, costs).run().efficiency:.0%}" for count in cpus]
        print(f"| {name} | {' | '.join(row)} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trace", type=Path, help="of scheduling_costs.py (default: all that docs/scaling.md shows)")
    parser.add_argument("--copies", type=int, default=1, help="so many positions of this kind at once")
    parser.add_argument("--cpus", type=int, nargs="+", default=CPUS)
    arguments = parser.parse_args()
    if arguments.trace:
        print_table(arguments.trace.stem, read_trace(arguments.trace) * arguments.copies, arguments.cpus)
        return
    one, plays = read_trace(TRACES / "one-play.parquet"), read_trace(TRACES / "plays.parquet")
    print_table("One play", one, arguments.cpus)
    print_table("22 plays", plays, arguments.cpus)
    print_table("30 positions of 22 plays at once", plays * 30, arguments.cpus)
    print_comparison("22 plays", plays, COMPARED)
    print_comparison("30 positions of 22 plays at once", plays * 30, COMPARED)


if __name__ == "__main__":
    main()
