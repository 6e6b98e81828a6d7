"""What a terminal has not read yet when Ctrl-C is typed."""

from __future__ import annotations

import os
import termios
from collections.abc import Iterator
from contextlib import contextmanager, suppress

_LOCAL_FLAGS = 3  # index in the list of termios.tcgetattr


@contextmanager
def unread_output_kept(descriptor: int) -> Iterator[None]:
    """While the context lasts, Ctrl-C and Ctrl-Z leave alone what was written to a terminal and not read by it yet.

    Else it is thrown away, and what moves the cursor after that starts from the wrong row: messages are erased.
    """
    flushes = _set_kept(descriptor, True)
    try:
        yield
    finally:
        if flushes:
            _set_kept(descriptor, False)


def _set_kept(descriptor: int, kept: bool) -> bool:
    """Whether that changed anything."""
    with suppress(OSError, termios.error):  # not our terminal: somebody else's is left alone
        if os.tcgetpgrp(descriptor) != os.getpgrp():
            return False  # in the background it would stop us
        attributes = termios.tcgetattr(descriptor)
        if bool(attributes[_LOCAL_FLAGS] & termios.NOFLSH) == kept:
            return False
        attributes[_LOCAL_FLAGS] ^= termios.NOFLSH
        termios.tcsetattr(descriptor, termios.TCSANOW, attributes)
        return True
    return False
