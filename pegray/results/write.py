"""Writing a run directory, so that it can be read at any moment of the run."""

from __future__ import annotations

import json
import os
import posixpath
from typing import Any

import pyarrow as pa
import pyarrow.fs as pafs
import pyarrow.parquet as pq

from pegray.errors import InputError, PegrayError
from pegray.results.model import SolveResult
from pegray.results.schema import POSITIONS, SCHEMA_VERSION

MANIFEST = "manifest.json"


def open_filesystem(uri: str) -> tuple[pafs.FileSystem, str]:
    """The filesystem and path of a local path or of any URI that pyarrow knows (``s3://...``)."""
    if "://" in uri:
        filesystem, path = pafs.FileSystem.from_uri(uri)
        return filesystem, path
    return pafs.LocalFileSystem(), os.path.abspath(uri)


class RunWriter:
    """Writes one run directory; files appear whole or not at all.

    Raises InputError when the directory cannot be made, PegrayError when a file cannot be written later.
    """

    def __init__(self, uri: str) -> None:
        self.uri = uri
        self.filesystem, self.path = open_filesystem(uri)
        self.stats: dict[str, dict[str, Any]] = {}
        self._positions: list[dict[str, Any]] = []
        try:
            for folder in ("plays", "outcomes", "journal"):
                self.filesystem.create_dir(posixpath.join(self.path, folder), recursive=True)
        except OSError as error:
            raise InputError(f"{uri}: cannot be written: {error.strerror or error}") from None

    def write_manifest(self, manifest: dict[str, Any]) -> None:
        """Write ``manifest.json``; the schema version is added."""
        text = json.dumps({"schema": SCHEMA_VERSION, **manifest}, indent=1, sort_keys=True)
        self._write_bytes(MANIFEST, text.encode())

    def add_position(self, row: dict[str, Any]) -> int:
        """Add a row of positions.parquet, all fields but its id; returns the id."""
        position_id = len(self._positions)
        self._positions.append({"position_id": position_id, **row})
        self.write_table("positions.parquet", pa.Table.from_pylist(self._positions, schema=POSITIONS))
        return position_id

    def write_solve(self, position_id: int, result: SolveResult) -> None:
        """Write the plays and outcomes of a position, over what was written of it before."""
        for name, table in result.to_arrow(position_id).items():
            self.write_table(f"{name}/{position_id:06d}.parquet", table)

    def write_table(self, name: str, table: pa.Table) -> None:
        """Write one Parquet file of the run directory."""
        sink = pa.BufferOutputStream()
        pq.write_table(table, sink, compression="zstd")
        self._write_bytes(name, sink.getvalue().to_pybytes())

    def _write_bytes(self, name: str, data: bytes) -> None:
        target = posixpath.join(self.path, name)
        try:
            if isinstance(self.filesystem, pafs.LocalFileSystem):
                write_atomically(target, data)
            else:
                # an object store shows an object when it is complete
                with self.filesystem.open_output_stream(target) as stream:
                    stream.write(data)
        except OSError as error:
            raise PegrayError(f"{target}: cannot be written: {error.strerror or error}") from None


def write_atomically(path: str, data: bytes) -> None:
    """Write a local file so that a reader, or a crash, sees the old or the new content and nothing between."""
    temporary = f"{path}.{os.getpid()}.tmp"
    with open(temporary, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    os.replace(temporary, path)
