"""CGP lines: reading, writing, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from pegray.errors import InputError
from pegray.game.cgp import format_board, parse_board, read_cgp_file, split_cgp
from pegray.game.position import Position
from pegray.game.tiles import BLANK_FLAG, load_distribution
from tests.game.positions import BAG, EMPTY_BOARD, PUBLISHED

ONYX = PUBLISHED["onyx"]


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_positions_are_written_as_they_were_read(name: str) -> None:
    position = Position.from_cgp(PUBLISHED[name])
    assert position.to_cgp() == PUBLISHED[name]
    assert position.bag_size == BAG[name]
    assert Position.from_cgp(position.to_cgp()) == position


def test_blanks_on_the_board_are_flagged() -> None:
    english = load_distribution("english")
    board = parse_board(ONYX.split()[0], english)
    assert board[7 * 15 + 5] == english.parse_tiles("P")[0] | BLANK_FLAG
    assert (board >= BLANK_FLAG).sum() == 2


def test_several_characters_to_a_tile_on_board_and_rack() -> None:
    board = EMPTY_BOARD.split("/")
    board[7] = "6A[NY]A[l·l]5"
    cgp = f"{'/'.join(board)} AE[NY][QU]RST/ 0/0 0 ld catalan;"
    with pytest.raises(InputError, match="2 x NY on the board and RACK1, but catalan has 1"):
        Position.from_cgp(cgp)
    cgp = cgp.replace("AE[NY][QU]", "AAE[QU]")
    position = Position.from_cgp(cgp)
    assert position.to_cgp() == cgp
    assert Position.from_cgp(cgp.replace("[", "").replace("]", "")) == position


def test_two_tiles_are_not_taken_for_one_of_two_characters() -> None:
    board = EMPTY_BOARD.split("/")
    board[7] = "6A[RR]AR[R]4"
    cgp = f"{'/'.join(board)} AC[H]LOR[R]/ 0/0 0 ld spanish;"
    position = Position.from_cgp(cgp)
    assert position.rack.sum() == 7
    assert (position.board != 0).sum() == 5
    assert position.to_cgp() == cgp.replace("[R]", "R").replace("[H]", "H")
    assert Position.from_cgp(position.to_cgp()) == position


def test_without_brackets_rr_is_two_tiles_as_in_other_programs() -> None:
    board = EMPTY_BOARD.split("/")
    board[7] = "5CHARRrr3"
    cgp = f"{'/'.join(board)} ACHLLOR/ 0/0 0 ld spanish;"
    position = Position.from_cgp(cgp)
    assert position.rack.sum() == 7
    assert (position.board != 0).sum() == 7
    assert position.to_cgp() == cgp
    one = cgp.replace("5CHARRrr3", "6[CH]A[RR][rr]5")
    assert (Position.from_cgp(one).board != 0).sum() == 4
    assert Position.from_cgp(one).to_cgp() == one


def test_opcodes_are_kept() -> None:
    fields = split_cgp("15 A/B 1/-2 1 lex NWL20; ld english; tmr 100/200; flag;")
    assert fields.opcodes == {"lex": "NWL20", "ld": "english", "tmr": "100/200", "flag": ""}
    assert fields.racks == ("A", "B")
    assert fields.scores == (1, -2)
    assert fields.scoreless == 1


def test_the_usual_board_may_be_named() -> None:
    named = Position.from_cgp(f"{ONYX} bdn CrosswordGame;")
    assert named.layout is Position.from_cgp(ONYX).layout
    assert named.to_cgp().endswith("bdn CrosswordGame;")


def test_the_second_rack_may_be_left_out_with_its_slash() -> None:
    assert split_cgp("15 ABC 1/2 0").racks == ("ABC", None)
    assert split_cgp("15 ABC/ 1/2 0").racks == ("ABC", None)


def replaced(old: str, new: str) -> str:
    assert ONYX.count(old) == 1
    return ONYX.replace(old, new)


@pytest.mark.parametrize(
    ("cgp", "message"),
    [
        (replaced("/G6D7 ", "/G6D8 "), "CGP: row 15: 16 squares, expected 15"),
        (replaced("15/3Q7U3", "14/3Q7U3"), "CGP: row 1: 14 squares, expected 15"),
        (replaced("15/3Q7U3", "/3Q7U3"), "CGP: row 1: 0 squares, expected 15"),
        (replaced("15/3Q7U3", "99999999999999999999/3Q7U3"), "CGP: row 1: more than 99 squares, expected 15"),
        (replaced("15/3Q7U3", "15/15/3Q7U3"), "CGP: board of 16 rows, expected 15"),
        (replaced("15/3Q7U3", "3Q7U3"), "CGP: board of 14 rows, expected 15"),
        (replaced("3Q7U3", "3Ñ7U3"), "CGP: row 2: unknown letter 'Ñ' at character 1 of 'Ñ'"),
        (replaced("3Q7U3", "3²7U3"), "CGP: row 2: unknown letter '²' at character 1 of '²'"),
        (replaced("3Q7U3", "3?7U3"), "CGP: row 2: a blank on the board is a lower-case letter, not ?"),
        (replaced("ENOSTXY", "EN0STXY"), "CGP: RACK1: unknown letter '0' at character 3 of 'EN0STXY'"),
        (replaced("ENOSTXY", "ENOSTxY"), "CGP: RACK1: lower-case letter in the rack 'ENOSTxY'"),
        (replaced("ENOSTXY", "ENOSTXYA"), "CGP: RACK1 ENOSTXYA: 8 tiles, at most 7 fit"),
        (replaced("ACEISUY", "ACEISUYA"), "CGP: RACK2 ACEISUYA: 8 tiles, at most 7 fit"),
        (replaced("ENOSTXY", "ENOSTX"), "CGP: RACK1 ENOSTX: 6 tiles, but 2 are in the bag"),
        (replaced("ENOSTXY", "ENOSTXQ"), "CGP: 2 x Q on the board and RACK1, but english has 1"),
        (replaced("ACEISUY", "ACEISUX"), "CGP: 2 x X on the board and both racks, but english has 1"),
        (replaced("15/3Q7U3", "ZZ13/3Q7U3"), "CGP: row 1: the tile at 1A floats"),
        (replaced("ACEISUY 356", "ACEISUY/A 356"), "CGP: racks 'ENOSTXY/ACEISUY/A': expected RACK1/RACK2"),
        (replaced("356/378", "356"), "CGP: scores '356': expected two whole numbers, as in 356/378"),
        (replaced("356/378", "35.5/378"), "CGP: scores '35.5/378': expected two whole numbers"),
        (replaced("356/378", "9" * 5000 + "/378"), "CGP: scores '999"),
        (
            replaced("356/378", "0/10000"),
            "CGP: scores '0/10000': expected two whole numbers, as in 356/378, up to 9999",
        ),
        (replaced("378 0 lex", "378 x lex"), "CGP: scoreless turns 'x': expected a whole number"),
        (replaced("378 0 lex", "378 -1 lex"), "CGP: scoreless turns '-1': expected a whole number"),
        (replaced("378 0 lex", "378 6 lex"), "CGP: 6 scoreless turns: the game is over after 6"),
        (replaced("lex NWL20;", "ld klingon;"), "unknown distribution 'klingon'"),
        (
            replaced("lex NWL20;", "bdn SuperCrosswordGame;"),
            "CGP: bdn SuperCrosswordGame: unknown board",
        ),
        (replaced("lex NWL20;", ONYX), "CGP: '15/3Q7U3"),
        (replaced("lex NWL20;", "\n" + ONYX), "CGP: more than one line"),
        (ONYX.split()[0], "CGP: 1 fields, expected BOARD RACKS SCORES SCORELESS"),
        (" ".join(ONYX.split()[:3]), "CGP: 3 fields, expected BOARD RACKS SCORES SCORELESS"),
        ("", "CGP: 0 fields, expected BOARD RACKS SCORES SCORELESS"),
    ],
)
def test_impossible_input_is_refused_with_its_place(cgp: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        Position.from_cgp(cgp)
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)


def test_too_many_of_a_tile_on_the_board_alone() -> None:
    board = EMPTY_BOARD.split("/")
    board[7] = "6ZZZ6"
    with pytest.raises(InputError, match="CGP: 3 x Z on the board, but english has 1"):
        Position.from_cgp(f"{'/'.join(board)} AEINRST/ 0/0 0")
    board[7] = "6abc6"
    with pytest.raises(InputError, match=r"CGP: 3 x \? on the board, but english has 2"):
        Position.from_cgp(f"{'/'.join(board)} AEINRST/ 0/0 0")


def test_tiles_away_from_the_start_square_float() -> None:
    board = EMPTY_BOARD.split("/")
    board[0] = "AT13"
    with pytest.raises(InputError, match="CGP: row 1: the tile at 1A floats"):
        Position.from_cgp(f"{'/'.join(board)} AEINRST/ 0/0 0")


def test_the_board_does_not_wrap_around_at_its_edge() -> None:
    board = EMPTY_BOARD.split("/")
    board[7] = "7AAAAAAAA"
    board[8] = "E14"
    with pytest.raises(InputError, match="row 9: the tile at 9A floats"):
        Position.from_cgp(f"{'/'.join(board)} EINRSTT/ 0/0 0")


def test_an_empty_board_is_a_position() -> None:
    cgp = f"{EMPTY_BOARD} AEINRST/ 0/0 0"
    position = Position.from_cgp(cgp)
    assert position.to_cgp() == cgp
    assert position.bag_size == 86
    assert format_board(position.board, position.distribution) == EMPTY_BOARD


def test_a_file_of_lines(tmp_path: Path) -> None:
    file = tmp_path / "two.cgp"
    file.write_text(f"\ufeff# a comment\n\n{ONYX}\n  {PUBLISHED['kanjis']}\n", encoding="utf-8")
    assert read_cgp_file(file) == [(3, ONYX), (4, PUBLISHED["kanjis"])]


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    file = tmp_path / "bad.cgp"
    file.write_bytes(b"\xff\xfe\xfa")
    with pytest.raises(InputError, match="bad.cgp: not a text file in UTF-8"):
        read_cgp_file(file)
    with pytest.raises(InputError, match="none.cgp: No such file or directory"):
        read_cgp_file(tmp_path / "none.cgp")
