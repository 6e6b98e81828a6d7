"""Plain output, for pipes: a line of column names, then one record a line, cells separated by tabs.

Numbers are written in full and without separators, true and false in lower case, what is missing as an empty cell.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pegray.results.model import SolveResult

# The columns of plays.parquet that a reader of the table sees, after the name of the position; later ones come last.
PLAY_NAMES = (
    "position",
    "rank",
    "move",
    "score",
    "points",
    "at_most",
    "win_pct",
    "wins",
    "draws",
    "losses",
    "total",
    "spread",
    "tiles_left",
    "status",
    "proven",
    "at_least",
    "estimate",
    "state",
    "spread_at_least",
    "spread_at_most",
)


def print_plain(names: Sequence[str], records: Iterable[Mapping[str, Any] | Sequence[Any]]) -> None:
    """Print records, given by name or in the order of the names, on stdout."""
    lines = ["\t".join(map(_cell, names))]
    for record in records:
        values = [record[name] for name in names] if isinstance(record, Mapping) else record
        lines.append("\t".join(map(_cell, values)))
    sys.stdout.write("\n".join(lines) + "\n")


def play_records(position: str, result: SolveResult, rows: int) -> list[dict[str, Any]]:
    """The first plays of a result (0: all) with PLAY_NAMES; state: that of the position."""
    listed = result.plays[:rows] if rows else result.plays
    return [{**vars(play), "position": position, "state": result.state} for play in listed]


def _cell(value: Any) -> str:
    """A value without tabs and line ends, which would look like another cell or record."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (float, Decimal)) and value == value // 1:
        return str(int(value))
    return " ".join(str(value).split()) if isinstance(value, str) and not value.isprintable() else str(value)
