"""Tables and lines of ``pegray bench --whole``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich import box
from rich.table import Table

from pegray.display.bench import ratio
from pegray.terms import State, Until
from pegray.text.numbers import count, number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pegray.bench.record import WholeMeasurement, WholeRun
    from pegray.game.position import Position


def whole_positions_table(positions: Sequence[tuple[str, str, Position]]) -> Table:
    """What would be measured: names, where they are from, and positions."""
    table = _table("Position", "Bag", "Spread")
    table.add_column("From", overflow="fold")
    for name, source, position in positions:
        table.add_row(name, str(position.bag_size), f"{position.spread:+}", source)
    return table


def whole_table(run: WholeRun, old: WholeRun | None) -> Table:
    """Cost and answer of every position; with ``old`` also the ratio of what the answer cost to it."""
    table = _table("Position", "Bag", "Plays", "Answered, CPU s", "Nodes", "Complete, CPU s")
    if old:
        table.add_column("CPU ratio", justify="right", no_wrap=True)
        table.add_column("Node ratio", justify="right", no_wrap=True)
    table.add_column("Answer")
    before = old.by_position() if old else {}
    for key, now in run.by_position().items():
        cells = [
            now.name,
            str(now.bag),
            number(now.plays),
            cost(now.answered_cpu_seconds, run),
            number(now.answered_nodes),
            completed(now, run),
        ]
        if old:
            then = before.get(key)
            cells += [
                ratio(now.answered_cpu_seconds or 0, (then and then.answered_cpu_seconds) or 0),
                ratio(now.answered_nodes or 0, (then and then.answered_nodes) or 0),
            ]
        table.add_row(*cells, answer(now))
    return table


def summary_table(run: WholeRun) -> Table:
    """For each bag size how many positions were answered within so many CPU seconds, and the median."""
    limits = sorted({limit for summary in run.summary for limit in summary.answered_within})
    table = _table("In the bag", "Positions", *(f"Answered in {limit} CPU s" for limit in limits))
    for heading in (f"In {number(run.cap_cpu_seconds)}", "Complete", "Median CPU s"):
        table.add_column(heading, justify="right", no_wrap=True)
    for summary in run.summary:
        table.add_row(
            str(summary.bag),
            str(summary.positions),
            *(str(summary.answered_within[limit]) for limit in limits),
            str(summary.answered),
            str(summary.complete),
            cost(summary.median_cpu_seconds, run),
        )
    return table


def cost(cpu_seconds: float | None, run: WholeRun) -> str:
    """``12.3``, or ``> 600`` where it was not reached until the cap."""
    return f"> {number(run.cap_cpu_seconds)}" if cpu_seconds is None else number(cpu_seconds)


def completed(measurement: WholeMeasurement, run: WholeRun) -> str:
    """What it cost until it was complete; nothing where no more than the answer was asked for."""
    if run.until == Until.ANSWER and measurement.complete_cpu_seconds is None:
        return ""
    return cost(measurement.complete_cpu_seconds, run)


def answer(measurement: WholeMeasurement) -> str:
    """``2A D.P 7,920 of 7,920``, and what is not proven of it."""
    if measurement.state == State.OPEN:
        best = "at most" if measurement.points is None else f"{number(measurement.points)} to"
        return f"open: {best} {number(measurement.at_most)} of {number(measurement.total)}"
    text = f"{measurement.best} {number(measurement.points)} of {number(measurement.total)}"
    return text if measurement.state == State.COMPLETE else f"{text}, others may be level"


def line(measurement: WholeMeasurement, run: WholeRun) -> str:
    """What one position cost, when it has been measured."""
    text = f"{measurement.name}: answered after {cost(measurement.answered_cpu_seconds, run)} CPU s"
    if complete := completed(measurement, run):
        text += f", complete after {complete}"
    return f"{text}, {count(measurement.nodes, 'node')}: {answer(measurement)}"


def _table(first: str, *numbers: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column(first, no_wrap=True)
    for heading in numbers:
        table.add_column(heading, justify="right")
    return table
