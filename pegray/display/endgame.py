"""An endgame's spread and best line on a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rich import box
from rich.console import Console
from rich.table import Table

from pegray.display.numbers import count, signed
from pegray.durations import format_duration

if TYPE_CHECKING:
    from pegray.game.move import Move
    from pegray.game.position import Position
    from pegray.preendgame.endgame import EndgameResult


def print_endgame(console: Console, position: Position, result: EndgameResult) -> None:
    """Print who wins by how much, and the line, our plays and the opponent's in turn."""
    word = "win" if result.spread > 0 else "draw" if result.spread == 0 else "loss"
    certainty = "proven" if result.proven else "estimated"
    console.print(f"Final spread {signed(result.spread)} ({word}, {certainty}), {signed(result.score_gain)} from here.")
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("Ply", justify="right")
    table.add_column("Player")
    table.add_column("Play", no_wrap=True)
    table.add_column("Score", justify="right")
    for ply, (play, score) in enumerate(scored_line(position, result.moves), start=1):
        table.add_row(str(ply), "us" if ply % 2 else "opponent", play, str(score))
    console.print(table)
    console.print(f"{format_duration(result.seconds)}, {count(result.nodes, 'node')}.")


def scored_line(position: Position, moves: Sequence[Move]) -> list[tuple[str, int]]:
    """The moves of both sides in turn, as players write them, with their scores."""
    from pegray.game.notation import format_move
    from pegray.game.scoring import score_move

    line = []
    position = replace(position, opponent_rack=position.unseen)
    for move in moves:
        score = score_move(position, move)
        line.append((format_move(move, position.distribution), score))
        position = position.apply(move, score)
    return line
