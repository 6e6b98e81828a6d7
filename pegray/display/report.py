"""A run as one HTML file that needs nothing else: what was asked, an overview, and a section for each position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pegray.display.position_page import position_section
from pegray.display.provenance import facts
from pegray.display.tables import points_text
from pegray.pages.render import render
from pegray.pages.table import Cell, Row, table
from pegray.results.views import run_names
from pegray.text.fitted import Column
from pegray.text.numbers import number

if TYPE_CHECKING:
    from markupsafe import Markup

    from pegray.results.model import SolveResult
    from pegray.results.read import Run

# Positions above which a report lists less of each.
_MANY = 20

_OVERVIEW = (
    Column("Position"),
    Column("State"),
    Column("Best play"),
    Column("Bag", right=True, leaves=2),
    Column("Points", right=True),
    Column("Win %", right=True, leaves=3),
    Column("CPU s", right=True, leaves=1),
    Column("Nodes", right=True, leaves=1),
)


def run_report(stored: Run, rows: int | None = None, detailed: int | None = None, before: Sequence[Markup] = ()) -> str:
    """The report of a run, with less of each position where they are many; rows, detailed, before: as below."""
    answers = list(stored.results())
    many = len(answers) > _MANY
    if rows is None:
        rows = 20 if many else 100
    if detailed is None and many:
        detailed = 1
    return report_html(run_names([stored.uri])[0], stored.manifest, answers, rows, detailed, before)


def report_html(
    title: str,
    manifest: Mapping[str, Any],
    answers: Sequence[tuple[dict[str, Any], SolveResult]],
    rows: int,
    detailed: int | None = None,
    before: Sequence[Markup] = (),
) -> str:
    """The document. answers: rows of positions.parquet with results.

    rows: plays to list (0: all); detailed: plays to give the draws of, None: as many as have not too many together
    before: what else comes first
    """
    sections = [position_section(row, result, rows, detailed) for row, result in answers]
    return str(
        render(
            "report.html",
            title=title,
            facts=facts(manifest, [result for _, result in answers]),
            before=before,
            overview=overview(answers) if len(answers) > 1 else "",
            sections=sections,
            styles=["report.css"],
            scripts=["report.js"],
        )
    )


def overview(answers: Sequence[tuple[dict[str, Any], SolveResult]]) -> Markup:
    """One line a position, linked to its section."""
    rows = []
    for row, result in answers:
        best, stats = result.best, result.stats
        rows.append(
            Row(
                [
                    Cell(render("link.html", row=row), row["name"]),
                    result.state,
                    best.move if best else "",
                    Cell(str(row["bag"]), row["bag"]),
                    Cell(points_text(result), best.points if best else None),
                    Cell(number(best.win_pct) if best else "", best.win_pct if best else None),
                    Cell(number(stats.cpu_seconds, 1), stats.cpu_seconds),
                    Cell(number(stats.nodes), stats.nodes),
                ]
            )
        )
    return table(_OVERVIEW, rows, "Positions")
