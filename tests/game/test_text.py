"""The board as text."""

from __future__ import annotations

from pegray.game.position import Position
from tests.game.positions import EMPTY_BOARD, PUBLISHED


def test_a_position_as_text() -> None:
    lines = str(Position.from_cgp(PUBLISHED["bedel"])).splitlines()
    assert len(lines) == 18 + 3
    assert lines[0] == "   A B C D E F G H I J K L M N O"
    assert lines[1] == lines[17] == "  +-----------------------------+"
    assert lines[2] == " 1|B E D E L     =       '     =|"
    assert lines[11] == '10|  "       "       Z   s   F A|'
    assert lines[18:] == [" 344  ?ANNOPY", " 368  unseen AEEEGILNRS", "3 in the bag"]


def test_columns_stay_in_line_with_tiles_of_several_characters() -> None:
    board = EMPTY_BOARD.split("/")
    board[7] = "6A[l·l]A6"
    text = str(Position.from_cgp(f"{'/'.join(board)} AAERSTU/ 0/0 0 ld catalan;"))
    lines = text.splitlines()[:18]
    assert len({len(line) for line in lines[1:]}) == 1
    assert lines[9].index("[l·l]") == lines[0].index("H")
