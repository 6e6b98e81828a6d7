"""Where run directories are: any filesystem that pyarrow knows."""

from __future__ import annotations

import os
import posixpath

import pyarrow as pa
import pyarrow.fs as pafs

from pegray.errors import InputError, first_line
from pegray.results.parts import parts_that_count

MANIFEST = "manifest.json"


def open_filesystem(uri: str) -> tuple[pafs.FileSystem, str]:
    """The filesystem and path of a local path or of any URI that pyarrow knows (``s3://...``); else InputError."""
    if "://" in uri:
        try:
            filesystem, path = pafs.FileSystem.from_uri(uri)
        except (OSError, pa.ArrowException) as error:
            raise InputError(f"{uri}: {first_line(error)}") from None
        if not path.strip("/"):
            raise InputError(f"{uri}: expected a path in it")
        return filesystem, path
    return pafs.LocalFileSystem(), os.path.abspath(uri)


def parquet_files(filesystem: pafs.FileSystem, folder: str) -> list[pafs.FileInfo]:
    """The Parquet files of a folder, by name; of a journal those that count. None where there is no such folder."""
    found = {
        str(info.base_name): info
        for info in filesystem.get_file_info(pafs.FileSelector(folder, allow_not_found=True))
        if info.type == pafs.FileType.File and info.extension == "parquet" and not info.base_name.startswith(".")
    }
    return [found[name] for name in parts_that_count(found)]


def holds_run(uri: str) -> bool:
    """Whether a directory holds a run, though perhaps one that cannot be read."""
    filesystem, path = open_filesystem(uri)
    return bool(filesystem.get_file_info(posixpath.join(path, MANIFEST)).type == pafs.FileType.File)
