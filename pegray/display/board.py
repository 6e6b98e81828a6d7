"""The board of a position on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

if TYPE_CHECKING:
    from pegray.game.position import Position


def board_text(position: Position) -> Text:
    """The board with coordinates, premium squares, racks and scores."""
    from pegray.game.text import draw_board

    return Text(draw_board(position), no_wrap=True)
