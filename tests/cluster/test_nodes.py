"""Several nodes: a bound found on one reaches a kernel that runs on another; a node is lost, another one comes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pegray.bench.positions import bench_positions
from pegray.cli import main
from pegray.cluster.executor import RayExecutor, ray_pool
from pegray.game.position import Position
from pegray.lexicon.find import find_lexicon
from pegray.preendgame.executors.base import Lost
from pegray.preendgame.options import SolveOptions
from pegray.preendgame.problem import Problem
from pegray.preendgame.work import Settled, Unit
from pegray.results.read import open_run
from pegray.runs.batch import End

from . import chaos
from .nodes import cluster_of, solve_while_nodes_change

TABLE_GIB = 1 / 64
CALLS_OF_THREE_NODES = 6
# The pass leaves all four tiles in the bag: millions of nodes in a single unit. It has lost an eventuality before.
LONG_BUDGET = 400_000
LONG, QUICK = Unit(1, 0, "verdict", LONG_BUDGET, lost=2), Unit(0, 2, "verdict", LONG_BUDGET)

pytestmark = [pytest.mark.ray, pytest.mark.slow]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """This process joined to a cluster of three nodes, each with one core."""
    with cluster_of(3) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def four_in_the_bag() -> Problem:
    """A quick play and the pass, with four tiles in the bag."""
    (bench,) = (bench for bench in bench_positions() if bench.name == "four-in-the-bag")
    position = Position.from_cgp(bench.cgp)
    lexicon = find_lexicon("ENABLE", position.distribution)
    return Problem.create(position, lexicon, SolveOptions(only=("I3 P.NT", "pass")))


def long_and_quick(problem: Problem, bound: int | None) -> tuple[Settled, float]:
    """Work on both units at once, publish the bound when the quick one has come back; what the long one found.

    Each node has one thread, so the quick unit can only come back first from the other node. Also returns the seconds
    from then to the end of the long one.
    """
    with ray_pool("auto", None, TABLE_GIB, most=1) as pool, pool.open(problem) as executor:
        while executor.capacity < CALLS_OF_THREE_NODES:
            executor.collect(0.2)
        executor.submit([LONG, QUICK])
        (quick,) = wait(executor)
        assert quick.unit == QUICK and quick.finished
        published = time.monotonic()
        if bound is not None:
            executor.publish_bound(bound)
        (long,) = wait(executor)
        assert long.unit == LONG and not long.finished
        return long, time.monotonic() - published


def wait(executor: RayExecutor) -> list[Settled]:
    results: list[Settled | Lost] = []
    while not results:
        results = executor.collect(1.0)
    assert not any(isinstance(result, Lost) for result in results)
    return [result for result in results if isinstance(result, Settled)]


def test_a_bound_stops_a_hopeless_play_on_another_node(cluster: Any, four_in_the_bag: Problem) -> None:
    untold, _ = long_and_quick(four_in_the_bag, bound=None)
    assert untold.out_of_budget and untold.nodes > LONG_BUDGET
    told, seconds = long_and_quick(four_in_the_bag, bound=0)
    print(f"stopped {seconds:.2f} s after the bound, {told.nodes} of {untold.nodes} nodes")
    assert not told.out_of_budget
    assert 0 < told.nodes < untold.nodes / 2


def test_a_node_is_lost_and_another_comes(cluster: Any, tmp_path: Path) -> None:
    job = chaos.write_job(tmp_path, positions=8)
    endings = solve_while_nodes_change(cluster, job, tmp_path / "changing")
    assert {ending.end for ending in endings} == {End.FINISHED}
    job.write_text(job.read_text().replace("address: local", "address: none"))
    assert main(["batch", str(job), "--out", str(tmp_path / "calm")]) == 0
    report = chaos.Report()
    chaos.compare(open_run(str(tmp_path / "calm")), open_run(str(tmp_path / "changing")), report)
    assert not report.differences
