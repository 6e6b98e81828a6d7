"""Chaos: a batch whose processes are killed at random moments must end as one that nobody disturbs.

In the batch that is disturbed all walks through the opponent's replies are split, in the other none is.

``python -m tests.cluster.chaos --positions 20 --kills 50 --seed 1`` runs the long version; test_chaos.py a short one.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa
import ray  # noqa: F401  (brings psutil along)

import psutil  # isort: skip

from pegray.results.read import Run, open_run

ROOT = Path(__file__).parents[2]
FIRST = ROOT / "jobs" / "first.cgp"
PLAYS = ("13L ONYX", "13J EXON", "N1 XYST", "13L OXY", "N3 STEY", "pass")
# What a unit of work has cost, and which one of the refuting replies was met first, differ from run to run.
NOT_COMPARED = {"answered_seconds", "complete_seconds", "endgames", "estimate", "nodes", "cpu_seconds", "reply"}
# kind -> how often it is chosen
KINDS = {"solver": 4, "bound": 3, "raylet": 2, "driver": 2}
TITLES = {"solver": "ray::SolverActor", "bound": "ray::BoundActor"}
LONGEST_WAIT = 2.5  # seconds between two kills
RAY_UP_SECONDS = 60.0
RUN_SECONDS = 600.0
# Walks through the replies are split as soon as can be: here they would be over long before it is worth it.
SPLIT = """
import sys
from pegray.cli import main
from pegray.cluster.connect import joined
from pegray.preendgame import portions, schedule
schedule.FIRST_UNCUT_BUDGET = schedule.SPLIT_BUDGET = 300
portions.LEAST_BUDGET = portions.LEAST_BUDGET_OF_MANY = 100
"""
HERE = "sys.exit(main(sys.argv[1:]))"
# A private Ray from the beginning: these runs would be over before they are worth the start of one.
ON_RAY = """
with joined("local", 2):
    code = main(sys.argv[1:])
sys.exit(code)
"""


@dataclass
class Report:
    """What has been done to the runs, and what came of it.

    starts: processes started, the first of each run and every `pegray resume`
    differences: one line each; empty if all is as it should be
    """

    kills: Counter[str] = field(default_factory=Counter)
    starts: int = 0
    runs: int = 0
    rows_compared: int = 0
    differences: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(self.kills.items()))
        return (
            f"{self.kills.total()} kills ({kinds}), {self.starts} starts, {self.runs} runs finished, "
            f"{self.rows_compared} rows compared, {len(self.differences)} differences"
        )


def write_job(folder: Path, positions: int) -> Path:
    """A job of small positions: the board that ships with pegray at many scores, every outcome worked out."""
    cgp = FIRST.read_text().splitlines()[-1]
    lines = [cgp.replace("356/378", f"{340 + i}/{378 - i % 3}") for i in range(positions)]
    (folder / "positions.cgp").write_text("\n".join(lines) + "\n")
    job = folder / "job.yaml"
    job.write_text(
        "name: chaos\npositions: [positions.cgp]\n"
        # which spreads a tie-break needs, until it is decided, depends on what comes first
        f"options: {{only: [{', '.join(PLAYS)}], early_cutoff: false, exact_spreads: true}}\n"
        "cluster: {address: local, workers: 2, table_gib: 0.05}\n"
    )
    return job


def chaos(folder: Path, positions: int, kills: int, seed: int) -> Report:
    """Solve a job undisturbed, then again while its processes are killed; compare.

    A run that finishes before there were enough kills is compared, and another one begins.
    """
    job = write_job(folder, positions)
    calm = folder / "calm"
    job_here = folder / "here.yaml"
    job_here.write_text(job.read_text().replace("address: local", "address: none"))
    start([sys.executable, "-m", "pegray", "batch", str(job_here), "--out", str(calm)]).wait(RUN_SECONDS)
    report = Report()
    chance = random.Random(seed)
    while report.kills.total() < kills:
        disturbed = folder / f"disturbed-{report.runs + 1}"
        disturb(job, disturbed, kills, chance, report)
        report.runs += 1
        compare(open_run(str(calm)), open_run(str(disturbed)), report)
    return report


def disturb(job: Path, directory: Path, kills: int, chance: random.Random, report: Report) -> None:
    """One run from its start to its end, killed on the way until there were enough kills, and taken up each time."""
    while True:
        begun = (directory / "manifest.json").exists()
        command = ["resume", str(directory)] if begun else ["batch", str(job), "--out", str(directory)]
        on_ray = chance.random() < 0.8
        with whole_session(pegray(command, on_ray)) as driver:
            report.starts += 1
            if report.kills.total() < kills:
                # some moments are before Ray is up, or just after
                wait_for(driver, "solver" if on_ray and chance.random() < 0.8 else None)
            while driver.poll() is None and report.kills.total() < kills:
                with suppress(subprocess.TimeoutExpired):
                    driver.wait(chance.uniform(0.0, LONGEST_WAIT))
                kill(driver, chance, report)
            if driver.poll() is None:
                driver.wait(RUN_SECONDS)
        if driver.returncode == 0:
            return


def pegray(arguments: list[str], on_ray: bool) -> subprocess.Popen[bytes]:
    """Start a pegray command that splits walks, on a private Ray or as a user would."""
    return start([sys.executable, "-c", SPLIT + (ON_RAY if on_ray else HERE), *arguments])


def start(command: list[str]) -> subprocess.Popen[bytes]:
    """Start a command in a session of its own."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )


