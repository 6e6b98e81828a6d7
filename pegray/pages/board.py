"""The board of a page, with moves on it that its script can replace by others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pegray.game.svg import board_svg as draw_board
from pegray.game.tiles import BLANK_FLAG, LETTER_MASK

if TYPE_CHECKING:
    from markupsafe import Markup

    from pegray.game.line import Ply
    from pegray.game.position import Position

# A player in data and styles: who is on turn in the position, and the other.
PLAYERS = ("us", "them")


def board_svg(position: Position, plies: Sequence[Ply] = ()) -> Markup:
    """The position as ``<svg>``, with the plies of a line from it (:func:`pegray.game.line.play_line`) laid on top.

    Tiles of the player on turn are solid, those of the other have a broken edge. ``pegray.showPlies(svg, data)`` in a
    page's script lays others there instead; data: see :func:`plies_data`.
    """
    from markupsafe import Markup

    board = plies[-1].after.board if plies else position.board
    squares: dict[str, list[int]] = {player: [] for player in PLAYERS}
    for ply in plies_data(position, plies):
        squares[ply["by"]] += [square for square, _, _ in ply["tiles"]]
    return Markup(draw_board(board, position.distribution, position.layout, squares["us"], squares["them"]))


def plies_data(position: Position, plies: Sequence[Ply]) -> list[dict[str, Any]]:
    """Each ply of a line from the position as data for the page's script.

    ``{"by": "us", "move": "13L ONYX", "score": 40, "tiles": [[square, text, value], ...]}``; squares are numbered by
    rows from 0, value is None for a blank
    """
    data = []
    before = position.board
    for number, ply in enumerate(plies):
        after = ply.after.board
        tiles = [_tile_data(position, int(square), int(after[square])) for square in (before != after).nonzero()[0]]
        data.append({"by": PLAYERS[number % 2], "move": ply.move, "score": ply.score, "tiles": tiles})
        before = after
    return data


def _tile_data(position: Position, square: int, tile: int) -> list[Any]:
    """A tile on a square: ``[square, text, value]``, value None for a blank."""
    distribution = position.distribution
    if tile & BLANK_FLAG:
        return [square, distribution.blank_forms[tile & LETTER_MASK], None]
    return [square, distribution.tiles[tile], distribution.value(tile)]
