"""The journal: settled units of work as small Parquet files, so that a killed run can go on where it was.

A part is written every few seconds. So that a solve of many hours does not leave many thousands of them, every so many
are made into one (results/parts.py).
"""

from __future__ import annotations

import posixpath
import time
import uuid
import warnings
from concurrent.futures import ThreadPoolExecutor

import pyarrow as pa
import pyarrow.parquet as pq

from pegray.preendgame.work import Settled
from pegray.results.parts import is_anothers, part_name
from pegray.results.read import READERS
from pegray.results.storage import parquet_files
from pegray.results.write import RunWriter

_FOLDER = "journal"
_FLUSH_SECONDS = 2.0
_FLUSH_ROWS = 1000
_PARTS_JOINED = 64
_BYTES_JOINED = 1 << 24  # or fewer parts, where they are large
_NAME_LENGTH = 16
_OPEN = b"\xff"

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
        ("spread_at_least", pa.int32()),
        ("spread_at_most", pa.int32()),
        ("estimate", pa.float64()),
        ("portion", pa.list_(pa.int64())),
        ("replies_left", pa.list_(pa.int64())),
        ("untried", pa.int32()),
        ("checkpoints", pa.binary()),
        ("nodes_left", pa.int64()),
        ("bounds", pa.int64()),
    ]
)
# none of these was ever added to what an earlier version wrote
_NEVER_NULL = (
    "candidate",
    "draw",
    "kind",
    "budget",
    "lost",
    "finished",
    "outcomes",
    "replies",
    "proven",
    "nodes",
    "endgames",
    "cpu_seconds",
    "seconds",
    "out_of_budget",
)


class Journal:
    """The settled units of one problem in ``journal/`` of a run directory, in parts that appear whole.

    An unfinished unit is kept if it has settled an outcome or used up its budget, so that a solve that goes on does
    not spend the same time again.
    """

    def __init__(self, out: RunWriter, problem_key: str) -> None:
        self._out = out
        self._key = problem_key
        # parts are named by problem: of a run of many problems only those of this one are read
        self._problem = problem_key[:_NAME_LENGTH]
        self._session = uuid.uuid4().hex[:8]  # keeps two processes apart
        self._last = 0  # time of the last part of this session, ns
        self._parts: dict[int, pa.Table] = {}  # those that are to be made into one, by their times
        self._bytes = 0  # in them: adding that up anew takes 0.1 ms for each
        self._rows: list[dict[str, object]] = []
        self._flushed = time.monotonic()

    def load(self) -> list[Settled]:
        """What earlier sessions have found, in that order; a part that cannot be read is left out, with a warning."""
        files = parquet_files(self._out.filesystem, posixpath.join(self._out.path, _FOLDER))
        parts = [info.path for info in files if not is_anothers(info.base_name, self._problem)]
        results: list[Settled] = []
        with ThreadPoolExecutor(READERS) as readers:  # a long solve leaves hundreds of them
            for path, part in zip(parts, readers.map(self._read_part, parts), strict=True):
                if isinstance(part, Exception):
                    message = f"{path}: left out of the journal, cannot be read ({type(part).__name__})"
                    warnings.warn(message, stacklevel=2)
                else:
                    results += part
        return results

    def _read_part(self, path: str) -> list[Settled] | Exception:
        """What a part holds of this problem, or why it cannot be read."""
        try:
            with self._out.filesystem.open_input_file(path) as file:
                table = pq.read_table(file, schema=_SCHEMA, use_threads=False)
            if any(table[name].null_count for name in _NEVER_NULL):
                raise ValueError("a result without what it cost, or brought")
            return [Settled.from_row(row) for row in table.to_pylist() if row["problem"] == self._key]
        except (OSError, pa.ArrowException, KeyError, TypeError, ValueError) as error:
            return error

    def append(self, results: list[Settled]) -> None:
        """Keep results; :meth:`flush_when_due` brings them to disk."""
        kept = (result for result in results if _worth_keeping(result))
        self._rows += [{"problem": self._key, **result.to_row()} for result in kept]
        self.flush_when_due()

    def flush_when_due(self) -> None:
        """Write what has been kept if that is much, or the last time was some seconds ago."""
        if len(self._rows) >= _FLUSH_ROWS or time.monotonic() - self._flushed >= _FLUSH_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Write what has been kept."""
        self._flushed = time.monotonic()
        if self._rows:
            table = pa.Table.from_pylist(self._rows, schema=_SCHEMA)
            self._last = max(self._last + 1, time.time_ns())
            self._out.write_table(self._path_of(self._last), table)
            self._rows = []
            self._parts[self._last] = table
            self._bytes += table.nbytes
            if len(self._parts) >= _PARTS_JOINED or self._bytes >= _BYTES_JOINED:
                self._join()

    def close(self) -> None:
        """Write the rest, and make one part of those that are left."""
        self.flush()
        self._join()

    def _join(self) -> None:
        """Make one part of those that were written since the last time."""
        if len(self._parts) > 1:
            self._out.write_table(self._path_of(self._last, min(self._parts)), pa.concat_tables(self._parts.values()))
            for written in self._parts:
                self._out.remove(self._path_of(written))
        self._parts = {}
        self._bytes = 0

    def _path_of(self, last: int, first: int | None = None) -> str:
        return f"{_FOLDER}/{part_name(self._problem, self._session, last, first)}"


def _worth_keeping(result: Settled) -> bool:
    if result.finished or result.out_of_budget or result.replies_left is not None or result.checkpoints:
        return True
    bounds = (result.spread_at_least, result.spread_at_most)
    return result.outcomes.count(_OPEN) < len(result.outcomes) or bounds != (None, None)
