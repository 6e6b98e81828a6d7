"""Scores, the words formed, and plays that the board or the rack forbid."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pegray.errors import InputError
from pegray.game.gcg import parse_gcg
from pegray.game.layout import load_layout
from pegray.game.move import PASS, Move
from pegray.game.notation import parse_move
from pegray.game.position import Position
from pegray.game.rules import BINGO_BONUS, MOST_SCORE
from pegray.game.scoring import most_points, rack_value, words_formed
from pegray.game.tiles import load_distribution
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


def test_the_most_that_a_play_may_score() -> None:
    """In row 1, 15 tens on three premiums of a word and two of a letter; words cross at these and two others."""
    row = 27 * (15 + 2)
    crossing = 3 * 3 * 15 + 2 * (15 + 1) + 2 * 15
    assert most_points(EMPTY.layout, EMPTY.distribution) == 10 * (row + crossing) + BINGO_BONUS


def test_no_play_of_a_layout_or_of_tiles_may_score_too_much(tmp_path: Path) -> None:
    layout = tmp_path / "fourfold.txt"
    layout.write_text("~" * 14 + "*\n" + ("." * 15 + "\n") * 14)
    with pytest.raises(InputError, match=f"layout .*fourfold.txt, distribution english: .* no more than {MOST_SCORE}"):
        Position.from_cgp(f"{EMPTY_BOARD} AEINRST/ 0/0 0", layout=load_layout(str(layout)))
    dear = tmp_path / "dear.csv"
    dear.write_text("?,2,0,0\nA,98,16,1\n")
    with pytest.raises(InputError, match="layout standard, distribution dear: a play might score 10546 points"):
        Position.from_cgp(f"{EMPTY_BOARD} AAAAAAA/ 0/0 0", load_distribution(str(dear)))
    with pytest.raises(InputError, match="layout standard, distribution dear: a play might score 10546 points"):
        parse_gcg(b"#player1 a a\n#player2 b b\n", "game.gcg", load_distribution(str(dear)))
