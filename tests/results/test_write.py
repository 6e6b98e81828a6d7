"""A run directory can be read by anybody at any moment, and a crash leaves nothing torn."""

from __future__ import annotations

import json
import os
import threading
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from pegray.errors import InputError, PegrayError
from pegray.files import write_atomically
from pegray.results.model import SolveResult
from pegray.results.write import RunWriter

POSITION = {"name": "a", "cgp": "", "lexicon": "ENABLE", "bag": 1, "unseen": "AACEISUY", "total": 8, "source": "f:1"}


@pytest.fixture
def out(tmp_path: Path) -> RunWriter:
    return RunWriter(str(tmp_path / "a" / "run"))


def files(out: RunWriter) -> list[str]:
    return sorted(str(path.relative_to(out.path)) for path in Path(out.path).rglob("*") if path.is_file())


def test_layout_of_the_directory(out: RunWriter, result: SolveResult) -> None:
    out.write_manifest({"state": "running"})
    assert [out.add_position(POSITION), out.add_position(POSITION)] == [0, 1]
    for position_id in (0, 1, 1):
        out.write_solve(position_id, result)
    assert files(out) == [
        "manifest.json",
        "outcomes/000000.parquet",
        "outcomes/000001.parquet",
        "plays/000000.parquet",
        "plays/000001.parquet",
        "positions.parquet",
    ]
    manifest = json.loads(Path(out.path, "manifest.json").read_text())
    begun, written = (datetime.fromisoformat(manifest.pop(name)) for name in ("begun", "written"))
    assert begun <= written and begun.utcoffset() == timedelta(0)
    assert manifest == {"schema": 2, "state": "running"}


def test_the_files_need_nothing_of_pegray(out: RunWriter, result: SolveResult) -> None:
    import duckdb

    for _ in range(2):
        out.write_solve(out.add_position(POSITION), result)
    assert pq.read_table(os.path.join(out.path, "plays")).num_rows == 6
    outcomes = os.path.join(out.path, "outcomes", "*.parquet")
    with duckdb.connect() as connection:
        connection.execute(f"select position_id, move, weight from '{outcomes}' where outcome = 'L' order by 1")
        lost = connection.fetchall()
    assert lost == [(0, "N3 STEY", 2), (1, "N3 STEY", 2)]
    field = pq.read_schema(os.path.join(out.path, "plays", "000000.parquet")).field("points")
    assert b"weight won" in field.metadata[b"meaning"]


def test_readers_never_see_half_a_file(out: RunWriter, result: SolveResult) -> None:
    """Whoever reads the folders while they are written finds whole tables only."""
    out.write_solve(0, result)
    ended = threading.Event()
    failures: list[Any] = []
    reads = 0

    def write() -> None:
        for _ in range(60):
            out.write_solve(0, result)
        ended.set()

    writer = threading.Thread(target=write)
    writer.start()
    while not ended.is_set():
        try:
            assert pq.read_table(os.path.join(out.path, "outcomes")).num_rows == 3
            reads += 1
        except Exception as error:
            failures.append(error)
    writer.join()
    assert reads and not failures


def test_a_write_that_fails_keeps_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    write_atomically(str(path), b"old")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        write_atomically(str(path), b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_what_a_kill_left_half_written_goes_when_the_run_is_taken_up(out: RunWriter) -> None:
    left = [Path(out.path, folder, f".x.parquet.{'0a' * 16}.tmp") for folder in ("", "plays", "journal")]
    others = [Path(out.path, ".x.tmp"), Path(out.path, "plays", ".hidden")]
    for path in (*left, *others):
        path.write_bytes(b"half")
    RunWriter(out.uri)
    assert all(path.exists() for path in left), "whoever only looks may look while another writes"
    out.claim()
    assert not any(path.exists() for path in left)
    assert all(path.exists() for path in others)


def test_a_file_for_its_owner_alone(tmp_path: Path) -> None:
    write_atomically(tmp_path / "secret", b"", mode=0o600)
    assert (tmp_path / "secret").stat().st_mode & 0o777 == 0o600


def test_a_full_disk_is_one_line(out: RunWriter, result: SolveResult, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(PegrayError, match=r"^[^\n]*plays/000000\.parquet: cannot be written: No space left on device$"):
        out.write_solve(0, result)


def test_a_directory_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=r"^[^\n]*file: cannot be written: [^\n]*$"):
        RunWriter(str(tmp_path / "file"))


@pytest.mark.parametrize("uri", ["nothing://there", "file://"])
def test_a_uri_that_is_none(uri: str) -> None:
    with pytest.raises(InputError, match=rf"^{uri}: [^\n]+$"):
        RunWriter(uri)


def test_a_uri_as_directory(tmp_path: Path, result: SolveResult) -> None:
    out = RunWriter(f"file://{tmp_path}/run")
    out.write_solve(0, result)
    assert (tmp_path / "run" / "plays" / "000000.parquet").is_file()


def test_a_relative_path_stays_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    out = RunWriter("run")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    out.write_manifest({})
    assert (tmp_path / "run" / "manifest.json").is_file()
