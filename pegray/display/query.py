"""The rows of a query on a terminal."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich import box
from rich.console import Console, ConsoleOptions, RenderableType
from rich.table import Table
from rich.text import Text

from pegray.text.fitted import fits

if TYPE_CHECKING:
    import pyarrow as pa


class QueryRows:
    """Rows as a table if the console has room for it, else one below the other, a line for every column."""

    def __init__(self, names: Sequence[str], numeric: Sequence[bool], rows: Sequence[Sequence[str]]) -> None:
        """numeric: which columns are put to the right."""
        self.names = names
        self.numeric = numeric
        self.rows = rows

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        # names such as position_id are often wider than what is below them, and may be broken
        for headings in (self.names, [name.replace("_", "_\n") for name in self.names]):
            table = self._table(headings)
            if fits(table, console, options):
                yield table
                return
        if not self.rows:
            yield Text("no rows")
        for number, row in enumerate(self.rows, start=1):
            yield Text(f"row {number}", style="bold")
            yield self._record(row)

    def _table(self, headings: Sequence[str]) -> Table:
        table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
        for heading, numeric in zip(headings, self.numeric, strict=True):
            table.add_column(heading, justify="right" if numeric else "left", no_wrap=True)
        for row in self.rows:
            table.add_row(*row)
        return table

    def _record(self, row: Sequence[str]) -> Table:
        table = Table(box=None, show_header=False, padding=(0, 1, 0, 1))
        table.add_column(no_wrap=True)
        table.add_column(overflow="fold")
        for name, cell in zip(self.names, row, strict=True):
            table.add_row(name, cell)
        return table


def query_rows(table: pa.Table) -> QueryRows:
    """The rows of an Arrow table, numbers to the right."""
    import pyarrow as pa

    numeric = [pa.types.is_integer(kind) or pa.types.is_floating(kind) for kind in table.schema.types]
    return QueryRows(table.column_names, numeric, [list(map(_cell, row.values())) for row in table.to_pylist()])


def _cell(value: object) -> str:
    """A value in few characters: floats with at most six digits after the point."""
    if isinstance(value, float) and math.isfinite(value):
        return f"{value:.6f}".rstrip("0").rstrip(".")
    return "" if value is None else str(value)
