"""Where the rules allow exchanging late, a pre-endgame is refused, or solved as if nobody could, and that is said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pegray.cli import main
from pegray.runs.job_file import parse_job

# A distribution that has the name of one with such rules, of few tiles: two of them in the bag.
TILES = "?,0,0,0\nA,6,1,1\nS,5,1,0\nT,7,2,0\n"
CGP = "/".join(["15"] * 7 + ["7AT6"] + ["15"] * 7) + " AASSTTT/ 0/0 0"
SAID = "as if nobody could exchange"
REFUSED = (
    "pegray: error: --no-exchange: needed here, to solve as if nobody could exchange: "
    "spanish rules allow it while 1 tile is in the bag, and exchanges are not solved\n"
)


@pytest.fixture
def question(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The position, and the options that say which tiles and words there are."""
    monkeypatch.chdir(tmp_path)
    Path("spanish.csv").write_text(TILES, encoding="utf-8")
    Path("words.txt").write_text("AT\nSAT\n", encoding="utf-8")
    return [CGP, "--distribution", "spanish.csv", "--lexicon", "words.txt"]


def output(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert main(arguments) == 0
    return capsys.readouterr().out


def test_it_is_refused(question: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    for command in (["solve"], ["explain", "--play", "pass", "--draw", "AT"]):
        assert main([command[0], *question, *command[1:]]) == 2
        assert capsys.readouterr().err == REFUSED


def test_every_output_says_so(question: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    solve = ["solve", *question, "--no-exchange", "--address", "none"]
    assert SAID in output([*solve, "--out", "run"], capsys)
    assert json.loads(output([*solve, "--json"], capsys))["no_exchange"] is True
    assert json.loads(Path("run", "manifest.json").read_text(encoding="utf-8"))["options"]["no_exchange"] is True

    assert SAID in output(["show", "run"], capsys)
    assert json.loads(output(["show", "run", "--json"], capsys))["no_exchange"] is True
    assert SAID in output(["status", "run"], capsys)
    assert json.loads(output(["status", "run", "--json"], capsys))["no_exchange"] is True
    output(["report", "run", "-o", "report.html"], capsys)
    assert SAID in Path("report.html").read_text(encoding="utf-8")

    asked = ["--play", "pass", "--draw", "AT"]
    assert SAID in output(["explain", *question, *asked, "--no-exchange"], capsys)
    assert json.loads(output(["explain", *question, *asked, "--no-exchange", "--json"], capsys))["no_exchange"] is True


def test_a_job_asks_for_it(tmp_path: Path) -> None:
    job = tmp_path / "job.yaml"
    job.write_text("name: job\npositions: [a.cgp]\noptions: {no_exchange: true}\n", encoding="utf-8")
    assert parse_job(job).options.no_exchange is True
