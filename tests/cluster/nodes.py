"""A cluster of several nodes on this machine, some of which are lost or added while a batch is being solved.

``python -m tests.cluster.nodes --positions 100`` says how long a batch takes on three nodes, one of which is lost and
replaced halfway.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import ray
from ray.cluster_utils import Cluster

from pegray.results.read import open_run
from pegray.runs.batch import End, Ending, run_plan
from pegray.runs.directories import open_batch
from pegray.runs.job import read_job

from . import chaos

_LOOK_SECONDS = 0.1
_LAST = 19  # of priorities
NODE: dict[str, Any] = {"num_cpus": 1, "object_store_memory": 100 * 2**20}


@contextmanager
def cluster_of(nodes: int) -> Iterator[Any]:
    """This process joined to a ray.cluster_utils.Cluster of nodes with one core each."""
    cluster = Cluster(initialize_head=True, head_node_args={**NODE, "include_dashboard": False})
    try:
        for _ in range(nodes - 1):
            cluster.add_node(**NODE)
        ray.init(address=cluster.address, log_to_driver=False)
        yield cluster
    finally:
        ray.shutdown()
        cluster.shutdown()


def replace_one(cluster: Any) -> None:
    """A node that this process is not on dies with all that it runs, and another is added."""
    here = ray.get_runtime_context().get_node_id()
    lost = next(node for node in cluster.worker_nodes if node.node_id != here)
    cluster.remove_node(lost, allow_graceful=False)
    cluster.add_node(**NODE)


def let_others_first(solvers: int) -> None:
    """Let the processes of solvers get what all others leave of the cores, once so many have started."""
    while len(found := [path.parent for path in Path("/proc").glob("[0-9]*/cmdline") if _is_solver(path)]) < solvers:
        time.sleep(_LOOK_SECONDS)
    for process in found:
        for thread in (process / "task").iterdir():
            os.setpriority(os.PRIO_PROCESS, int(thread.name), _LAST)


def _is_solver(path: Path) -> bool:
    try:
        return path.read_bytes().startswith(b"ray::SolverActor")
    except OSError:  # it has ended
        return False


def solve_while_nodes_change(cluster: Any, job: Path, directory: Path) -> list[Ending]:
    """A batch; when half of its positions have ended, a node dies with all that it runs, and another is added."""
    out, plan = open_batch(str(directory), read_job(str(job)).plan)
    ended: list[int] = []

    def on_end(number: int, ending: Ending) -> None:
        ended.append(number)
        if len(ended) == len(plan.positions) // 2:
            replace_one(cluster)  # the positions in flight go on meanwhile

    return run_plan(plan, out, on_end=on_end)


def main() -> int:
    """Solve the same positions on two steady nodes and on three that change; print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=100)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pegray-nodes-") as folder:
        job = chaos.write_job(Path(folder), arguments.positions)
        for nodes, changes in ((2, False), (3, True)):
            directory = Path(folder) / f"run-{nodes}"
            with cluster_of(nodes) as cluster:
                started = time.monotonic()
                if changes:
                    endings = solve_while_nodes_change(cluster, job, directory)
                else:
                    out, plan = open_batch(str(directory), read_job(str(job)).plan)
                    endings = run_plan(plan, out)
                seconds = time.monotonic() - started
            finished = sum(ending.end is End.FINISHED for ending in endings)
            change = ", one lost and one added" if changes else ""
            print(f"{nodes} nodes{change}: {finished} positions finished, {seconds:.0f} s")
        report = chaos.Report()
        chaos.compare(open_run(f"{folder}/run-2"), open_run(f"{folder}/run-3"), report)
        print(f"{report.rows_compared} rows compared, {len(report.differences)} differences")
        return 1 if report.differences else 0


if __name__ == "__main__":
    sys.exit(main())
