"""``pegray game`` on the games that come with the project, with the bundled lexicon."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from pegray.cli import main
from pegray.results.read import open_run

CLOSE = str(Path(__file__).parents[2] / "jobs" / "games" / "close.gcg")
HERE = ["--address", "none"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_late_turn_is_judged(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["game", CLOSE, *HERE, "--out", "run", "--gcg", "noted.gcg", "--report", "report.html"]
    assert main(arguments) == 0
    printed = capsys.readouterr()
    rows = [line.split() for line in printed.out.splitlines() if line.strip()[:2].isdigit()]
    assert [row[0] for row in rows] == ["23", "24", "25", "26", "27"]
    assert " ".join(rows[0]) == "23 Anna 1 GGGLLOP M9 GLOGG. nothing drew [E] W"
    assert " ".join(rows[2]) == "25 Anna 0 ELP N1 EL. I2 PLE.. 21 points -7, best +14"
    assert "--max-bag 2" in printed.out
    notes = [line for line in Path("noted.gcg").read_text().splitlines() if line.startswith("#note pegray: ")]
    assert len(notes) == 5
    assert notes[2] == "#note pegray: best I2 PLE.. +14; played N1 EL. -7, gives away 21 points"
    report = Path("report.html").read_text()
    assert "close-turn25" in report
    assert "21 points" in report

    # the run is one like any other, and is not done again
    run = open_run("run")
    assert run.positions().column("bag").to_pylist() == [1, 0, 0, 0, 0]
    assert run.manifest["state"] == "finished"
    assert run.plays(2).select(["move", "rank"]).to_pylist() == [
        {"move": "I2 PLE..", "rank": 1},
        {"move": "N1 EL.", "rank": None},  # how many other plays are better was not asked
    ]
    assert run.manifest["options"]["protect"] == []  # each position has its own
    assert main(["show", "run", "--position", "3"]) == 0
    assert "I2 PLE.." in capsys.readouterr().out
    assert main(["endgame", CLOSE, "--turn", "25", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["spread"] == 14
    assert main([*arguments, "--json"]) == 0
    printed = capsys.readouterr()
    assert "5 of 5 positions finished earlier" in printed.err
    document = json.loads(printed.out)
    (game,) = document["games"]
    assert game["players"] == ["Anna", "Ben"]
    turn = game["turns"][2]
    assert (turn["unit"], turn["given_away"], turn["open"]) == ("spread", {"at_least": 21.0, "at_most": 21.0}, False)
    assert (turn["best"]["move"], turn["made"]["spread"]) == ("I2 PLE..", -7.0)
    assert game["turns"][0]["drew"] == [
        {"draw": "[E]", "weight": 2, "made": "W", "best": "W", "certain": True, "best_certain": True}
    ]
    assert [(row["player"], row["spread_given_away"]) for row in document["players"]] == [("Anna", 21), ("Ben", 11)]


def test_unknown_racks_and_words(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Ben's racks are not told; Anna's endgame play is no word, nor does anything stand for it."""
    text = Path(CLOSE).read_text().replace(">Ben: ACEIOOV ", ">Ben: ").replace(">Ben: EOV ", ">Ben: ")
    text = text.replace(">Anna: GGGLLOP M9 GLOGG.", ">Anna: GGG M9 GLOGG.").replace("N1 EL.", "N1 LE.")
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(text.encode())))
    assert main(["game", "-", *HERE, "--out", "run"]) == 0
    lines = capsys.readouterr().out.splitlines()
    rows = {line.split()[0]: " ".join(line.split()) for line in lines if line.strip()[:2].isdigit()}
    assert rows["23"] == "23 Anna 1 GGGLOP M9 GLOGG. 6 of 7 tiles known"
    assert rows["24"].startswith("24 Ben 0 ACEIOOV* A11 CO.IA nothing")
    assert rows["25"] == "25 Anna 0 ELP N1 LE. I2 PLE.. not a word"
    assert any(line.startswith("* the rack is worked out") for line in lines)


