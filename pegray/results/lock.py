"""One process at a time in a run directory."""

from __future__ import annotations

import fcntl
import os
import random
import time
from contextlib import suppress
from typing import IO

from pegray.errors import InputError, RunError
from pegray.files import open_inside

# hidden: whoever reads a whole folder (DuckDB, pyarrow) skips names that begin with a dot
LOCK = ".lock"
_TRIES = 50
_PAUSE_SECONDS = 0.02


def lock_folder(folder: str) -> IO[str] | None:
    """Keep other processes out of a local folder for as long as the returned file is open.

    A process that is killed lets go of it. None where the file system knows no locks. Raises RunError if another
    process has it, InputError if the file cannot be opened.
    """
    path = os.path.join(folder, LOCK)
    try:
        file = open_inside(path, "a+")
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None
    try:
        _lock(file)
    except BlockingIOError:
        file.seek(0)
        holder = file.read().strip()
        file.close()
        raise RunError(f"{folder}: another process works on this run ({holder or 'just starting'})") from None
    except OSError:
        file.close()
        return None
    file.truncate(0)
    file.write(f"process {os.getpid()} on {os.uname().nodename}\n")
    file.flush()
    return file


def _lock(file: IO[str]) -> None:
    """Lock a file. Raises BlockingIOError if another process has it, OSError where there are no locks."""
    for _ in range(_TRIES):
        with suppress(BlockingIOError):
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        # who only looks whether it is locked shares it, for a moment; who works on the run does not
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        fcntl.flock(file, fcntl.LOCK_UN)
        time.sleep(random.uniform(0.0, _PAUSE_SECONDS))  # another may do the same
    raise BlockingIOError


def is_left(folder: str) -> bool:
    """Whether a process has worked on the run in a local folder, and none does now: it has ended, or was killed."""
    try:
        # where there are no locks, nobody has written that it holds one
        has_been = os.path.getsize(os.path.join(folder, LOCK)) > 0
    except OSError:
        return False
    return has_been and not is_locked(folder)


def is_locked(folder: str) -> bool:
    """Whether a process works on the run in a local folder."""
    with suppress(OSError), open_inside(os.path.join(folder, LOCK), "r") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        except OSError:
            pass  # a file system that knows no locks
    return False
