"""The journal: settled units of work as small Parquet files, so that a killed run can go on where it was."""

from __future__ import annotations

import posixpath
import re
import time
import uuid
import warnings
from concurrent.futures import ThreadPoolExecutor

import pyarrow as pa
import pyarrow.fs as pafs
import pyarrow.parquet as pq

from pegray.preendgame.work import Settled
from pegray.results.read import READERS
from pegray.results.write import RunWriter

_FOLDER = "journal"
_FLUSH_SECONDS = 2.0
_FLUSH_ROWS = 1000
_PREFIX_LENGTH = 16
_PART = re.compile(r".+-\d{20}-[0-9a-f]{8}\.parquet")
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
        self._prefix = f"{problem_key[:_PREFIX_LENGTH]}-"
        self._rows: list[dict[str, object]] = []
        self._flushed = time.monotonic()

    def load(self) -> list[Settled]:
        """What earlier sessions have found, in that order; a part that cannot be read is left out, with a warning."""
        selector = pafs.FileSelector(posixpath.join(self._out.path, _FOLDER), allow_not_found=True)
        infos = sorted(self._out.filesystem.get_file_info(selector), key=lambda info: info.base_name)
        parts = [
            info.path
            for info in infos
            if info.type == pafs.FileType.File
            and info.base_name.endswith(".parquet")
            and not self._is_anothers(info.base_name)
        ]
        results: list[Settled] = []
        with ThreadPoolExecutor(READERS) as readers:  # a long solve leaves thousands of them
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

    def _is_anothers(self, name: str) -> bool:
        """Whether a part is named as one of another problem; a part of any other name has to be looked into."""
        return _PART.fullmatch(name) is not None and not name.startswith(self._prefix)

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
            # names in order of time; the random end keeps two processes apart
            name = f"{self._prefix}{time.time_ns():020d}-{uuid.uuid4().hex[:8]}.parquet"
            self._out.write_table(f"{_FOLDER}/{name}", table)
            self._rows = []

    def close(self) -> None:
        """Write the rest."""
        self.flush()


def _worth_keeping(result: Settled) -> bool:
    if result.finished or result.out_of_budget or result.replies_left is not None or result.checkpoints:
        return True
    bounds = (result.spread_at_least, result.spread_at_most)
    return result.outcomes.count(_OPEN) < len(result.outcomes) or bounds != (None, None)
