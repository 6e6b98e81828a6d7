"""The commands that search, on the position that ships with the project; without Ray."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pegray.cli import main
from pegray.preendgame.executors.inprocess import ThisProcess
from pegray.runs import workplace

ROOT = Path(__file__).parents[2]
FIRST = str(ROOT / "jobs" / "first.cgp")
# After 13L ONYX: the opponent, with ACEISUY, is on turn, and we hold AEST.
ENDGAME = (
    "15/3Q7U3/3U2TAURINE2/1CHANSONS2W3/2AI6JO3/DIRL1PO3IN3/E1D2EF3V4/F1I2p1TRAIK3/O1L2T4E4/ABy1PIT2BRIG2/"
    "ME1MOZELLE5/1GRADE1O1NOH3/WE3R1V3ONYX/AT5E7/G6D7 ACEISUY/ 378/389 0"
)


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def solve(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> dict:
    """The JSON document of a solve in this process."""
    assert main(["solve", FIRST, "--address", "none", "--json", *arguments]) == 0
    document = json.loads(capsys.readouterr().out)
    assert isinstance(document, dict)
    return document


def test_moves(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["moves", FIRST, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    moves = document["moves"]
    assert document["count"] == len(moves) == len({move["move"] for move in moves})
    assert {"move": "13L ONYX", "score": 33, "tiles": 4} in moves
    assert {"move": "pass", "score": 0, "tiles": 0} in moves
    assert [move["score"] for move in moves] == sorted((move["score"] for move in moves), reverse=True)

    assert main(["moves", FIRST]) == 0
    assert "  33  13L ONYX" in capsys.readouterr().out.splitlines()


def test_endgame(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["endgame", ENDGAME, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["spread"] == -9
    assert document["score_gain"] == 2
    assert document["proven"] is True
    assert len(document["pv"]) == 2

    assert main(["endgame", ENDGAME]) == 0
    assert "Final spread -9 (loss, proven), +2 from here." in capsys.readouterr().out


def test_an_endgame_is_not_solved_and_a_preendgame_is_no_endgame(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", ENDGAME]) == 2
    assert "pegray endgame" in capsys.readouterr().err
    assert main(["endgame", FIRST]) == 2
    assert "pegray solve" in capsys.readouterr().err


def test_solve_all_plays(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    document = solve(["--out", "run"], capsys)
    assert document["schema"] == 2
    assert document["state"] == "complete"
    assert (document["lexicon"], document["bag"], document["total"]) == ("ENABLE", 1, 8)
    best = document["plays"][0]
    assert (best["rank"], best["move"], best["status"], best["points"]) == (1, "13L ONYX", "finished", 7.5)
    assert sum(outcome["weight"] for outcome in best["outcomes"]) == 8
    assert {play["status"] for play in document["plays"]} == {"finished", "cut_off"}
    assert document["stats"]["interrupted"] is False

    assert main(["show", "run", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["plays"] == document["plays"]
    assert main(["solve", FIRST, "--out", "run"]) == 2
    assert "--out run: holds a run already" in capsys.readouterr().err


def test_solve_some_plays_with_a_known_rack(capsys: pytest.CaptureFixture[str]) -> None:
    document = solve(["--only", "13L ONYX", "N3 SEXY", "--known-rack", "AACEISU"], capsys)
    assert {play["move"] for play in document["plays"]} == {"13L ONYX", "N3 SEXY"}
    assert document["total"] == 1
    assert [outcome["draw"] for outcome in document["plays"][0]["outcomes"]] == ["[Y]"]


def test_the_default_run_directory_and_the_table(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["solve", FIRST, "--address", "none", "--only", "13L ONYX"]) == 0
    captured = capsys.readouterr()
    (directory,) = (tmp_path / "runs").iterdir()
    assert directory.name.endswith("-first")
    assert f"runs/{directory.name}" in captured.err
    assert "13L ONYX: 7 won, 1 tied, 0 lost" in captured.out
    work, state = captured.out.rstrip().splitlines()[-3:-1]
    assert work.startswith("1 play: 1 finished, 0 cut off, 0 left")
    assert state.startswith("Answered after ") and ", complete after " in state


def test_a_solve_that_stops_says_how_to_go_on(capsys: pytest.CaptureFixture[str]) -> None:
    stopped = ["solve", FIRST, "--address", "none", "--json", "--time-limit", "0.001s", "--out", "a run"]
    assert main(stopped) == 1
    assert capsys.readouterr().err.splitlines()[-1] == "go on with: pegray resume 'a run'"
    assert main(["resume", "a run", "--json", "--time-limit", "1h"]) == 0
    captured = capsys.readouterr()
    assert "go on with" not in captured.err
    assert json.loads(captured.out)[0]["plays"][0]["move"] == "13L ONYX"


def test_a_solve_that_is_not_waited_for_says_how_to_go_on_too(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def impatient(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("pegray.runs.driver.solve_at", impatient)
    assert main(["solve", FIRST, "--address", "none", "--out", "run"]) == 130
    said = ["go on with: pegray resume run", "pegray: interrupted"]
    assert capsys.readouterr().err.splitlines()[-2:] == said


def test_several_positions_are_a_list_and_share_a_workplace(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[ThisProcess] = []

    class Counted(ThisProcess):
        def __init__(self, table_gib: float | None) -> None:
            super().__init__(table_gib)
            opened.append(self)

    monkeypatch.setattr(workplace, "ThisProcess", Counted)
    line = Path(FIRST).read_text().splitlines()[-1]
    (tmp_path / "two.cgp").write_text(f"{line}\n{line.replace('356/378', '376/378')}\n")
    arguments = ["solve", "two.cgp", "--address", "none", "--json", "--only", "13L ONYX", "--out", "run"]
    assert main(arguments) == 0
    documents = json.loads(capsys.readouterr().out)
    assert [document["plays"][0]["points"] for document in documents] == [7.5, 8]
    assert len(opened) == 1
    assert main(["status", "run", "--json"]) == 0
    positions = json.loads(capsys.readouterr().out)["positions"]
    assert [position["position"] for position in positions] == ["two-1", "two-2"]


def test_python_interface() -> None:
    import pegray

    cgp = Path(FIRST).read_text().splitlines()[-1]
    result = pegray.solve(cgp, only=["13L ONYX"])
    assert result.best is not None
    assert result.best.points == 7.5
    with pytest.raises(pegray.InputError, match="^only='13L TYXEN': "):
        pegray.solve(pegray.Position.from_cgp(cgp), only=["13L TYXEN"])
