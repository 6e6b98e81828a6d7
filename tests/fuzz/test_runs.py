"""Run directories that somebody else has made: data, read or refused in one line; nothing in them is ever executed."""

from __future__ import annotations

import ast
import json
import os
import pickle
import re
import shutil
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pegray.cli import main
from pegray.commands.exit_codes import BAD_INPUT
from pegray.errors import InputError, RunError
from pegray.results.events import events_of, log_event
from pegray.results.lock import lock_folder
from pegray.results.read import open_run
from pegray.results.write import RunWriter
from pegray.runs.directories import take_up
from pegray.runs.journal import Journal
from tests.fuzz.broken import broken_bytes, one_line
from tests.fuzz.conftest import FEW

ROOT = Path(__file__).parents[2]
STORED = ROOT / "tests" / "data" / "schema1"
FILES = sorted(str(path.relative_to(STORED)) for path in STORED.rglob("*") if path.is_file())
MANIFEST = json.loads((STORED / "manifest.json").read_text())
TABLES = ("positions", "plays", "outcomes", "units")
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=5), inner, max_size=2),
    max_leaves=4,
)


def copied(folder: Path) -> Path:
    """A run of our own to break, in place of the last one."""
    run = folder / "run"
    shutil.rmtree(run, ignore_errors=True)
    shutil.copytree(STORED, run)
    return run


def read_all(directory: Path) -> None:
    run = one_line(open_run, str(directory))
    if run is None:
        return
    for table in TABLES:
        one_line(getattr(run, table))
    one_line(run.sql, "from losing_draws")
    one_line(run.result, 0)
    one_line(run.overview, 0)
    one_line(lambda: list(run.results()))


@settings(max_examples=FEW)
@given(st.sampled_from(FILES), st.data())
def test_files_by_bytes(tmp_path: Path, name: str, data: st.DataObject) -> None:
    run = copied(tmp_path)
    (run / name).write_bytes(data.draw(broken_bytes((STORED / name).read_bytes())))
    read_all(run)


@st.composite
def broken_manifests(draw: st.DrawFn) -> dict[str, Any]:
    """The manifest with something else in place of one of its parts."""
    manifest = json.loads(json.dumps(MANIFEST))
    part: Any = manifest
    while True:
        keys = list(part) if isinstance(part, dict) else list(range(len(part)))
        key = draw(st.sampled_from(keys))
        if isinstance(part[key], dict | list) and part[key] and draw(st.booleans()):
            part = part[key]
            continue
        if draw(st.booleans()):
            part[key] = draw(JSON)
        else:
            del part[key]
        return manifest


@settings(max_examples=FEW)
@given(manifest=broken_manifests())
def test_manifests(tmp_path: Path, capsys: pytest.CaptureFixture[str], manifest: dict[str, Any]) -> None:
    run = copied(tmp_path)
    (run / "manifest.json").write_text(json.dumps(manifest))
    read_all(run)
    for command in ("show", "status"):
        assert main([command, str(run)]) in (0, BAD_INPUT)
    one_line(take_up, str(run))


@pytest.mark.parametrize("part", sorted(MANIFEST))
def test_parts_of_a_manifest_that_are_null(tmp_path: Path, capsys: pytest.CaptureFixture[str], part: str) -> None:
    run = copied(tmp_path)
    (run / "manifest.json").write_text(json.dumps(MANIFEST | {part: None}))
    read_all(run)
    for command in (["show"], ["status"], ["report", "-o", str(tmp_path / "report.html")]):
        assert main([command[0], str(run), *command[1:]]) in (0, BAD_INPUT)
    one_line(take_up, str(run))


@pytest.mark.parametrize(
    ("limit", "value"),
    [
        ("per_position", "x"),
        ("per_position", -1),
        ("total", [1]),
        ("workers", 0),
        ("workers", True),
        ("table_gib", -1),
        ("table_gib", "x"),
        ("cpus", 0),
        ("per_position", "0s"),
        ("address", "elsewhere"),
    ],
)
def test_limits_that_no_run_has(tmp_path: Path, limit: str, value: Any) -> None:
    run = copied(tmp_path)
    job = MANIFEST["job"] | {limit: value}
    (run / "manifest.json").write_text(json.dumps(MANIFEST | {"job": job}))
    with pytest.raises(InputError, match=r"^[^\n]*the job in the manifest cannot be read \([^\n]*\)$"):
        take_up(str(run))


def test_limits_as_a_job_file_has_them(tmp_path: Path) -> None:
    run = copied(tmp_path)
    job = MANIFEST["job"] | {"per_position": "10m", "total": 90.5}
    (run / "manifest.json").write_text(json.dumps(MANIFEST | {"job": job}))
    out, plan = take_up(str(run))
    out.release()
    assert (plan.per_position, plan.total) == (600.0, 90.5)


@given(broken_bytes(b"select draw, sum(weight) from outcomes group by all"))
def test_sql(data: bytes) -> None:
    one_line(open_run(str(STORED)).sql, data.decode("utf-8", "replace"))


def test_a_manifest_nested_too_deeply(tmp_path: Path) -> None:
    run = copied(tmp_path)
    (run / "manifest.json").write_text("[" * 100_000)
    assert one_line(open_run, str(run)) is None


