"""What solving a named position costs, and whether its answer is what is known."""

from __future__ import annotations

import json
import resource
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from pegray.bench.positions import BenchPosition, Expectation
from pegray.errors import InputError
from pegray.game.position import Position
from pegray.game.rules import PREENDGAME_BAG
from pegray.kernels.catalogue import warm_up
from pegray.kernels.memory import new_memory
from pegray.lexicon.find import find_lexicon
from pegray.preendgame.engine import default_table_gib
from pegray.preendgame.executors.inprocess import InProcessExecutor
from pegray.preendgame.ledger import Ledger
from pegray.preendgame.problem import Problem
from pegray.preendgame.ranking import build_result
from pegray.preendgame.session import run_session
from pegray.preendgame.solver import needed_kernels
from pegray.preendgame.work import Settled
from pegray.results.model import SolveResult, SolveStats
from pegray.terms import Status


@dataclass(frozen=True)
class Measurement:
    """What one position cost, and its answer.

    skipped: why it was not run; differs: what is not as expected, a line each.
    median_nodes, high_nodes, most_nodes: nodes for each endgame of a unit of work (a play with one draw): the median
    unit, the 99th percentile, the most
    table_hits: share of the looks into the transposition table that found something
    peak_mib: the most memory that the process has held so far, in MiB
    """

    name: str
    lexicon: str
    skipped: str = ""
    best: str = ""
    points: float | None = None
    total: float = 0
    plays: int = 0
    finished: int = 0
    proven: bool = False
    cpu_seconds: float = 0.0
    seconds: float = 0.0
    nodes: int = 0
    endgames: int = 0
    median_nodes: float = 0.0
    high_nodes: float = 0.0
    most_nodes: float = 0.0
    table_hits: float = 0.0
    peak_mib: float = 0.0
    differs: tuple[str, ...] = ()


def kernels_for(positions: Iterable[BenchPosition]) -> tuple[str, ...]:
    """Purposes of the kernels that these take (see the catalogue), so that none of it is compiled while they run."""
    most_in_bag = PREENDGAME_BAG.stop - 1
    needed = [purposes for bench in positions for purposes in needed_kernels(bench.options, most_in_bag)]
    return tuple(dict.fromkeys(purpose for purposes in needed for purpose in purposes))


def measure(bench: BenchPosition) -> Measurement:
    """Solve one position in this process on one core; compiling is not counted."""
    position = Position.from_cgp(bench.cgp)
    try:
        lexicon = find_lexicon(bench.lexicon, position.distribution)
    except InputError as error:
        return Measurement(bench.name, bench.lexicon, skipped=str(error))
    warm_up(kernels_for([bench]))
    costs: dict[str, tuple[int, int]] = {}

    def settled(results: list[Settled]) -> None:
        for result in results:
            nodes, endgames = costs.get(result.unit.key, (0, 0))
            # each try at a unit counts its endgames anew, so the most of any try is how many there are
            costs[result.unit.key] = nodes + result.nodes, max(endgames, result.endgames)

    wall, cpu = time.perf_counter(), time.process_time()
    ledger = Ledger(Problem.create(position, lexicon, bench.options))
    executor = InProcessExecutor(ledger.problem, new_memory(default_table_gib()))
    run_session(ledger, executor, lambda _: None, settled, None, threading.Event())
    seconds, cpu_seconds = time.perf_counter() - wall, time.process_time() - cpu
    result = build_result(ledger, SolveStats(seconds, cpu_seconds, ledger.book.endgames, ledger.book.nodes, False))
    per_endgame = sorted(nodes / max(1, endgames) for nodes, endgames in costs.values())
    table = executor.solver.record["table"]
    best = result.best
    finished = [play for play in result.plays if play.status == Status.FINISHED]
    return Measurement(
        name=bench.name,
        lexicon=bench.lexicon,
        best=best.move if best else "",
        points=best.points if best else None,
        total=result.total,
        plays=len(result.plays),
        finished=len(finished),
        proven=bool(finished) and all(play.proven for play in finished),
        cpu_seconds=cpu_seconds,
        seconds=seconds,
        nodes=result.stats.nodes,
        endgames=result.stats.endgames,
        median_nodes=per_endgame[len(per_endgame) // 2],
        high_nodes=per_endgame[len(per_endgame) * 99 // 100],
        most_nodes=per_endgame[-1],
        table_hits=int(table["hits"][0]) / max(1, int(table["probes"][0])),
        peak_mib=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        differs=tuple(differences(bench.expect, result)),
    )


def differences(expect: Expectation, result: SolveResult) -> list[str]:
    """One line for everything in a result that is not as expected."""
    plays = {play.move: play for play in result.plays}
    most = result.best.points if result.best else None
    level = [play.move for play in result.plays if play.points is not None and play.points == most]
    lines = []
    if expect.best is not None and expect.best not in level:
        lines.append(f"best is {', '.join(level) or 'nothing'}, expected {expect.best}")
    if expect.level is not None and len(level) != expect.level:
        lines.append(f"{len(level)} plays level at the top, expected {expect.level}")
    for attribute, expected in (("points", expect.points), ("spread", expect.spread)):
        for move, value in expected.items():
            found = getattr(plays[move], attribute) if move in plays else None
            if found != value:
                lines.append(f"{move}: {attribute} {found}, expected {value}")
    return lines


def read_measurements(path: str) -> dict[str, Measurement]:
    """Measurements by name from a file that `pegray bench --json` wrote; InputError if it is not one."""
    try:
        entries = json.loads(Path(path).read_text(encoding="utf-8"))["positions"]
        measurements = [Measurement(**{**entry, "differs": tuple(entry["differs"])}) for entry in entries]
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError):
        raise InputError(f"{path}: not the output of pegray bench --json") from None
    return {measurement.name: measurement for measurement in measurements}
