"""The rows of a query on a terminal."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from rich import box
from rich.table import Table

if TYPE_CHECKING:
    import pyarrow as pa


def rows_table(table: pa.Table) -> Table:
    """A column for every column of an Arrow table, numbers to the right."""
    import pyarrow as pa

    shown = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in table.schema:
        numeric = pa.types.is_integer(column.type) or pa.types.is_floating(column.type)
        shown.add_column(column.name, justify="right" if numeric else "left", no_wrap=numeric, overflow="fold")
    for row in table.to_pylist():
        shown.add_row(*map(_cell, row.values()))
    return shown


def _cell(value: object) -> str:
    """A value in few characters: floats with at most six digits after the point."""
    if isinstance(value, float) and math.isfinite(value):
        return f"{value:.6f}".rstrip("0").rstrip(".")
    return "" if value is None else str(value)
