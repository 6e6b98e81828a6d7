"""How a position has come along, as its run directory tells it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pegray.preendgame.effort import Effort
from pegray.preendgame.guess import Guess
from pegray.preendgame.ledger import Ledger, Progress
from pegray.preendgame.problem import Problem
from pegray.results.read import open_run
from pegray.results.write import RunWriter
from pegray.runs import progress_log
from pegray.runs.progress_log import ProgressLog
from pegray.terms import State
from tests.runs.test_milestones import solved

EFFORT = Effort(3, 24, 1e6, 0.5, Guess(1.0, 100.0))


@pytest.fixture
def progress(problem: Problem) -> Progress:
    """Of a solve on three machines that has just begun."""
    return replace(Ledger(problem).progress(), effort=EFFORT)


@pytest.fixture
def out(tmp_path: Path) -> RunWriter:
    """A run directory."""
    writer = RunWriter(tmp_path)
    writer.write_manifest({"state": "running"})
    return writer


def rows(out: RunWriter) -> list[dict[str, Any]]:
    stored: list[dict[str, Any]] = open_run(out.uri).progress(0).to_pylist()
    return stored


def test_a_row_at_once_and_one_when_the_state_changes(out: RunWriter, progress: Progress) -> None:
    log = ProgressLog(out, 0)
    for seconds in (1.0, 2.0, 3.0):
        log.note(progress, seconds)
    (first,) = rows(out)
    assert (first["machines"], first["threads"], first["nodes_per_second"]) == (3, 24, 1e6)
    assert (first["at_least"], first["at_most"], first["left_at_least"], first["left_at_most"]) == (0, 8, 1, 100)
    log.note(replace(progress, state=State.ANSWERED, effort=replace(EFFORT, left=None)), 4.0)
    assert [(row["seconds"], row["state"], row["left_at_most"]) for row in rows(out)] == [
        (1.0, "open", 100.0),
        (4.0, "answered", None),
    ]


def test_the_last_is_kept_and_the_next_session_goes_on(out: RunWriter, progress: Progress) -> None:
    for second in (0.0, 10.0):
        log = ProgressLog(out, 0)
        for more in (1.0, 2.0, 3.0):
            log.note(progress, second + more)
        log.close()
        log.close()
    assert [row["seconds"] for row in rows(out)] == [1.0, 3.0, 11.0, 13.0]


def test_a_long_solve_has_few_rows(out: RunWriter, progress: Progress, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress_log, "_WRITE_SECONDS", 0.0)
    monkeypatch.setattr(progress_log, "_MOST_ROWS", 8)
    log = ProgressLog(out, 0)
    for seconds in range(100):
        log.note(progress, float(seconds))
    kept = [row["seconds"] for row in rows(out)]
    assert len(kept) <= 8 and kept[0] == 0 and kept[-1] == 99


def test_progress_that_cannot_be_read_begins_anew(out: RunWriter, progress: Progress) -> None:
    (Path(out.path) / "progress" / "000000.parquet").write_bytes(b"no table")
    log = ProgressLog(out, 0)
    log.note(progress, 1.0)
    assert len(rows(out)) == 1


def test_a_solve_tells_how_it_came_along(problem: Problem, tmp_path: Path) -> None:
    solved(problem, tmp_path)
    last = open_run(tmp_path).progress().to_pylist()[-1]
    assert (last["state"], last["at_least"], last["at_most"], last["unfinished"]) == ("complete", 8, 8, 0)
    assert (last["machines"], last["threads"], last["units_in_flight"]) == (1, 1, 0)
    assert open_run(tmp_path).sql("select max(nodes) as nodes from progress").to_pylist()[0]["nodes"] == last["nodes"]
