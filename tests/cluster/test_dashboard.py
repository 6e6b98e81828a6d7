"""grafana/pegray.json: it asks for metrics that there are, and a real Prometheus answers all that it asks."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from pegray.cluster import metrics
from tests.cluster import chaos
from tests.cluster.chaos import start
from tests.cluster.head import ROOT, Head, free_ports, running_head

DASHBOARD = json.loads((ROOT / "grafana" / "pegray.json").read_text(encoding="utf-8"))
QUERIES = [target["expr"] for panel in DASHBOARD["panels"] for target in panel["targets"]]
POSITIONS = 400  # more than can be solved while Prometheus is asked
SCRAPE_SECONDS = 3
ANSWER_SECONDS = 400


def names_of(queries: list[str]) -> set[str]:
    """The metrics that queries ask for."""
    return {name for query in queries for name in re.findall(r"\bray_\w+", query)}


def test_it_asks_for_metrics_that_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    reporter = pytest.importorskip("ray.dashboard.modules.reporter.reporter_agent")
    there = {f"ray_{name}" for name in reporter.METRICS_GAUGES}
    monkeypatch.setattr(metrics, "Counter", lambda name, description: there.add(f"ray_{name}_total"))
    monkeypatch.setattr(metrics, "Gauge", lambda name, description: there.add(f"ray_{name}"))
    metrics.SolverMetrics()
    metrics.PoolMetrics()
    asked = names_of(QUERIES)
    assert asked - there == set()
    page = (ROOT / "docs" / "cluster.md").read_text(encoding="utf-8")
    assert {name for name in there if "pegray" in name} - names_of(re.findall(r"`(ray_pegray\w+)`", page)) == set()


def test_its_panels_do_not_overlap() -> None:
    taken: set[tuple[int, int]] = set()
    for panel in DASHBOARD["panels"]:
        place = panel["gridPos"]
        cells = {
            (x, y)
            for x in range(place["x"], place["x"] + place["w"])
            for y in range(place["y"], place["y"] + place["h"])
        }
        assert max(x for x, _ in cells) < 24 and not cells & taken, panel["title"]
        taken |= cells
    assert len({panel["id"] for panel in DASHBOARD["panels"]}) == len(DASHBOARD["panels"])


@contextmanager
def prometheus_of(head: Head, folder: Path) -> Iterator[str]:
    """A Prometheus that finds the nodes of a cluster as Ray tells it; its address."""
    config = folder / "prometheus.yml"
    config.write_text(
        f"global: {{scrape_interval: {SCRAPE_SECONDS}s}}\n"
        "scrape_configs:\n"
        "- job_name: ray\n"
        f"  file_sd_configs: [{{files: [{head.folder}/prom_metrics_service_discovery.json], refresh_interval: 5s}}]\n"
    )
    (port,) = free_ports(1)
    command = [
        *("prometheus", f"--config.file={config}", f"--storage.tsdb.path={folder / 'data'}"),
        f"--web.listen-address=127.0.0.1:{port}",
    ]
    with open(folder / "prometheus.log", "wb") as log, subprocess.Popen(command, stdout=log, stderr=log) as process:
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()


def ask(address: str, query: str) -> list[Any]:
    """What Prometheus has for a query now; nothing while it does not answer."""
    query = query.replace("$__range", "5m")
    try:
        with urllib.request.urlopen(f"{address}/api/v1/query?{urllib.parse.urlencode({'query': query})}") as answer:
            found: list[Any] = json.loads(answer.read())["data"]["result"]
            return found
    except OSError:
        return []


@pytest.mark.ray
@pytest.mark.slow
@pytest.mark.skipif(shutil.which("prometheus") is None, reason="no prometheus here")
def test_a_real_prometheus_answers_all_that_it_asks(tmp_path: Path) -> None:
    job = chaos.write_job(tmp_path, POSITIONS)
    text = job.read_text().replace(", early_cutoff: false, exact_spreads: true", "")
    unanswered = set(QUERIES)
    with running_head() as head, prometheus_of(head, tmp_path) as address:
        job.write_text(text.replace("address: local, workers: 2", f"address: '{head.address}'"))
        with start([sys.executable, "-m", "pegray", "batch", str(job), "--out", str(tmp_path / "run")]) as batch:
            until = time.monotonic() + ANSWER_SECONDS
            while unanswered and time.monotonic() < until and batch.poll() is None:
                time.sleep(SCRAPE_SECONDS)
                unanswered -= {query for query in unanswered if ask(address, query)}
            batch.terminate()
    assert unanswered == set()
