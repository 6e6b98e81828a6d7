"""What the programs share that the server starts: news on stdout, a line of JSON each, and an end when it is gone."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from queue import SimpleQueue
from typing import Any

_LAST_SECONDS = 30.0

Tell = Callable[[dict[str, Any]], None]


def news() -> Tell:
    """A function that sends news to the server. Whatever else writes to stdout goes to stderr from now on."""
    stream = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    lock = threading.Lock()

    def tell(document: dict[str, Any]) -> None:
        with lock, suppress(BrokenPipeError):  # the server is gone, and this program soon ends
            stream.write(json.dumps(document, allow_nan=False) + "\n")
            stream.flush()

    return tell


def interruptible() -> None:
    """SIGINT is a KeyboardInterrupt, also where the server was begun in the background."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def end_with_server() -> None:
    """When the server closes stdin, or is gone, this program is interrupted, and soon over."""

    def wait() -> None:
        while os.read(sys.stdin.fileno(), 1):  # past Python's buffer, whose lock would be in the way at the end
            pass
        os.kill(os.getpid(), signal.SIGINT)
        threading.Event().wait(_LAST_SECONDS)
        os._exit(1)

    threading.Thread(target=wait, name="server", daemon=True).start()


def questions() -> Iterator[dict[str, Any]]:
    """What the server asks on stdin, one line of JSON after another; at its end this program ends at once."""
    asked: SimpleQueue[dict[str, Any]] = SimpleQueue()

    def read() -> None:
        for line in sys.stdin:
            asked.put(json.loads(line))
        os._exit(0)

    threading.Thread(target=read, name="server", daemon=True).start()
    while True:
        yield asked.get()
