"""DuckDB scanning a run's Parquet files itself: the rows and types that pyarrow reads, whatever happens meanwhile."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.fs as pafs
import pyarrow.parquet as pq
import pytest

from pegray.errors import InputError
from pegray.results import views
from pegray.results.model import SolveResult
from pegray.results.read import Run, open_run
from pegray.results.schema import UNITS
from pegray.results.write import RunWriter

POSITION = {"cgp": "c", "lexicon": "ENABLE", "bag": 1, "unseen": "AACEISUY", "total": 8, "source": "f:1"}
TABLES = ("positions", "plays", "outcomes", "units")


@pytest.fixture
def out(tmp_path: Path, result: SolveResult) -> RunWriter:
    """Two positions, and a unit of work, in a directory whose name means something to DuckDB and to a shell."""
    out = RunWriter(tmp_path / "it's [a] run" / "bag=2" / "over*night")
    for name in ("first", "second"):
        out.write_solve(out.add_position({**POSITION, "name": name}), result)
    unit = {name: "x" if UNITS.field(name).type == pa.string() else 1 for name in UNITS.names}
    units = pa.Table.from_pylist([{**unit, "finished": True, "out_of_budget": False}], schema=UNITS)
    # the journal has columns that are for the solver alone
    out.write_table("journal/a.parquet", units.add_column(3, "lost", pa.array([2])))
    out.write_manifest({})
    return out


def through_pyarrow(run: Run) -> Run:
    """The same run on a filesystem that DuckDB knows nothing of."""
    run._filesystem = pafs.SubTreeFileSystem("/", run._filesystem)
    assert run.local_files("plays") is None
    return run


@pytest.mark.parametrize("table", TABLES)
def test_the_same_rows_and_types_either_way(out: RunWriter, table: str) -> None:
    scanned = open_run(out.uri).sql(f"from {table}")
    assert scanned.equals(through_pyarrow(open_run(out.uri)).sql(f"from {table}"))
    own = getattr(open_run(out.uri), table)()
    assert scanned.num_rows == own.num_rows > 0
    assert scanned.column_names[: own.num_columns] == own.column_names
    assert set(scanned["run"].to_pylist()) == {"over*night"}


@pytest.mark.parametrize("table", TABLES)
def test_no_files_are_an_empty_table(tmp_path: Path, out: RunWriter, table: str) -> None:
    RunWriter(tmp_path / "empty").write_manifest({})
    empty = open_run(tmp_path / "empty")
    assert empty.sql(f"from {table}").schema == open_run(out.uri).sql(f"from {table}").schema
    assert empty.sql(f"from {table}").num_rows == 0
    both = views.query_runs([empty, open_run(out.uri)], f"select distinct run from {table}")
    assert both.to_pylist() == [{"run": "over*night"}]


def test_what_is_half_written_is_not_there_yet(out: RunWriter) -> None:
    for name in (".000002.parquet.123.tmp", ".000002.parquet", "000002.parquet.crc"):
        Path(out.path, "plays", name).write_bytes(b"PAR1 and no more")
    assert open_run(out.uri).sql("select count(*) as n from plays").to_pylist() == [{"n": 6}]


def test_a_column_that_a_file_does_not_have_is_null(out: RunWriter) -> None:
    path = Path(out.path, "plays", "000000.parquet")
    pq.write_table(pq.read_table(path).drop_columns(["spread"]), path)
    found = open_run(out.uri).sql("select position_id, count(spread) as n from plays group by all order by all")
    assert found.to_pylist() == [{"position_id": 0, "n": 0}, {"position_id": 1, "n": 1}]


def test_a_damaged_file_is_named(out: RunWriter) -> None:
    Path(out.path, "plays", "000001.parquet").write_bytes(b"not a table")
    with pytest.raises(InputError, match=r"^[^\n]*plays/000001\.parquet is missing or corrupted[^\n]*$"):
        open_run(out.uri).sql("from plays")
    assert open_run(out.uri).sql("from outcomes").num_rows == 6


@pytest.mark.parametrize("fails", [False, True])
@pytest.mark.parametrize("times", [1, 2, 99])
def test_a_file_replaced_while_it_is_read(
    out: RunWriter, result: SolveResult, times: int, fails: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer is asked anew, and at last read by pyarrow, never taken from two versions of a file."""
    asked = []
    answer = views._answer

    def while_it_is_written(sources: Any, *rest: Any) -> pa.Table:
        asked.append(bool(sources[0].files))
        table = answer(sources, *rest)
        if len(asked) <= times and sources[0].files:
            plays = [replace(play, score=len(asked)) for play in result.plays]
            out.write_solve(1, replace(result, plays=plays * (len(asked) + 1)))
            if fails:
                raise duckdb.IOException("what was read made no sense")
        return table

    monkeypatch.setattr(views, "_answer", while_it_is_written)
    found = open_run(out.uri).sql("select max(score) as score from plays where position_id = 1").to_pylist()
    assert found == [{"score": min(times, 3)}]
    assert asked == {1: [True] * 2, 2: [True] * 3, 99: [True] * 3 + [False]}[times]


def test_only_what_a_query_names_is_looked_at(out: RunWriter) -> None:
    for folder in ("outcomes", "journal"):
        Path(out.path, folder, "000001.parquet").write_bytes(b"not a table")
    for sql in ("FROM Best_Plays", "from non_emptying_wins", "select 1 from plays"):
        open_run(out.uri).sql(sql)
    with pytest.raises(InputError):
        open_run(out.uri).sql("from losing_draws")


def test_a_query_that_names_nothing_sees_everything(out: RunWriter) -> None:
    tables = [row["name"] for row in open_run(out.uri).sql("show tables").to_pylist()]
    assert {*TABLES, *views.VIEWS} <= set(tables)
    with pytest.raises(InputError, match="best_play "):
        open_run(out.uri).sql("from best_play")
