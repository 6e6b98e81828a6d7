"""Local files that appear whole or not at all."""

from __future__ import annotations

import os
import re
import uuid
from contextlib import suppress
from typing import IO

_TEMPORARY = re.compile(r"\..+\.[0-9a-f]{32}\.tmp")


def write_atomically(path: str | os.PathLike[str], data: bytes, mode: int = 0o666) -> None:
    """Write a local file so that a reader, or a crash, sees the old or the new content and nothing between.

    mode: who may read and write it, as far as the process's umask lets them

    Raises OSError if it cannot be written; what was there stays.
    """
    folder, name = os.path.split(os.path.abspath(path))
    # hidden: whoever reads a whole folder (DuckDB, pyarrow) skips names that begin with a dot
    temporary = os.path.join(folder, f".{name}.{uuid.uuid4().hex}.tmp")
    try:
        with open(temporary, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.remove(temporary)
        raise
    _sync_folder(folder)


def remove_unfinished(folder: str | os.PathLike[str]) -> None:
    """Remove what a kill in the middle of :func:`write_atomically` has left in a folder that nobody else writes in."""
    with suppress(OSError):
        for name in os.listdir(folder):
            if _TEMPORARY.fullmatch(name):
                with suppress(OSError):
                    os.remove(os.path.join(folder, name))


def open_inside(path: str | os.PathLike[str], mode: str) -> IO[str]:
    """Open a text file of a folder that somebody else may have made: a link, which could lead anywhere, is refused.

    Raises OSError.
    """
    safely = os.O_NOFOLLOW | os.O_NONBLOCK  # nor does a pipe keep us waiting
    return open(path, mode, encoding="utf-8", opener=lambda name, flags: os.open(name, flags | safely, 0o666))


def _sync_folder(folder: str) -> None:
    """Let a renamed file outlast a power cut; a file system that cannot do this is used as it is."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
