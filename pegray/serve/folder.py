"""The folder that the page's runs are in, and those of the command line too."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

from pegray.display.tables import points_text
from pegray.errors import InputError, PegrayError
from pegray.results.lock import is_locked
from pegray.results.read import Run, open_run
from pegray.results.storage import MANIFEST
from pegray.runs.directories import new_directory
from pegray.terms import RunState, State

STOPPED = "stopped"
"""The state of a run that nobody works on, though not all of it is done."""

_LONGEST_NAME = 40


class UnknownRun(InputError):
    """There is no such run, position or play."""


class RunsFolder:
    """Run directories, each named by the name of its folder."""

    def __init__(self, path: str) -> None:
        self.path = Path(path)
        self._rows: dict[str, tuple[tuple[int, ...], dict[str, Any]]] = {}

    def new(self, name: str) -> str:
        """Make the directory of a new run; returns its name, ``20260102-030405-first``."""
        plain = re.sub(r"[^\w-]+", "-", name).strip("-")[:_LONGEST_NAME] or "position"
        return Path(new_directory(self.path, plain)).name

    def directory(self, run: str) -> str:
        """The directory of a run. Raises UnknownRun."""
        directory = self.path / run
        if run != directory.name or run.startswith(".") or not (directory / MANIFEST).is_file():
            raise UnknownRun(f"{self.path}: no run {run!r}")
        return str(directory)

    def open(self, run: str) -> Run:
        """A run. Raises UnknownRun, or InputError if it cannot be read."""
        return open_run(self.directory(run))

    def stamp(self, run: str) -> int:
        """Changes whenever something of a run has been written."""
        directory = Path(self.directory(run))
        folders = [directory, *(folder for folder in (directory / "plays", directory / "outcomes") if folder.is_dir())]
        return max(folder.stat().st_mtime_ns for folder in folders)

    def is_worked_on(self, run: str) -> bool:
        """Whether a process of this machine works on a run."""
        return is_locked(self.directory(run))

    def rows(self) -> list[dict[str, Any]]:
        """What is to be said of each run in a list, the newest first."""
        names = [path.parent.name for path in self.path.glob(f"*/{MANIFEST}")]
        rows = []
        for name in names:
            with suppress(UnknownRun, OSError):  # taken away meanwhile
                rows.append(self.row(name))
        return sorted(rows, key=lambda row: (-int(row["written"]), row["run"]))

    def row(self, name: str) -> dict[str, Any]:
        """What is to be said of a run. Raises UnknownRun."""
        directory = self.directory(name)
        written = os.stat(os.path.join(directory, MANIFEST)).st_mtime
        stamp = (int(written * 1e9), self.stamp(name))
        if name not in self._rows or self._rows[name][0] != stamp:
            try:
                said = summary(open_run(directory))
            except PegrayError as error:
                said = {"fault": str(error), "state": "cannot be read"}
            self._rows[name] = (stamp, {"run": name, "written": written, **said})
        row = dict(self._rows[name][1])
        if row["state"] == RunState.RUNNING and not self.is_worked_on(name):
            row["state"] = STOPPED  # killed, or it has not begun
        return row


def summary(stored: Run) -> dict[str, Any]:
    """State and size of a run; of one position its question and what is known of the best play."""
    manifest = stored.manifest
    positions = stored.positions().to_pylist()
    state = manifest.get("state", RunState.RUNNING)
    said: dict[str, Any] = {
        "state": STOPPED if state == RunState.INTERRUPTED else state,
        "name": manifest.get("job", {}).get("name") or (positions[0]["name"] if positions else ""),
        "positions": len(positions),
        "states": {state: sum(row["state"] == state for row in positions) for state in State},
    }
    if len(positions) == 1:
        answer = stored.overview(positions[0]["position_id"])
        said |= {"bag": answer.bag, "lexicon": answer.lexicon, "points": points_text(answer)}
        said["best"] = answer.best.move if answer.best else None
    return said
