"""Whole solves without Ray: run directory, going on where a run was, stopping."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pegray.errors import PegrayError
from pegray.preendgame.executors import inprocess
from pegray.preendgame.executors.inprocess import InProcessExecutor
from pegray.preendgame.problem import Problem
from pegray.preendgame.work import Settled
from pegray.results.read import open_run
from pegray.results.write import RunWriter
from pegray.runs import driver, recorder, underway
from pegray.runs.journal import Journal
from tests.runs.long_work import LongWork

TABLE_GIB = 1 / 64


def solve(problem: Problem, **arguments: Any) -> Any:
    return driver.solve(problem, address="none", table_gib=TABLE_GIB, **arguments)


def document(result: Any) -> list[Any]:
    """What a result says, without what it cost."""
    return [
        (play.rank, play.move, play.status, play.points, play.spread)
        + tuple((outcome.draw, outcome.outcome) for outcome in play.outcomes)
        for play in result.plays
    ]


def finished(result: Any) -> list[Any]:
    """What it says of finished plays; which losses are found of the others is chance."""
    return [play for play in document(result) if play[0] is not None]


def state(out: RunWriter) -> str:
    manifest: dict[str, str] = json.loads(Path(out.path, "manifest.json").read_text())
    return manifest["state"]


def test_a_finished_run_can_be_read(problem: Problem, tmp_path: Path) -> None:
    out = RunWriter(str(tmp_path))
    progress: list[Any] = []
    result = solve(problem, out=out, on_progress=progress.append, name="first", source="jobs/first.cgp")
    assert not result.stats.interrupted
    assert (result.best.move, result.best.points) == ("13L ONYX", 7.5)
    assert progress[-1].left == 0
    assert state(out) == "finished"
    assert document(open_run(out.uri).result(0)) == document(result)


def test_what_the_journal_holds_is_not_worked_on_again(
    problem: Problem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = solve(problem, out=RunWriter(str(tmp_path)))
    monkeypatch.setattr(InProcessExecutor, "submit", lambda self, units: pytest.fail("worked on again"))
    again = solve(problem, out=RunWriter(str(tmp_path)))
    assert not again.stats.interrupted
    assert document(again) == document(first)


def test_a_run_cut_short_goes_on_to_the_same_result(problem: Problem, tmp_path: Path) -> None:
    whole = solve(problem, out=RunWriter(str(tmp_path / "whole")))
    kept = Journal(RunWriter(str(tmp_path / "whole")), problem.key).load()
    out = RunWriter(str(tmp_path / "rest"))
    journal = Journal(out, problem.key)
    journal.append(kept[::3])
    journal.close()
    assert finished(solve(problem, out=out)) == finished(whole)


def test_the_time_limit_leaves_what_is_settled(problem: Problem, tmp_path: Path) -> None:
    out = RunWriter(str(tmp_path))
    result = solve(problem, out=out, time_limit=0.0)
    assert result.stats.interrupted
    assert state(out) == "interrupted"
    assert {play.status for play in result.plays} >= {"unfinished"}


@pytest.mark.parametrize("by", ["time limit", "Ctrl-C"])
def test_a_long_kernel_is_stopped(problem: Problem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, by: str) -> None:
    monkeypatch.setattr(inprocess, "InProcessExecutor", LongWork)
    before = signal.getsignal(signal.SIGINT)
    out = RunWriter(str(tmp_path))
    started = time.monotonic()
    if by == "Ctrl-C":
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        result = solve(problem, out=out)
    else:
        result = solve(problem, out=out, time_limit=0.3)
    assert 0.3 <= time.monotonic() - started < 5
    assert result.stats.interrupted
    assert state(out) == "interrupted"
    assert signal.getsignal(signal.SIGINT) is before


def test_the_second_interrupt_does_not_wait(problem: Problem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deaf: list[LongWork] = []

    class Deaf(LongWork):
        def __init__(self, *arguments: Any) -> None:
            super().__init__()
            deaf.append(self)

        def publish_bound(self, losses: int) -> None:
            pass

    monkeypatch.setattr(inprocess, "InProcessExecutor", Deaf)
    monkeypatch.setattr(underway, "LAST_SECONDS", 0.1)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background process ignores it
    out = RunWriter(str(tmp_path))
    for seconds in (0.2, 0.6):
        threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT)).start()
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        solve(problem, out=out)
    assert time.monotonic() - started < 5
    assert state(out) == "interrupted"
    deaf[0].stopped.set()


def test_an_executor_that_fails_ends_the_run(problem: Problem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Failing(LongWork):
        def collect(self, timeout: float) -> list[Settled]:
            raise PegrayError("no node is left")

    monkeypatch.setattr(inprocess, "InProcessExecutor", Failing)
    out = RunWriter(str(tmp_path))
    with pytest.raises(PegrayError, match="no node is left"):
        solve(problem, out=out)
    assert state(out) == "interrupted"


def test_results_are_written_on_the_way(problem: Problem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorder, "_WRITE_SECONDS", 0.0)
    out = RunWriter(str(tmp_path))
    states: list[str] = []
    written: list[int] = []
    write_solve = out.write_solve

    def spy(position_id: int, result: Any) -> None:
        states.append(state(out))
        write_solve(position_id, result)
        written.append(sum(play.status == "finished" for play in open_run(out.uri).result(0).plays))

    monkeypatch.setattr(out, "write_solve", spy)
    result = solve(replace(problem), out=out)
    assert states[0] == "running"
    assert written[0] == 0
    assert written[-1] == sum(play.status == "finished" for play in result.plays)
