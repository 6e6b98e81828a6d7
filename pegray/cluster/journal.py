"""The journal: settled units of work as small Parquet files, so that a killed run can go on where it was."""

from __future__ import annotations

import time
import uuid

import pyarrow as pa

from pegray.preendgame.work import Settled
from pegray.results.write import RunWriter

_FLUSH_SECONDS = 2.0
_FLUSH_ROWS = 1000

_SCHEMA = pa.schema(
    [
        ("problem", pa.string()),
        ("candidate", pa.int32()),
        ("draw", pa.int32()),
        ("kind", pa.string()),
        ("budget", pa.int64()),
        ("lost", pa.int64()),
        ("finished", pa.bool_()),
        ("outcomes", pa.binary()),
        ("replies", pa.list_(pa.int64())),
        ("spread", pa.int32()),
        ("proven", pa.bool_()),
        ("nodes", pa.int64()),
        ("endgames", pa.int64()),
        ("cpu_seconds", pa.float64()),
        ("seconds", pa.float64()),
        ("out_of_budget", pa.bool_()),
    ]
)


class Journal:
    """Writes the settled units of one problem to ``journal/`` of a run directory, in parts that appear whole."""

    def __init__(self, out: RunWriter, problem_key: str) -> None:
        self._out = out
        self._key = problem_key
        self._rows: list[dict[str, object]] = []
        self._flushed = time.monotonic()

    def append(self, results: list[Settled]) -> None:
        """Keep results; they are on disk about two seconds later."""
        self._rows += [{"problem": self._key, **result.to_row()} for result in results if result.finished]
        if len(self._rows) >= _FLUSH_ROWS or time.monotonic() - self._flushed >= _FLUSH_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Write what has been kept."""
        self._flushed = time.monotonic()
        if self._rows:
            self._out.write_table(
                f"journal/{uuid.uuid4().hex}.parquet", pa.Table.from_pylist(self._rows, schema=_SCHEMA)
            )
            self._rows = []

    def close(self) -> None:
        """Write the rest."""
        self.flush()
