"""Scores, the words formed, and plays that the board or the rack forbid."""

from __future__ import annotations

import numpy as np
import pytest

from pegray.errors import InputError
from pegray.game.move import PASS, Move
from pegray.game.notation import parse_move
from pegray.game.position import Position
from pegray.game.rules import BINGO_BONUS
from pegray.game.scoring import rack_value, words_formed
from tests.game.positions import EMPTY_BOARD, PUBLISHED
from tests.reference.reference import Reference, parse_cgp

ONYX = Position.from_cgp(PUBLISHED["onyx"])
EMPTY = Position.from_cgp(f"{EMPTY_BOARD} AEINRST/ 0/0 0")

# Enough words for some hundred plays.
WORDS = """
AA AB AD AE AG AH AI AL AM AN AR AS AT AW AX AY BA BE BI BO BY DA DE DO ED EF EH EL EM EN ER ES EX FA FE GO HA
HE HI HM HO ID IF IN IS IT JO KA KI LA LI LO MA ME MI MM MU MY NA NE NO NU OD OE OF OH OM ON OP OR OS OW OX
OY PA PE PI QI RE SH SI SO TA TI TO UH UM UN UP US UT WE WO XI XU YA YE YO ZA ANY NAY PAY YAP NAP PAN APO OPA
NOPE PONY ANON NAAN PANT POPS CAPO ENJOY ANNOY SPAN SNAP YAPON PANNA ANNOYS NOPAY ANNOYED PAY HAY NAH
ENS TENS ONS SEN TEN NET TOE TOES STEY STYE OXY ONYX SEXTONY SEX TOY TOYS NOSEY STONEY EX SOX TEX AXE OXEN
""".split()


def scored(position: Position, text: str) -> int:
    move = parse_move(text, position.board, position.distribution)
    position.check_move(move)
    return position.score(move)


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("8H RAIN", (1 + 1 + 1 + 1) * 2),
        ("8D STRAIN", (1 * 2 + 5) * 2),
        ("H4 STRAIN", (1 * 2 + 5) * 2),
        ("8H RETAINS", (6 + 2) * 2 + BINGO_BONUS),
        ("pass", 0),
    ],
)
def test_scores_on_the_empty_board(text: str, score: int) -> None:
    assert scored(EMPTY, text) == score


@pytest.mark.parametrize(
    ("name", "text", "score"),
    [
        ("onyx", "13L ONYX", 33),
        ("labour", "14M .O", 8),
        ("kanjis", "2L P.ND", 14),
        ("kanjis", "E5 FET", 26),
        ("bedel", "13M P..", 32),
    ],
)
def test_scores_on_a_real_board(name: str, text: str, score: int) -> None:
    assert scored(Position.from_cgp(PUBLISHED[name]), text) == score


@pytest.mark.parametrize(("name", "at_least"), [("onyx", 80), ("labour", 150), ("bedel", 300)])
def test_scores_agree_with_the_slow_reference(name: str, at_least: int) -> None:
    position = Position.from_cgp(PUBLISHED[name])
    plain = parse_cgp(PUBLISHED[name])
    moves = Reference(WORDS).moves(plain.board, plain.rack)
    assert len(moves) > at_least
    for expected in moves:
        move = parse_move(str(expected), position.board, position.distribution)
        position.check_move(move)
        assert (str(expected), position.score(move)) == (str(expected), expected.score)
        letters = [position.distribution.format_tiles(word) for word in words_formed(position.board, move)]
        assert set(letters) <= set(WORDS)
        assert bool(letters) != move.is_pass


def test_the_words_formed_begin_with_the_main_word() -> None:
    position = Position.from_cgp(PUBLISHED["kanjis"])

    def words(text: str) -> list[str]:
        move = parse_move(text, position.board, position.distribution)
        return [position.distribution.format_tiles(word) for word in words_formed(position.board, move)]

    assert words("2L P(O)nD") == ["POND"]
    assert words("pass") == []
    assert words("3B (p)E") == ["PE"]


@pytest.mark.parametrize(
    ("position", "text", "message"),
    [
        (ONYX, "13L ONYZ", "not enough tiles Z on the rack ENOSTXY"),
        (ONYX, "13L ONNX", "not enough tiles N on the rack ENOSTXY"),
        (ONYX, "13L ONYx", "not enough tiles ? on the rack ENOSTXY"),
        (ONYX, "15J ONYX", "the tiles are not connected to those on the board"),
        (EMPTY, "8A RAIN", "the first play must cover 8H"),
        (EMPTY, "8H I", "the first play needs two tiles"),
    ],
)
def test_impossible_plays_are_refused(position: Position, text: str, message: str) -> None:
    move = parse_move(text, position.board, position.distribution)
    with pytest.raises(InputError) as error:
        position.check_move(move)
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("move", "message"),
    [
        (Move(3, 0, True, (15, 14)), "4B is already filled"),
        (Move(12, 11, True, (15, 0, 14)), "13M is empty, but the word plays through it"),
        (Move(12, 12, True, (15, 14, 25, 24)), "13M: the word runs off the board"),
        (Move(12, 12, False, (15, 14, 25, 24)), "M13: the word runs off the board"),
        (Move(-1, 12, False, (15, 14)), "runs off the board"),
        (Move(15, 0, True, (15, 14)), "runs off the board"),
        (Move(3, 1, True, (0, 0)), "no tile is placed"),
    ],
)
def test_moves_that_do_not_fit_the_board_are_refused(move: Move, message: str) -> None:
    with pytest.raises(InputError, match=message):
        ONYX.check_move(move)


def test_the_pass_is_always_allowed() -> None:
    ONYX.check_move(PASS)
    EMPTY.check_move(PASS)


def test_the_value_of_a_rack() -> None:
    english = ONYX.distribution
    assert rack_value(ONYX.rack, english) == 1 + 1 + 1 + 1 + 1 + 8 + 4
    assert rack_value(english.rack("??QZ"), english) == 20
    assert rack_value(np.zeros(english.size, np.uint8), english) == 0
