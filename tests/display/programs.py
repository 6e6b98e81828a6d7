"""What the tests run on a pseudo-terminal: ``python programs.py NAME``. No kernels."""

from __future__ import annotations

import signal
import sys
import threading
import time
import warnings
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from pegray.commands.exit_codes import INTERRUPTED
from pegray.display import live
from pegray.display.batch_progress import BatchProgress
from pegray.display.console import message
from pegray.display.live import LiveLines
from pegray.display.progress import SolveProgress

POSITIONS = 35
AT_ONCE = 4
NO_PROBLEM: Any = SimpleNamespace()


def ctrl_c() -> threading.Event:
    """Set at each Ctrl-C from now on."""
    stopped = threading.Event()
    signal.signal(signal.SIGINT, lambda number, frame: stopped.set())
    return stopped


def progress(left: int) -> Any:
    """625 plays, some of them left."""
    return SimpleNamespace(
        plays_total=625,
        finished=12,
        cut_off=613 - left,
        left=left,
        best_candidate=None,
        best_points=None,
        nodes=1_234_567,
        leading=(),
        effort=None,
    )


def measured(left: int) -> Any:
    """The same of a solve on three machines, measured."""
    from pegray.preendgame.effort import Effort
    from pegray.preendgame.guess import Guess

    effort = Effort(3, 24, 1_234_567.0, 1512.0, Guess(360.0, 10800.0))
    return SimpleNamespace(**{**vars(progress(left)), "effort": effort, "state": "open", "units_in_flight": 48})


def leaders(estimate: float) -> Any:
    """The same with plays that lead, a dozen of them."""
    from pegray.preendgame.standings import Standing

    plays = tuple(Standing(place, 0, 72 - place, estimate - place, False) for place in range(12))
    shown = {**vars(progress(613)), "leading": plays, "state": "open", "total": 72, "at_least": 0, "at_most": 72}
    return SimpleNamespace(**shown)


def batch() -> None:
    """Many short positions, four at a time, each told of by three threads, which go on a little too long."""
    with BatchProgress(POSITIONS, 0) as display:
        display.say("compiling, once: 3 of 7")
        message("results in runs/x")
        for first in range(1, POSITIONS + 1, AT_ONCE):
            _solve_together(display, range(first, min(first + AT_ONCE, POSITIONS + 1)))
    print("the closing table")


def _solve_together(display: BatchProgress, numbers: range) -> None:
    contexts = [display.position(f"{number}/{POSITIONS} thirty:{number}", NO_PROBLEM) for number in numbers]
    for context in contexts:
        update = context.__enter__()
        update(progress(613))
        for _ in range(3):
            threading.Thread(target=lambda update=update: [update(progress(left)) for left in range(100)]).start()
    for number, context in zip(numbers, contexts, strict=True):
        context.__exit__(None, None, None)
        display.ended()
        message(f"[{number}/{POSITIONS}] thirty:{number}: finished")


def chatter() -> None:
    """Threads that all print at once while lines come and go, by every way there is to stderr."""

    def talk(name: str) -> None:
        for count in range(100):
            with display.line(name):
                message(f"{name} {count} said")

    with LiveLines("all") as display:
        threads = [threading.Thread(target=talk, args=(name,)) for name in "abc"]
        for thread in threads:
            thread.start()
        warnings.warn("a journal is damaged", stacklevel=2)
        print("printed")
        print("printed to stderr", file=sys.stderr)
        for thread in threads:
            thread.join()


def solve() -> None:
    """One solve until Ctrl-C, which stops it cleanly."""
    stopped = ctrl_c()
    with SolveProgress("first\x1b[2J\nposition", NO_PROBLEM) as display:
        display.say("compiling, once: 3 of 7")
        message("results in runs/x")
        display.update(progress(613))
        stopped.wait()
        message("stopped")
    sys.exit(INTERRUPTED)


def bars() -> None:
    """One solve with plays that lead, until Ctrl-C."""
    from pegray.display import progress as shown

    stopped = ctrl_c()
    shown.play_text = lambda problem, candidate: f"13{'ABCDEFGHIJKL'[candidate]} ONYX"
    with SolveProgress("first", NO_PROBLEM) as display:
        message("results in runs/x")
        for estimate in range(40, 60):
            display.update(leaders(estimate))
            time.sleep(0.01)
        stopped.wait()
        message("stopped")
    sys.exit(INTERRUPTED)


def cluster() -> None:
    """One solve on a cluster, and then two positions of a batch, each until Ctrl-C."""
    stopped = ctrl_c()
    with SolveProgress("first", NO_PROBLEM) as display:
        display.update(measured(613))
        stopped.wait()
    stopped.clear()
    with BatchProgress(3, 0) as batch, ExitStack() as positions:
        for name in ("second", "third"):
            positions.enter_context(batch.position(name, NO_PROBLEM))(measured(613))
        stopped.wait()


def interrupted_batch() -> None:
    """More than a terminal has room for that does not read; makes a file when all is written. Ends at Ctrl-C."""
    live.DRAW_SECONDS = 3600.0
    stopped = ctrl_c()
    with BatchProgress(3, 0) as display, ExitStack() as positions:
        for name in ("first", "second", "third"):
            positions.enter_context(display.position(name, NO_PROBLEM))
        for count in range(100):
            message(f"message {count}")
        Path(sys.argv[2]).touch()
        stopped.wait()
        message("stopped")


def breaks_off() -> None:
    """One solve until Ctrl-C, which ends it with an exception."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background is begun with it ignored
    try:
        with SolveProgress("first", NO_PROBLEM) as display:
            display.update(progress(613))
            time.sleep(60)
    except KeyboardInterrupt:
        message("pegray: interrupted")
        sys.exit(INTERRUPTED)


def resized() -> None:
    """Says something after each change of the window. Nothing is drawn but with that, so that the test is exact."""
    live.DRAW_SECONDS = 3600.0
    changed = threading.Semaphore(0)
    signal.signal(signal.SIGWINCH, lambda number, frame: changed.release())
    with LiveLines("all", "35 positions, " + "a long line " * 6) as display, display.line("first") as line:
        line.say("625 plays left, " + "and so on " * 9)
        message("before")
        while not changed.acquire(timeout=0.1):
            pass
        message("after one change")
        while not changed.acquire(timeout=0.1):
            pass
        message("after two changes")


def fails() -> None:
    """An error while lines are shown."""
    with LiveLines("all"):
        raise ValueError("broken")


if __name__ == "__main__":
    globals()[sys.argv[1]]()
