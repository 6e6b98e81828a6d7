"""When a position was answered and complete: in the run directory at once, and counted on by the next session."""

from __future__ import annotations

import json
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pegray.preendgame.ledger import Ledger
from pegray.preendgame.problem import Problem
from pegray.results.model import SolveResult
from pegray.results.read import open_run
from pegray.results.write import RunWriter
from pegray.runs.driver import Solving
from pegray.runs.recorder import Recorder, has_finished
from tests.preendgame.test_session import FakeExecutor


class Settling(FakeExecutor):
    """Wins everything; after ``enough`` items nothing comes any more."""

    def __init__(self, problem: Problem, enough: int | None = None) -> None:
        super().__init__(Ledger(problem))
        self._enough = enough

    def collect(self, timeout: float) -> list[Any]:
        if self._enough == 0:
            self._stuck = True
        results = super().collect(timeout)
        if self._enough is not None and not self._stuck:
            self._enough -= len(results)
        return results


def solved(problem: Problem, folder: Path, until: str = "spread", enough: int | None = None) -> SolveResult:
    """A session on a run directory; one that gets stuck ends after half a second."""
    problem = replace(problem, options=replace(problem.options, until=until))
    out = RunWriter(folder)
    recorder = Recorder(problem, out, "first", "first.cgp:1", None)
    limit = None if enough is None else 0.5
    executor = Settling(problem, enough)
    return Solving(problem, executor, recorder, threading.Event(), time.monotonic(), limit, None).wait()


def row(folder: Path) -> dict[str, Any]:
    (only,) = open_run(folder).positions().to_pylist()
    return only


def test_a_session_until_the_answer_and_one_to_the_end(problem: Problem, tmp_path: Path) -> None:
    first = solved(problem, tmp_path, until="answer")
    assert (first.state, first.stats.interrupted) == ("answered", False)
    assert first.best is not None and first.best.points == 8
    answered = first.answered_seconds
    assert answered is not None and 0 < answered <= first.stats.seconds
    assert row(tmp_path)["state"] == "answered" and row(tmp_path)["answered_seconds"] == answered
    out = RunWriter(tmp_path)
    assert has_finished(out, 0, "answer") and not has_finished(out, 0, "level")

    second = solved(problem, tmp_path)
    assert (second.state, second.answered_seconds) == ("complete", answered)
    assert second.stats.earlier_seconds == first.stats.seconds
    assert second.complete_seconds is not None and second.complete_seconds > first.stats.seconds
    assert open_run(tmp_path).result(0) == second
    assert has_finished(RunWriter(tmp_path), 0, "spread")


def test_a_state_is_written_when_it_is_reached(
    problem: Problem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not only with the tables, which are written every few seconds."""
    states: list[str] = []
    write = RunWriter.write_solve

    def noted(self: RunWriter, position_id: int, result: SolveResult) -> None:
        write(self, position_id, result)
        states.append(row(tmp_path)["state"])
        assert (states[-1] == "open") == (result.best is None)

    monkeypatch.setattr(RunWriter, "write_solve", noted)
    solved(problem, tmp_path)
    assert sorted(set(states), key=states.index) == ["open", "answered", "complete"]
    assert len(states) <= 4  # at the start, at each state, at the end


def test_a_session_that_was_killed_leaves_its_time(problem: Problem, tmp_path: Path) -> None:
    stopped = solved(problem, tmp_path, enough=3)
    assert (stopped.state, stopped.best, stopped.answered_seconds) == ("open", None, None)
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    assert manifest["stats"]["0"]["interrupted"] and manifest["stats"]["0"]["seconds"] >= 0.5
    after = solved(problem, tmp_path)
    assert after.answered_seconds is not None and after.answered_seconds > 0.5


def test_an_answer_whose_journal_is_lost_is_open_again(problem: Problem, tmp_path: Path) -> None:
    solved(problem, tmp_path, until="answer")
    for part in (tmp_path / "journal").iterdir():
        part.unlink()
    again = solved(problem, tmp_path, enough=1)
    assert (again.state, again.answered_seconds, row(tmp_path)["state"]) == ("open", None, "open")
