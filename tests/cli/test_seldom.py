"""What users seldom run into: each is one line that says what is wrong, and nothing is lost."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pegray.cli import main
from pegray.results.read import open_run
from pegray.results.write import RunWriter
from pegray.terms import RunState

ROOT = Path(__file__).parents[2]
FIRST = str(ROOT / "jobs" / "first.cgp")
STORED = ROOT / "tests" / "data" / "schema1"


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def said(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 2) -> str:
    """The one line of an error."""
    capsys.readouterr()
    assert main(list(arguments)) == code
    captured = capsys.readouterr()
    assert captured.err.splitlines()[-1].startswith("pegray: error: ")
    assert "Traceback" not in captured.err
    return captured.err.splitlines()[-1]


@pytest.mark.parametrize("command", [["solve", FIRST], ["game", str(ROOT / "jobs" / "games" / "close.gcg")]])
def test_a_table_that_is_larger_than_the_memory(capsys: pytest.CaptureFixture[str], command: list[str]) -> None:
    for size in ("1000000", "1e30"):
        assert "GiB" in said(capsys, *command, "--address", "none", "--table-gib", size)
    assert not Path("runs").exists()


def test_the_same_in_a_job(capsys: pytest.CaptureFixture[str]) -> None:
    Path("job.yaml").write_text(f"name: a\npositions: [{FIRST}]\ncluster: {{address: none, table_gib: 1000000}}\n")
    assert "job.yaml: cluster: table_gib" in said(capsys, "batch", "job.yaml")


def test_a_lexicon_of_a_game_that_is_none(capsys: pytest.CaptureFixture[str]) -> None:
    game = str(ROOT / "jobs" / "games" / "close.gcg")
    assert "unknown lexicon 'NOPE'" in said(capsys, "game", game, "--lexicon", "NOPE", "--address", "none")
    assert not Path("runs").exists()


def test_outputs_of_a_game_are_checked_first(capsys: pytest.CaptureFixture[str]) -> None:
    game = str(ROOT / "jobs" / "games" / "close.gcg")
    assert "--gcg none/a.gcg: there is no folder" in said(capsys, "game", game, "--gcg", "none/a.gcg")
    assert not Path("runs").exists()


@pytest.mark.parametrize("command", [["report", str(STORED)], ["query", str(STORED), "select 1"]])
def test_an_output_that_cannot_be_written(capsys: pytest.CaptureFixture[str], command: list[str]) -> None:
    expected = "none/rows.csv: cannot be written: No such file or directory"
    assert expected in said(capsys, *command, "-o", "none/rows.csv")


def test_a_key_that_is_a_list(capsys: pytest.CaptureFixture[str]) -> None:
    Path("job.yaml").write_text(f"name: a\npositions: [{FIRST}]\n? [1, 2]\n: 3\n")
    assert "job.yaml:3: a key that is no plain text" in said(capsys, "batch", "job.yaml")


@pytest.mark.parametrize("lost", ["positions.parquet", "plays/000000.parquet"])
def test_a_file_of_a_run_that_is_gone(capsys: pytest.CaptureFixture[str], lost: str) -> None:
    job = f"name: a\npositions: [{FIRST}]\noptions: {{only: [pass]}}\ncluster: {{address: none}}\nout: run\n"
    Path("job.yaml").write_text(job)
    assert main(["batch", "job.yaml"]) == 0
    Path("run", lost).unlink()
    for command in ("show", "resume"):
        assert f"{lost} is missing" in said(capsys, command, "run")


def test_a_link_is_written_through() -> None:
    Path("link.csv").symlink_to("real.csv")
    assert main(["query", str(STORED), "from plays", "-o", "link.csv"]) == 0
    assert Path("link.csv").is_symlink() and Path("real.csv").read_text().startswith("position_id,move,")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
def test_a_full_disk() -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    for arguments in (["lexicon", "check", "QI"], ["query", str(STORED), "from plays", "--format", "csv"]):
        with open("/dev/full", "w") as full:
            command = [sys.executable, "-m", "pegray", *arguments]
            ended = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, env=environment, text=True)
        assert ended.returncode == 1
        assert ended.stderr == "pegray: error: output: No space left on device\n"


def test_a_run_whose_process_was_killed_is_not_running() -> None:
    out = RunWriter("run")
    out.claim()
    out.write_manifest({"state": "running"})
    assert open_run("run").state == RunState.RUNNING
    out.release()
    assert open_run("run").state == RunState.INTERRUPTED


def test_places_that_cannot_be(capsys: pytest.CaptureFixture[str]) -> None:
    assert "localhost:99999" in said(capsys, "solve", FIRST, "--address", "localhost:99999")
    assert "s3://: expected a path" in said(capsys, "solve", FIRST, "--address", "none", "--out", "s3://")
    Path("file").touch()
    assert "--runs file: not a folder" in said(capsys, "serve", "--runs", "file")
