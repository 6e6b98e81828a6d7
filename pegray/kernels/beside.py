"""Compiling before the work starts, in two processes where there are two cores.

The kernels of one group have the endgame in them, which is most of the time to compile any: they are compiled one
after another in a second process, all others meanwhile in this one. What either compiles, both can load.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from pegray.kernels.catalogue import missing, warm_up

_WITH_THE_ENDGAME = ("verdicts", "spreads", "endgame", "staying", "rational", "bounds")
_LOOK_SECONDS = 0.1

OnStep = Callable[[int, int], None]
"""Is told how many of the functions to be compiled are done, of how many; never if all are there."""


@contextmanager
def compiled_beside(now: Iterable[str], later: Iterable[str] = ()) -> Iterator[Callable[[OnStep], int]]:
    """A context in which what is needed for purposes (see :mod:`catalogue`) is compiled in a second process.

    now: what must be there before the work begins: call what the context yields to compile the rest of it here and to
        wait. It says how many functions for ``later`` are not there yet: whoever calls one of them waits for it.
    """
    now, later = tuple(now), tuple(later)
    with _second_process([purpose for purpose in (*now, *later) if purpose in _WITH_THE_ENDGAME]) as second:

        def wait(on_step: OnStep) -> int:
            total = len(missing(now))
            if total:
                on_step(0, total)
                here = [purpose for purpose in now if second is None or purpose not in _WITH_THE_ENDGAME]
                warm_up(here, lambda done, of: on_step(total - len(missing(now)), total))
                while second is not None and second.poll() is None and missing(now):
                    time.sleep(_LOOK_SECONDS)
                    on_step(total - len(missing(now)), total)
                warm_up(now)  # with all there this loads them; if the second process has failed, it says why
            return len(missing(later))

        yield wait


@contextmanager
def _second_process(purposes: list[str]) -> Iterator[subprocess.Popen[bytes] | None]:
    """A process that compiles what is missing for these purposes, as long as the context lasts; None for no process."""
    purposes = [purpose for purpose in purposes if missing([purpose])]
    if not purposes or len(os.sched_getaffinity(0)) < 2:
        yield None
        return
    program = f"from pegray.kernels.catalogue import warm_up; warm_up({purposes!r})"
    process = subprocess.Popen(
        [sys.executable, "-c", program],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(folder or os.getcwd() for folder in sys.path)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # Ctrl-C is for this process, which ends the other
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()
