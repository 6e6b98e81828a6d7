"""A line of play: moves of both sides in turn, with the position that each is made from and leads to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pegray.game.move import Move
from pegray.game.notation import format_move, parse_draw, parse_move
from pegray.game.position import Position


@dataclass(frozen=True)
class Ply:
    """One move: its text, its score, the tiles drawn after it, and the position then, with the other side on turn."""

    move: str
    score: int
    draw: str
    after: Position


def player(ply: int) -> str:
    """Whose move a ply is, counted from 1, of a line that begins with ours."""
    return "us" if ply % 2 else "opponent"


def play_line(position: Position, moves: Sequence[Move | str], order: str = "", is_solved: bool = False) -> list[Ply]:
    """Play moves one after another.

    order: the tiles of the bag in draw order, ``[AEG]I`` or ``AEGI``; for one move just its draw will do, or nothing
    is_solved: a line that a solve has found, in which scoreless turns before the position end nothing after its first

    Raises InputError as :meth:`Position.after` does.
    """
    distribution = position.distribution
    plies = []
    for number, move in enumerate(moves):
        before = position.afresh() if is_solved and number > 0 and position.is_over else position
        position = before.after(move, order)
        made = parse_move(move, before.board, distribution) if isinstance(move, str) else move
        tiles = parse_draw(order, distribution)
        drawn = min(len(tiles), made.tiles_played)
        order = distribution.format_tiles(tiles[drawn:])
        score = position.scores[1] - before.scores[0]
        plies.append(Ply(format_move(made, distribution), score, distribution.format_tiles(tiles[:drawn]), position))
    return plies
