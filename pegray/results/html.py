"""Plays as an HTML table and the draws of a play as lists, for reports, served pages and notebooks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pegray.pages.render import render
from pegray.pages.table import Cell, Row, table
from pegray.results.cells import HEADINGS, LABELS, PLAY_COLUMNS, outcome_label, play_row
from pegray.results.play import Outcome, PlayResult
from pegray.terms import Status
from pegray.text.fitted import Column
from pegray.text.numbers import number, rough

if TYPE_CHECKING:
    from markupsafe import Markup

# Draws of one kind that are shown at once; the others are folded away.
_UNFOLDED = 40
# A narrow page has less room than any terminal: in the end this one leaves too.
_COLUMNS = [replace(column, leaves=7) if column.heading == "Status" else column for column in PLAY_COLUMNS]
# What a cell is sorted by, where that is not its text.
_SORTED_BY: dict[str, Callable[[PlayResult], float | None]] = {
    "#": lambda play: play.rank,
    "Score": lambda play: play.score,
    "Points": lambda play: play.at_most if play.status != Status.SKIPPED else None,
    "Win %": lambda play: play.win_pct,
    "W": lambda play: play.wins,
    "D": lambda play: play.draws,
    "L": lambda play: play.losses,
    "Spread": lambda play: play.spread,
    "Left": lambda play: play.tiles_left,
}
_ESTIMATE = "Estimate"


def plays_table(plays: Sequence[PlayResult], keys: bool = False) -> Markup:
    """The plays, with their bounds as bars, and their estimates if there are any.

    keys: a play can be chosen; its key is the move
    """
    ranked = any(play.rank is not None for play in plays)
    columns = [column for column in _COLUMNS if ranked or column.heading != "#"]
    estimated = any(play.estimate is not None for play in plays)
    if estimated:
        columns.append(Column(_ESTIMATE, right=True))
    rows = []
    for play in plays:
        texts = dict(zip(HEADINGS, play_row(play), strict=True))
        cells = [_cell(play, column.heading, texts[column.heading]) for column in columns if column.heading in texts]
        if len(columns) > len(cells):
            cells.append(Cell("" if play.estimate is None else f"~{rough(play.estimate)}", play.estimate))
        rows.append(Row(cells, key=play.move if keys else None, best=play.rank == 1))
    return table(columns, rows, "Plays")


def draws_lists(play: PlayResult, of_draw: Callable[[Outcome], dict[str, Any]] = lambda outcome: {}) -> Markup:
    """The draws of a play by outcome, the heaviest first; long lists are folded.

    of_draw: more about a draw, for the page's script (``data-...`` attributes)
    """
    groups = []
    for label in LABELS:
        group = sorted((o for o in play.outcomes if outcome_label(o) == label), key=lambda outcome: -outcome.weight)
        if group:
            draws = [(outcome, of_draw(outcome)) for outcome in group]
            weight = number(sum(outcome.weight for outcome in group))
            groups.append({"label": label, "weight": weight, "shown": draws[:_UNFOLDED], "folded": draws[_UNFOLDED:]})
    return render("draws.html", groups=groups, number=number)


def _cell(play: PlayResult, heading: str, text: str) -> Cell:
    value = _SORTED_BY[heading](play) if heading in _SORTED_BY else text
    if heading == "Points" and text:
        return Cell(render("points.html", text=points_text(play), shares=_shares(play)), value)
    return Cell(text.replace("<=", "≤").replace(">=", "≥"), value)


def points_text(play: PlayResult) -> str:
    """``7.5``; ``0..4`` of a play that is not finished: points at least and at most; ``≤4`` of one cut off."""
    if play.status == Status.FINISHED:
        return number(play.points)
    if play.status == Status.UNFINISHED:
        return f"{number(play.at_least)}..{number(play.at_most)}"
    return f"≤{number(play.at_most)}"


def _shares(play: PlayResult) -> list[tuple[str, float]]:
    """What the bar of a play's points is made of: kinds of outcomes, and how much of it each takes, in percent."""
    weights: list[tuple[str, float]]
    if play.status == Status.FINISHED:
        weights = [("W", play.wins or 0), ("D", play.draws or 0), ("L", play.losses or 0)]
    else:
        weights = [("W", play.at_least), ("open", play.at_most - play.at_least), ("L", play.total - play.at_most)]
    return [(kind, round(100 * weight / play.total, 2)) for kind, weight in weights if weight]
