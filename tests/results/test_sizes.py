"""Runs of every size and state, and directories that are none: each command shows them, or says in one line why not."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from pegray.cli import main
from pegray.results.model import SolveResult
from pegray.results.write import RunWriter

CGP = (Path(__file__).parents[2] / "jobs" / "first.cgp").read_text(encoding="utf-8").splitlines()[-1]
ROW = {"cgp": CGP, "lexicon": "ENABLE", "bag": 1, "unseen": "AACEISUY", "total": 8, "source": "f:1"}
VIEWS = ("best_plays", "hardest_positions", "losing_draws", "positions", "plays", "outcomes")


@pytest.fixture
def shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., dict[str, str]]:
    """Run every command that reads the run ``run`` of this folder; what each prints, the report by its text."""
    monkeypatch.chdir(tmp_path)

    def show(*views: str) -> dict[str, str]:
        texts = {}
        for command in ("show", "status", *(f"query {view}" for view in views or VIEWS)):
            name, _, view = command.partition(" ")
            assert main([name, "run", *([f"from {view}"] if view else [])]) == 0, command
            texts[command] = capsys.readouterr().out
            assert all(len(line) <= 100 for line in texts[command].splitlines()), command
        assert main(["report", "run", "-o", "report.html"]) == 0
        capsys.readouterr()
        return {**texts, "report": Path("report.html").read_text(encoding="utf-8")}

    return show


def test_a_run_without_positions(tmp_path: Path, shown: Callable[..., dict[str, str]]) -> None:
    RunWriter(tmp_path / "run").write_manifest({"state": "running"})
    texts = shown()
    assert texts["show"] == "No positions yet.\n"
    assert "0 positions" in texts["report"]


def test_a_run_without_a_finished_play(
    tmp_path: Path, result: SolveResult, shown: Callable[..., dict[str, str]]
) -> None:
    """Two positions: one has begun, one has not."""
    out = RunWriter(tmp_path / "run")
    for name in ("begun", "later"):
        out.add_position({**ROW, "name": name})
    out.write_solve(0, replace(result, cgp=CGP, plays=result.plays[1:]))
    out.write_manifest({"state": "interrupted"})
    texts = shown()
    assert "<=6" in texts["show"] and "Stopped before the end" in texts["show"]
    assert texts["show"].count("Nothing is settled yet.") == texts["report"].count("Nothing is settled yet.") == 1
    assert "M4 SAUCY" in texts["query losing_draws"]


def test_a_run_of_one_position(tmp_path: Path, result: SolveResult, shown: Callable[..., dict[str, str]]) -> None:
    out = RunWriter(tmp_path / "run")
    out.write_solve(out.add_position({**ROW, "name": "alone"}), replace(result, cgp=CGP))
    out.write_manifest({"state": "finished", "stats": {"0": asdict(result.stats)}})
    texts = shown()
    assert "alone (f:1)" in texts["show"] and "1.50 s" in texts["show"]
    assert "13L ONYX" in texts["query best_plays"]


@pytest.mark.slow
def test_a_run_of_a_thousand_positions(
    tmp_path: Path, result: SolveResult, shown: Callable[..., dict[str, str]], capsys: pytest.CaptureFixture[str]
) -> None:
    out = RunWriter(tmp_path / "run")
    out.announce([{**ROW, "name": f"game{number:04d}"} for number in range(1000)])
    for number in range(1000):
        out.write_solve(number, replace(result, cgp=CGP))
    out.write_manifest({"state": "finished"})
    texts = shown("hardest_positions")
    overview = texts["show"].splitlines()
    assert "1000 positions" in overview[-1] and "--position K" in overview[-1]
    assert len(overview) < 1010
    assert texts["status"].count("13L ONYX 7.5 of 8") == 1000
    assert texts["report"].count("<section") == texts["report"].count('class="best"') == 1000
    assert main(["show", "run", "--position", "1000"]) == 0
    assert "13L ONYX: 7 won, 1 tied, 0 lost" in capsys.readouterr().out
    assert main(["query", "run", "select count(*) as n, sum(points) as points from best_plays", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == [{"n": 1000, "points": 7500}]


COMMANDS = (
    ["show", "run"],
    ["show", "run", "--json"],
    ["status", "run"],
    ["query", "run", "from plays"],
    ["report", "run", "-o", "report.html"],
)
DAMAGE = {
    "plays/000000.parquet": "plays/000000.parquet is missing or corrupted",
    "outcomes/000000.parquet": "outcomes/000000.parquet is missing or corrupted",
    "positions.parquet": "positions.parquet is missing or corrupted",
    "manifest.json": "manifest.json is corrupted",
}


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, result: SolveResult) -> Path:
    monkeypatch.chdir(tmp_path)
    out = RunWriter(tmp_path / "run")
    out.write_solve(out.add_position({**ROW, "name": "alone"}), replace(result, cgp=CGP))
    out.write_manifest({"state": "finished", "positions": 1})
    return tmp_path / "run"


def refused(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The command fails with exit code 2, one line on stderr, nothing on stdout, and no report."""
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("pegray: error: ") and captured.err.count("\n") == 1
    assert message in captured.err
    assert not Path("report.html").exists()


@pytest.mark.parametrize("arguments", COMMANDS)
@pytest.mark.parametrize("name", DAMAGE)
def test_a_damaged_file(arguments: list[str], name: str, run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    content = (run / name).read_bytes()
    (run / name).write_bytes(content[: len(content) // 2])
    if arguments[0] == "status" and name.startswith("outcomes"):
        assert main(arguments) == 0, "the outcomes are not looked at"
    elif arguments[0] == "query" and name in ("outcomes/000000.parquet", "positions.parquet"):
        assert main(arguments) == 0, "only what is asked is looked at"
    else:
        refused(arguments, DAMAGE[name], capsys)


@pytest.mark.parametrize("arguments", COMMANDS)
def test_what_is_no_run(arguments: list[str], run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (run / "manifest.json").unlink()
    refused(arguments, "run: not a run directory (no manifest.json)", capsys)
    elsewhere = [".." if argument == "run" else argument for argument in arguments]
    refused(elsewhere, "..: not a run directory (no manifest.json)", capsys)
    (run / "manifest.json").write_text('{"name": "a package of another program"}')
    refused(arguments, "run: run of schema version None", capsys)


def test_a_missing_file_of_positions(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (run / "positions.parquet").unlink()
    refused(["show", "run"], "positions.parquet is missing or corrupted", capsys)
