"""Simulates a solve on 1 to 1,024 CPUs: the program itself, with its clock, its network and its kernels replaced.

    python -m benchmarks.simulation                                # the tables of docs/scaling.md
    python -m benchmarks.simulation TRACE --cpus 64 256 --whole    # one trace; --whole: walks are not split
    python -m benchmarks.simulation --record RUN TRACE             # make a trace of a run of one position

The session, the ledger, its schedule, splitting, the sizes of calls and the choice of a node are pegray's own. A trace
is the journals of real solves: what each unit of work settled, and what that took. A draw that none of them has settled
takes as many nodes as some other, and is then lost. What takes how long at the driver is measured by
`benchmarks/scheduling_costs.py`.
"""

from __future__ import annotations

import argparse
import heapq
import itertools
import json
import threading
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.scheduling import COSTS, TRACES
from pegray.cluster.calls import CALLS_PER_THREAD, CallSizes
from pegray.game.position import Position
from pegray.kernels.memory import NO_BOUND
from pegray.preendgame import schedule
from pegray.preendgame.candidates import Candidates
from pegray.preendgame.executors.base import Crew, Lost
from pegray.preendgame.ledger import Ledger
from pegray.preendgame.options import SolveOptions
from pegray.preendgame.problem import Problem
from pegray.preendgame.session import run_session
from pegray.preendgame.walks import Walk
from pegray.preendgame.work import Settled, Unit
from pegray.runs.batch import maker_of, take_up
from pegray.runs.journal import Journal
from pegray.terms import UnitKind

CPUS = (1, 2, 4, 8, 16, 64, 256, 1024)
_META = b"pegray"
TRACE = pa.schema(
    [
        ("candidate", pa.int16()),
        ("draw", pa.int16()),
        ("kind", pa.dictionary(pa.int8(), pa.string())),
        ("budget", pa.int64()),
        ("portion", pa.list_(pa.int64())),
        ("finished", pa.bool_()),
        ("out_of_budget", pa.bool_()),
        ("outcomes", pa.binary()),
        ("replies", pa.list_(pa.int64())),
        ("replies_left", pa.list_(pa.int64())),
        ("untried", pa.int32()),
        ("nodes", pa.int64()),
        ("cpu_seconds", pa.float32()),
    ]
)


# -- traces ---------------------------------------------------------------------------------------------------


def record(run: str, path: str) -> None:
    """Keep the journal of a run of one position as a trace."""
    out, plan = take_up(run)
    problem = maker_of(plan).of(plan.positions[0])
    assert isinstance(problem, Problem)
    write_trace(problem, Journal(out, problem.key).load(), path)


def write_trace(problem: Problem, rows: Sequence[Settled], path: str) -> None:
    """Keep what came of the units of a solve, and the plays that it compared."""
    plays = problem.candidates
    asked = {
        "cgp": problem.position.to_cgp(),
        "lexicon": problem.lexicon_name,
        "options": {"until": problem.options.until, "early_cutoff": problem.options.early_cutoff},
        "moves": plays.moves.tolist(),
        "scores": plays.scores.tolist(),
        "tiles": plays.tiles.tolist(),
    }
    table = pa.Table.from_pylist([row.to_row() for row in rows], schema=TRACE.with_metadata({_META: json.dumps(asked)}))
    pq.write_table(table, path, compression="zstd", compression_level=19)


def read_trace(path: Path) -> tuple[Problem, list[Settled]]:
    """The problem of a trace, without its lexicon, and what came of its units."""
    table = pq.read_table(path)
    asked = json.loads(table.schema.metadata[_META])
    position = Position.from_cgp(asked["cgp"])
    none = np.zeros(len(asked["moves"]), np.bool_)
    plays = Candidates(
        np.array(asked["moves"], np.uint64),
        np.array(asked["scores"], np.int32),
        np.array(asked["tiles"], np.int8),
        protected=none,
        skipped=none,
        ends_game=none,
    )
    options = SolveOptions(**asked["options"], tiebreak=False)
    known = np.zeros_like(position.unseen)
    problem = Problem(position, asked["lexicon"], "", np.zeros(0, np.uint32), known, options, plays)
    unset = dict.fromkeys(("spread", "spread_at_least", "spread_at_most", "estimate"))
    kept = {"lost": 0, "endgames": 0, "seconds": 0.0, "proven": True, **unset}
    return problem, [Settled.from_row(kept | row) for row in table.to_pylist()]


