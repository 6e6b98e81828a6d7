"""--known-rack auto: what plays that were taken back have shown of the opponent's rack."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pegray.cli import main
from tests.game.small_game import write_small_game

FIRST = str(Path(__file__).parents[2] / "jobs" / "first.cgp")


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_small_game()


SMALL = ["--distribution", "small.csv", "--lexicon", "few.txt"]


def test_solve_uses_them_and_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["solve", "game.gcg", *SMALL, "--address", "none", "--json", "--only", "pass", "--out", "run"]
    assert main([*arguments, "--known-rack", "auto"]) == 0
    captured = capsys.readouterr()
    document = json.loads(captured.out)
    assert "game-turn10: the opponent is known to hold ?T (from plays taken back)\n" in captured.err
    assert (document["known_rack"], document["total"], document["unseen"]) == ("?T", 6, "?AAEERTT")
    manifest = json.loads(Path("run", "manifest.json").read_text())
    assert manifest["job"]["options"]["known_rack"] == "auto"
    assert [position["known_rack"] for position in manifest["job"]["positions"]] == ["?T"]

    assert main(["show", "run", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["known_rack"] == "?T"
    assert main(["resume", "run"]) == 0
    assert "finished earlier" in capsys.readouterr().out
    assert main(["explain", "run", "--play", "pass", "--draw", "?"]) == 2
    assert "? cannot be in the bag so often" in capsys.readouterr().err


def test_explain_uses_them_and_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["explain", "game.gcg", *SMALL, "--play", "pass", "--draw"]
    assert main([*arguments, "?", "--known-rack", "auto"]) == 2
    said, error = capsys.readouterr().err.splitlines()
    assert said == "the opponent is known to hold ?T (from plays taken back)"
    assert error.startswith("pegray: error: --draw ?: ? cannot be in the bag so often")


def test_a_batch_reads_them_for_each_position() -> None:
    from pegray.runs.job import read_job

    Path("job.yaml").write_text(
        "name: n\nlexicon: few.txt\ndistribution: small.csv\npositions: [game.gcg]\noptions: {known_rack: auto}\n"
    )
    plan = read_job("job.yaml").plan
    assert {position.name: position.known_rack for position in plan.positions} == {
        "game-turn6": "",
        "game-turn9": "",
        "game-turn10": "?T",
    }


def test_a_cgp_tells_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["solve", FIRST], ["explain", FIRST, "--play", "pass", "--draw", "A"]):
        assert main([*arguments, "--known-rack", "auto"]) == 2
        captured = capsys.readouterr()
        message = "--known-rack auto: a CGP does not tell which plays were taken back, only a game (GCG) does\n"
        assert captured.err == f"pegray: error: {message}"


def test_python_has_them_from_a_position_of_a_game() -> None:
    import pegray
    from pegray.game.gcg import read_gcg
    from pegray.game.tiles import load_distribution

    position = read_gcg("game.gcg", load_distribution("small.csv")).position()
    result = pegray.solve(position, "few.txt", only=["pass"], known_rack="auto")
    assert (result.known_rack, result.total) == ("?T", 6)
    with pytest.raises(pegray.InputError, match="a CGP does not tell"):
        pegray.solve(pegray.Position.from_cgp(position.to_cgp(), position.distribution), "few.txt", known_rack="auto")
