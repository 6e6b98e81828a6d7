"""How large a cluster with an autoscaler should be while a run goes on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ray.autoscaler.sdk import request_resources


@contextmanager
def wanted(cpus: int | None) -> Iterator[None]:
    """Ask the cluster that this process has joined for so many CPUs, and let them go in the end; None: ask nothing.

    Solver actors hold no CPUs in Ray's books, so without this an autoscaler sees no need to grow, and may take nodes
    at work for idle. A cluster that cannot grow stays as it is.
    """
    if cpus is None:
        yield
        return
    request_resources(num_cpus=cpus)
    try:
        yield
    finally:
        request_resources(num_cpus=0)
