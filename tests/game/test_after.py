"""The position after a play and its draw, and lines of play."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pegray.cli import main
from pegray.commands.flags import in_flags
from pegray.errors import InputError
from pegray.game.line import play_line
from pegray.game.move import PASS
from pegray.game.position import Position

FIRST = Path(__file__).parents[2] / "jobs" / "first.cgp"
CGP = FIRST.read_text(encoding="utf-8").splitlines()[-1] + " lex NWL20; ld english; tmr 60;"
ROWS_AFTER = "ME1MOZELLE5/1GRADE1O1NOH3/WE3R1V3ONYX/AT5E7/G6D7"
FOUR = (
    "12D2/1U10O2/1p10L2/1R1C3KANJIS2/1I1O3A2U4/1G1T3I2I4/1H1E3Z2C1LOO/1TED3E1BYWORD/2Q4N3AXE1/1RuBIGOS3I3/"
    "F1A5WEAVE2/O1T8E3/V1E5LOURY2/ENSNARL2HM4/A6TEMP4 DEFNNPT/ 394/365 0"
)


@pytest.fixture
def position() -> Position:
    return Position.from_cgp(CGP)


def fields(position: Position) -> str:
    """All of the CGP but the board."""
    return position.to_cgp().partition(" ")[2]


def test_with_the_whole_bag_both_racks_are_known(position: Position) -> None:
    after = position.after("13L ONYX", "Y")
    assert after.to_cgp() == f"{CGP.split('ME1')[0]}{ROWS_AFTER} AACEISU/ESTY 378/389 0 lex NWL20; ld english; tmr 60;"
    assert Position.from_cgp(after.to_cgp()) == after
    assert (after.bag_size, after.spread, after.is_over) == (0, -11, False)


def test_without_a_draw_the_opponent_is_unknown(position: Position) -> None:
    assert fields(position.after("13L ONYX")).startswith("/EST 378/389 0 ")
    written = Position.from_cgp(CGP.replace("ENOSTXY/", "ENOSTXY/ACEISUY"))
    assert fields(written.after("13L ONYX")).startswith("ACEISUY/EST 378/389 0 ")
    assert fields(written.after("13L ONYX", "[C]")).startswith("AAEISUY/CEST "), "the draw says it better"


def test_tiles_that_stay_are_drawn_later() -> None:
    position = Position.from_cgp(FOUR)
    drawn = position.after("2L P.ND", "[EGI]A")
    assert (drawn.bag_size, int(drawn.rack.sum())) == (1, 7)
    assert drawn == position.after("2L P.ND", "EGIA") == position.after("2L P.ND", "GIEA")
    assert fields(position.after("2L P.ND", "EGI")).split()[0] == "/EEFGINT", "ours alone"
    with pytest.raises(InputError, match=r"2 tiles, but the play draws 3, or 4 for the whole bag"):
        position.after("2L P.ND", "EG")
    with pytest.raises(InputError, match=r"draw='\[EG\]IA': 2 tiles in the brackets, but the play draws 3"):
        position.after("2L P.ND", "[EG]IA")


def test_scoreless_turns_count(position: Position) -> None:
    once = position.after(PASS, "[]E")
    assert fields(once).startswith("AACISUY/ENOSTXY 378/356 1")
    twice = once.after("pass", "[]E")
    assert (twice.scoreless, twice.scores, twice.is_over) == (2, (356, 378), False)
    over = play_line(twice, ["pass"] * 4, "E")[-1].after
    assert (over.scoreless, over.scores, over.is_over) == (6, (356, 378), True)
    with pytest.raises(InputError, match="the game is over"):
        over.after("pass")
    assert twice.after("13L ONYX", "[E]").scoreless == 0


def test_a_line(position: Position) -> None:
    plies = play_line(position, ["13L ONYX", "2A CAI(Q)UE", "1F TYES"], "Y")
    assert [(ply.move, ply.score, ply.draw) for ply in plies] == [
        ("13L ONYX", 33, "Y"),
        ("2A CAI.UE", 38, ""),
        ("1F TYES", 23, ""),
    ]
    assert plies[-1].after.is_over
    assert plies[-1].after.scores == (416, 412), "what is left on the racks is not settled"


@pytest.mark.parametrize(
    ("move", "draw", "message"),
    [
        ("13L ONYX", "Q", "draw='Q': Q cannot be in the bag so often"),
        ("13L ONYX", "AE", "draw='AE': 2 tiles, but the play draws 1"),
        ("13L ONYX", "[A", "draw='[A': unknown tile"),
        ("13L QUIZ", "", "13L QUIZ: not enough tiles"),
        ("1F ONYX", "", "1F ONYX: the tiles are not connected"),
        ("99Z ONYX", "", "99Z ONYX: '99Z' is not a coordinate"),
    ],
)
def test_what_cannot_be(
    position: Position, move: str, draw: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(InputError) as caught:
        position.after(move, draw)
    assert str(caught.value).startswith(message)
    assert main(["apply", CGP, move, "--draw", draw]) == 2
    assert capsys.readouterr().err == f"pegray: error: {in_flags(caught.value)}\n"


def test_tiles_of_several_letters_in_a_draw() -> None:
    from pegray.game.notation import parse_draw
    from pegray.game.tiles import load_distribution

    catalan = load_distribution("catalan")
    draw = [catalan.tiles.index(tile) for tile in ("NY", "A", "E")]
    for text in ("[[NY]A]E", "[NY]AE", "[[NY]]AE"):
        assert parse_draw(text, catalan) == draw
    assert parse_draw("[]AE", catalan) == draw[1:]


def test_the_command(position: Position, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["apply", CGP, "13L ONYX", "--draw", "Y"]) == 0
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == (position.after("13L ONYX", "Y").to_cgp() + "\n", "")
    assert main(["apply", CGP, "pass", "pass", "--draw", "E"]) == 0
    captured = capsys.readouterr()
    assert captured.out.split()[3] == "2" and captured.err == ""
    assert main(["apply", CGP, *["pass"] * 6, "--draw", "E"]) == 0
    assert "The game ends here" in capsys.readouterr().err
    assert main(["apply", CGP, "13L ONYX", "2A CAI.UE", "--draw", "Y", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["cgp"], document["over"]) == (document["moves"][1]["cgp"], False)
    assert [(move["move"], move["score"], move["draw"]) for move in document["moves"]] == [
        ("13L ONYX", 33, "Y"),
        ("2A CAI.UE", 38, ""),
    ]
