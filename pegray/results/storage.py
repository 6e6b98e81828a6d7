"""Where run directories are: any filesystem that pyarrow knows; local files that appear whole or not at all."""

from __future__ import annotations

import os
import posixpath
from contextlib import suppress

import pyarrow as pa
import pyarrow.fs as pafs

from pegray.errors import InputError, first_line

MANIFEST = "manifest.json"


def open_filesystem(uri: str) -> tuple[pafs.FileSystem, str]:
    """The filesystem and path of a local path or of any URI that pyarrow knows (``s3://...``); else InputError."""
    if "://" in uri:
        try:
            filesystem, path = pafs.FileSystem.from_uri(uri)
        except (OSError, pa.ArrowException) as error:
            raise InputError(f"{uri}: {first_line(error)}") from None
        return filesystem, path
    return pafs.LocalFileSystem(), os.path.abspath(uri)


def holds_run(uri: str) -> bool:
    """Whether a directory holds a run, though perhaps one that cannot be read."""
    filesystem, path = open_filesystem(uri)
    return bool(filesystem.get_file_info(posixpath.join(path, MANIFEST)).type == pafs.FileType.File)


def write_atomically(path: str, data: bytes) -> None:
    """Write a local file so that a reader, or a crash, sees the old or the new content and nothing between."""
    folder, name = os.path.split(path)
    # hidden: whoever reads a whole folder (DuckDB, pyarrow) skips names that begin with a dot
    temporary = os.path.join(folder, f".{name}.{os.getpid()}.tmp")
    try:
        with open(temporary, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.remove(temporary)
        raise
    _sync_folder(folder)


def _sync_folder(folder: str) -> None:
    """Let a renamed file outlast a power cut; a file system that cannot do this is used as it is."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
