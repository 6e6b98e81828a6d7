"""What every unit of work has cost, as a table."""

from __future__ import annotations

from pathlib import Path

from pegray.preendgame.work import Settled, Unit
from pegray.results.read import open_run
from pegray.results.write import RunWriter
from pegray.runs.journal import Journal


def settled(candidate: int, nodes: int, finished: bool) -> Settled:
    unit = Unit(candidate, 0, "verdict", 1000)
    return Settled(unit, finished, b"\x02", (-1,), None, True, nodes, 2, 0.5, 0.75, not finished)


def test_the_journal_is_a_table_of_costs(tmp_path: Path) -> None:
    out = RunWriter(tmp_path)
    out.write_manifest({"state": "running"})
    assert open_run(str(tmp_path)).sql("from units").num_rows == 0
    journal = Journal(out, "0123456789abcdef0")
    journal.append([settled(0, 1000, False), settled(0, 1500, True), settled(1, 10, True)])
    journal.close()
    question = "select candidate, sum(nodes)::bigint as nodes, count(*) as units from units group by 1 order by 1"
    assert open_run(str(tmp_path)).sql(question).to_pylist() == [
        {"candidate": 0, "nodes": 2500, "units": 2},
        {"candidate": 1, "nodes": 10, "units": 1},
    ]
