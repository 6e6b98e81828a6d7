"""The progress of a run as a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pegray.display.fitted import Column, FittedTable
from pegray.display.numbers import number

COLUMNS = (
    Column("#", right=True),
    Column("Position", widest=24),
    Column("Bag", right=True, leaves=1),
    Column("Plays", right=True, leaves=2),
    Column("Finished", right=True, leaves=4),
    Column("Cut off", right=True, leaves=3),
    Column("Left", right=True),
    Column("Best so far", leaves=5),
)


def status_table(rows: Sequence[dict[str, Any]]) -> FittedTable:
    """One row a position, as `commands.status.position_rows` makes them."""
    cells = []
    for index, row in enumerate(rows, start=1):
        best = f"{row['best']} {number(row['points'])} of {number(row['total'])}" if row["best"] else ""
        counts = (row["bag"], row["plays"], row["finished"], row["cut_off"], row["unfinished"])
        cells.append((str(index), row["position"], *map(number, counts), best))
    return FittedTable(COLUMNS, cells)
