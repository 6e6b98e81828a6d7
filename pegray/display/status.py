"""The progress of a run as a table, and of a job in a few lines."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich import box
from rich.table import Table

from pegray.display.numbers import number

if TYPE_CHECKING:
    from pegray.cluster.jobs import JobState


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
