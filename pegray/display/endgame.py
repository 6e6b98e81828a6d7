"""An endgame's spread and best line on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich import box
from rich.console import Console
from rich.table import Table

from pegray.display.numbers import count, signed
from pegray.durations import format_duration

if TYPE_CHECKING:
    from pegray.game.position import Position
    from pegray.preendgame.endgame import EndgameResult


def print_endgame(console: Console, position: Position, result: EndgameResult) -> None:
    """Print who wins by how much, and the line, our plays and the opponent's in turn."""
    from pegray.game.notation import format_move

    word = "win" if result.spread > 0 else "draw" if result.spread == 0 else "loss"
    certainty = "proven" if result.proven else "estimated"
    console.print(
        f"Final spread {signed(result.spread)} ({word}, {certainty}), {signed(result.score_gain)} from here."
    )
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("Ply", justify="right")
    table.add_column("Player")
    table.add_column("Play", no_wrap=True)
    for ply, move in enumerate(result.moves):
        table.add_row(str(ply + 1), "opponent" if ply % 2 else "us", format_move(move, position.distribution))
    console.print(table)
    console.print(f"{format_duration(result.seconds)}, {count(result.nodes, 'node')}.")
