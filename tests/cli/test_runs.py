"""show, status and query of a run directory."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pegray.cli import main
from pegray.commands import show
from pegray.game.position import Position
from pegray.results.model import SolveResult, SolveStats
from pegray.results.play import Outcome, PlayResult
from pegray.results.write import RunWriter

CGP = (
    "15/3Q7U3/3U2TAURINE2/1CHANSONS2W3/2AI6JO3/DIRL1PO3IN3/E1D2EF3V4/F1I2p1TRAIK3/O1L2T4E4/ABy1PIT2BRIG2/"
    "ME1MOZELLE5/1GRADE1O1NOH3/WE3R1V7/AT5E7/G6D7 ENOSTXY/ 356/378 0"
)


def solved(lexicon: str) -> SolveResult:
    """Two plays, one finished and one cut off."""
    won = Outcome("[A]", "A", "", 2, "W", True, True, None, None, 5)
    drawn = Outcome("[Y]", "Y", "", 1, "D", True, True, None, "M3 CAUSEY", 7)
    best = PlayResult(
        1,
        "13L ONYX",
        40,
        4,
        0,
        "finished",
        8,
        7.5,
        7,
        1,
        0,
        93.75,
        0.5,
        7.5,
        7.5,
        8.75,
        True,
        3,
        12,
        0.1,
        None,
        [won, drawn],
    )
    cut = PlayResult(
        None,
        "N3 STEY",
        33,
        4,
        0,
        "cut_off",
        8,
        None,
        None,
        None,
        None,
        None,
        2.0,
        0.0,
        6.0,
        None,
        True,
        1,
        3,
        0.1,
        None,
        [],
    )
    cgp = Position.from_cgp(CGP).to_cgp()
    stats = SolveStats(1.0, 1.0, 4, 15, False)
    return SolveResult(cgp, lexicon, 1, "AACEISUY", 8, "guaranteed", "complete", [best, cut], stats)


@pytest.fixture
def run_directory(tmp_path: Path) -> str:
    """A run of two positions, of which the second has not been started."""
    writer = RunWriter(str(tmp_path / "run"))
    writer.write_manifest({"state": "running", "options": {"opponent": "guaranteed"}})
    for name in ("first", "second"):
        row = {"name": name, "cgp": CGP, "lexicon": "ENABLE", "bag": 1, "unseen": "AACEISUY", "total": 8}
        writer.add_position({**row, "source": f"{name}.cgp:1"})
    writer.write_solve(0, solved("ENABLE"))
    return writer.uri


def output(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """What a command that succeeds prints on stdout."""
    assert main(arguments) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


def test_show(run_directory: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = output(["show", run_directory], capsys)
    assert "first (first.cgp:1)" in text
    assert "second (second.cgp:1)" in text
    assert "A B C D E F G H I J K L M N O" in text
    assert "D  1  [Y] after M3 CAUSEY" in text
    assert "2 plays: 1 finished, 1 cut off, 0 left" in text


def test_show_one_position_as_json(run_directory: str, capsys: pytest.CaptureFixture[str]) -> None:
    document = json.loads(output(["show", run_directory, "--position", "1", "--json"], capsys))
    assert document["schema"] == 2
    assert [play["move"] for play in document["plays"]] == ["13L ONYX", "N3 STEY"]
    assert len(json.loads(output(["show", run_directory, "--json"], capsys))) == 2


def test_many_positions_are_shown_in_one_line_each(
    run_directory: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(show, "MANY", 1)
    *lines, last = output(["show", run_directory], capsys).splitlines()
    assert any(line.split() == "1 first 1 2 1 1 0 complete 13L ONYX 7.5 of 8".split() for line in lines)
    assert last == f"2 positions. Board, plays and outcomes of one: pegray show {run_directory} --position K"
    assert "A B C D E F G H I J K L M N O" in output(["show", run_directory, "--position", "1"], capsys)
    assert main(["show", run_directory, "--position", "3"]) == 2
    assert capsys.readouterr().err == "pegray: error: --position 3: the run has 2\n"


def test_status(run_directory: str, capsys: pytest.CaptureFixture[str]) -> None:
    lines = output(["status", run_directory], capsys).splitlines()
    assert lines[0] == f"{run_directory}: running"
    assert any(line.split() == "1 first 1 2 1 1 0 complete 13L ONYX 7.5 of 8".split() for line in lines)
    document = json.loads(output(["status", run_directory, "--json"], capsys))
    assert document["positions"][1] == {
        "position": "second",
        "bag": 1,
        "plays": 0,
        "finished": 0,
        "cut_off": 0,
        "unfinished": 0,
        "skipped": 0,
        "state": "open",
        "answered_seconds": None,
        "complete_seconds": None,
        "best": None,
        "points": None,
        "at_least": 0.0,
        "at_most": 8.0,
        "total": 8,
    }


def test_query(run_directory: str, capsys: pytest.CaptureFixture[str]) -> None:
    sql = "select move, points from plays order by score desc"
    assert json.loads(output(["query", run_directory, sql, "--json"], capsys)) == [
        {"move": "13L ONYX", "points": 7.5},
        {"move": "N3 STEY", "points": None},
    ]
    lines = output(["query", run_directory, sql], capsys).splitlines()
    assert any(line.split() == ["13L", "ONYX", "7.5"] for line in lines)


def test_a_query_prints_any_type_as_json(run_directory: str, capsys: pytest.CaptureFixture[str]) -> None:
    sql = "select date '2026-01-02' as day, 'NaN'::double as nothing, sum(weight) as weight from outcomes"
    (row,) = json.loads(output(["query", run_directory, sql, "--json"], capsys))
    assert row == {"day": "2026-01-02", "nothing": None, "weight": 3}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["show", "nowhere"], "nowhere: not a run directory"),
        (["status", "nowhere"], "nowhere: not a run directory"),
        (["query", "nowhere", "select 1"], "nowhere: not a run directory"),
        (["query", "RUN", "select nonsense from plays"], "nonsense"),
        (["query", "RUN", "this is not SQL"], "query:"),
        (["show", "RUN", "--position", "3"], "--position 3: the run has 2"),
        (["show", "RUN", "--position", "0"], "--position"),
    ],
)
def test_bad_input(arguments: list[str], message: str, run_directory: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([run_directory if argument == "RUN" else argument for argument in arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert message in captured.err