@pytest.mark.parametrize(
    ("table", "column", "value"),
    [("plays", "status", "won"), ("plays", "score", None), ("outcomes", "outcome", "X"), ("outcomes", "weight", None)],
)
def test_rows_that_no_run_has(tmp_path: Path, table: str, column: str, value: str | None) -> None:
    path = copied(tmp_path) / table / "000000.parquet"
    rows = pq.read_table(path)
    at = rows.column_names.index(column)
    kind = pa.string() if isinstance(value, str) else rows.schema.field(column).type
    pq.write_table(rows.set_column(at, column, pa.array([value] * rows.num_rows, kind)), path)
    with pytest.raises(InputError, match="missing or corrupted"):
        getattr(open_run(str(tmp_path / "run")), table)(0)


class Bomb:
    """Unpickled, it makes a file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return open, (str(self.path), "w")


def test_nothing_in_a_run_is_unpickled(tmp_path: Path) -> None:
    """A type of Arrow's that older versions of it unpickled, in every file, and pickles in place of all files."""
    mark = tmp_path / "executed"
    bomb = pickle.dumps(Bomb(mark))
    run = copied(tmp_path)
    for name in FILES:
        if name.endswith(".parquet"):
            table = pq.read_table(run / name)
            names = {b"ARROW:extension:name": b"arrow.py_extension_type", b"ARROW:extension:metadata": bomb}
            fields = [item.with_metadata({**(item.metadata or {}), **names}) for item in table.schema]
            pq.write_table(pa.Table.from_arrays(table.columns, schema=pa.schema(fields)), run / name)
    read_all(run)
    Journal(RunWriter(str(run)), "0" * 64).load()
    for name in FILES:
        (run / name).write_bytes(bomb)
        read_all(run)
    assert not mark.exists()


def test_only_code_of_this_machine_and_of_its_cluster_is_unpickled() -> None:
    """What unpickles or executes, in the whole program; a new place has to be looked at first."""
    found = set()
    for path in (ROOT / "pegray").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            text = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
            if re.fullmatch(
                r"(pickle|marshal|dill|cloudpickle|shelve)\.(loads?|open)|eval|exec|os\.system|yaml\.\w*load\w*", text
            ):
                found.add((path.relative_to(ROOT / "pegray").as_posix(), text))
            if isinstance(node, ast.keyword) and node.arg in ("allow_pickle", "shell"):
                found.add((path.relative_to(ROOT / "pegray").as_posix(), node.arg))
    assert found == {
        ("compiled.py", "pickle.loads"),  # machine code in the user's own cache
        ("cluster/actors.py", "pickle.loads"),  # between the processes of one Ray, which pickles itself
        ("cluster/executor.py", "pickle.loads"),
        ("runs/job_file.py", "yaml.load"),  # with a SafeLoader
    }


def test_names_of_a_run_are_no_sql(tmp_path: Path) -> None:
    run = tmp_path / "it's'); create table taken as select 1 as run; --"
    shutil.copytree(STORED, run)
    shutil.copy(run / "outcomes" / "000000.parquet", run / "outcomes" / "x'], union_by_name = true); --.parquet")
    rows = open_run(str(run)).sql("select distinct run from outcomes").to_pylist()
    assert rows == [{"run": run.name}]


def test_sql_sees_no_variables_of_the_program() -> None:
    assert one_line(open_run(str(STORED)).sql, "from sources") is None


def test_links_in_a_run_lead_nowhere(tmp_path: Path) -> None:
    """Whoever takes up a run writes into its files, and not to where a link leads."""
    run, own = copied(tmp_path), tmp_path / "own"
    own.write_text("mine")
    for name in (".lock", "events.jsonl"):
        os.symlink(own, run / name)
    assert one_line(lock_folder, str(run)) is None
    (run / ".lock").unlink()
    out = RunWriter(str(run))
    with pytest.raises(RunError, match=r"events\.jsonl: .*symbolic link"), events_of(out):
        log_event("begun")
    os.replace(run / "manifest.json", tmp_path / "manifest.json")
    os.symlink(tmp_path / "manifest.json", run / "manifest.json")
    before = (tmp_path / "manifest.json").read_text()
    out.write_manifest({"state": "finished"})
    assert (tmp_path / "manifest.json").read_text() == before and not (run / "manifest.json").is_symlink()
    assert own.read_text() == "mine"


def test_pipes_in_a_run_keep_nobody_waiting(tmp_path: Path) -> None:
    run = copied(tmp_path)
    os.mkfifo(run / "outcomes" / "pipe.parquet")
    os.mkfifo(run / "journal" / "pipe.parquet")
    assert open_run(str(run)).outcomes().num_rows
    assert open_run(str(run)).units().num_rows
    Journal(RunWriter(str(run)), "0" * 64).load()
    (run / "manifest.json").unlink()
    os.mkfifo(run / "manifest.json")
    assert one_line(open_run, str(run)) is None


def test_a_run_does_not_say_which_cluster_to_join(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = copied(tmp_path)
    manifest = json.loads(json.dumps(MANIFEST))
    manifest["job"]["address"] = "192.0.2.1:6379"
    (run / "manifest.json").write_text(json.dumps(manifest))
    assert main(["resume", str(run)]) == BAD_INPUT
    assert "--address: needed here: the run was started at 192.0.2.1:6379" in capsys.readouterr().err
