"""Plays as an HTML table, for reports and notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from pegray.results.cells import HEADINGS, play_row
from pegray.results.play import PlayResult


def plays_table(plays: Sequence[PlayResult]) -> str:
    """The plays as an HTML table, sortable by the report's script."""
    heads = "".join(f"<th{_text_class(heading)}>{heading}</th>" for heading in HEADINGS)
    lines = []
    for play in plays:
        cells = zip(HEADINGS, play_row(play), sort_values(play), strict=True)
        line = "".join(
            f'<td{_text_class(heading)} data-v="{escape(str(value))}">{escape(cell.replace("<=", "≤"))}</td>'
            for heading, cell, value in cells
        )
        best = ' class="best"' if play.rank == 1 else ""
        lines.append(f"<tr{best}>{line}</tr>")
    return f'<table class="sortable"><thead><tr>{heads}</tr></thead><tbody>{"".join(lines)}</tbody></table>'


def sort_values(play: PlayResult) -> list[object]:
    """What each cell of a play is sorted by; an empty one goes last."""
    shown = (play.win_pct, play.wins, play.draws, play.losses, play.spread)
    blanked = ["" if value is None else value for value in shown]
    return [
        "" if play.rank is None else play.rank,
        play.move,
        play.score,
        play.at_most,
        *blanked,
        play.tiles_left,
        play.status,
    ]


def _text_class(heading: str) -> str:
    return ' class="text"' if heading in ("Play", "Status") else ""
