"""The Ray actors: one solver actor per node with all that node's threads, and the bound actor.

They serve every position that is being solved, each under a name of its own. Everything they are asked is idempotent
or monotone, so that a restarted actor, or a unit that is worked on twice, changes nothing but the time.
"""

from __future__ import annotations

import pickle
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import ray

from pegray.cluster.helpers import Helpers
from pegray.cluster.metrics import SolverMetrics
from pegray.cluster.workshop import Workshop
from pegray.kernels.catalogue import missing, warm_up
from pegray.kernels.memory import Memory, new_memory
from pegray.preendgame.engine import default_table_gib
from pegray.preendgame.problem import Problem
from pegray.preendgame.solver import Help, PositionSolver
from pegray.preendgame.work import STOP_NOW, Settled, Unit

CONTROL = "control"
"""The concurrency group of the calls that must be answered while every solver thread is busy."""

# If there are more positions than expected, since the cluster has grown, their tables are so much smaller: all together
# stay below twice the size.
_TIMES_LESS = 8
# Solvers that are kept for positions beside those at work; a new one is ready within milliseconds.
_MOST_WAITING = 4
_ALWAYS_NEEDED = ("plays", "draws", "verdicts", "spreads")


class Visit(NamedTuple):
    """What a node is asked for a position.

    losses: the bound (half weights, or STOP_NOW)
    bundles: that are new to it, by their numbers
    expected: the numbers of all that it has
    gather: seconds in which more may be done before it answers, as long as no thread is without work
    """

    name: str
    losses: int
    bundles: dict[int, list[Unit]]
    expected: list[int]
    gather: float


