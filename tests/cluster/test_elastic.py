"""One solve while nodes come, die, and are taken away with a notice."""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import ray

from pegray.bench.positions import bench_positions
from pegray.cluster import nodes
from pegray.cluster.leave import drain
from pegray.game.position import Position
from pegray.lexicon.find import find_lexicon
from pegray.preendgame.ledger import Progress
from pegray.preendgame.problem import Problem
from pegray.results.events import events_of
from pegray.results.model import SolveResult
from pegray.results.write import RunWriter
from pegray.runs.driver import solve_at
from pegray.runs.workplace import workplace
from pegray.terms import State

from .nodes import NODE, cluster_of

pytestmark = [pytest.mark.ray, pytest.mark.slow]

TABLE_GIB = 1 / 64
NOTICE_SECONDS = 25.0


class Watched:
    """What a solve in another thread says of itself, and how many bundles have been placed on each node."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.machines = 0
        self.units_settled = 0
        self.state = State.OPEN
        self.placed: Counter[str] = Counter()
        place = nodes.Nodes.place

        def counted(
            this: nodes.Nodes, blames: Sequence[Callable[[], None]], wanted: Sequence[nodes.Node | None]
        ) -> list[tuple[int, nodes.Node]]:
            placed = place(this, blames, wanted)
            self.placed.update(node.node_id for _, node in placed)
            return placed

        monkeypatch.setattr(nodes.Nodes, "place", counted)
        monkeypatch.setattr(nodes, "_SCAN_SECONDS", 0.5)

    def update(self, progress: Progress) -> None:
        assert progress.effort is not None
        self.machines, self.units_settled = progress.effort.machines, progress.units_settled
        self.state = progress.state

    def until(self, solving: Future[SolveResult], reached: Callable[[], bool]) -> None:
        """Wait; the solve must not be over before."""
        while not reached():
            assert not solving.done(), solving.result()
            time.sleep(0.05)


def change(cluster: Any, watched: Watched, solving: Future[SolveResult]) -> str:
    """A node joins and works; another one dies; the new one has its notice, and goes. Returns its id.

    Ray starts nodes in the main thread alone.
    """
    here = ray.get_runtime_context().get_node_id()
    watched.until(solving, lambda: watched.units_settled > 0 and watched.machines == 2)
    joined = str(cluster.add_node(**NODE).node_id)
    watched.until(solving, lambda: watched.machines == 3 and watched.placed[joined] > 0)
    lost = next(node for node in cluster.worker_nodes if node.node_id not in (here, joined))
    cluster.remove_node(lost, allow_graceful=False)
    watched.until(solving, lambda: watched.machines == 2)
    assert drain(joined, time.time() + NOTICE_SECONDS) == ""
    watched.until(solving, lambda: watched.machines == 1)
    return joined


def events_in(directory: Path) -> dict[str, list[str]]:
    """The nodes of each event of a run."""
    nodes: dict[str, list[str]] = {}
    for line in (directory / "events.jsonl").read_text().splitlines():
        event = json.loads(line)
        nodes.setdefault(event["event"], []).append(event.get("node"))
    return nodes


def test_a_single_solve_while_nodes_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (bench,) = (bench for bench in bench_positions() if bench.name == "five-emptied")
    position = Position.from_cgp(bench.cgp)
    # more plays than the best are to be finished, so that there is enough to do; once it is known nobody waits for them
    options = replace(bench.options, top=20)
    problem = Problem.create(position, find_lexicon(bench.lexicon, position.distribution), options)
    watched = Watched(monkeypatch)
    out, stop = RunWriter(tmp_path), threading.Event()

    def solve() -> SolveResult:
        with events_of(out), workplace("auto", None, TABLE_GIB, 1) as place:
            return solve_at(place, problem, out, on_progress=watched.update, stop=stop)

    with cluster_of(2) as cluster, ThreadPoolExecutor(1) as thread:
        solving = thread.submit(solve)
        try:
            left = change(cluster, watched, solving)
            # that an actor is not restarting but gone is known only when Ray has missed its node for a while
            watched.until(solving, lambda: watched.state != State.OPEN and "node lost" in events_in(tmp_path))
        finally:
            stop.set()
        best = solving.result().best
    assert best is not None and (best.move, best.points, problem.total) == ("15C ONYXES", 90_720, 95_040)
    happened = events_in(tmp_path)
    assert len(happened["node joined"]) == 3 and len(happened["node lost"]) == 1 and happened["node left"] == [left]
