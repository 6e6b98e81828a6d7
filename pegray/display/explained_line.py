"""The line of an explanation, ply by ply, for other programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pegray.game.line import Ply, play_line, player
from pegray.game.position import Position

if TYPE_CHECKING:
    from pegray.game.tiles import Distribution
    from pegray.preendgame.explanation import Explanation


def explained_line(explanation: Explanation, distribution: Distribution) -> list[Ply]:
    """The whole line, from the play explained to the end."""
    position = Position.from_cgp(explanation.steps[0].cgp, distribution)
    return play_line(position, explanation.moves, explanation.draw, is_solved=True)


def explained_plies(explanation: Explanation, distribution: Distribution) -> list[dict[str, Any]]:
    """The whole line, from the play explained to the end, with the CGP after every move, for other engines."""
    plies = enumerate(explained_line(explanation, distribution), start=1)
    return [
        {
            "player": player(number),
            "move": ply.move,
            "score": ply.score,
            "draw": ply.draw,
            "cgp": ply.after.to_cgp(),
        }
        for number, ply in plies
    ]
