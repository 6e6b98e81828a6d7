"""Writing a run directory, so that it can be read at any moment of the run."""

from __future__ import annotations

import json
import os
import posixpath
import threading
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import IO, Any

import pyarrow as pa
import pyarrow.fs as pafs
import pyarrow.parquet as pq

from pegray.errors import InputError, RunError
from pegray.files import remove_unfinished, write_atomically
from pegray.results.lock import lock_folder
from pegray.results.model import SolveResult
from pegray.results.read import FOLDERS, open_run
from pegray.results.schema import POSITIONS, SCHEMA_VERSION
from pegray.results.storage import MANIFEST, open_filesystem
from pegray.terms import State

_NOT_BEGUN = {"state": State.OPEN, "answered_seconds": None, "complete_seconds": None}


class RunWriter:
    """Writes one run directory; files appear whole or not at all.

    A run that is there already is taken up: its positions keep their ids, results and statistics.

    manifest: as it was last written, or found
    lock: held while the manifest and the positions change; positions are solved in several threads
    underway: positions whose tables are written again and again, as they are solved

    Raises InputError when the directory cannot be made, or holds a run that cannot be taken up; RunError when a
    file cannot be written later.
    """

    def __init__(self, uri: str | os.PathLike[str]) -> None:
        self.uri = os.fspath(uri)
        self.filesystem, self.path = open_filesystem(self.uri)
        self.stats: dict[str, dict[str, Any]] = {}
        self.manifest: dict[str, Any] = {}
        self.lock = threading.RLock()
        self.underway: set[int] = set()
        self._claim: IO[str] | None = None
        self._positions: list[dict[str, Any]] = []
        self._earlier: list[int] = []
        try:
            for folder in FOLDERS.values():
                self.filesystem.create_dir(posixpath.join(self.path, folder), recursive=True)
        except OSError as error:
            raise InputError(f"{uri}: cannot be written: {error.strerror or error}") from None
        self._take_up()

    def claim(self) -> None:
        """Keep other processes from writing this run until :meth:`release`, or the end of this one.

        What an earlier version has written of it becomes what this one writes. Raises RunError if another process works
        on it. A remote run is not guarded.
        """
        if self._claim is None and isinstance(self.filesystem, pafs.LocalFileSystem):
            self._claim = lock_folder(self.path)
            for folder in () if self._claim is None else ("", *FOLDERS.values()):
                remove_unfinished(os.path.join(self.path, folder))
            self._take_up()  # whoever had it may have written since it was opened
        if self.manifest.get("schema", SCHEMA_VERSION) != SCHEMA_VERSION:
            self._upgrade()

    def release(self) -> None:
        """Let others write."""
        if self._claim is not None:
            self._claim.close()
            self._claim = None

    def write_manifest(self, manifest: dict[str, Any]) -> None:
        """Write ``manifest.json`` with these entries changed; the schema version and the times are added."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        with self.lock:
            self.manifest = {"begun": now} | self.manifest | {"schema": SCHEMA_VERSION, "written": now, **manifest}
            text = json.dumps(self.manifest, sort_keys=True)  # indented it takes four times as long
            self._write_bytes(MANIFEST, text.encode())

    def add_position(self, row: dict[str, Any]) -> int:
        """Add a row of positions.parquet, all fields but its id and state; returns the id.

        A row that the run held when it was taken up is not added again.
        """
        for position_id in self._earlier:
            if row.items() <= self._positions[position_id].items():
                self._earlier.remove(position_id)
                return position_id
        position_id = len(self._positions)
        self._positions.append({"position_id": position_id, **row, **_NOT_BEGUN})
        self._write_positions()
        return position_id

    def announce(self, rows: Sequence[dict[str, Any]], start: int = 0) -> None:
        """Write the rows of positions that are to come, with ids from ``start`` on; what was there from it goes."""
        del self._positions[start:]
        self._positions += [{"position_id": start + i, **row, **_NOT_BEGUN} for i, row in enumerate(rows)]
        self._write_positions()

    @property
    def position_count(self) -> int:
        """Positions in the run so far."""
        return len(self._positions)

    def position(self, position_id: int) -> dict[str, Any]:
        """A row of positions.parquet as it is now."""
        return self._positions[position_id]

    def progress(self, position_id: int) -> list[dict[str, Any]]:
        """How a position has come along in earlier sessions; nothing if that cannot be read."""
        try:
            rows: list[dict[str, Any]] = open_run(self.uri).progress(position_id).to_pylist()
        except InputError:
            return []
        return rows

    def write_solve(self, position_id: int, result: SolveResult) -> None:
        """Write the plays and outcomes of a position, over what was written of it before, and its state."""
        for name, table in result.to_arrow(position_id).items():
            self.write_table(f"{name}/{position_id:06d}.parquet", table)
        with self.lock:
            if position_id < len(self._positions):
                row = self._positions[position_id]
                before = dict(row)
                row |= {name: getattr(result, name) for name in _NOT_BEGUN}
                if row != before:
                    self._write_positions()

    def write_table(self, name: str, table: pa.Table) -> None:
        """Write one Parquet file of the run directory."""
        sink = pa.BufferOutputStream()
        pq.write_table(table, sink, compression="zstd")
        self._write_bytes(name, sink.getvalue().to_pybytes())

    def remove(self, name: str) -> None:
        """Remove a file of the run directory that nobody needs any more; if that cannot be done, it stays."""
        with suppress(OSError):
            self.filesystem.delete_file(posixpath.join(self.path, name))

    def _write_positions(self) -> None:
        self.write_table("positions.parquet", pa.Table.from_pylist(self._positions, schema=POSITIONS))

    def _take_up(self) -> None:
        if not self._holds(MANIFEST):
            return
        run = open_run(self.uri)
        self.manifest = run.manifest
        self.stats = self.manifest.get("stats", {})
        if self.manifest.get("positions") or self._holds("positions.parquet"):
            self._positions = run.positions().to_pylist()
            self._earlier = list(range(len(self._positions)))

    def _upgrade(self) -> None:
        """Write what the run holds as this version has it."""
        run = open_run(self.uri)
        for position_id in range(len(self._positions)):
            plays = run.plays(position_id)
            if plays.num_rows:
                self.write_table(f"plays/{position_id:06d}.parquet", plays)
        self._write_positions()
        self.write_manifest({})

    def _holds(self, name: str) -> bool:
        info = self.filesystem.get_file_info(posixpath.join(self.path, name))
        return bool(info.type == pafs.FileType.File)

    def _write_bytes(self, name: str, data: bytes) -> None:
        target = posixpath.join(self.path, name)
        try:
            if isinstance(self.filesystem, pafs.LocalFileSystem):
                write_atomically(target, data)
            else:
                # an object store shows an object only when it is complete
                with self.filesystem.open_output_stream(target) as stream:
                    stream.write(data)
        except OSError as error:
            raise RunError(f"{target}: cannot be written: {error.strerror or error}") from None
