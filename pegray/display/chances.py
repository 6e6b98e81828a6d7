"""Practical chances as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console

from pegray.terms import WDL
from pegray.text.fitted import Column, FittedTable
from pegray.text.numbers import count, number, signed

if TYPE_CHECKING:
    from pegray.preendgame.chances import Chances, DrawChances

DRAW_COLUMNS = (
    Column("Draw"),
    Column("Weight", right=True, leaves=2),
    Column("Worst"),
    Column("Refuted by", right=True),
    Column("Easiest", widest=20),
    Column("Score", right=True, leaves=3),
    Column("Place", right=True),
    Column("And then", widest=30, leaves=1),
)
MOST_ROWS = 40
REPLY_COLUMNS = (Column("Place", right=True), Column("Reply"), Column("Score", right=True), Column("Outcome"))


def print_chances(console: Console, chances: Chances, in_full: bool) -> None:
    """Print what the play may lose. in_full: all replies of each draw, and the line of the easiest"""
    console.print(f"{chances.play} for {chances.score}", style="bold")
    refuted = [draw for draw in chances.draws if draw.refutations]
    if not refuted:
        console.print(f"It wins all {count(chances.total, 'draw')} that were asked about, whatever the reply.")
        return
    guessing = "?" if chances.tiles_left else ""
    # of many draws those come first that matter most
    listed = sorted(refuted, key=lambda draw: -draw.weight * (1 - draw.outcome.points)) if guessing else refuted
    console.print(FittedTable(DRAW_COLUMNS, [_row(draw, guessing) for draw in listed[:MOST_ROWS]]))
    if len(listed) > MOST_ROWS:
        rest = listed[MOST_ROWS:]
        console.print(f"... and {count(len(rest), 'row')} more, {count(sum(draw.weight for draw in rest), 'draw')}.")
    if in_full:
        for draw in refuted:
            rows = [(str(one.place), one.move, str(one.score), one.outcome.value) for one in draw.refutations]
            console.print(FittedTable(REPLY_COLUMNS, rows))
            line = ", ".join(f"{move} {score}" for move, score in draw.line)
            console.print(f"The easiest, with best play: {line}; final spread {signed(draw.final_spread)}.")
        console.print()
    if len(chances.draws) > len(refuted):
        won = sum(draw.weight for draw in chances.draws if draw.outcome is WDL.WIN)
        console.print(f"{count(won, 'draw')} won whatever the reply.")
    total = number(chances.total)
    console.print(f"Lost to any reply              {number(chances.lost_to_any):>7} of {total}")
    console.print(f"Lost to the {count(chances.top, 'highest score'):<18} {number(chances.lost_to_top):>7} of {total}")
    console.print(f"Lost to every reply            {number(chances.lost_to_every):>7} of {total}")
    console.print("A tie counts half. Place: of the reply by its score among all that are legal.")
    if guessing:
        console.print("? a possible tie or loss: the opponent does not see the bag either.")


def _row(draw: DrawChances, guessing: str) -> tuple[str, ...]:
    easiest = draw.refutations[0]
    return (
        draw.draw,
        number(draw.weight),
        draw.outcome.value + guessing,
        f"{len(draw.refutations)} of {draw.replies}",
        easiest.move,
        str(easiest.score),
        str(easiest.place),
        ", ".join(move for move, _ in draw.line[1:]),
    )
