"""Solves on a cluster of two nodes that were started by hand, and on one that asks for a token."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from tests.cluster.head import ROOT, Head, run_pegray, running_head, running_node

FIRST = str(ROOT / "jobs" / "first.cgp")
TOKEN = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": "3f0c8d5e7a914b62b0d1c2e3f4a5968778695a4b3c2d1e0f"}


def nodes_of(head: Head) -> int:
    from ray.util.state import list_nodes

    return sum(node.state == "ALIVE" for node in list_nodes(address=head.dashboard))


@pytest.mark.ray
@pytest.mark.slow
def test_on_two_nodes_and_then_on_one(tmp_path: Path) -> None:
    with running_head() as head:
        with running_node(head):
            until = time.monotonic() + 60
            while nodes_of(head) < 2 and time.monotonic() < until:
                time.sleep(0.5)
            assert nodes_of(head) == 2
            both = run_pegray("solve", FIRST, "--address", head.address, "--out", str(tmp_path / "both"), "--json")
        assert both.returncode == 0, both.stderr
        one = run_pegray("solve", FIRST, "--address", head.address, "--out", str(tmp_path / "one"), "--json")
    assert one.returncode == 0, one.stderr
    for answer in (json.loads(both.stdout), json.loads(one.stdout)):
        assert (answer["plays"][0]["move"], answer["plays"][0]["points"]) == ("13L ONYX", 7.5)


@pytest.mark.ray
@pytest.mark.slow
def test_a_cluster_that_asks_for_a_token(tmp_path: Path) -> None:
    job = tmp_path / "job.yaml"
    job.write_text(f"name: n\npositions: [{FIRST}]\noptions: {{only: [13L ONYX]}}\nout: {tmp_path / 'job'}\n")
    with running_head(TOKEN) as head:
        solve = ("solve", FIRST, "--only", "13L ONYX", "--address", head.address, "--out")
        submit = ("submit", str(job), "--address", head.dashboard)
        right = run_pegray(*solve, str(tmp_path / "right"), environment=TOKEN)
        wrong = run_pegray(*solve, str(tmp_path / "wrong"))
        refused = run_pegray(*submit)
        taken = run_pegray(*submit, environment=TOKEN)
        logs = run_pegray("logs", taken.stdout.strip(), "--address", head.dashboard, "--follow", environment=TOKEN)
    assert right.returncode == 0, right.stderr
    assert wrong.returncode == 1
    assert refused.returncode == 1
    assert refused.stderr.count("\n") == 1
    assert "oken" in refused.stderr
    assert logs.returncode == 0, logs.stdout
    assert "13L ONYX" in logs.stdout
