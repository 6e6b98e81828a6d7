"""How a position has come along, in ``progress/`` of a run directory: a row every few seconds."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa

from pegray.preendgame.ledger import Progress
from pegray.results.read import FOLDERS
from pegray.results.schema import PROGRESS
from pegray.results.write import RunWriter

_WRITE_SECONDS = 10.0
_MOST_ROWS = 1000


class ProgressLog:
    """Rows of the table ``progress`` of one position, those of earlier sessions first.

    When there get to be many, every second one goes and the others come half as often: the file stays small, and a long
    solve can be followed from its start to its end all the same.
    """

    def __init__(self, out: RunWriter, position_id: int) -> None:
        self._out = out
        self._position_id = position_id
        self._rows: list[dict[str, Any]] = out.progress(position_id)
        self._every = _WRITE_SECONDS
        self._next = 0.0
        self._last: dict[str, Any] | None = None

    def note(self, progress: Progress, seconds: float) -> None:
        """The position stands like this after so many seconds of solving, those of earlier sessions included."""
        self._last = _row(self._position_id, progress, seconds)
        now = time.monotonic()
        if now >= self._next or self._last["state"] != self._rows[-1]["state"]:
            self._next = now + self._every
            self._write()

    def close(self) -> None:
        """Keep what was noted last."""
        if self._last is not None:
            self._write()

    def _write(self) -> None:
        if self._last is not None:
            self._rows.append(self._last)
            self._last = None
        if len(self._rows) > _MOST_ROWS:
            self._rows = self._rows[::2]
            self._every *= 2
        table = pa.Table.from_pylist(self._rows, schema=PROGRESS)
        self._out.write_table(f"{FOLDERS['progress']}/{self._position_id:06d}.parquet", table)


def _row(position_id: int, progress: Progress, seconds: float) -> dict[str, Any]:
    effort = progress.effort
    if effort is None:
        raise ValueError("progress without effort")
    return {
        "position_id": position_id,
        "time": datetime.now(UTC),
        "seconds": seconds,
        "state": progress.state,
        "at_least": progress.at_least,
        "at_most": progress.at_most,
        "finished": progress.finished,
        "cut_off": progress.cut_off,
        "unfinished": progress.left,
        "units_settled": progress.units_settled,
        "units_in_flight": progress.units_in_flight,
        "nodes": progress.nodes,
        "nodes_per_second": effort.nodes_per_second,
        "cpu_seconds": effort.cpu_seconds,
        "machines": effort.machines,
        "threads": effort.threads,
        "left_at_least": effort.left.low if effort.left else None,
        "left_at_most": effort.left.high if effort.left else None,
    }
