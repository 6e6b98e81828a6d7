"""Simulates solves on 1 to 4,096 CPUs: the program itself, with its clock, its network and its kernels replaced.

    python -m benchmarks.simulation                                # the tables of docs/scaling.md
    python -m benchmarks.simulation TRACE --cpus 64 256 --whole    # one trace; --whole: walks are not split
    python -m benchmarks.simulation TRACE TRACE --batch 30         # positions of these, in turn, in one batch
    python -m benchmarks.simulation --record RUN TRACE             # make a trace of a run of one position

The session, the ledger, its schedule, splitting, legs, company, the sizes of calls and a position's share are pegray's
own. A trace is the journals of real solves: what each unit of work settled, and what that took. A draw that none of
them has settled takes as many nodes as some other, and is then lost. What takes how long at the driver is measured by
`benchmarks/driver_costs.py`.
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.simulation.cluster import CPUS_OF_A_NODE
from benchmarks.simulation.costs import COSTS
from benchmarks.simulation.solving import Trace, simulate
from benchmarks.simulation.traces import TRACES, read_trace, record
from pegray.kernels.memory import NO_BOUND
from pegray.preendgame import schedule
from pegray.runs.batch import MOST_AT_ONCE

CPUS = (1, 2, 4, 8, 16, 64, 256, 1024, 4096)


def table(
    title: str, traces: Sequence[Trace], cpus: Sequence[int], slower: float, most: int, per_node: int, larger: int
) -> Iterator[str]:
    """One row for each number of CPUs, as Markdown."""
    yield f"\n{title}\n"
    yield "| CPUs | seconds | times as fast | CPUs busy | helping | efficiency | units | driver busy |"
    yield "|---|---|---|---|---|---|---|---|"
    alone = None
    for count in cpus:
        found = simulate(traces, count, slower, most, per_node, larger)
        alone = alone or found.seconds * found.cpus
        speed = alone / found.seconds
        yield (
            f"| {count:,} | {found.seconds:,.1f} | {speed:,.1f} | {found.busy:.0%} | {found.helping:.0%} | "
            f"{speed / count:.0%} | {found.units:,} | {found.driver_busy:.0%} |"
        )


def show(
    path: Path,
    cpus: Sequence[int],
    whole: bool = False,
    slower: float = 1.0,
    per_node: int = CPUS_OF_A_NODE,
    larger: int = 1,
) -> None:
    """Print the table of a trace."""
    split_budget = schedule.SPLIT_BUDGET
    schedule.SPLIT_BUDGET = NO_BOUND if whole else split_budget
    _print(table(_title(path.stem, slower, larger), [read_trace(path)], cpus, slower, 1, per_node, larger))
    schedule.SPLIT_BUDGET = split_budget


def show_batch(
    paths: Sequence[Path],
    size: int,
    cpus: Sequence[int],
    slower: float = 1.0,
    per_node: int = CPUS_OF_A_NODE,
    larger: int = 1,
) -> None:
    """Print the table of a batch of positions, those of the traces in turn."""
    known = [read_trace(path) for path in paths]
    traces = list(itertools.islice(itertools.cycle(known), size))
    title = _title(f"{size} positions of {len(paths)} traces", slower, larger)
    _print(table(title, traces, cpus, slower, MOST_AT_ONCE, per_node, larger))


def _title(what: str, slower: float, larger: int) -> str:
    """What a table is of."""
    return f"{what}, nodes x {larger}, each takes x {slower:g}"


def _print(lines: Iterator[str]) -> None:
    for line in lines:
        print(line, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("traces", type=Path, nargs="*", metavar="TRACE")
    parser.add_argument("--record", metavar="RUN", help="a run directory of one position: write its trace")
    parser.add_argument("--whole", action="store_true", help="walks are not split")
    parser.add_argument("--batch", type=int, metavar="N", help="so many positions, those of the traces in turn")
    parser.add_argument("--slower", type=float, default=1.0, help="each node takes so many times as long")
    parser.add_argument("--larger", type=int, default=1, help="everything takes so many times as many nodes")
    parser.add_argument("--cpus", type=int, nargs="+", default=CPUS)
    parser.add_argument("--per-node", type=int, default=CPUS_OF_A_NODE, metavar="N", help="CPUs of a node")
    parser.add_argument("--costs", type=Path, metavar="FILE.json", help="as `driver_costs.py --out` has measured them")
    arguments = parser.parse_args()
    if arguments.costs:
        COSTS.read(arguments.costs)
    if arguments.record:
        record(arguments.record, str(arguments.traces[0]))
    elif arguments.batch:
        show_batch(
            arguments.traces, arguments.batch, arguments.cpus, arguments.slower, arguments.per_node, arguments.larger
        )
    elif arguments.traces:
        for path in arguments.traces:
            show(path, arguments.cpus, arguments.whole, arguments.slower, arguments.per_node, arguments.larger)
    else:
        show(TRACES / "whole-nested.parquet", CPUS, whole=True)
        show(TRACES / "walks-nested.parquet", CPUS)
        show(TRACES / "walks-three-stay.parquet", CPUS)
        show(TRACES / "walks-position.parquet", CPUS)
        show(TRACES / "walks-position.parquet", CPUS, larger=100)
        for slower in (1.0, 100.0):
            show_batch(sorted(TRACES.glob("batch-*.parquet")), 30, CPUS, slower)


if __name__ == "__main__":
    main()