@contextmanager
def whole_session(driver: subprocess.Popen[bytes]) -> Iterator[subprocess.Popen[bytes]]:
    """A driver, of which nothing is left over in the end, nor of its Ray."""
    try:
        yield driver
    finally:
        driver.kill()
        driver.wait()
        for process in session_of(driver):
            with suppress(psutil.NoSuchProcess):
                process.kill()


def session_of(driver: subprocess.Popen[bytes]) -> list[psutil.Process]:
    """The processes of a driver's session, which outlive it."""
    found = []
    for process in psutil.process_iter():
        with suppress(ProcessLookupError, psutil.NoSuchProcess):
            if process.pid != driver.pid and os.getsid(process.pid) == driver.pid:
                found.append(process)
    return found


def wait_for(driver: subprocess.Popen[bytes], kind: str | None) -> None:
    """Wait until the driver's Ray has a process of this kind, or the driver has ended."""
    until = time.monotonic() + RAY_UP_SECONDS
    while kind is not None and driver.poll() is None and not victims(driver, kind) and time.monotonic() < until:
        time.sleep(0.1)


def victims(driver: subprocess.Popen[bytes], kind: str) -> list[psutil.Process]:
    """The processes that a kill of this kind ends: an actor's worker, the raylet and all workers, or the driver."""
    session = session_of(driver)
    with suppress(psutil.NoSuchProcess):
        if kind == "driver":
            return [psutil.Process(driver.pid)]
        if kind == "raylet":
            raylets = [process for process in session if process.name() == "raylet"]
            return [process for raylet in raylets for process in (raylet, *raylet.children(recursive=True))]
        return [process for process in session if " ".join(process.cmdline()).startswith(TITLES[kind])]
    return []


def kill(driver: subprocess.Popen[bytes], chance: random.Random, report: Report) -> None:
    """Kill -9 something of a run, if there is something to kill."""
    (kind,) = chance.choices(list(KINDS), list(KINDS.values()))
    processes = victims(driver, kind)
    if driver.poll() is not None or not processes:
        return
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            process.kill()
    report.kills[kind] += 1
    if kind in ("driver", "raylet"):
        driver.wait(RUN_SECONDS)


def compare(calm: Run, disturbed: Run, report: Report) -> None:
    """Every row of a run against that of the undisturbed run: none lost, doubled or changed."""
    for name in ("positions", "plays", "outcomes"):
        expected, found = rows(getattr(calm, name)()), rows(getattr(disturbed, name)())
        report.rows_compared += sum(expected.values())
        report.differences += [f"{name}: lost {row}" for row in (expected - found).elements()]
        report.differences += [f"{name}: too much {row}" for row in (found - expected).elements()]


def rows(table: pa.Table) -> Counter[tuple[object, ...]]:
    """How often each row is there, without what a run may find differently."""
    kept = table.drop_columns([name for name in table.column_names if name in NOT_COMPARED])
    return Counter(tuple(row.values()) for row in kept.to_pylist())


def main() -> int:
    """Run it and say what came of it; 1 if there was a difference."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=20)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="pegray-chaos-"))
    started = time.monotonic()
    report = chaos(folder, arguments.positions, arguments.kills, arguments.seed)
    print(f"{arguments.positions} positions: {report}, {time.monotonic() - started:.0f} s")
    for difference in report.differences[:20]:
        print(difference)
    if report.differences:
        print(f"the runs are in {folder}")
        return 1
    shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
