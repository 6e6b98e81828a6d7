"""How large a cluster with an autoscaler should be while a run goes on: as large as is useful, and no larger."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from ray.autoscaler.sdk import request_resources

_FEWER_SECONDS = 30.0


class Wish:
    """How many CPUs the cluster is asked for: all that the run may have, or only as many as there are units left.

    Solver actors hold no CPUs in Ray's books, so without a wish an autoscaler sees no need to grow.

    most: CPUs that the run may have
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._asked = 0
        self._fewer_since: float | None = None
        self._ask(most)

    def follow(self, bundles: int, threads: int, units: int) -> int | None:
        """Ask for what is useful now: so many CPUs, or None: all that the run may have.

        bundles, threads: bundles in flight, and the threads for them: while each has one, more CPUs are useful
        units: in flight; when threads have had none for a while, no more CPUs are useful than there are units
        """
        now = time.monotonic()
        if bundles >= threads:
            self._fewer_since = None
            self._ask(self._most)
        elif self._fewer_since is None:
            self._fewer_since = now
        elif now - self._fewer_since >= _FEWER_SECONDS:
            self._ask(min(units, self._most))
        return self._asked if self._asked < self._most else None

    def end(self) -> None:
        """Nothing is needed any more."""
        self._ask(0)

    def _ask(self, cpus: int) -> None:
        if cpus != self._asked:
            request_resources(num_cpus=cpus)
            self._asked = cpus


@contextmanager
def wanted(cpus: int | None) -> Iterator[Wish | None]:
    """Ask the cluster that this process has joined for so many CPUs, and let them go in the end; None: ask nothing.

    A cluster that cannot grow stays as it is.
    """
    if cpus is None:
        yield None
        return
    wish = Wish(cpus)
    try:
        yield wish
    finally:
        wish.end()
