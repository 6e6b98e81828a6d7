"""Batches: many positions in one run directory, stopped, killed and taken up."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pegray.cli import main
from pegray.errors import PegrayError, RunError
from pegray.preendgame.executors.inprocess import InProcessExecutor
from pegray.preendgame.work import Unit
from pegray.results.model import SolveResult
from pegray.results.read import Run, open_run
from pegray.results.write import RunWriter
from pegray.runs import driver
from pegray.runs.directories import take_up
from pegray.runs.recorder import Recorder

ROOT = Path(__file__).parents[2]
CGP = (ROOT / "jobs" / "first.cgp").read_text().splitlines()[-1]
SECOND_SPREAD = 340 - 378
PLAYS = '["13L ONYX", 13J EXON, N1 XYST]'
# The journal is written at every chance, so that a process that lives for a moment leaves something.
PROGRAM = (
    "import sys; from pegray.runs import journal; journal._FLUSH_SECONDS = 0.0;"
    "from pegray.cli import main; sys.exit(main(sys.argv[1:]))"
)


@pytest.fixture
def job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Writes job files of three quick positions: the same board with three scores."""
    monkeypatch.chdir(tmp_path)
    lines = [CGP.replace("356/378", scores) for scores in ("356/378", "340/378", "360/370")]
    (tmp_path / "a.cgp").write_text("\n".join(lines) + "\n")

    def write(extra: str = "", only: str = PLAYS) -> str:
        options = f"options: {{only: {only}, early_cutoff: false}}"
        cluster = "cluster: {address: none, table_gib: 0.01}"
        Path("job.yaml").write_text(f"name: n\npositions: [a.cgp]\n{options}\n{cluster}\nout: run\n{extra}")
        return "job.yaml"

    return write


def said(result: SolveResult) -> list[Any]:
    """What a result says, without what it cost."""
    return [
        (play.rank, play.move, play.status, play.points, play.spread, play.proven)
        + tuple((outcome.draw, outcome.weight, outcome.outcome, outcome.spread) for outcome in play.outcomes)
        for play in result.plays
    ]


def all_said(run: Run) -> list[list[Any]]:
    return [said(run.result(row["position_id"])) for row in run.positions().to_pylist()]


def no_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(InProcessExecutor, "submit", lambda self, units: pytest.fail("worked on again"))


