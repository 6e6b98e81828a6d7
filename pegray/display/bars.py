"""The leading plays of a solve as bars, drawn anew as it goes on: what they have won, what they may still have.

``█`` points won for certain, ``░`` points that are open, ``~`` where an estimate stands, nothing for what is lost: no
sign means something by its colour alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.text import Text

from pegray.results.cells import interval_text
from pegray.terms import State
from pegray.text.numbers import number, span

if TYPE_CHECKING:
    from pegray.preendgame.ledger import Progress
    from pegray.preendgame.standings import Standing

ANSWER = "best play"
_LEAST_WIDTH = 8  # of a bar: with less there is none
_GAP = 2
_WON, _OPEN, _END = "█", "░", "▏"
_ASCII = {_WON: "#", _OPEN: "-", _END: "|"}
_STYLES = {_WON: "green", _OPEN: "dim", "~": "bold yellow"}


@dataclass(frozen=True)
class _Bar:
    name: str
    at_least: float
    at_most: float
    estimate: float | None
    text: str
    style: str = ""


def bars(progress: Progress, names: Sequence[str], width: int, ascii_only: bool) -> list[Text]:
    """A row for the answer and one for each leading play, no wider than ``width`` columns.

    names: of the leading plays
    """
    plays = [_play_bar(name, play, progress) for name, play in zip(names, progress.leading, strict=True)]
    longest = max(cell_len(name) for name in (ANSWER, *names))
    least, most = progress.at_least, progress.at_most
    points = span(least, most)
    for of_total, share in ((f" of {number(progress.total)}", 3), ("", 4)):
        rows = [_Bar(ANSWER, least, most, None, f"{points}{of_total}, {progress.state}", "bold"), *plays]
        name_width = min(longest, width // share)
        bar_width = width - name_width - max(cell_len(row.text) for row in rows) - 2 * _GAP
        if bar_width >= _LEAST_WIDTH:
            break
    else:
        name_width = longest
    return [_row(row, name_width, bar_width, progress.total, ascii_only) for row in rows]


def _play_bar(name: str, play: Standing, progress: Progress) -> _Bar:
    """Of a play: bold where it is the best, or level with it."""
    text = number(play.at_most) if play.finished else interval_text(play.at_least, play.at_most, play.estimate)
    best = play.finished and progress.state != State.OPEN and play.at_least == progress.at_least
    return _Bar(name, play.at_least, play.at_most, play.estimate, text, "bold" if best else "")


def _row(bar: _Bar, name_width: int, bar_width: int, total: float, ascii_only: bool) -> Text:
    name = Text(bar.name)
    name.truncate(name_width, overflow="crop" if ascii_only else "ellipsis", pad=True)
    row = Text.assemble((name.plain, bar.style), " " * _GAP, no_wrap=True)
    if bar_width >= _LEAST_WIDTH:
        for sign in _cells(bar, bar_width, total):
            row.append(_ASCII.get(sign, sign) if ascii_only else sign, _STYLES.get(sign, ""))
        row.append(_ASCII[_END] if ascii_only else _END, "dim").append(" ")
    return row.append(bar.text, bar.style)


def _cells(bar: _Bar, width: int, total: float) -> str:
    """The signs of a bar: never more won, or more lost, than is; but of a finished play both ends are the nearest."""
    scale = width / total
    if bar.at_least == bar.at_most:
        won = most = round(bar.at_least * scale)
    else:
        won, most = int(bar.at_least * scale), ceil(bar.at_most * scale)
    cells = _WON * won + _OPEN * (most - won) + " " * (width - most)
    if bar.estimate is None:
        return cells
    at = min(int(bar.estimate * scale), max(0, most - 1))
    return cells[:at] + "~" + cells[at + 1 :]
