"""Weights on the opponent's rack, applied to the stored run of tests/data."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pegray.cli import main
from pegray.errors import InputError
from pegray.results.model import SolveResult
from pegray.results.prior import Prior, read_prior, with_prior
from pegray.results.read import open_run
from pegray.terms import WDL, State, Status

RUN = str(Path(__file__).parents[1] / "data" / "schema1")


def weighed(*rows: tuple[str, str, float]) -> SolveResult:
    return with_prior(open_run(RUN).result(0), Prior("test", rows))


def test_without_rows_nothing_changes() -> None:
    before, after = open_run(RUN).result(0), weighed()
    assert (after.total, after.state) == (8, before.state)
    assert [(play.move, play.points, play.at_most) for play in after.plays[:3]] == [
        (play.move, play.points, play.at_most) for play in before.plays[:3]
    ]
    assert after.best is not None
    assert (after.best.rank, after.best.win_pct) == (1, 93.75)


def test_a_leave_weighs_the_racks_that_hold_it() -> None:
    """Of the eight draws only [Y] leaves the opponent without the Y, and 13L ONYX ties it."""
    after = weighed(("leave", "Y", 3))
    onyx = next(play for play in after.plays if play.move == "13L ONYX")
    assert (after.total, onyx.points, onyx.wins, onyx.draws) == (22, 21.5, 21, 1)
    assert onyx.win_pct == pytest.approx(100 * 21.5 / 22)


def test_rows_that_apply_are_multiplied() -> None:
    assert weighed(("leave", "Y", 3), ("leave", "Y", 2)).total == 43
    # the rack of the draw [C] is AAEISUY
    assert weighed(("leave", "Y", 3), ("rack", "AAEISUY", 5)).total == 22 + 12
    assert weighed(("leave", "AAA", 7)).total == 8


def test_another_play_may_be_best() -> None:
    """With the Y surely in the bag ONYX ties, and OXY, which is finished too, wins."""
    after = weighed(("leave", "Y", 0))
    assert (after.total, after.state) == (1, State.ANSWERED)
    assert after.best is not None
    assert (after.best.move, after.best.win_pct) == ("13L OXY", 100)


def test_a_play_that_was_cut_off_may_matter_again() -> None:
    """Without OXY ONYX has half a point, and what was cut off before its Y was settled may have more."""
    result = open_run(RUN).result(0)
    result.plays = [play for play in result.plays if play.move != "13L OXY"]
    after = with_prior(result, Prior("test", (("leave", "Y", 0),)))
    assert after.state is State.OPEN
    assert not any(play.rank for play in after.plays)
    stey = next(play for play in after.plays if play.move == "N3 STEY")
    assert (stey.status, stey.at_most) == (Status.UNFINISHED, 1)


@pytest.mark.parametrize("tenth", range(1, 30, 4))
def test_a_play_that_wins_everything_stays_best(tenth: int) -> None:
    """However the weights round: sums of tenths in another order need not be the same number."""
    result = open_run(RUN).result(0)
    onyx = next(play for play in result.plays if play.move == "13L ONYX")
    for outcome in onyx.outcomes:
        outcome.outcome = WDL.WIN
    letters = enumerate("ACEISUY")
    after = with_prior(result, Prior("test", tuple(("leave", letter, (tenth + i) / 10) for i, letter in letters)))
    assert after.best is not None
    assert (after.best.move, after.state) == ("13L ONYX", State.COMPLETE)


def test_a_play_that_loses_is_none_that_is_asked_for() -> None:
    result = open_run(RUN).result(0)
    result.never_lose = True
    assert with_prior(result, Prior("test", ())).best is not None
    onyx = next(play for play in result.plays if play.move == "13L ONYX")
    next(outcome for outcome in onyx.outcomes if outcome.draw == "[C]").outcome = WDL.LOSS
    after = with_prior(result, Prior("test", ()))
    assert all(play.move != "13L ONYX" for play in after.plays if play.rank)
    # the rack that is left after [C] is AAEISUY: if the opponent cannot hold it, nothing is lost
    unharmed = with_prior(result, Prior("test", (("rack", "AAEISUY", 0),)))
    assert unharmed.best is not None and unharmed.best.move == "13L ONYX"


def test_no_rack_left() -> None:
    with pytest.raises(InputError, match="weighs 0"):
        weighed(("leave", "A", 0))


def test_a_table_is_read_from_a_file_or_a_query(tmp_path: Path) -> None:
    path = tmp_path / "it's.csv"
    path.write_text("Leave,Weight\nQ,0.5\nS,2\n")
    assert read_prior(str(path)).rows == (("leave", "Q", 0.5), ("leave", "S", 2.0))
    assert read_prior("select 'AEI' as rack, 3 as weight").rows == (("rack", "AEI", 3.0),)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("select 1 as weight", "expected the columns weight and leave"),
        ("select 'A' as leave, 'B' as rack, 1 as weight", "expected the columns weight and leave"),
        ("select 'A' as leave, -1 as weight", "row 1: expected a weight of at least 0"),
        ("select 'A' as leave, 'x' as weight", "row 1: expected a weight of at least 0"),
        ("nothing.csv", "prior='nothing.csv': "),
    ],
)
def test_bad_priors(source: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_prior(source)


def test_show_and_query(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    prior = tmp_path / "prior.csv"
    prior.write_text("leave,weight\nY,3\n")
    assert main(["show", RUN, "--position", "1", "--prior", str(prior)]) == 0
    out = capsys.readouterr().out
    assert f"racks weighed by {prior}" in " ".join(out.split())
    assert ["13L", "ONYX", "1", "93.75", "1", "97.73"] in [line.split() for line in out.splitlines()]
    assert main(["show", RUN, "--position", "1", "--prior", str(prior), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["opponent_prior"] == str(prior)
    sql = "select move, points, weight from plays join outcomes using (run, position_id, move) where rank = 1"
    assert main(["query", RUN, sql + " and draw = '[A]'", "--prior", str(prior), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == [{"move": "13L ONYX", "points": 21.5, "weight": 6}]
    assert main(["show", RUN, "--prior", "select 'Ä' as leave, 1 as weight"]) == 2
    assert "--prior select 'Ä' as leave, 1 as weight: row 1: unknown letter" in capsys.readouterr().err
