"""Tables that a click on a heading sorts, and that lose columns of less interest where the page is narrow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pegray.pages.render import render
from pegray.text.fitted import Column

if TYPE_CHECKING:
    from markupsafe import Markup


@dataclass(frozen=True)
class Cell:
    """What a cell shows, and what it is sorted by: a number or a text; None goes last whichever way is sorted."""

    text: str | Markup
    value: float | str | None


@dataclass(frozen=True)
class Row:
    """A row. A plain text is a cell sorted by itself.

    key: such a row can be chosen, by a click or the arrow keys; the page's script is told the key (``pegray:choose``)
    best: it stands out
    """

    cells: Sequence[Cell | str]
    key: str | None = None
    best: bool = False


def table(columns: Sequence[Column], rows: Sequence[Row], label: str) -> Markup:
    """A ``<table>`` in a frame of its own. The columns are those of the terminal's tables.

    label: what the table is, for those who do not see it
    """
    lines = [
        (row, [cell if isinstance(cell, Cell) else Cell(cell, cell or None) for cell in row.cells]) for row in rows
    ]
    return render("table.html", columns=columns, lines=lines, label=label)
