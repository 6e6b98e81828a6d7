"""Moves as text, both ways."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pegray.errors import InputError
from pegray.game.layout import DIMENSION, SQUARES
from pegray.game.move import PASS, Move
from pegray.game.notation import coordinate, format_move, parse_coordinate, parse_move
from pegray.game.position import Position
from pegray.game.tiles import BLANK_FLAG
from tests.game.positions import EMPTY_BOARD, PUBLISHED

KANJIS = Position.from_cgp(PUBLISHED["kanjis"])
ONYX = Position.from_cgp(PUBLISHED["onyx"])
LABOUR = Position.from_cgp(PUBLISHED["labour"])
BEDEL = Position.from_cgp(PUBLISHED["bedel"])


def rewritten(position: Position, text: str) -> str:
    move = parse_move(text, position.board, position.distribution)
    again = format_move(move, position.distribution)
    assert parse_move(again, position.board, position.distribution) == move
    return again


@pytest.mark.parametrize(
    ("position", "text", "written"),
    [
        (ONYX, "13L ONYX", "13L ONYX"),
        (ONYX, "13l ONYX", "13L ONYX"),
        (ONYX, "  13L   ONYX ", "13L ONYX"),
        (ONYX, "n3 STEY", "N3 STEY"),
        (ONYX, "N3 STyE", "N3 STyE"),
        (KANJIS, "2L P.ND", "2L P.ND"),
        (KANJIS, "2L P(O)ND", "2L P.ND"),
        (KANJIS, "2L POND", "2L P.ND"),
        (KANJIS, "2L P(.)ND", "2L P.ND"),
        (KANJIS, "I1 DEF.T", "I1 DEF.T"),
        (BEDEL, "13M P..", "13M P.."),
        (BEDEL, "13M P(AH)", "13M P.."),
        (BEDEL, "13M P(A)(H)", "13M P.."),
        (BEDEL, "1H ANONYm", "1H ANONYm"),
        (KANJIS, "3B (p)E", "3B .E"),
        (KANJIS, "3B (P)E", "3B .E"),
        (KANJIS, "3B pE", "3B .E"),
        (ONYX, "pass", "pass"),
        (ONYX, "PASS", "pass"),
        (ONYX, "-", "pass"),
    ],
)
def test_moves_are_read_and_written(position: Position, text: str, written: str) -> None:
    assert rewritten(position, text) == written


def test_the_squares_of_a_move() -> None:
    english = KANJIS.distribution
    p, n, d = english.parse_tiles("PND")
    move = parse_move("2L P(O)Nd", KANJIS.board, english)
    assert move == Move(1, 11, True, (p, 0, n, d | BLANK_FLAG))
    assert move.placed() == [(26, p), (28, n), (29, d | BLANK_FLAG)]
    assert move.positions() == [26, 27, 28, 29]
    assert move.rack_tiles() == [p, n, 0]
    assert move.tiles_played == 3
    assert PASS.is_pass
    assert PASS.placed() == []


def with_tiles(**letters: str) -> Position:
    """An unfinished position with ``H8="C"`` and so on on its board."""
    board = np.zeros(SQUARES, np.uint8)
    for place, letter in letters.items():
        row, column, _ = parse_coordinate(place)
        board[row * DIMENSION + column] = ONYX.distribution.parse_tiles(letter)[0]
    return replace(ONYX, board=board)


@pytest.mark.parametrize("text", ["8G .O", "8H O", "H8 O", "H7 .O.", "H8 O.", "H7 (A)O(B)", "8G (C)O"])
def test_a_play_of_one_tile_that_makes_two_words_is_written_across(text: str) -> None:
    assert rewritten(with_tiles(H7="A", H9="B", G8="C"), text) == "8G .O"


@pytest.mark.parametrize("text", ["9H A", "H9 A", "H8 .A", "H8 (C)A"])
def test_a_play_of_one_tile_that_only_makes_a_down_word_is_written_down(text: str) -> None:
    assert rewritten(with_tiles(H8="C"), text) == "H8 .A"


def test_a_move_is_extended_to_its_whole_word() -> None:
    assert rewritten(with_tiles(H8="C", I8="A", L8="E"), "8J NO") == "8H ..NO."
    assert rewritten(with_tiles(A1="C", A15="E"), "A2 NO") == "A1 .NO"
    assert rewritten(with_tiles(A1="C", A15="E"), "A13 NO") == "A13 NO."


def test_tiles_of_several_characters() -> None:
    board = EMPTY_BOARD.split("/")
    board[7] = "6A[NY]A6"
    catalan = Position.from_cgp(f"{'/'.join(board)} A[L·L][QU]ERST/ 0/0 0 ld catalan;")
    assert rewritten(catalan, "8G (A)(NY)(A)S") == "8G ...S"
    assert rewritten(catalan, "8G ANYAS") == "8G ...S"
    assert rewritten(catalan, "8G A[NY]A[qu]") == "8G ...[qu]"
    assert rewritten(catalan, "H8 (NY)A") == rewritten(catalan, "H8 .A") == "H8 .A"
    assert rewritten(catalan, "H7 L·L.") == "H7 [L·L]."
    spanish = Position.from_cgp(f"{EMPTY_BOARD} AEOPR[R]T/ 0/0 0 ld spanish;")
    assert rewritten(spanish, "8H PER[R]O") == "8H PER[R]O"
    assert rewritten(spanish, "8H PERRO") == "8H PE[RR]O"


def test_a_blank_on_the_board_is_repeated_as_itself_or_as_the_plain_letter() -> None:
    for text in ("8C IDEpA", "8C IDEPA", "8C (I)DE(p)A", "8C (I)DE(P)A", "8C (i)DE.A"):
        assert rewritten(ONYX, text) == "8C .DE.A....."
    for text in ("8C iDEPA", "8C IDETA", "8C IDEtA"):
        with pytest.raises(InputError, match="already holds"):
            parse_move(text, ONYX.board, ONYX.distribution)


def test_coordinates() -> None:
    assert coordinate(12, 11, True) == "13L"
    assert coordinate(2, 13, False) == "N3"
    for row in range(15):
        for column in range(15):
            for across in (True, False):
                assert parse_coordinate(coordinate(row, column, across)) == (row, column, across)
                assert parse_coordinate(coordinate(row, column, across).lower()) == (row, column, across)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected a coordinate and a word"),
        ("13L", "expected a coordinate and a word"),
        ("13L ONYX 40", "expected a coordinate and a word"),
        ("ONYX 13L", "'ONYX' is not a coordinate"),
        ("13P ONYX", "'13P' is not a coordinate"),
        ("16A ONYX", "'16A': rows are 1 to 15"),
        ("0A ONYX", "'0A': rows are 1 to 15"),
        ("13M ONYX", "4 squares from 13M run off the board"),
        ("M13 ONYX", "4 squares from M13 run off the board"),
        ("13L ON1X", "unknown letter '1' at character 3 of 'ON1X'"),
        ("13L ON?X", "'ON?X': a blank is written as the lower-case letter"),
        ("13L ON.X", "13N is empty, but the word plays through it"),
        ("13L ON(Y)X", "13N is empty, but the word plays through it"),
        ("13L O(NYX", "unmatched parenthesis"),
        ("13L O)NYX", "unmatched parenthesis"),
        ("4B CHATS", "4E already holds N"),
        ("4B (CHAT)S", "4E already holds N"),
        ("4B (CHANSONS)", "no tile is placed"),
        ("4B ........", "no tile is placed"),
    ],
)
def test_what_is_no_move_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        parse_move(text, ONYX.board, ONYX.distribution)
    assert message in str(error.value)
    assert "\n" not in str(error.value)
