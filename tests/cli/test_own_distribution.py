"""A run with a letter distribution of one's own, which no CGP line can name, is read as any other."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import pegray
from pegray.cli import main
from pegray.results.model import SolveResult
from pegray.results.read import open_run
from tests.game.small_game import write_small_game

SOLVED = ["--distribution", "small.csv", "--lexicon", "few.txt", "--address", "none", "--only", "pass", "--out", "run"]


@pytest.fixture(autouse=True)
def with_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_small_game()
    assert main(["solve", "game.gcg", *SOLVED]) == 0


def test_it_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["show", "run"]) == 0
    assert "lexicon few" in capsys.readouterr().out
    assert main(["report", "run", "-o", "run.html"]) == 0
    assert "pass" in Path("run.html").read_text(encoding="utf-8")
    assert main(["explain", "run", "--play", "pass", "--draw", "E", "--json"]) == 0


def test_its_result_knows_the_position() -> None:
    result = open_run("run").result(0)
    assert result.position.distribution.name == "small"
    assert result.position.to_cgp() == open_run("run").position(0).to_cgp()
    Path("prior.csv").write_text("rack,weight\nEERTT,1\n")
    assert result.distribution == str(Path("small.csv").resolve())
    again = SolveResult.from_json(json.loads(json.dumps(result.to_json())))
    assert again.position.distribution.size == result.position.distribution.size
    assert pegray.with_prior(again, "prior.csv").opponent_prior == "prior.csv"


def test_a_file_that_is_gone_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    Path("small.csv").unlink()
    capsys.readouterr()
    assert main(["show", "run"]) == 2
    assert "small.csv" in capsys.readouterr().err