@dataclass
class Reply:
    """One reply to a play and draw: the nodes of its last try, the budget that this needs, and what it brings."""

    nodes: int
    needs: int
    outcomes: bytes
    replies: tuple[int, ...]


class Recorded:
    """Stands for the kernels: answers units as a real solve has found them.

    A unit with the budget of one that was recorded ends as that did; a reply is settled by a budget that it has not run
    out of, in as many nodes as its last try took.

    slower: how many times as long each node takes: stands for a larger position
    """

    def __init__(self, problem: Problem, rows: Sequence[Settled], slower: float) -> None:
        ledger = Ledger(problem)
        self._eventualities, self._drawn = ledger.book.eventualities, ledger.book.drawn
        self._wholes: dict[tuple[int, int], dict[int, Settled]] = {}
        self._replies: dict[tuple[int, int], dict[int, Reply]] = {}
        self._run_out: dict[tuple[int, int, int], int] = {}  # the largest budget that a reply has run out of
        nodes, seconds = 0, 0.0
        for row in rows:
            if row.unit.kind != UnitKind.VERDICT:
                continue
            nodes += row.nodes
            seconds += row.cpu_seconds
            where = (row.unit.candidate, row.unit.draw)
            if row.unit.portion:
                self._keep_replies(where, row)
            else:
                self._keep_whole(where, row)
        self._seconds_per_node = slower * seconds / max(1, nodes)
        self._needs: dict[int, list[int]] = {drawn: [] for drawn in set(self._drawn.tolist())}
        for where, settled in self._wholes.items():
            needs = [row.nodes for row in settled.values() if row.finished]
            self._needs[int(self._drawn[where[0]])] += sorted(needs)[:1]
        self._nodes_of_replies = sorted(
            reply.nodes for replies in self._replies.values() for reply in replies.values()
        ) or [schedule.SPLIT_BUDGET]

    def _keep_whole(self, where: tuple[int, int], row: Settled) -> None:
        """Of several with the same budget the one that knows most."""
        rows = self._wholes.setdefault(where, {})
        known = rows.get(row.unit.budget)
        if known is None or (row.finished, row.replies_left is not None) > (
            known.finished,
            known.replies_left is not None,
        ):
            rows[row.unit.budget] = row

    def _keep_replies(self, where: tuple[int, int], row: Settled) -> None:
        replies = self._replies.setdefault(where, {})
        left = () if row.finished else row.replies_left
        if left is None:
            return
        done = [reply for reply in row.unit.portion if reply not in left]
        for reply in done:
            nodes = max(1, row.nodes // len(done))
            replies[reply] = Reply(
                nodes, max(nodes, self._run_out.get((*where, reply), 0) + 1), row.outcomes, row.replies
            )
        if row.out_of_budget and len(row.unit.portion) == 1:
            self._run_out[*where, row.unit.portion[0]] = row.unit.budget

    def seconds(self, nodes: int) -> float:
        """What so many nodes take."""
        return nodes * self._seconds_per_node

    def settle(self, unit: Unit) -> Settled:
        """What comes of a unit, with the nodes it takes."""
        return self._portion(unit) if unit.portion else self._whole(unit)

    def _whole(self, unit: Unit) -> Settled:
        where = (unit.candidate, unit.draw)
        rows = self._wholes.get(where, {})
        for budget in sorted(rows):
            row = rows[budget]
            if row.finished and budget <= unit.budget:
                return replace(row, unit=unit)
        if not any(row.finished for row in rows.values()) and where not in self._replies:
            needs = max(self._usual_needs(where), max(rows, default=0) + 1)
            if needs <= unit.budget:
                orders = len(self._eventualities.stays(int(self._drawn[unit.candidate]), unit.draw)[0])
                return Settled(unit, True, bytes(orders), (-1,) * orders, None, True, needs, 1, 0.0, 0.0)
        known = [budget for budget in rows if budget <= unit.budget and not rows[budget].finished]
        if not known:
            return self._unfinished(unit, unit.budget, True)
        found = replace(rows[max(known)], unit=unit, nodes=unit.budget, out_of_budget=True)
        found.replies_left, found.untried = None, 0
        naming = [budget for budget in known if rows[budget].replies_left is not None]
        if unit.names_left and naming:
            # a smaller budget leaves all of them, and more
            found.replies_left, found.untried = rows[max(naming)].replies_left, rows[max(naming)].untried
        return found

    def _portion(self, unit: Unit) -> Settled:
        where = (unit.candidate, unit.draw)
        replies = self._replies.get(where, {})
        orders = len(self._eventualities.stays(int(self._drawn[unit.candidate]), unit.draw)[0])
        walk = Walk(unit.candidate, unit.draw, orders)
        walk.take(Settled(unit, False, unit.known[0], unit.known[1], None, True, 0, 0, 0.0, 0.0))
        nodes, left = 0, []
        for reply in unit.portion:
            found = replies.get(reply)
            cost = self._usual_nodes(reply) if found is None else found.nodes
            if max(nodes + cost, 0 if found is None else found.needs) > unit.budget:
                left.append(reply)
            else:
                nodes += cost
                if found is not None:
                    walk.take(Settled(unit, False, found.outcomes, found.replies, None, True, 0, 0, 0.0, 0.0))
        outcomes, by = walk.known()
        if not left:
            settled = bytes(2 if outcome == 0xFF else outcome for outcome in outcomes)
            return Settled(unit, True, settled, by, None, True, nodes, 1, 0.0, 0.0)
        return replace(
            self._unfinished(unit, unit.budget, True), outcomes=outcomes, replies=by, replies_left=tuple(left)
        )

    def _usual_needs(self, where: tuple[int, int]) -> int:
        """Of a draw that no recorded solve has settled: as many nodes as some other took."""
        usual = self._needs[int(self._drawn[where[0]])] or [schedule.FIRST_UNCUT_BUDGET]
        return usual[hash(where) % len(usual)]

    def _usual_nodes(self, reply: int) -> int:
        """Of a reply that the real solve never settled: as many as some other took."""
        return self._nodes_of_replies[hash(reply) % len(self._nodes_of_replies)]

    def _unfinished(self, unit: Unit, nodes: int, out_of_budget: bool) -> Settled:
        return Settled(unit, False, b"", (), None, True, nodes, 0, 0.0, 0.0, out_of_budget)

    def stopped(self, unit: Unit, share: float) -> Settled:
        """A unit that was stopped after a share of its time."""
        return self._unfinished(unit, int(share * self.settle(unit).nodes), False)


# -- the cluster ----------------------------------------------------------------------------------------------


@dataclass(eq=False)
class Call:
    """Units that go to a node together.

    at, started, result: of the unit that is being worked on; results: of those before it
    turn: one more for each unit that begins or ends: events of an earlier one are stale
    """

    units: list[Unit]
    node: int
    at: int = 0
    started: float = 0.0
    result: Settled | None = None
    turn: int = 0
    results: list[Settled | Lost] = field(default_factory=list)


class SimulatedCluster:
    """Implements :class:`pegray.preendgame.executors.base.Executor` in a time of its own.

    now: seconds since the start; work: seconds of all threads on units; driver: seconds of the driver, by what it did
    """

    def __init__(self, problem: Problem, kernels: Recorded, cpus: int) -> None:
        self.now = 0.0
        self.work = 0.0
        self.units = 0
        self.driver: Counter[str] = Counter()
        self._kernels = kernels
        self._sizes = CallSizes(len(problem.candidates))
        self._cpus = cpus
        per_node = min(cpus, COSTS.threads_per_node)
        self._free = [per_node] * (cpus // per_node)
        self._queues: list[deque[Call]] = [deque() for _ in self._free]
        self._calls_of = [0] * len(self._free)
        self._running: set[Call] = set()
        self._out: list[Call] = []
        self._events: list[tuple[float, int, str, object, int]] = []
        self._numbers = itertools.count()
        self._ended: deque[Call] = deque()
        self._bound = NO_BOUND
        self._withdrawn: set[str] = set()

    # -- what the session sees

    @property
    def capacity(self) -> int:
        """Units to keep in flight."""
        out = sum(len(call.units) for call in self._out)
        return self._sizes.capacity(out, len(self._out), CALLS_PER_THREAD * self._cpus)

    def submit(self, units: list[Unit]) -> None:
        """Send units to the least busy nodes."""
        self._spend("ledger", COSTS.hand_out_unit * len(units))
        free = self._sizes.free(len(self._out), CALLS_PER_THREAD * self._cpus)
        for together in self._sizes.group(units, free, lambda unit: False):
            self._spend("Ray", COSTS.send_call + COSTS.send_unit * len(together))
            node = min(range(len(self._free)), key=self._calls_of.__getitem__)
            call = Call(together, node)
            self._calls_of[node] += 1
            self._out.append(call)
            self._at(self.now + COSTS.latency, "arrives", call)

    def collect(self, timeout: float) -> list[Settled | Lost]:
        """Let the time go on until a call has come back."""
        self._work_until(self.now)
        while not self._ended and self._events:
            self._work_until(self._events[0][0])
        results: list[Settled | Lost] = []
        self._spend("Ray", COSTS.ask_call_in_flight * len(self._out))
        while self._ended:
            call = self._ended.popleft()
            self._out.remove(call)
            self._spend("Ray", COSTS.take_call + COSTS.take_unit * len(call.units))
            self._spend("ledger", COSTS.record_unit * len(call.units))
            self._spend("journal", (COSTS.keep_unit + COSTS.write_journal_unit) * len(call.units))
            self._sizes.learn(sum(result.seconds for result in call.results if isinstance(result, Settled)))
            self.units += len(call.units)
            results += call.results
        self._spend("tables", max(0.0, COSTS.tables_share * self.now - self.driver["tables"]))
        return results

    def publish_bound(self, losses: int) -> None:
        """Tell the nodes."""
        self._at(self.now + COSTS.latency, "bound", losses)

    def withdraw(self, units: list[Unit]) -> None:
        """Stop these units."""
        self._at(self.now + COSTS.latency, "withdrawn", [unit.key for unit in units])

    def close(self) -> None:
        """Nothing to release."""

    @property
    def crew(self) -> Crew:
        """All CPUs."""
        return Crew(len(self._free), self._cpus)

    # -- the nodes

    def _spend(self, what: str, seconds: float) -> None:
        self.now += seconds
        self.driver[what] += seconds  # type: ignore[assignment]

    def _at(self, time: float, what: str, about: object, turn: int = 0) -> None:
        heapq.heappush(self._events, (time, next(self._numbers), what, about, turn))

    def _work_until(self, time: float) -> None:
        while self._events and self._events[0][0] <= time:
            moment, _, what, about, turn = heapq.heappop(self._events)
            if what == "back":
                assert isinstance(about, Call)
                self._ended.append(about)
            elif what == "bound":
                assert isinstance(about, int)
                self._bound = min(self._bound, about)
                self._stop(moment, lambda unit: unit.lost > self._bound)
            elif what == "withdrawn":
                assert isinstance(about, list)
                self._withdrawn.update(about)
                self._stop(moment, lambda unit: unit.key in self._withdrawn)
            elif what == "arrives":
                assert isinstance(about, Call)
                self._queues[about.node].append(about)
                self._begin_calls(about.node, moment)
            elif isinstance(about, Call) and about.turn == turn:
                self._end_unit(about, moment, 1.0)
        self.now = max(self.now, time)

    def _begin_calls(self, node: int, moment: float) -> None:
        while self._free[node] and self._queues[node]:
            self._free[node] -= 1
            call = self._queues[node].popleft()
            self._running.add(call)
            self._begin_unit(call, moment)

    def _begin_unit(self, call: Call, moment: float) -> None:
        unit = call.units[call.at]
        call.started = moment
        call.turn += 1
        if unit.lost > self._bound or unit.key in self._withdrawn:
            call.result = self._kernels.stopped(unit, 0.0)
        else:
            call.result = self._kernels.settle(unit)
        self._at(moment + self._kernels.seconds(call.result.nodes), "unit", call, call.turn)

    def _end_unit(self, call: Call, moment: float, share: float) -> None:
        unit, result = call.units[call.at], call.result
        assert result is not None
        if share < 1.0:
            result = self._kernels.stopped(unit, share)
        seconds = moment - call.started
        call.results.append(replace(result, seconds=seconds, cpu_seconds=seconds))
        self.work += seconds
        self._withdrawn.discard(unit.key)
        call.at += 1
        call.turn += 1
        if call.at < len(call.units):
            self._begin_unit(call, moment)
            return
        self._running.remove(call)
        self._free[call.node] += 1
        self._calls_of[call.node] -= 1
        self._at(moment + COSTS.latency, "back", call)
        self._begin_calls(call.node, moment)

    def _stop(self, moment: float, idle: object) -> None:
        assert callable(idle)
        for call in [call for call in self._running if idle(call.units[call.at])]:
            assert call.result is not None
            whole = self._kernels.seconds(call.result.nodes)
            self._end_unit(call, moment, min(0.999, (moment - call.started) / whole if whole else 0.0))


@dataclass
class Simulated:
    """What came of a simulated solve; ``answer``: the settled outcomes, for a test."""

    cpus: int
    seconds: float
    work: float
    units: int
    driver: Counter[str]
    answer: object

    @property
    def busy(self) -> float:
        """Share of the CPUs' time that was work on units."""
        return self.work / (self.cpus * self.seconds)

    @property
    def driver_busy(self) -> float:
        """Share of the time that the driver was at work."""
        return sum(self.driver.values()) / self.seconds


def simulate(problem: Problem, rows: Sequence[Settled], cpus: int, slower: float = 1.0) -> Simulated:
    """Solve a problem on so many CPUs."""
    cluster = SimulatedCluster(problem, Recorded(problem, rows, slower), cpus)
    ledger = Ledger(problem)
    run_session(ledger, cluster, _ignore, _ignore, None, threading.Event())
    answer = {where: result.outcomes for where, result in ledger.book.settled.items()}
    return Simulated(cpus, cluster.now, cluster.work, cluster.units, cluster.driver, answer)


def table(
    title: str, problem: Problem, rows: Sequence[Settled], cpus: Sequence[int], slower: float = 1.0
) -> Iterator[str]:
    """One row for each number of CPUs, as Markdown."""
    yield f"\n{title}\n"
    yield "| CPUs | seconds | times as fast | CPUs busy | efficiency | units | driver busy |"
    yield "|---|---|---|---|---|---|---|"
    alone = None
    for count in cpus:
        found = simulate(problem, rows, count, slower)
        alone = alone or found.seconds * found.cpus
        speed = alone / found.seconds
        yield (
            f"| {count:,} | {found.seconds:,.1f} | {speed:,.1f} | {found.busy:.0%} | {speed / count:.0%} | "
            f"{found.units:,} | {found.driver_busy:.0%} |"
        )


def _ignore(news: object) -> None:
    pass


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("traces", type=Path, nargs="*", metavar="TRACE")
    parser.add_argument("--record", metavar="RUN", help="a run directory of one position: write its trace")
    parser.add_argument("--whole", action="store_true", help="walks are not split")
    parser.add_argument("--slower", type=float, default=1.0, help="each node takes so many times as long")
    parser.add_argument("--cpus", type=int, nargs="+", default=CPUS)
    arguments = parser.parse_args()
    if arguments.record:
        record(arguments.record, str(arguments.traces[0]))
    elif arguments.traces:
        for path in arguments.traces:
            show(path, arguments.whole, arguments.slower, arguments.cpus)
    else:
        show(TRACES / "whole-nested.parquet", True, 1.0, CPUS)
        show(TRACES / "walks-nested.parquet", False, 1.0, CPUS)
        show(TRACES / "walks-three-stay.parquet", False, 1.0, CPUS)
        show(TRACES / "walks-position.parquet", False, 1.0, CPUS)
        show(TRACES / "walks-position.parquet", False, 100.0, CPUS)


def show(path: Path, whole: bool, slower: float, cpus: Sequence[int]) -> None:
    """Print the table of a trace."""
    split_budget = schedule.SPLIT_BUDGET
    schedule.SPLIT_BUDGET = NO_BOUND if whole else split_budget
    problem, rows = read_trace(path)
    for line in table(f"{path.stem}, x {slower:g}", problem, rows, cpus, slower):
        print(line, flush=True)
    schedule.SPLIT_BUDGET = split_budget


if __name__ == "__main__":
    main()
