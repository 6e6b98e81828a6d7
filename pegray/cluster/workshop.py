"""A node's work: bundles of units that wait for its threads, and what came of them until it is fetched. Without Ray."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from queue import SimpleQueue

from pegray.preendgame.work import Settled, Unit

Results = list[Settled] | None
"""Of a bundle; None if it is not here: it came to another process, which has died."""

_LISTEN_SECONDS = 10.0


class Workshop:
    """Threads that work on bundles in the order in which they come.

    threads: how many bundles are worked on at once
    settle: works on a bundle of a position
    """

    def __init__(self, threads: int, settle: Callable[[str, list[Unit]], list[Settled]]) -> None:
        self._settle = settle
        self._queue: SimpleQueue[_Bundle] = SimpleQueue()
        self._lock = threading.Lock()
        self._waiting = 0  # bundles that no thread is at yet
        self._positions: dict[str, _Position] = {}
        for _ in range(threads):
            # a daemon, so that a process that is to end does not wait for its kernels
            threading.Thread(target=self._work, name="solver", daemon=True).start()

    def take(self, name: str, bundles: Mapping[int, list[Unit]]) -> None:
        """Bundles of a position are to be worked on; their numbers are the caller's."""
        with self._lock:
            if name not in self._positions:
                self._positions[name] = _Position(threading.Condition(self._lock))
            position = self._positions[name]
            position.here.update(bundles)
            self._waiting += len(bundles)
        for number, units in bundles.items():
            self._queue.put(_Bundle(name, position, number, units))

    def fetch(self, name: str, numbers: Collection[int], gather: float = 0.0) -> dict[int, Results]:
        """What has come of bundles of a position, as soon as there is something.

        numbers: of the bundles that the caller waits for
        gather: seconds in which more may come, as long as no thread is without work

        An earlier call for the position that still waits returns nothing, and so does one that has waited for long, or
        comes when the position has ended.
        Raises whatever the work on a bundle has raised.
        """
        with self._lock:
            position = self._positions.get(name)
            if position is None:
                return {}
            position.listens += 1
            position.changed.notify_all()
            mine = position.listens
            position.fetched.intersection_update(numbers)
            missing = set(numbers) - position.here - position.fetched
            if not missing:
                position.changed.wait_for(lambda: position.done or position.listens != mine, _LISTEN_SECONDS)
            if not missing and position.done:
                position.changed.wait_for(lambda: not self._waiting or position.listens != mine, gather)
            if position.listens != mine:
                return {}
            if position.fault is not None:
                raise position.fault
            done = position.done
            position.here.difference_update(done)
            position.fetched.update(done)
            position.done = {}
            return done | dict.fromkeys(missing)

    def forget(self, name: str) -> None:
        """A position has ended: nobody waits for it any more."""
        with self._lock:
            position = self._positions.pop(name, None)
            if position is not None:
                position.listens += 1
                position.changed.notify_all()

    def _work(self) -> None:
        while True:
            bundle = self._queue.get()
            self._begin()
            results, fault = [], None
            try:
                results = self._settle(bundle.name, bundle.units)
            except Exception as error:  # whoever fetches the results is told
                fault = error
            with self._lock:
                bundle.position.done[bundle.number] = results
                bundle.position.fault = bundle.position.fault or fault
                bundle.position.changed.notify_all()

    def _begin(self) -> None:
        """A thread has work; if it was the last that waited, others may soon have none."""
        with self._lock:
            self._waiting -= 1
            if not self._waiting:
                for position in self._positions.values():
                    position.changed.notify_all()


@dataclass(eq=False)
class _Position:
    """What a node has of a position.

    here: the numbers of its bundles; done: results of those that nobody has fetched yet
    fetched: numbers of others, which whoever waits for them may not know yet
    listens: one more whenever somebody else waits for them
    fault: what was raised at one of them
    """

    changed: threading.Condition
    here: set[int] = field(default_factory=set)
    done: dict[int, Results] = field(default_factory=dict)
    fetched: set[int] = field(default_factory=set)
    listens: int = 0
    fault: Exception | None = None


@dataclass(frozen=True)
class _Bundle:
    name: str
    position: _Position
    number: int
    units: list[Unit]
