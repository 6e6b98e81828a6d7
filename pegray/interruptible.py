"""Work that Ctrl-C can end.

A kernel in the main thread would keep Python from noticing Ctrl-C until it comes back.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

_Result = TypeVar("_Result")


def interruptible(work: Callable[[], _Result]) -> _Result:
    """What the work returns, or raises; it is done in a thread of its own, for which this one waits.

    KeyboardInterrupt comes at once. The thread goes on then until the work, or the process, ends.
    """
    future: Future[_Result] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=run, name="work", daemon=True).start()
    return future.result()
