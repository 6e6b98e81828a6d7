"""What a run directory says of positions while they are solved, and afterwards."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from typing import Any

from pegray.errors import PegrayError
from pegray.game.position import Position
from pegray.preendgame.ledger import Ledger, Progress
from pegray.preendgame.problem import Problem
from pegray.preendgame.ranking import build_result
from pegray.preendgame.solve_endgame import EndgameProblem
from pegray.preendgame.work import Settled
from pegray.results.model import SolveResult, SolveStats
from pegray.results.state import Milestones
from pegray.results.write import RunWriter
from pegray.runs.journal import Journal
from pegray.runs.progress_log import ProgressLog
from pegray.terms import RunState, Until
from pegray.version import __version__

_WRITE_SECONDS = 10.0
# Tables are written again after so many times as long as it took, times the positions that are underway: all together
# take 1% of the time at the most.
_WRITE_SHARE = 100.0

# A position that is to be solved.
Asked = Problem | EndgameProblem


def position_row(problem: Asked, name: str, source: str) -> dict[str, Any]:
    """The row of positions.parquet, without its id."""
    return row_of(problem.position, problem.lexicon_name, problem.total, name, source)


def row_of(position: Position, lexicon: str, total: int, name: str, source: str) -> dict[str, Any]:
    """The same of a position whose problem has not been made yet; ``total``: the weight of all its draws."""
    return {
        "name": name,
        "cgp": position.to_cgp(),
        "lexicon": lexicon,
        "bag": position.bag_size,
        "unseen": position.distribution.format_rack(position.unseen),
        "total": total,
        "source": source,
    }


def has_begun(out: RunWriter, position_id: int) -> bool:
    """Whether a position has been worked on for so long that its tables were written."""
    return str(position_id) in out.stats


def has_finished(out: RunWriter, position_id: int, until: str) -> bool:
    """Whether everything of a position is settled and written that is to be (see the option ``until``)."""
    stats = out.stats.get(str(position_id))
    if stats is None or stats["interrupted"]:
        return False
    return Until(stats.get("until", Until.SPREAD)).includes(until)


def is_finished(out: RunWriter, until: str) -> bool:
    """Whether all positions of a run are."""
    return all(has_finished(out, position_id, until) for position_id in range(out.position_count))


class WriteTimes:
    """When a position's tables are written: every few seconds, and when its state has changed.

    state: that the tables show
    write_seconds: between two times, at least; by default some
    """

    def __init__(self, state: str, write_seconds: float | None = None) -> None:
        self._state = state
        self._write_seconds = _WRITE_SECONDS if write_seconds is None else write_seconds
        self._next = 0.0

    def is_new(self, state: str) -> bool:
        """Whether the tables show another state."""
        return state != self._state

    def due(self, state: str, now: float) -> bool:
        """Whether it is time to."""
        return now >= self._next or self.is_new(state)

    def wrote(self, state: str, started: float, ended: float, underway: int) -> None:
        """It took so long, with so many positions underway, each of which has its tables written."""
        self._state = state
        self._next = ended + max(self._write_seconds, _WRITE_SHARE * underway * (ended - started))


class Recorder:
    """Keeps a position's part of the run directory up to date.

    reached: when the position was answered and complete, in this session or before; earlier_seconds: what the
    sessions before this one have taken, as far as they lived to write it down
    write_seconds: between two times that the tables are written, at least; by default some
    """

    def __init__(
        self,
        problem: Problem,
        out: RunWriter,
        name: str,
        source: str,
        position_id: int | None,
        write_seconds: float | None = None,
    ) -> None:
        self._problem = problem
        self._out = out
        self._journal = Journal(out, problem.key)
        with out.lock:
            if position_id is None:
                position_id = out.add_position(position_row(problem, name, source))
            out.underway.add(position_id)
        self._position_id = position_id
        self._progress = ProgressLog(out, position_id)
        row, stats = out.position(position_id), out.stats.get(str(position_id), {})
        self.reached = Milestones(row["answered_seconds"], row["complete_seconds"])
        self.earlier_seconds = float(stats.get("seconds", 0.0) + stats.get("earlier_seconds", 0.0))
        self._times = WriteTimes(row["state"], write_seconds)
        _write_manifest(out, problem)

    def begin(self, ledger: Ledger) -> None:
        """Take over what the journal holds."""
        for result in self._journal.load():
            if ledger.book.can_be(result):
                ledger.record(result)

    def settled(self, ledger: Ledger, results: list[Settled], stats: SolveStats) -> None:
        """Take results for the journal, which writes many at a time; write the tables when it is time to.

        Not if nothing is left to do: :meth:`close` writes them then.
        """
        self._journal.append(results)
        if ledger.done:
            self._journal.flush()
            return
        started, state = time.monotonic(), ledger.state
        if self._times.due(state, started):
            if self._times.is_new(state):
                self._journal.flush()  # so that a run that is taken up is in the state that its tables show
            self._write(ledger, stats)
            self._times.wrote(state, started, time.monotonic(), len(self._out.underway))

    def tick(self, progress: Progress, seconds: float) -> None:
        """Keep journal and progress up to date, also while nothing is settled. seconds: of this session"""
        self._journal.flush_when_due()
        self._progress.note(progress, self.earlier_seconds + seconds)

    def close(self, ledger: Ledger, stats: SolveStats) -> None:
        """Write everything for the last time."""
        self._journal.close()
        self._progress.close()
        self._write(ledger, stats)
        with self._out.lock:
            self._out.underway.discard(self._position_id)

    def _write(self, ledger: Ledger, stats: SolveStats) -> None:
        record_result(self._out, self._problem, self._position_id, build_result(ledger, stats, self.reached))


def record_result(out: RunWriter, problem: Asked, position_id: int, result: SolveResult) -> None:
    """Write what is known of a position, and what it has cost."""
    out.write_solve(position_id, result)
    with out.lock:
        out.stats[str(position_id)] = asdict(result.stats)
        _write_manifest(out, problem)


def _asked_of_all(out: RunWriter) -> dict[str, Any]:
    """The options that single positions of a run may have otherwise, as they are for the whole run."""
    options = out.manifest.get("job", {}).get("options", {})
    return {name: options[name] for name in ("protect", "known_rack") if name in options}


def _write_manifest(out: RunWriter, problem: Asked) -> None:
    with out.lock:
        out.write_manifest(
            {
                "program": f"pegray {__version__}",
                "options": asdict(problem.options) | _asked_of_all(out),
                "lexicon": {"name": problem.lexicon_name, "hash": problem.lexicon_hash},
                "distribution": problem.position.distribution.name,
                "layout": problem.position.layout.name,
                "positions": out.position_count,
                "stats": out.stats,
            }
        )


@contextmanager
def state_kept(out: RunWriter, until: str) -> Iterator[None]:
    """The manifest says that the run goes on, and in the end whether it is finished."""
    if not is_finished(out, until):
        out.write_manifest({"state": RunState.RUNNING})
    try:
        yield
    except BaseException:
        # an error of writing, such as a full disk, must not hide the first one
        with suppress(PegrayError):
            out.write_manifest({"state": RunState.INTERRUPTED})
        raise
    out.write_manifest({"state": RunState.FINISHED if is_finished(out, until) else RunState.INTERRUPTED})
