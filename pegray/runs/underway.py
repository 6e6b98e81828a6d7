"""A position that is being worked on in a thread of its own, as those see it who wait for it."""

from __future__ import annotations

import math
import threading
import time
from abc import ABC, abstractmethod

from pegray.results.model import SolveResult

WATCH_SECONDS = 0.2
LAST_SECONDS = 2.0  # that a second Ctrl-C leaves to kernels that are told to stop


class Underway(ABC):
    """A position on its way.

    A kernel in the main thread would keep Python from noticing Ctrl-C until it ends. Somebody has to call
    :meth:`watch` now and then. Who makes one calls :meth:`begin` once all is in place.

    stop: it is to stop; ended: set when it has
    started: time.monotonic() from which the time limit (seconds) and the time that it took count
    """

    def __init__(
        self, stop: threading.Event, started: float, time_limit: float | None, ended: threading.Event | None = None
    ) -> None:
        self._stop = stop
        self._started = started
        self._deadline = math.inf if time_limit is None else started + time_limit
        self._ended = threading.Event() if ended is None else ended
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="position", daemon=True)

    def begin(self) -> None:
        """Start the thread."""
        self._thread.start()

    def watch(self) -> bool:
        """Whether it still goes on. Stops its kernels when its time is over, or when it is told to stop."""
        if self._stop.is_set() or time.monotonic() >= self._deadline:
            self.stop_kernels()
        return self._thread.is_alive()

    def wait(self) -> SolveResult:
        """Watch it to its end; the result. Raises what it failed with."""
        try:
            while self.watch():
                self._ended.wait(WATCH_SECONDS)
        except KeyboardInterrupt:
            self.stop_kernels()
            self._thread.join(LAST_SECONDS)
            raise
        return self.result()

    def result(self) -> SolveResult:
        """The result, once it has ended. Raises what it failed with."""
        self._thread.join()
        if self._failure is not None:
            raise self._failure
        return self._found()

    @abstractmethod
    def stop_kernels(self) -> None:
        """Make running kernels come back at once; asked for again and again until the thread has ended."""

    @abstractmethod
    def _solve(self) -> None:
        """What the thread does."""

    @abstractmethod
    def _found(self) -> SolveResult:
        """The result, after :meth:`_solve` has come to its end."""

    def _run(self) -> None:
        try:
            self._solve()
        except BaseException as error:
            self._failure = error
        finally:
            self._ended.set()
