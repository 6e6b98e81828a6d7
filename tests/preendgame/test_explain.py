"""Explanations agree with the solve, and their lines add up."""

from __future__ import annotations

import pytest

import pegray
from pegray.errors import InputError
from pegray.lexicon.find import lexicon_for
from pegray.preendgame.explain import explain

ONYX = (
    "15/3Q7U3/3U2TAURINE2/1CHANSONS2W3/2AI6JO3/DIRL1PO3IN3/E1D2EF3V4/F1I2p1TRAIK3/O1L2T4E4/ABy1PIT2BRIG2/"
    "ME1MOZELLE5/1GRADE1O1NOH3/WE3R1V7/AT5E7/G6D7 ENOSTXY/ 356/378 0"
)
TOREROS = (
    "1T13/1W3Q9/VERB1U9/1E1OPIUM5C1/1LAWIN1I5O1/1Y3A1E5R1/7V4NO1/NOTArIZE1C2UN1/6ODAH2LA1/3TAHA2I2LED/"
    "2JUT4R2A1O/3G5P4D/3R3BrIEFING/3I5L4E/3K2DESYNES1M AEFGSTX/ 370/341 0 lex CSW21;"
)


@pytest.fixture(scope="module")
def onyx() -> pegray.Position:
    return pegray.Position.from_cgp(ONYX)


@pytest.mark.parametrize("play", ["13L ONYX", "pass"])
def test_outcomes_are_those_of_the_solve(onyx: pegray.Position, play: str) -> None:
    solved = pegray.solve(onyx, only=[play], tiebreak=False).plays[0]
    for outcome in solved.outcomes:
        explanation = explain(onyx, lexicon_for(onyx), play, outcome.draw)
        assert explanation.draw == outcome.draw
        assert explanation.outcome == outcome.outcome
        final = explanation.steps[-1].final_spread
        if final is not None:
            sign = (final > 0) - (final < 0)
            assert outcome.outcome == {1: "W", 0: "D", -1: "L"}[sign]


def test_a_line_adds_up(onyx: pegray.Position) -> None:
    explanation = explain(onyx, lexicon_for(onyx), "13L ONYX", "Y")
    (step,) = explanation.steps
    assert step.our_rack == "ESTY" and step.opponent_rack == "AACEISU" and step.bag == ""
    assert step.line == [("2A CAI.UE", 38), ("1F TYES", 23)]
    # TYES goes out: we gain twice what CAI.UE leaves the opponent with, A and S
    assert step.final_spread == onyx.spread + 33 - 38 + 23 + 2 * (1 + 1) == 0


def test_the_decisive_reply_is_named(tournament_lexicon) -> None:  # type: ignore[no-untyped-def]
    position = pegray.Position.from_cgp(TOREROS)
    explanation = explain(position, tournament_lexicon("CSW21"), "6F .X.", "[I]E")
    assert explanation.outcome == "L"
    (step,) = explanation.steps
    assert step.reply == "L2 TOREROS"
    assert step.final_spread == -22


@pytest.mark.parametrize(
    ("play", "draw", "what"),
    [
        ("13L ONYX", "Z", "cannot be in the bag"),
        ("13L ONYX", "AE", "2 tiles, but 1"),
        ("13L ONYX", "%", "unknown letter"),
        ("nonsense", "Y", "move='nonsense': "),
        ("1A QI", "Y", "not a legal play"),
    ],
)
def test_bad_questions(onyx: pegray.Position, play: str, draw: str, what: str) -> None:
    with pytest.raises(InputError, match=what) as error:
        explain(onyx, lexicon_for(onyx), play, draw)
    assert "\n" not in str(error.value)