class SolverActor:
    """One node's solvers: at most ``threads`` at work, over one memory for each position.

    Threads that have no bundle help the others. Kernels run without the GIL, so a bound is written while they run, and
    they look at it. The actor needs a concurrency group ``CONTROL``, and a ``max_concurrency`` of two for each
    position: one call of :meth:`visit` waits, and another may come.

    table_gib: size of all tables together; None: an amount that suits the node
    positions: how many positions are likely to be solved at once, which share that size
    """

    def __init__(self, threads: int, table_gib: float | None, positions: int) -> None:
        # one for each thread, and some for positions that wait for their next bundle: each takes hundreds of megabytes
        self._most_solvers = threads + min(positions, _MOST_WAITING)
        self._positions = positions
        self._table_gib = (default_table_gib() if table_gib is None else table_gib) / positions
        self._lock = threading.Lock()
        self._problems: dict[str, Problem] = {}
        self._memories: dict[str, Memory] = {}
        # names of positions that have ended: bundles of theirs may still be waiting
        self._ended: set[str] = set()
        # by position and key: who is at a unit, and the units that nobody needs any more
        self._at: dict[tuple[str, str], PositionSolver] = {}
        self._withdrawn: set[tuple[str, str]] = set()
        self._leaves_off = False
        self._workshop = Workshop(threads, self._settle)
        self._helpers = Helpers(threads, self._lend_solver)
        # the least recently used first
        self._idle: list[tuple[str, PositionSolver]] = []
        self._busy = 0
        self._metrics = SolverMetrics()

    @ray.method(concurrency_group=CONTROL)
    def to_compile(self) -> int:
        """How many kernels :meth:`prepare` has to compile on this node."""
        return len(missing(_ALWAYS_NEEDED))

    @ray.method(concurrency_group=CONTROL)
    def prepare(self) -> None:
        """Answers when work can begin. Again after each restart of the actor.

        What only some positions need is compiled when they do.
        """
        with self._lock:
            warm_up(_ALWAYS_NEEDED)

    def visit(self, asked: bytes, problem: Sequence[Any] = ()) -> bytes:
        """Take bundles of a position to work on; answer when some are done, at once if the position has ended.

        asked: a pickled Visit: each argument by itself would cost the driver a sixth as much again as the call
        problem: a reference to the position's Problem (in a list, or Ray would fetch it for every call), which is not
            needed once a call with it has been answered

        Returns a pickled dict[int, Results] (see :mod:`.workshop`).
        """
        visit: Visit = pickle.loads(asked)
        name = visit.name
        with self._lock:
            if name in self._ended:
                return pickle.dumps({})
            if name not in self._problems:
                if not problem:
                    return pickle.dumps(dict.fromkeys(visit.expected))
                self._problems[name] = ray.get(problem[0])
            self._lower(name, visit.losses)
            self._workshop.take(name, visit.bundles)
        return pickle.dumps(self._workshop.fetch(name, visit.expected, visit.gather))

    def _settle(self, name: str, units: list[Unit]) -> list[Settled]:
        """Work on units of a position in turn, on a thread of the workshop; on none if it has ended meanwhile."""
        with self._lend_solver(name) as solver:
            if solver is None:
                return []
            results = solver.settle(units, lambda unit: self._at_work(name, solver, unit))
        self._metrics.settled(results, solver.memory.table)
        return results

    @ray.method(concurrency_group=CONTROL)
    def set_bound(self, name: str, losses: int) -> None:
        """Lower the bound that a position's running kernels look at."""
        with self._lock:
            if name not in self._ended:
                self._lower(name, losses)

    @ray.method(concurrency_group=CONTROL)
    def withdraw(self, name: str, keys: list[str]) -> None:
        """Nobody needs what comes of these units of a position any more."""
        with self._lock:
            for key in keys:
                self._withdrawn.add((name, key))
                if (name, key) in self._at:
                    self._at[name, key].halt(True)

    @contextmanager
    def _at_work(self, name: str, solver: PositionSolver, unit: Unit) -> Iterator[Help]:
        """While a thread is at a unit: others help with it, unless it is withdrawn."""
        where = (name, unit.key)
        with self._lock:
            self._at[where] = solver
            solver.halt(where in self._withdrawn)
        try:
            with self._helpers.working(name, unit) as help:
                yield help
        finally:
            with self._lock:
                self._at.pop(where, None)
                self._withdrawn.discard(where)
                solver.halt(False)

    @ray.method(concurrency_group=CONTROL)
    def leave_off(self) -> None:
        """This node is to be taken away: whatever is worked on here comes back at once with what is settled."""
        with self._lock:
            self._leaves_off = True
            for memory in self._memories.values():
                memory.bound[0] = STOP_NOW

    @ray.method(concurrency_group=CONTROL)
    def release(self, name: str) -> None:
        """Stop what still runs of a position that has ended, and forget it."""
        with self._lock:
            self._ended.add(name)
            self._problems.pop(name, None)
            memory = self._memories.pop(name, None)
            if memory is not None:
                memory.bound[0] = STOP_NOW
            self._workshop.forget(name)
            self._idle = [(other, solver) for other, solver in self._idle if other != name]
            self._withdrawn = {where for where in self._withdrawn if where[0] != name}

    @contextmanager
    def _lend_solver(self, name: str) -> Iterator[PositionSolver | None]:
        """A solver of the position for this thread alone, or None if the position has ended."""
        solver = self._take_solver(name)
        try:
            yield solver
        finally:
            if solver is not None:
                self._put_back(name, solver)

    def _take_solver(self, name: str) -> PositionSolver | None:
        """A free solver of the position, or a new one: perhaps instead of one that another position has left idle."""
        with self._lock:
            if name not in self._problems:
                return None
            self._busy += 1
            for at in reversed(range(len(self._idle))):
                if self._idle[at][0] == name:
                    return self._idle.pop(at)[1]
            while self._idle and self._busy + len(self._idle) > self._most_solvers:
                self._idle.pop(0)
            problem, memory = self._problems[name], self._memories[name]
        return PositionSolver(problem, memory)

    def _put_back(self, name: str, solver: PositionSolver) -> None:
        with self._lock:
            self._busy -= 1
            if name in self._problems:
                self._idle.append((name, solver))

    def _lower(self, name: str, losses: int) -> None:
        if name not in self._memories:
            expected = len(self._memories) < self._positions
            self._memories[name] = new_memory(self._table_gib / (1 if expected else _TIMES_LESS))
        bound = self._memories[name].bound
        bound[0] = STOP_NOW if self._leaves_off else min(int(bound[0]), losses)


class BoundActor:
    """The fewest losses of a finished play (half weights) of each position, passed on to the solver actors.

    It is told whom to tell each time, so that it needs no memory of its own after a restart.

    no_bound: what stands for no bound. An argument, so that Ray loads what it reads arguments with (0.3 to 0.5 s of
    CPU) while the solvers get ready, and not while they solve.
    """

    def __init__(self, no_bound: int) -> None:
        self._no_bound = no_bound
        self._losses: dict[str, int] = {}

    def improve(self, name: str, losses: int, solvers: list[Any]) -> None:
        """A play of the position has finished with ``losses``, or STOP_NOW."""
        self._losses[name] = min(losses, self._losses.get(name, self._no_bound))
        for solver in solvers:
            solver.set_bound.remote(name, self._losses[name])

    def release(self, name: str, solvers: list[Any]) -> None:
        """Forget a position that has ended, and let the solvers forget it."""
        self._losses.pop(name, None)
        for solver in solvers:
            solver.release.remote(name)
