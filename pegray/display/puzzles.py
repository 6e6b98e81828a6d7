"""Puzzles as a table, as CGP lines and as a page with hidden answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pegray.display.position_page import replayed
from pegray.display.tables import outcomes_heading, points_text
from pegray.pages.board import board_svg
from pegray.pages.render import render
from pegray.results.html import draws_lists
from pegray.text.fitted import Column, FittedTable
from pegray.text.numbers import count, number

if TYPE_CHECKING:
    from pegray.results.puzzles import Puzzle

COLUMNS = (
    Column("#", right=True),
    Column("Position", widest=28),
    Column("Bag", right=True, leaves=1),
    Column("Best", widest=20),
    Column("Score", right=True, leaves=2),
    Column("Left", right=True, leaves=2),
    Column("Points"),
    Column("Margin %", right=True),
)


def puzzles_table(puzzles: Sequence[Puzzle]) -> FittedTable:
    """One row a puzzle, with its answer."""
    rows = [
        (
            str(index),
            puzzle.row["name"],
            str(puzzle.result.bag),
            puzzle.best.move,
            str(puzzle.best.score),
            str(puzzle.best.tiles_left),
            points_text(puzzle.result),
            number(puzzle.margin, 1),
        )
        for index, puzzle in enumerate(puzzles, 1)
    ]
    return FittedTable(COLUMNS, rows)


def puzzles_cgp(puzzles: Sequence[Puzzle]) -> str:
    """A file of CGP lines, each after a comment that does not tell the answer."""
    lines = []
    for index, puzzle in enumerate(puzzles, 1):
        lines += [f"# {index}. {puzzle.row['name']}: {question(puzzle)}", puzzle.result.cgp]
    return "\n".join(lines) + "\n"


def puzzles_page(title: str, puzzles: Sequence[Puzzle]) -> str:
    """The document: boards, with the answers folded."""
    return str(
        render(
            "puzzles.html",
            title=title,
            puzzles=[_shown(index, puzzle) for index, puzzle in enumerate(puzzles, 1)],
            styles=["report.css"],
            scripts=[],
        )
    )


def question(puzzle: Puzzle) -> str:
    """``1 in the bag, 8 draws: one play wins 93.75% of them, no other more than 56.25%``"""
    best = number(100 * puzzle.best.at_least / puzzle.best.total)
    text = f"{puzzle.result.bag} in the bag, {count(puzzle.result.total, 'draw')}: one play wins {best}% of them"
    if puzzle.next_best is None:
        return text
    return f"{text}, no other more than {number(100 * puzzle.next_best.at_most / puzzle.best.total)}%"


def _shown(index: int, puzzle: Puzzle) -> dict[str, Any]:
    """What the template says of a puzzle."""
    position = puzzle.result.position
    runner_up = puzzle.next_best
    rest = ""
    if runner_up is not None:
        at_most = "" if runner_up.status == "finished" else "at most "
        rest = f"Next: {runner_up.move}, {at_most}{number(runner_up.at_most)} of {number(runner_up.total)}."
    return {
        "number": index,
        "name": puzzle.row["name"],
        "source": puzzle.row["source"],
        "question": question(puzzle),
        "position": position,
        "rack": position.distribution.format_rack(position.rack),
        "unseen": puzzle.result.unseen,
        "lexicon": puzzle.result.lexicon,
        "board": board_svg(position),
        "best": puzzle.best,
        "points": points_text(puzzle.result),
        "left": count(puzzle.best.tiles_left, "tile"),
        "higher": count(puzzle.higher_scores, "play"),
        "next": rest,
        "answer": board_svg(position, replayed(position, [puzzle.best.move])),
        "heading": outcomes_heading(puzzle.best),
        "draws": draws_lists(puzzle.best),
    }
