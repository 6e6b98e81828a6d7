"""Output for pipes: --plain prints one record a line, cells separated by tabs, below a line of names."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import pytest

from pegray.cli import main
from pegray.display.plain import PLAY_NAMES, play_records, print_plain
from pegray.game.position import Position
from pegray.results.model import SolveResult
from pegray.results.write import RunWriter

FIRST = str(Path(__file__).parents[2] / "jobs" / "first.cgp")


def records(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> list[dict[str, str]]:
    """What a command prints, read back as a program would."""
    assert main(arguments) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len({line.count("\t") for line in lines}) == 1
    return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


@pytest.fixture
def run(tmp_path: Path, result: SolveResult) -> str:
    out = RunWriter(tmp_path / "run")
    row = {"cgp": Path(FIRST).read_text().splitlines()[-1], "lexicon": "ENABLE", "bag": 1, "unseen": "AACEISUY"}
    for name in ("first", "second"):
        position_id = out.add_position({**row, "name": name, "total": 8, "source": "f:1"})
        out.write_solve(position_id, replace(result, cgp=row["cgp"]))
    out.write_manifest({})
    return out.uri


def test_cells_and_records(capsys: pytest.CaptureFixture[str]) -> None:
    print_plain(("a", "b", "c"), [(1234567.0, None, "x\ty\nz"), {"c": True, "a": 0.5, "b": ""}])
    assert capsys.readouterr().out == "a\tb\tc\n1234567\t\tx y z\n0.5\t\ttrue\n"


def test_plays_of_a_run(run: str, capsys: pytest.CaptureFixture[str]) -> None:
    plays = records(["show", run, "--plain"], capsys)
    assert tuple(plays[0]) == PLAY_NAMES
    assert [(play["position"], play["rank"], play["move"], play["points"], play["at_most"]) for play in plays[:3]] == [
        ("first", "1", "13L ONYX", "7.5", "7.5"),
        ("first", "", "N3 STEY", "", "6"),
        ("first", "", "pass", "", "7.5"),
    ]
    assert {(play["state"], play["estimate"]) for play in plays} == {("answered", "")}
    assert [play["at_least"] for play in plays[:3]] == ["7.5", "0", "0"]
    assert len(plays) == 6, "all plays of all positions, whatever their number"
    assert len(records(["show", run, "--plain", "--rows", "1", "--position", "2"], capsys)) == 1


def test_no_play_at_all_is_just_the_names(capsys: pytest.CaptureFixture[str], result: SolveResult) -> None:
    print_plain(PLAY_NAMES, play_records("first", replace(result, plays=[]), 0))
    assert capsys.readouterr().out.splitlines() == ["\t".join(PLAY_NAMES)]


def test_rows_of_a_query(run: str, capsys: pytest.CaptureFixture[str]) -> None:
    sql = "select name, sum(score) as score, null as nothing from plays join positions using (position_id) group by 1"
    rows = records(["query", run, f"{sql} order by name", "--plain"], capsys)
    assert rows == [{"name": name, "score": "120", "nothing": ""} for name in ("first", "second")]
    assert main(["query", run, sql, "--plain", "--format", "csv"]) == 2
    assert main(["query", run, sql, "--plain", "--json"]) == 2


def test_two_columns_of_one_name_are_told_apart(run: str, capsys: pytest.CaptureFixture[str]) -> None:
    sql = "select 1 as move, 2 as move, 3 as move_1, 4 as move"
    for form in (["--plain"], ["--format", "csv"], ["--json"], []):
        assert main(["query", run, sql, *form]) == 0
        text = capsys.readouterr().out
        assert "move_2" in text and [text.count(digit) for digit in "1234"][2:] == [1, 1]


def test_moves(capsys: pytest.CaptureFixture[str]) -> None:
    moves = records(["moves", FIRST, "--plain"], capsys)
    assert {"move": "13L ONYX", "score": "33", "tiles": "4"} in moves


def test_the_line_of_an_explanation_can_be_followed(capsys: pytest.CaptureFixture[str]) -> None:
    plies = records(["explain", FIRST, "--play", "13L ONYX", "--draw", "Y", "--plain"], capsys)
    assert [(ply["player"], ply["move"], ply["score"], ply["draw"]) for ply in plies[:2]] == [
        ("us", "13L ONYX", "33", "Y"),
        ("opponent", "2A CAI.UE", "38", ""),
    ]
    last = Position.from_cgp(plies[-1]["cgp"])
    assert last.is_over
    assert len(records(["endgame", plies[0]["cgp"], "--plain"], capsys)) == len(plies) - 1