def test_a_batch_then_the_same_again(
    job: Callable[..., str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["batch", job()]) == 0
    captured = capsys.readouterr()
    assert "[2/3] a-2: finished, " in captured.err
    assert "3 positions: 3 finished, 0 left" in captured.out
    run = open_run("run")
    assert run.manifest["state"] == "finished"
    assert run.positions()["name"].to_pylist() == ["a-1", "a-2", "a-3"]
    before = all_said(run)
    assert all(play[2] == "finished" for plays in before for play in plays)

    no_work(monkeypatch)
    for again in (["batch", "job.yaml"], ["resume", "run"]):
        assert main([*again, "--json"]) == 0
        documents = json.loads(capsys.readouterr().out)
        assert [said(SolveResult.from_json(document)) for document in documents] == before
    # all positions must be in its plays and outcomes once
    assert run.sql("select count(*) as n, count(distinct (position_id, move)) as m from plays").to_pylist() == [
        {"n": 9, "m": 9}
    ]


def test_a_bad_position_is_told_and_the_rest_is_solved(
    job: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    path = job("", only="['13L ONYX']")
    lines = Path("a.cgp").read_text().splitlines()
    Path("a.cgp").write_text("\n".join([lines[0], "nonsense", lines[1]]) + "\n")
    assert main(["batch", path]) == 1
    captured = capsys.readouterr()
    assert "left out: a.cgp:2: CGP: " in captured.err
    assert "2 positions: 2 finished, 0 left; 1 more left out as bad" in captured.out
    before = all_said(open_run("run"))

    # put right, it is added to the run
    Path("a.cgp").write_text("\n".join(lines) + "\n")
    Path("b.cgp").write_text(lines[2])
    Path("a.cgp").write_text("\n".join([lines[0], lines[2], lines[1]]) + "\n")
    assert main(["batch", path]) == 0
    assert "[3/3] a-2: finished" in capsys.readouterr().err
    assert all_said(open_run("run"))[:2] == before


def test_another_job_does_not_go_into_a_run(job: Callable[..., str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["batch", job("limits: {total: 1s, per_position: 0.001s}")]) == 1
    manifest = Path("run/manifest.json").read_bytes()
    assert main(["batch", job("", only="['13L ONYX']")]) == 2
    assert "holds the run of another job" in capsys.readouterr().err
    assert Path("run/manifest.json").read_bytes() == manifest


def test_time_limits_stop_cleanly_and_resume_goes_on(
    job: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["batch", job("limits: {per_position: 0.001s}"), "--json"]) == 1
    captured = capsys.readouterr()
    assert "[3/3] a-3: out of time" in captured.err
    assert "go on with: pegray resume run" in captured.err
    assert open_run("run").manifest["state"] == "interrupted"
    assert main(["resume", "run", "--time-limit", "5m"]) == 0
    assert open_run("run").manifest["state"] == "finished"


def test_the_total_limit_leaves_positions_for_later(
    job: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["batch", job("limits: {total: 0.001s}")]) == 1
    assert "not started" in capsys.readouterr().out
    assert open_run("run").positions().num_rows == 3
    assert main(["batch", job("limits: {total: 5m}")]) == 0


def test_what_has_had_its_time_comes_after_what_is_new(
    job: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    path = job("limits: {per_position: 0.001s}")
    lines = Path("a.cgp").read_text().splitlines()
    Path("a.cgp").write_text("\n".join(lines[:2]) + "\n")
    assert main(["batch", path]) == 1
    Path("a.cgp").write_text("\n".join(lines) + "\n")
    assert main(["batch", path]) == 1
    ended = [line.split(":")[0] for line in capsys.readouterr().err.splitlines() if line.startswith("[")]
    assert ended == ["[1/2] a-1", "[2/2] a-2", "[3/3] a-3", "[1/3] a-1", "[2/3] a-2"]


def test_a_position_that_fails_does_not_stop_the_others(
    job: Callable[..., str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    submit = InProcessExecutor.submit

    def fails(self: InProcessExecutor, units: list[Unit]) -> None:
        if self.problem.position.spread == SECOND_SPREAD:
            raise PegrayError("verdict-0-0: 5 solvers died at it")
        submit(self, units)

    monkeypatch.setattr(InProcessExecutor, "submit", fails)
    assert main(["batch", job()]) == 1
    captured = capsys.readouterr()
    assert "[2/3] a-2: failed: verdict-0-0: 5 solvers died at it" in captured.err
    assert "3 positions: 2 finished, 1 left" in captured.out
    monkeypatch.setattr(InProcessExecutor, "submit", submit)
    assert main(["resume", "run"]) == 0


def test_a_full_disk_ends_the_run_with_its_state_kept(
    job: Callable[..., str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(self: RunWriter, position_id: int, result: SolveResult) -> None:
        raise RunError("run/plays/000000.parquet: cannot be written: No space left on device")

    monkeypatch.setattr(RunWriter, "write_solve", full)
    assert main(["batch", job()]) == 1
    assert capsys.readouterr().err.endswith("cannot be written: No space left on device\n")
    assert open_run("run").manifest["state"] == "interrupted"


def test_interrupted(job: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    submit = InProcessExecutor.submit

    def interrupted(self: InProcessExecutor, units: list[Unit]) -> None:
        if self.problem.position.spread == SECOND_SPREAD:
            os.kill(os.getpid(), signal.SIGINT)
        submit(self, units)

    monkeypatch.setattr(InProcessExecutor, "submit", interrupted)
    assert main(["batch", job()]) == 130
    assert open_run("run").manifest["state"] == "interrupted"
    assert set(open_run("run").manifest["stats"]) == {"0", "1"}


@pytest.mark.parametrize("command", ["batch", "solve"])
def test_interrupted_as_a_position_ends(
    command: str, job: Callable[..., str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first position is finished, and so nothing of it was interrupted; the others do not begin."""
    close = Recorder.close

    def interrupted(self: Recorder, *arguments: Any) -> None:
        close(self, *arguments)
        os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(Recorder, "close", interrupted)
    options = ["--only", "13L ONYX", "--address", "none", "--table-gib", "0.01", "--out", "run"]
    arguments = [job()] if command == "batch" else ["a.cgp", *options]
    assert main([command, *arguments]) == 130
    assert capsys.readouterr().err.endswith("go on with: pegray resume run\n")
    stats = open_run("run").manifest["stats"]
    assert list(stats) == ["0"] and not stats["0"]["interrupted"]


def test_a_lexicon_that_has_changed_is_refused(job: Callable[..., str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["batch", job("limits: {total: 0.001s}")]) == 1
    path = Path("run/manifest.json")
    manifest = json.loads(path.read_text())
    manifest["job"]["hashes"]["ENABLE"] = "0"
    manifest["job"]["total"] = None
    path.write_text(json.dumps(manifest))
    assert main(["resume", "run"]) == 1
    assert "lexicon ENABLE: not what it was" in capsys.readouterr().err
    assert main(["batch", "job.yaml"]) == 2


def test_resume_of_a_solve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    arguments = ["solve", CGP, "--only", "13L ONYX", "--address", "none", "--out", "run", "--time-limit", "0.001s"]
    assert main(arguments) == 1
    assert main(["resume", "run", "--time-limit", "5m", "--json"]) == 0
    (document,) = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert document["plays"][0]["points"] == 7.5
    assert open_run("run").manifest["state"] == "finished"


@pytest.mark.parametrize("manifest", ['{"schema": 1}', '{"schema": 1, "job": {}}', '{"schema": 1, "job": {"x": 1}}'])
def test_what_cannot_be_resumed(tmp_path: Path, manifest: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["resume", str(tmp_path / "none")]) == 2
    (tmp_path / "manifest.json").write_text(manifest)
    assert main(["resume", str(tmp_path)]) == 2
    assert "job" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["manifest.json"]


def test_check_solves_nothing(job: Callable[..., str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["batch", job(), "--check"]) == 0
    captured = capsys.readouterr()
    assert "job.yaml: 3 positions to solve" in captured.err
    rows = [line.split() for line in captured.out.splitlines() if line.split()[:1] in (["1"], ["2"], ["3"])]
    assert [row[1:6] for row in rows] == [[f"a-{line}", f"a.cgp:{line}", "1", "3", "3"] for line in (1, 2, 3)]
    assert "a guess from the few positions of docs/performance.md" in " ".join(captured.out.split())
    assert not Path("run").exists()

    assert main(["batch", job(), "--check", "--json"]) == 0
    positions = json.loads(capsys.readouterr().out)["positions"]
    assert [(row["name"], row["bag"], row["plays"], row["plays_by_tiles_left"]) for row in positions] == [
        (f"a-{line}", 1, 3, [3, 0]) for line in (1, 2, 3)
    ]
    assert all(0 < row["guessed_cpu_seconds"][0] < row["guessed_cpu_seconds"][1] for row in positions)


def test_check_says_what_the_games_tell(
    job: Callable[..., str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("small.gcg", "small.csv"):
        (tmp_path / name).write_bytes((ROOT / "tests" / "data" / name).read_bytes())
    (tmp_path / "few.txt").write_text("TRAIN\nTRAINS\n")
    text = "name: n\nlexicon: few.txt\ndistribution: small.csv\npositions: [{file: small.gcg, turns: [10, 12]}]\n"
    Path("job.yaml").write_text(text + "options: {known_rack: auto, opponent: rational}\n")
    assert main(["batch", "job.yaml", "--check"]) == 1
    captured = capsys.readouterr()
    assert "left out: small.gcg: turn 12: the rack of Tom is not known" in captured.err.replace(str(tmp_path) + "/", "")
    assert "small-turn10: the opponent is known to hold ?T (from plays taken back)" in captured.err
    assert "No guess: " in captured.out
    assert main(["batch", "job.yaml", "--check", "--json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert len(document["faults"]) == 1
    (row,) = document["positions"]
    assert (row["known_rack"], row["guessed_cpu_seconds"]) == ("?T", None)


def journal_parts() -> int:
    return sum(path.suffix == ".parquet" for path in Path("run/journal").glob("*"))


def kill_at_random(command: list[str], chance: random.Random) -> bool:
    """Start a process and kill it, after it has journalled a few more units or before; whether it was killed."""
    process = subprocess.Popen([sys.executable, "-c", PROGRAM, *command], env={**os.environ, "PYTHONPATH": str(ROOT)})
    target = journal_parts() + chance.randint(0, 6)
    until = time.monotonic() + 60
    while process.poll() is None and journal_parts() < target and time.monotonic() < until:
        time.sleep(0.002)
    if target == journal_parts():
        time.sleep(chance.uniform(0.0, 0.05))
    process.kill()
    return process.wait() == -signal.SIGKILL


@pytest.mark.parametrize("seed", [1])
def test_killed_again_and_again(job: Callable[..., str], seed: int) -> None:
    plays = '["13L ONYX", 13J EXON, N1 XYST, 13L OXY, N3 STEY, pass]'
    path = job("", only=plays)
    assert main(["batch", path, "--out", "whole"]) == 0
    chance = random.Random(seed)
    kills = kill_at_random(["batch", path], chance)
    for turn in range(7):
        command = ["resume", "run"] if turn % 2 and Path("run/manifest.json").exists() else ["batch", path]
        kills += kill_at_random(command, chance)
    assert kills >= 6
    assert journal_parts() >= 3
    assert open_run("run").manifest["state"] == "running"
    assert main(["resume", "run"]) == 0
    run = open_run("run")
    assert run.manifest["state"] == "finished"
    assert all_said(run) == all_said(open_run("whole"))
    assert take_up("run")[1].positions == take_up("whole")[1].positions


def test_killed_between_the_rows_of_new_positions_and_their_job(
    job: Callable[..., str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = job()
    lines = Path("a.cgp").read_text().splitlines()
    Path("a.cgp").write_text(lines[0] + "\n")
    assert main(["batch", path]) == 0
    Path("b.cgp").write_text("\n".join(lines[1:]) + "\n")
    Path("job.yaml").write_text(Path("job.yaml").read_text().replace("[a.cgp]", "[a.cgp, b.cgp]"))

    def killed(self: RunWriter, manifest: dict[str, Any]) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(RunWriter, "write_manifest", killed)
        assert main(["batch", path]) == 130
    assert open_run("run").positions().num_rows == 3
    # the job of the run is that of before: one position, which is finished
    assert main(["resume", "run"]) == 0
    assert open_run("run").manifest["state"] == "finished"
    assert open_run("run").positions().num_rows == 1
    # the job that names them adds them again
    assert main(["batch", path]) == 0
    assert open_run("run").positions().num_rows == 3
    assert open_run("run").manifest["state"] == "finished"


def test_one_process_at_a_time(job: Callable[..., str], capsys: pytest.CaptureFixture[str]) -> None:
    path = job("limits: {total: 0.001s}")
    assert main(["batch", path]) == 1
    hold = "from pegray.results.write import RunWriter; out = RunWriter('run'); out.claim(); print(flush=True); input()"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    holder = subprocess.Popen(
        [sys.executable, "-c", hold], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert holder.stdout is not None and holder.stdout.readline() == b"\n"
    capsys.readouterr()
    for command in (["batch", path], ["resume", "run"]):
        assert main(command) == 1
        assert f"another process works on this run (process {holder.pid} on " in capsys.readouterr().err
    holder.kill()
    holder.communicate()
    assert main(["resume", "run", "--time-limit", "5m"]) == 1
    assert "works on this run" not in capsys.readouterr().err


def test_the_second_interrupt_of_a_batch_does_not_wait(
    job: Callable[..., str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    released = threading.Event()

    def deaf(self: InProcessExecutor, timeout: float) -> list[Any]:
        """A kernel that nothing stops."""
        if not released.is_set():  # it is asked again after the test, when nobody expects a signal
            for seconds in (0.1, 0.6):
                threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT)).start()
        assert released.wait(30.0)
        return []

    monkeypatch.setattr(InProcessExecutor, "collect", deaf)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background process ignores it
    monkeypatch.setattr(driver, "LAST_SECONDS", 0.1)
    assert main(["batch", job()]) == 130
    assert not released.is_set()
    released.set()
    assert open_run("run").manifest["state"] == "interrupted"
    assert capsys.readouterr().err.endswith("pegray: interrupted\n")
