"""The events of a run as lines of JSON: in its directory, or on stderr if the directory is no local one.

They go through the standard logger ``pegray.events``, so that a program that uses pegray can send them elsewhere.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from io import TextIOWrapper
from typing import cast

import pyarrow.fs as pafs

from pegray.errors import RunError
from pegray.files import open_inside
from pegray.results.write import RunWriter

FILE = "events.jsonl"

_LOGGER = logging.getLogger("pegray.events")
_LOGGER.propagate = False
_LOGGER.addHandler(logging.NullHandler())
_LOGGER.setLevel(logging.INFO)


def log_event(event: str, **fields: str | int | float | None) -> None:
    """Say that something has happened, such as ``log_event("node lost", node=..., reason=...)``."""
    _LOGGER.info(event, extra={"fields": fields})


@contextmanager
def events_of(out: RunWriter) -> Iterator[None]:
    """Events from here on are added to ``events.jsonl`` of a run directory."""
    handler = _handler(out)
    handler.setFormatter(JsonLines())
    _LOGGER.addHandler(handler)
    try:
        yield
    finally:
        _LOGGER.removeHandler(handler)
        handler.close()


class JsonLines(logging.Formatter):
    """``{"time": "2026-01-02T03:04:05.678+00:00", "event": "node lost", ...}``"""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        moment = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        return json.dumps({"time": moment, "event": record.getMessage(), **getattr(record, "fields", {})})


class _FileHandler(logging.FileHandler):
    """Writes to a file, but not to what a link leads to."""

    _has_failed = False

    def _open(self) -> TextIOWrapper:
        try:
            return cast(TextIOWrapper, open_inside(self.baseFilename, self.mode))
        except OSError as error:
            raise RunError(f"{self.baseFilename}: cannot be written: {error.strerror or error}") from None

    def handleError(self, record: logging.LogRecord) -> None:
        """Say once that events are lost, such as on a full disk; the run does not depend on them."""
        error = sys.exc_info()[1]
        if isinstance(error, RunError):
            raise error
        if not self._has_failed:
            self._has_failed = True
            warnings.warn(f"{self.baseFilename}: cannot be written: {error}", stacklevel=2)

    def close(self) -> None:
        """Leave the file as it is if the rest cannot be written."""
        with suppress(OSError):
            super().close()


def _handler(out: RunWriter) -> logging.Handler:
    if isinstance(out.filesystem, pafs.LocalFileSystem):
        return _FileHandler(os.path.join(out.path, FILE), encoding="utf-8", delay=True)
    # stderr: an object store cannot append to a file
    return logging.StreamHandler()
