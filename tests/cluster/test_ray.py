"""Solves on a real Ray, with and without the death of a solver."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pegray.bench.positions import bench_positions
from pegray.cli import main
from pegray.cluster.executor import RayExecutor, RayPool, ray_pool
from pegray.errors import PegrayError
from pegray.preendgame.executors import moving
from pegray.preendgame.executors.base import Crew, Lost
from pegray.preendgame.ledger import Ledger
from pegray.preendgame.problem import Problem
from pegray.preendgame.session import run_session
from pegray.preendgame.work import Settled, Unit
from pegray.results.read import open_run
from pegray.runs import driver
from pegray.runs.batch import End, Ending, run_plan
from pegray.runs.directories import open_batch
from pegray.runs.driver import Solving
from pegray.runs.job import read_job

from . import chaos

TABLE_GIB = 1 / 64


def test_a_cluster_that_is_not_there_is_said_in_one_line(problem: Problem) -> None:
    started = time.monotonic()
    with pytest.raises(PegrayError, match=r"^address='127\.0\.0\.1:1': no Ray cluster there [^\n]*$"):
        driver.solve(problem, address="127.0.0.1:1")
    assert time.monotonic() - started < 15


@pytest.fixture(scope="module")
def local_ray() -> Iterator[None]:
    """A private Ray that the solves of this module share."""
    import ray

    ray.init(address="local", num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=100 * 2**20)
    yield
    ray.shutdown()


@pytest.mark.ray
def test_ray_gives_the_same_result(problem: Problem, local_ray: None) -> None:
    here = driver.solve(problem, address="none", table_gib=TABLE_GIB)
    there = driver.solve(problem, address="local", table_gib=TABLE_GIB)
    assert not there.stats.interrupted
    assert there.best is not None and here.best is not None
    assert (there.best.move, there.best.points, there.best.spread) == ("13L ONYX", 7.5, here.best.spread)
    assert there.best.outcomes != []


@pytest.mark.ray
def test_a_dead_solver_costs_its_units_only(problem: Problem, local_ray: None) -> None:
    import ray

    ledger = Ledger(problem)
    with ray_pool("local", None, TABLE_GIB, most=1) as pool, pool.open(problem) as executor:
        killing = Killing(pool, executor)
        done = run_session(ledger, killing, ignore, ignore, time.monotonic() + 60, threading.Event())
    assert ray.is_initialized()
    assert done
    assert killing.lost > 0
    assert [problem.candidates.scores[play] for play in ledger.book.level_at_top()] == [33]


@pytest.mark.ray
def test_a_solve_that_moves_to_ray_gives_the_same_result(
    problem: Problem, local_ray: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It waits for Ray after the first unit, so all the others are Ray's."""
    monkeypatch.setattr(moving, "WORTH_SECONDS", 0.0)
    ledger, told = Ledger(problem), threading.Event()
    place = moving.MovingWorkplace(
        lambda given_up: ray_pool("local", None, TABLE_GIB, 1, given_up), TABLE_GIB, lambda line: told.set()
    )
    calls: list[int] = []

    def on_settled(results: list[Settled]) -> None:
        assert told.wait(60.0)
        calls.append(len(results))

    try:
        with place.open(problem) as executor:
            assert run_session(ledger, executor, ignore, on_settled, time.monotonic() + 60, threading.Event())
    finally:
        place.close()
    assert len(calls) > 1
    assert [problem.candidates.scores[play] for play in ledger.book.level_at_top()] == [33]


