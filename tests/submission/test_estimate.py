"""What a job is likely to cost, before it is sent."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pegray.cli import main

ROOT = Path(__file__).parents[2]


def write_job(folder: Path, more: str = "") -> str:
    (folder / "first.cgp").write_text((ROOT / "jobs" / "first.cgp").read_text())
    job = folder / "job.yaml"
    job.write_text(f"name: n\npositions: [first.cgp]\n{more}")
    return str(job)


def test_core_hours_and_time(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["submit", write_job(tmp_path, "cluster: {cpus: 8}\nlimits: {total: 30s}\n"), "--estimate"]) == 0
    said = capsys.readouterr()
    assert "1 position to solve" in said.err
    assert "In all 0.000056 to 0.067 core-hours." in said.out
    assert "On 8 CPUs 0.03 s to 30 s, limits of the job included." in said.out


def test_without_a_cluster_no_time_is_given(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    job = write_job(tmp_path)
    assert main(["submit", job, "--estimate", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["cpus"], document["seconds"], document["faults"]) == (None, None, [])
    (position,) = document["positions"]
    assert position["bag"] == 1 and position["cpu_seconds"] == document["cpu_seconds"]
    assert main(["submit", job, "--estimate"]) == 0
    assert "How long that takes: name the cluster" in capsys.readouterr().out


def test_what_was_not_measured_is_unknown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["submit", write_job(tmp_path, "options: {opponent: rational}\n"), "--estimate"]) == 0
    said = capsys.readouterr().out
    assert "unknown" in said and "Nothing can be said" in said


def test_to_send_it_an_address_is_needed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["submit", write_job(tmp_path)]) == 2
    assert capsys.readouterr().err == "pegray: error: --address http://HEAD:8265: needed to send the job\n"
