"""Names of run directories that nobody has asked for by name."""

from __future__ import annotations

import os
import time
from itertools import count
from pathlib import Path

from pegray.errors import InputError

RUNS = "runs"
"""The folder for them, in the working directory."""


def new_directory(folder: str | os.PathLike[str], name: str) -> str:
    """Make ``<folder>/20260102-030405-<name>``, with ``-2`` and so on at its end where that is another run's.

    It is empty, and this process's alone, however many begin in the same second. Raises InputError if it cannot be
    made.
    """
    wanted = f"{time.strftime('%Y%m%d-%H%M%S')}-{name}"
    for number in count(1):
        directory = Path(folder, wanted if number == 1 else f"{wanted}-{number}")
        try:
            directory.parent.mkdir(parents=True, exist_ok=True)
            directory.mkdir()
        except FileExistsError:
            if not directory.exists():  # it is the folder that is something else
                raise InputError(f"{folder}: not a directory") from None
            continue
        except OSError as error:
            raise InputError(f"{directory}: cannot be written: {error.strerror or error}") from None
        return str(directory)
    raise AssertionError("there is always another number")
