"""Tables that keep their shape on a narrow terminal: columns of less interest leave, cells are not broken up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich import box
from rich.console import Console, ConsoleOptions
from rich.table import Table

# The widest that anything is printed: what can be read, and what files and pipes get.
WIDTH = 100
# Wider than any table, to measure what one would take if it could.
_ANY_WIDTH = 10_000


def fits(table: Table, console: Console, options: ConsoleOptions) -> bool:
    """Whether the console is wide enough for a table with nothing broken or cut."""
    return console.measure(table, options=options.update_width(_ANY_WIDTH)).maximum <= options.max_width


@dataclass(frozen=True)
class Column:
    """A column: its heading, whether it holds numbers (to the right), and when it leaves.

    leaves: columns leave in this order, those of one number together, until the table fits; None stays
    widest: characters after which a cell is cut with an ellipsis
    """

    heading: str
    right: bool = False
    leaves: int | None = None
    widest: int | None = None


class FittedTable:
    """Rows of text under columns, printed with as many of the columns as the console has room for."""

    def __init__(self, columns: Sequence[Column], rows: Sequence[Sequence[str]], best: int | None = None) -> None:
        """best: index of a row printed bold."""
        self.columns = columns
        self.rows = rows
        self.best = best

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Table]:
        leaving = sorted({column.leaves for column in self.columns if column.leaves is not None})
        table = self._table(set())
        for count in range(1, len(leaving) + 1):
            if fits(table, console, options):
                break
            table = self._table(set(leaving[:count]))
        yield table

    def _table(self, left: set[int]) -> Table:
        """The table without the columns that have left."""
        kept = [index for index, column in enumerate(self.columns) if column.leaves not in left]
        table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
        for index in kept:
            column = self.columns[index]
            table.add_column(
                column.heading,
                justify="right" if column.right else "left",
                no_wrap=True,
                overflow="ellipsis",
                max_width=column.widest,
            )
        for number, row in enumerate(self.rows):
            table.add_row(*(row[index] for index in kept), style="bold" if number == self.best else None)
        return table
