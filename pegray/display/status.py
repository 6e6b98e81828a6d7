"""The progress of a run as a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich import box
from rich.table import Table

from pegray.display.numbers import number


def status_table(rows: Sequence[dict[str, Any]]) -> Table:
    """One row a position, as `commands.status.position_rows` makes them."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("#", justify="right")
    table.add_column("Position", no_wrap=True, max_width=24, overflow="ellipsis")
    for heading in ("Bag", "Plays", "Finished", "Cut off", "Left"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("Best so far", no_wrap=True)
    for index, row in enumerate(rows, start=1):
        best = f"{row['best']} {number(row['points'])} of {number(row['total'])}" if row["best"] else ""
        counts = (row["bag"], row["plays"], row["finished"], row["cut_off"], row["unfinished"])
        table.add_row(str(index), row["position"], *map(number, counts), best)
    return table
