"""The commands about jobs on a cluster, with a stand-in for Ray's client: what they print, and Ray's errors as ours."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pegray.cli import main
from pegray.submission import client
from tests.submission.test_submit import write_job

ADDRESS = ["--address", "http://head:8265"]
PAGE = "Request failed with status code 404: no job\n  <html>"


class FakeClient:
    """A head with one job, ``j``."""

    def __init__(self, status: str = "RUNNING") -> None:
        self.status = status
        self.submitted: dict[str, Any] = {}
        self.error: Exception | None = None

    def _look_up(self, job_id: str) -> None:
        if self.error is not None:
            raise self.error
        if job_id != "j":
            raise RuntimeError(PAGE)

    def submit_job(self, **job: Any) -> str:
        self._look_up("j")
        folder = Path(job["runtime_env"]["working_dir"])
        self.submitted = {**job, "files": sorted(path.name for path in folder.iterdir())}
        return "j"

    def get_job_info(self, job_id: str) -> SimpleNamespace:
        self._look_up(job_id)
        metadata = {"name": "overnight", "out": "s3://bucket/run"}
        return SimpleNamespace(
            status=self.status, message="all\nwell", metadata=metadata, start_time=5_000, end_time=65_000
        )

    def get_job_logs(self, job_id: str) -> str:
        self._look_up(job_id)
        return "first\nsecond\n"

    async def tail_job_logs(self, job_id: str) -> AsyncIterator[str]:
        for piece in ("first\n", "second\n"):
            yield piece

    def stop_job(self, job_id: str) -> bool:
        self._look_up(job_id)
        return self.status == "RUNNING"


@pytest.fixture
def head(monkeypatch: pytest.MonkeyPatch) -> FakeClient:
    fake = FakeClient()
    monkeypatch.setattr(client, "_reach", lambda address: None)
    monkeypatch.setattr(client, "_client", lambda address: fake)
    return fake


def test_status(head: FakeClient, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["status", "j", *ADDRESS]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "j: RUNNING (overnight)",
        "time: 60 s",
        "results: s3://bucket/run",
        "all well",
    ]
    assert main(["status", "j", *ADDRESS, "--json"]) == 0
    state = json.loads(capsys.readouterr().out)
    assert (state["job_id"], state["started"], state["ended"]) == ("j", 5.0, 65.0)


def test_logs(head: FakeClient, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["logs", "j", *ADDRESS]) == 0
    assert capsys.readouterr().out == "first\nsecond\n"
    head.status = "FAILED"
    assert main(["logs", "j", *ADDRESS, "--follow"]) == 1
    assert capsys.readouterr().out == "first\nsecond\n"
    head.status = "SUCCEEDED"
    assert main(["logs", "j", *ADDRESS, "--follow"]) == 0


def test_stop(head: FakeClient, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stop", "j", *ADDRESS]) == 0
    assert "told to stop; submit the same job again to go on with it" in capsys.readouterr().err
    head.status = "STOPPED"
    assert main(["stop", "j", *ADDRESS]) == 0
    assert capsys.readouterr().err == "j: had ended already\n"


def test_submit(head: FakeClient, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    job, out = write_job(tmp_path, "{only: [13L ONYX]}")
    assert main(["submit", str(job), *ADDRESS]) == 0
    said = capsys.readouterr()
    assert said.out == "j\n"
    assert said.err.splitlines()[0] == f"1 position to solve, results in {out}"
    assert "pegray logs j --address http://head:8265 --follow" in said.err
    assert head.submitted["entrypoint"] == "exec pegray batch job.yaml"
    assert head.submitted["files"] == ["job.yaml", "lexica", "positions"]
    assert head.submitted["metadata"]["out"] == str(out)
    assert main(["submit", str(job), *ADDRESS, "--json", "--out", "s3://bucket/x"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "id": "j",
        "address": "http://head:8265",
        "out": "s3://bucket/x",
        "positions": 1,
    }


@pytest.mark.parametrize("command", ["status", "logs", "stop"])
def test_a_job_that_the_cluster_does_not_know(
    command: str, head: FakeClient, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, "x", *ADDRESS]) == 2
    assert capsys.readouterr().err == "pegray: error: x: no such job at http://head:8265\n"


@pytest.mark.parametrize(
    ("error", "message"),
    [(RuntimeError("\n  the head is gone  \nTraceback"), "the head is gone"), (ValueError(), "ValueError")],
)
def test_errors_of_ray_are_one_line(
    error: Exception, message: str, head: FakeClient, capsys: pytest.CaptureFixture[str]
) -> None:
    head.error = error
    assert main(["stop", "j", *ADDRESS]) == 1
    assert capsys.readouterr().err == f"pegray: error: --address http://head:8265: {message}\n"


def test_without_the_dashboard_client(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(client, "_reach", lambda address: None)
    monkeypatch.setitem(sys.modules, "aiohttp", None)
    assert main(["stop", "j", *ADDRESS]) == 2
    assert capsys.readouterr().err.endswith(
        "jobs on a cluster need Ray's dashboard client: pip install 'ray[default]'\n"
    )
