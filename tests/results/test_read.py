"""Reading a run directory back, whole, unfinished or damaged."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pegray.errors import InputError
from pegray.results.model import SolveResult
from pegray.results.read import open_run
from pegray.results.write import RunWriter

POSITION = {"name": "first", "lexicon": "ENABLE", "bag": 1, "unseen": "AACEISUY", "total": 8, "source": "first.cgp:1"}


@pytest.fixture
def out(tmp_path: Path, result: SolveResult) -> RunWriter:
    """A run of one solved position and one that is not yet begun."""
    out = RunWriter(str(tmp_path / "run"))
    for _ in range(2):
        out.add_position({**POSITION, "cgp": result.cgp})
    out.write_solve(0, result)
    out.write_manifest({"options": {"opponent": "guaranteed"}, "stats": {"0": asdict(result.stats)}})
    return out


def test_a_result_comes_back_as_it_was(out: RunWriter, result: SolveResult) -> None:
    assert open_run(out.uri).result(0) == result


def test_without_statistics_their_sum_over_plays_is_told(out: RunWriter, result: SolveResult) -> None:
    out.write_manifest({"stats": {}})
    stats = open_run(out.uri).result(0).stats
    assert (stats.cpu_seconds, stats.endgames, stats.nodes, stats.interrupted) == (1.5, 9, 36, True)


def test_a_position_that_is_not_begun_has_no_plays(out: RunWriter) -> None:
    empty = open_run(out.uri).result(1)
    assert (empty.cgp, empty.total, empty.plays, empty.best) == ("cgp of the position", 8, [], None)
    with pytest.raises(InputError, match="no position 2"):
        open_run(out.uri).result(2)


def test_tables(out: RunWriter) -> None:
    run = open_run(out.uri)
    assert run.positions()["position_id"].to_pylist() == [0, 1]
    assert (run.plays().num_rows, run.plays(0).num_rows, run.plays(1).num_rows) == (3, 3, 0)
    assert (run.outcomes().num_rows, run.outcomes(1).num_rows) == (3, 0)


def test_tables_of_a_run_that_has_just_begun(tmp_path: Path) -> None:
    out = RunWriter(str(tmp_path))
    out.write_manifest({})
    run = open_run(out.uri)
    assert run.plays().num_rows == run.outcomes().num_rows == 0


def test_sql(out: RunWriter) -> None:
    run = open_run(out.uri)
    rows = run.sql("select outcome, sum(weight)::bigint as weight from outcomes group by 1 order by 2").to_pylist()
    assert rows == [
        {"outcome": "D", "weight": 1},
        {"outcome": "L", "weight": 2},
        {"outcome": "W", "weight": 7},
    ]
    joined = "select name, move from positions join plays using (position_id) where rank = 1"
    assert run.sql(joined).to_pylist() == [{"name": "first", "move": "13L ONYX"}]
    assert run.sql("create table t (a int)").num_rows == 0


@pytest.mark.parametrize("query", ["select nothing from plays", "no SQL at all", "select 'x'::int from plays"])
def test_a_bad_query_is_one_line(out: RunWriter, query: str) -> None:
    run = open_run(out.uri)
    with pytest.raises(InputError, match=r"^query: [^\n]+$"):
        run.sql(query)


@pytest.mark.parametrize("content", [None, b"", b"\xff\xfe", b"{", b"[1]"])
def test_a_directory_that_is_no_run(tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "manifest.json").write_bytes(content)
    with pytest.raises(InputError, match=r"^[^\n]*(not a run directory|is corrupted)[^\n]*$"):
        open_run(str(tmp_path))


def test_a_path_that_is_no_directory(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for name in ("file", "nothing", "file/below"):
        with pytest.raises(InputError, match="not a run directory"):
            open_run(str(tmp_path / name))


def test_a_run_of_another_schema_version(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text('{"schema": 99}')
    with pytest.raises(InputError, match="schema version 99"):
        open_run(str(tmp_path))


@pytest.mark.parametrize("damage", ["torn", "foreign", "other columns"])
def test_a_damaged_table_is_named(out: RunWriter, damage: str) -> None:
    path = Path(out.path, "plays", "000000.parquet")
    if damage == "torn":
        path.write_bytes(path.read_bytes()[:-50])
    elif damage == "foreign":
        path.write_bytes(b"not a table")
    else:
        pq.write_table(pa.table({"move": ["pass"]}), path)
    with pytest.raises(InputError, match=r"^[^\n]*plays/000000\.parquet is missing or corrupted[^\n]*$"):
        open_run(out.uri).plays()
