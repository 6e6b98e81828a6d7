"""Files that commands write where the user says."""

from __future__ import annotations

import os

from pegray.errors import InputError


def write_file(path: str, content: bytes) -> None:
    """Write a file whole: that which a link leads to, and a device or a pipe as it is.

    Raises InputError if it cannot be written.
    """
    from pegray.files import write_atomically

    target = os.path.realpath(path)
    try:
        if os.path.exists(target) and not os.path.isfile(target):
            with open(target, "wb") as file:
                file.write(content)
        else:
            write_atomically(target, content)
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror or error}") from None