def test_what_is_left_open_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["game", CLOSE, *HERE, "--out", "run", "--max-bag", "1", "--time-limit", "0.001s"]) == 1
    printed = capsys.readouterr()
    assert "open" in printed.out
    assert "go on with: pegray resume run" in printed.err
    assert main(["game", CLOSE, *HERE, "--out", "run", "--max-bag", "1"]) == 0
    assert "open" not in capsys.readouterr().out


def test_several_games_have_a_table_of_mistakes(capsys: pytest.CaptureFixture[str]) -> None:
    Path("other.gcg").write_text(Path(CLOSE).read_text())
    assert main(["game", CLOSE, "other.gcg", *HERE, "--max-bag", "0", "--out", "run", "--gcg", "noted"]) == 0
    out = capsys.readouterr().out
    mistakes = out[out.index("Mistakes") :].splitlines()
    rows = [" ".join(line.split()) for line in mistakes if " points" in line and "Player" not in line]
    assert rows == [
        "close 25 Anna 0 N1 EL. I2 PLE.. 21 points",
        "other 25 Anna 0 N1 EL. I2 PLE.. 21 points",
        "close 26 Ben 0 12K VE. 10K VO.E 11 points",
        "other 26 Ben 0 12K VE. 10K VO.E 11 points",
    ]
    assert sorted(path.name for path in Path("noted").iterdir()) == ["close.gcg", "other.gcg"]


def test_two_games_of_one_name(capsys: pytest.CaptureFixture[str]) -> None:
    Path("other").mkdir()
    Path("other/close.gcg").write_text(Path(CLOSE).read_text())
    arguments = ["game", CLOSE, "other/close.gcg", *HERE, "--max-bag", "0", "--out", "run"]
    assert main([*arguments, "--gcg", "noted", "--json"]) == 0
    games = json.loads(capsys.readouterr().out)["games"]
    assert [(one["name"], one["source"]) for one in games] == [("close", CLOSE), ("close-2", "other/close.gcg")]
    assert sorted(path.name for path in Path("noted").iterdir()) == ["close-2.gcg", "close.gcg"]


def test_a_possible_loss_is_marked(capsys: pytest.CaptureFixture[str]) -> None:
    """Anna passes with a tile in the bag: whether that loses, Ben has to guess."""
    lines = Path(CLOSE).read_text().splitlines()
    last = next(number for number, line in enumerate(lines) if "M9 GLOGG." in line)
    fields = lines[last].split()
    total = int(fields[-1]) - int(fields[-2])
    Path("passed.gcg").write_text("\n".join([*lines[:last], f"{fields[0]} {fields[1]} - +0 {total}"]) + "\n")
    assert main(["game", "passed.gcg", *HERE, "--max-bag", "1", "--out", "run", "--json"]) == 0
    turn = json.loads(capsys.readouterr().out)["games"][0]["turns"][-1]
    assert turn["decided"] and not any(one["certain"] for one in turn["decided"] if one["made"] != "W")
    assert main(["game", "passed.gcg", *HERE, "--max-bag", "1", "--out", "run"]) == 0
    assert re.search(r"\[\]\S [LD]\?, best W", capsys.readouterr().out)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([CLOSE, "--max-bag", "7"], "--max-bag 7: expected at most 6"),
        ([CLOSE, "--report", "."], "--report .: a folder"),
        ([CLOSE, "--gcg", "."], "--gcg .: a folder"),
        ([CLOSE, CLOSE, "--gcg", CLOSE], f"--gcg {CLOSE}: not a folder"),
        ([CLOSE, "--gcg", "there/close.gcg"], "--gcg there/close.gcg: there is no folder for it"),
        (["none.gcg"], "none.gcg: No such file or directory"),
    ],
)
def test_bad_input(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["game", *arguments, *HERE]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == f"pegray: error: {message}"
