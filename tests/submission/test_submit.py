"""Batches as jobs of a real head."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pegray.cli import main
from tests.cluster.head import Head, free_ports, running_head

ROOT = Path(__file__).parents[2]
CGP = (ROOT / "jobs" / "first.cgp").read_text().splitlines()[-1]


@pytest.mark.parametrize("command", [["submit", "job.yaml"], ["status", "x"], ["logs", "x"], ["stop", "x"]])
def test_a_head_that_is_not_there_is_said_in_one_line(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    address = f"http://127.0.0.1:{free_ports(1)[0]}"
    assert main([*command, "--address", address]) == 1
    assert capsys.readouterr().err == (
        f"pegray: error: --address {address}: no Ray head answers there ([Errno 111] Connection refused)\n"
    )


def test_an_address_that_is_none(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stop", "x", "--address", "head:8265"]) == 2
    assert "expected the head's dashboard" in capsys.readouterr().err


@pytest.fixture(scope="module")
def head() -> Iterator[Head]:
    with running_head() as running:
        yield running


def write_job(folder: Path, options: str) -> tuple[Path, Path]:
    """A job file of one position, and its run directory."""
    (folder / "first.cgp").write_text(f"{CGP}\n")
    out = folder / "run"
    job = folder / "job.yaml"
    job.write_text(f"name: n\npositions: [first.cgp]\noptions: {options}\ncluster: {{table_gib: 0.02}}\nout: {out}\n")
    return job, out


@pytest.mark.ray
@pytest.mark.slow
def test_a_batch_as_a_job(head: Head, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    job, out = write_job(tmp_path, "{only: [13L ONYX]}")
    assert main(["submit", str(job), "--address", head.dashboard]) == 0
    job_id = capsys.readouterr().out.strip()
    assert main(["logs", job_id, "--address", head.dashboard, "--follow"]) == 0
    assert "13L ONYX" in capsys.readouterr().out
    assert main(["logs", job_id, "--address", head.dashboard]) == 0
    assert "13L ONYX" in capsys.readouterr().out
    assert main(["status", job_id, "--address", head.dashboard, "--json"]) == 0
    state = json.loads(capsys.readouterr().out)
    assert (state["status"], state["name"], state["out"]) == ("SUCCEEDED", "n", str(out))
    assert main(["status", str(out), "--json"]) == 0
    run = json.loads(capsys.readouterr().out)
    assert (run["state"], run["positions"][0]["points"]) == ("finished", 7.5)
    assert main(["stop", job_id, "--address", head.dashboard]) == 0
    assert "had ended already" in capsys.readouterr().err


@pytest.mark.ray
@pytest.mark.slow
def test_a_job_that_is_stopped_writes_what_it_has(
    head: Head, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    job, out = write_job(tmp_path, "{early_cutoff: false, top: 600}")
    assert main(["submit", str(job), "--address", head.dashboard, "--json"]) == 0
    job_id = json.loads(capsys.readouterr().out)["id"]
    until = time.monotonic() + 120
    while not list((out / "journal").glob("*.parquet")) and time.monotonic() < until:
        time.sleep(0.2)
    assert main(["stop", job_id, "--address", head.dashboard]) == 0
    assert "told to stop" in capsys.readouterr().err
    assert main(["logs", job_id, "--address", head.dashboard, "--follow"]) == 1
    assert f"go on with: pegray resume {out}" in capsys.readouterr().out
    assert json.loads((out / "manifest.json").read_text())["state"] == "interrupted"


@pytest.mark.ray
@pytest.mark.slow
def test_a_job_that_nobody_knows(head: Head, capsys: pytest.CaptureFixture[str]) -> None:
    for command in (["status", "x"], ["logs", "x"], ["logs", "x", "--follow"], ["stop", "x"]):
        assert main([*command, "--address", head.dashboard]) == 2
        assert capsys.readouterr().err == f"pegray: error: x: no such job at {head.dashboard}\n"


@pytest.mark.ray
@pytest.mark.slow
def test_a_bad_job_is_not_sent(head: Head, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    job = tmp_path / "job.yaml"
    job.write_text("name: n\npositions: [none.cgp]\nout: /tmp/r\n")
    assert main(["submit", str(job), "--address", head.dashboard]) == 2
    assert "none.cgp: no such file" in capsys.readouterr().err
