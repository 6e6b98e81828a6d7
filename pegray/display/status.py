"""The progress of a run as a table, and of a job in a few lines."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pegray.text.fitted import Column, FittedTable
from pegray.text.numbers import number

if TYPE_CHECKING:
    from pegray.submission.client import JobState

COLUMNS = (
    Column("#", right=True),
    Column("Position", widest=24),
    Column("Bag", right=True, leaves=1),
    Column("Plays", right=True, leaves=2),
    Column("Finished", right=True, leaves=4),
    Column("Cut off", right=True, leaves=3),
    Column("Left", right=True),
    Column("State"),
    Column("Best", leaves=6),
    Column("Points", leaves=7),
)


def status_table(rows: Sequence[dict[str, Any]]) -> FittedTable:
    """One row a position, as `commands.status.position_rows` makes them."""
    cells = []
    for index, row in enumerate(rows, start=1):
        points = number(row["at_most"])
        if row["at_least"] != row["at_most"]:
            points = f"{number(row['at_least'])}..{points}"
        points = f"{points} of {number(row['total'])}" if row["plays"] else ""
        counts = (row["bag"], row["plays"], row["finished"], row["cut_off"], row["unfinished"])
        cells.append((str(index), row["position"], *map(number, counts), row["state"], row["best"] or "", points))
    return FittedTable(COLUMNS, cells)


def job_lines(state: JobState) -> list[str]:
    """What there is to say of a job on a cluster."""
    lines = [f"{state.job_id}: {state.status}" + (f" ({state.name})" if state.name else "")]
    if state.started is not None:
        seconds = (time.time() if state.ended is None else state.ended) - state.started
        lines.append(f"time: {number(seconds, 0)} s")
    if state.out:
        lines.append(f"results: {state.out}")
    if state.message:
        lines.append(" ".join(state.message.split()))
    return lines
