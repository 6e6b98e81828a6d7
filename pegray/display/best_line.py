"""An endgame's spread and best line on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console

from pegray.game.line import play_line, player
from pegray.text.durations import format_duration
from pegray.text.fitted import Column, FittedTable
from pegray.text.numbers import count, signed

if TYPE_CHECKING:
    from pegray.game.position import Position
    from pegray.preendgame.solve_endgame import EndgameResult

LINE_COLUMNS = (Column("Ply", right=True), Column("Player", leaves=1), Column("Play"), Column("Score", right=True))


def print_endgame(console: Console, position: Position, result: EndgameResult) -> None:
    """Print who wins by how much, and the line, our plays and the opponent's in turn."""
    word = "win" if result.spread > 0 else "tie" if result.spread == 0 else "loss"
    certainty = "proven" if result.proven else "estimated"
    console.print(f"Final spread {signed(result.spread)} ({word}, {certainty}), {signed(result.score_gain)} from here.")
    rows = [
        (str(number), player(number), ply.move, str(ply.score))
        for number, ply in enumerate(play_line(position, result.moves, is_solved=True), start=1)
    ]
    console.print(FittedTable(LINE_COLUMNS, rows))
    console.print(f"{format_duration(result.seconds)}, {count(result.nodes, 'node')}.")
