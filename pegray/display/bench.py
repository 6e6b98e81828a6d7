"""Tables of ``pegray bench``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rich import box
from rich.table import Table

from pegray.text.numbers import number

if TYPE_CHECKING:
    from pegray.bench.measure import Measurement
    from pegray.bench.positions import BenchPosition


def positions_table(positions: Sequence[BenchPosition]) -> Table:
    """Name, lexicon and question of every position."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("Position", no_wrap=True)
    table.add_column("Lexicon", no_wrap=True)
    table.add_column("Slow", no_wrap=True)
    table.add_column("Question")
    for position in positions:
        table.add_row(position.name, position.lexicon, "yes" if position.slow else "", position.question)
    return table


def measurements_table(measurements: Sequence[Measurement], old: Mapping[str, Measurement]) -> Table:
    """Cost and answer of every position; with `old` also the ratio of CPU seconds and of nodes to it.

    "Nodes each": see :func:`per_endgame`.
    """
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("Position", no_wrap=True)
    for heading in ("CPU s", "Nodes", "Endgames", "Nodes each", "Hits", "MiB"):
        table.add_column(heading, justify="right", no_wrap=True)
    if old:
        table.add_column("CPU ratio", justify="right", no_wrap=True)
        table.add_column("Node ratio", justify="right", no_wrap=True)
    table.add_column("Answer")
    for measurement in measurements:
        before = old.get(measurement.name)
        cost = [""] * 6
        if not measurement.skipped:
            cost = [
                number(measurement.cpu_seconds),
                number(measurement.nodes),
                number(measurement.endgames),
                per_endgame(measurement),
                f"{measurement.table_hits:.0%}",
                f"{measurement.peak_mib:.0f}",
            ]
        ratios = []
        if old:
            ratios = [
                ratio(measurement.cpu_seconds, before.cpu_seconds) if before else "",
                ratio(measurement.nodes, before.nodes) if before else "",
            ]
        table.add_row(measurement.name, *cost, *ratios, answer(measurement))
    return table


def per_endgame(measurement: Measurement) -> str:
    """Nodes for an endgame: median, 99th percentile and the most, as ``3 / 120 / 4,000``."""
    return " / ".join(
        f"{nodes:,.0f}" for nodes in (measurement.median_nodes, measurement.high_nodes, measurement.most_nodes)
    )


def answer(measurement: Measurement) -> str:
    """``13L ONYX 7.5 of 8, proven``, or why there is none."""
    if measurement.skipped:
        return f"skipped: {measurement.skipped}"
    text = f"{measurement.best} {number(measurement.points)} of {number(measurement.total)}"
    text += ", proven" if measurement.proven else ", estimated"
    return text + (", NOT as expected" if measurement.differs else "")


def ratio(now: float, before: float) -> str:
    """``0.83``; nothing where there is nothing to compare with."""
    return f"{now / before:.2f}" if now and before else ""