@pytest.mark.ray
@pytest.mark.slow
def test_a_private_ray_comes_in_and_goes(tmp_path: Path) -> None:
    """What a user sees: the line that says so, a clean stop by Ctrl-C, and none of Ray's processes left over."""
    (bench,) = (bench for bench in bench_positions() if bench.name == "four-in-the-bag")
    program = (
        "import sys; from pegray.preendgame.executors import moving; moving.WORTH_SECONDS = 0.0;"
        "from pegray.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    options = ["--lexicon", "ENABLE", "--no-early-cutoff", "--out", str(tmp_path / "run")]
    driver = subprocess.Popen(
        [sys.executable, "-c", program, "solve", bench.cgp, *options, "--workers", "2"],
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    with chaos.whole_session(driver):  # type: ignore[arg-type]
        assert driver.stderr is not None
        lines = iter(driver.stderr.readline, "")
        assert next(line for line in lines if "private Ray" in line).endswith("going on with 2 workers\n")
        os.kill(driver.pid, signal.SIGINT)
        assert driver.wait(60) == 130
        assert [*lines] == [f"go on with: pegray resume {tmp_path / 'run'}\n"]
        until = time.monotonic() + 10
        while chaos.session_of(driver) and time.monotonic() < until:
            time.sleep(0.1)
        assert chaos.session_of(driver) == []
    assert open_run(str(tmp_path / "run")).manifest["state"] == "interrupted"


@pytest.mark.ray
def test_a_batch_in_flight_gives_the_same_rows(tmp_path: Path, local_ray: None) -> None:
    job = chaos.write_job(tmp_path, positions=3)
    assert main(["batch", str(job), "--out", str(tmp_path / "ray")]) == 0
    job.write_text(job.read_text().replace("address: local", "address: none"))
    assert main(["batch", str(job), "--out", str(tmp_path / "here")]) == 0
    report = chaos.Report()
    chaos.compare(open_run(str(tmp_path / "here")), open_run(str(tmp_path / "ray")), report)
    assert report.rows_compared and not report.differences


@pytest.mark.ray
@pytest.mark.slow
def test_a_long_position_does_not_hold_up_short_ones(tmp_path: Path, local_ray: None) -> None:
    """The long one has the work of minutes; it comes first, and is interrupted when the short ones have ended."""
    (bench,) = (bench for bench in bench_positions() if bench.name == "four-in-the-bag")
    (tmp_path / "long.cgp").write_text(bench.cgp)
    (tmp_path / "short.cgp").write_text("\n".join(chaos.FIRST.read_text().splitlines()[-1:] * 5))
    job = tmp_path / "job.yaml"
    options = "options: {max_tiles_left: 0, early_cutoff: false}"
    positions = "positions: [long.cgp, short.cgp]"
    job.write_text(f"name: n\nlexicon: ENABLE\n{positions}\n{options}\ncluster: {{table_gib: 0.05}}\n")
    out, plan = open_batch(str(tmp_path / "run"), read_job(str(job)).plan)
    ended: list[int] = []

    def on_end(number: int, ending: Ending) -> None:
        ended.append(number)
        if len(ended) == 5:
            os.kill(os.getpid(), signal.SIGINT)

    endings = run_plan(plan, out, on_end=on_end)
    assert sorted(ended[:5]) == [1, 2, 3, 4, 5]
    assert [ending.end for ending in endings] == [End.INTERRUPTED] + [End.FINISHED] * 5


@dataclass(frozen=True, eq=False)
class Deadly(Problem):
    """Ends the process of whoever takes it."""

    def __reduce__(self) -> tuple[Any, ...]:
        return os._exit, (1,)


@pytest.mark.ray
@pytest.mark.slow
def test_a_deadly_position_fails_alone(problem: Problem, local_ray: None) -> None:
    deadly = Deadly(**{name: getattr(problem, name) for name in problem.__dataclass_fields__})
    ledger, stop = Ledger(problem), threading.Event()
    with ray_pool("local", None, TABLE_GIB, most=2) as pool, pool.open(problem) as good, pool.open(deadly) as bad:
        failing = Solving(deadly, bad, None, stop, time.monotonic(), None, None)
        while failing.watch():
            good.collect(0.1)
        with pytest.raises(PegrayError, match="5 solvers died at it"):
            failing.result()
        assert run_session(ledger, good, ignore, ignore, time.monotonic() + 60, stop)


class Killing:
    """Kills the first solver with the first units on it; Ray starts it again."""

    def __init__(self, pool: RayPool, executor: RayExecutor) -> None:
        self.lost = 0
        self._pool = pool
        self._executor = executor
        self._killed = False

    @property
    def crew(self) -> Crew:
        return self._executor.crew

    @property
    def capacity(self) -> int:
        return self._executor.capacity

    def submit(self, units: list[Unit]) -> None:
        import ray

        self._executor.submit(units)
        if not self._killed:
            self._killed = True
            (solver,) = self._pool.nodes.actors
            ray.kill(solver, no_restart=False)

    def collect(self, timeout: float) -> list[Settled | Lost]:
        results = self._executor.collect(timeout)
        self.lost += sum(isinstance(result, Lost) for result in results)
        return results

    def publish_bound(self, losses: int) -> None:
        self._executor.publish_bound(losses)

    def withdraw(self, units: list[Unit]) -> None:
        self._executor.withdraw(units)

    def close(self) -> None:
        pass


def ignore(news: object) -> None:
    pass
