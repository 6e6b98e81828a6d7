"""Whole positions: when they are answered and complete, when they are given up, and the file that is kept of them."""

from __future__ import annotations

import itertools
import random
import threading
from pathlib import Path

import pytest

from pegray.bench.record import WholeMeasurement, WholeRun, differences, read_run, summarize, write_run
from pegray.bench.whole import solve_capped
from pegray.errors import InputError
from pegray.preendgame.executors.base import Crew, Lost
from pegray.preendgame.ledger import Ledger
from pegray.preendgame.work import STOP_NOW, Settled, Unit
from tests.preendgame.test_ledger import LOSS, WIN, Verdicts, new_ledger, result

NODES = 10  # of each made-up result


class MadeUp:
    """An executor that makes up its results at once, as in this process one at a time."""

    capacity = 1
    crew = Crew(machines=1, threads=1)

    def __init__(self, verdicts: Verdicts) -> None:
        self.verdicts = verdicts
        self.units: list[Unit] = []

    def submit(self, units: list[Unit]) -> None:
        self.units += units

    def collect(self, timeout: float) -> list[Settled | Lost]:
        return [result(unit, self.verdicts(unit.candidate, unit.draw)) for unit in (self.units.pop(),)]

    def publish_bound(self, losses: int) -> None:
        pass

    def withdraw(self, units: list[Unit]) -> None:
        pass

    def close(self) -> None:
        pass


class Endless(MadeUp):
    """One whose kernel ends only when it is told to stop."""

    def __init__(self) -> None:
        super().__init__(lambda candidate, draw: WIN)
        self.told = threading.Event()

    def collect(self, timeout: float) -> list[Settled | Lost]:
        assert self.told.wait(30)
        return [result(self.units.pop(), None)]

    def publish_bound(self, losses: int) -> None:
        if losses == STOP_NOW:
            self.told.set()


def measured(name: str, bag: int, answered: float | None, points: float = 7.5) -> WholeMeasurement:
    return WholeMeasurement(
        name=name,
        cgp=f"board of {name}",
        lexicon="ENABLE",
        bag=bag,
        plays=625,
        total=8,
        state="open" if answered is None else "complete",
        best=None if answered is None else "13L ONYX",
        points=points,
        at_most=8 if answered is None else points,
        answered_cpu_seconds=answered,
        answered_nodes=None if answered is None else 100,
        complete_cpu_seconds=answered,
        complete_nodes=None if answered is None else 100,
        cpu_seconds=60.0 if answered is None else answered,
        seconds=61.5,
        nodes=100,
        endgames=9,
        peak_mib=300.5,
    )


def new_run(*measurements: WholeMeasurement, cap: float = 60.0) -> WholeRun:
    run = WholeRun(version="1", date="2026-11-23", until="level", cap_cpu_seconds=cap)
    for measurement in measurements:
        run = run.adding(measurement)
    return run


def capped(ledger: Ledger, verdicts: Verdicts) -> dict[str, tuple[float, int]]:
    """What each state had cost, on a clock that ticks each time that it is looked at."""
    clock = itertools.count()
    reached = solve_capped(ledger, MadeUp(verdicts), lambda: float(next(clock)), cap=1e9)
    return {state: (cost.cpu_seconds, cost.nodes) for state, cost in reached.items()}


def test_the_answer_comes_before_what_is_level_with_it() -> None:
    ledger = new_ledger(tiebreak=False, until="level")
    reached = capped(ledger, lambda candidate, draw: WIN if candidate < 2 else LOSS)
    assert list(reached) == ["answered", "complete"]
    assert reached["answered"][0] < reached["complete"][0]
    assert 7 * NODES <= reached["answered"][1] < reached["complete"][1] == ledger.book.nodes
    assert ledger.done


def test_no_more_than_the_answer() -> None:
    ledger = new_ledger(tiebreak=False, until="answer")
    assert list(capped(ledger, lambda candidate, draw: WIN)) == ["answered"]
    assert ledger.book.nodes == 7 * NODES


def test_a_position_is_complete_with_its_spreads_where_they_are_asked_for() -> None:
    ledger = new_ledger(until="spread")
    reached = capped(ledger, lambda candidate, draw: WIN)
    assert reached["complete"][1] == ledger.book.nodes == 2 * 4 * 7 * NODES


def test_running_work_is_told_to_stop_at_the_cap() -> None:
    ledger, executor = new_ledger(tiebreak=False), Endless()
    assert solve_capped(ledger, executor, lambda: 60.0, cap=60.0) == {}
    assert executor.told.is_set() and not executor.units
    assert ledger.state == "open" and not ledger.progress().units_in_flight


def test_what_goes_wrong_in_the_session_is_not_lost() -> None:
    class Broken(MadeUp):
        def collect(self, timeout: float) -> list[Settled | Lost]:
            raise MemoryError("no memory")

    with pytest.raises(MemoryError, match="no memory"):
        solve_capped(new_ledger(), Broken(lambda candidate, draw: WIN), lambda: 0.0, cap=1.0)


def test_a_summary_counts_what_was_answered_in_time() -> None:
    times = {1: [0.2, 12.0, None], 2: [None, 11.0], 3: [None]}
    measurements = [measured(f"p{bag}-{i}", bag, t) for bag, ts in times.items() for i, t in enumerate(ts)]
    one, two, three = summarize(reversed(measurements), cap=60)
    assert (one.bag, one.positions, one.answered, one.complete) == (1, 3, 2, 2)
    assert one.answered_within == {10: 1, 60: 2}  # nobody knows what 600 s would have brought
    assert [summary.median_cpu_seconds for summary in (one, two, three)] == [12.0, None, None]
    assert summarize(measurements, cap=600)[0].answered_within == {10: 1, 60: 2, 600: 2}
    assert summarize([], cap=60) == []


def test_a_run_comes_back_from_its_file(tmp_path: Path) -> None:
    run = new_run(measured("a", 1, 0.5), measured("b", 2, None))
    write_run(new_run(), tmp_path / "run.json")
    write_run(run, tmp_path / "run.json")
    assert read_run(tmp_path / "run.json") == run
    assert [summary.bag for summary in run.summary] == [1, 2]
    assert [path.name for path in tmp_path.iterdir()] == ["run.json"]


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere/run\.json: No such file or directory"):
        write_run(new_run(), tmp_path / "nowhere" / "run.json")


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"schema": 1, "positions": []}', "\x00"])
def test_a_file_that_holds_no_run(text: str, tmp_path: Path) -> None:
    path = tmp_path / "old.json"
    path.write_text(text)
    with pytest.raises(InputError, match=r"^[^\n]*old\.json: not the output of pegray bench --whole: [^\n]+$"):
        read_run(path)


def test_proven_points_that_are_not_those_of_before() -> None:
    old = new_run(measured("a", 1, 3.0), measured("b", 1, None, points=1.0), measured("c", 1, 1.0))
    now = new_run(measured("a", 1, 0.5, points=7.0), measured("b", 1, 9.0), measured("d", 1, 9.0))
    assert differences(now, old) == ["a: 7 points, 7.5 before"]


def test_the_positions_that_ship_come_from_their_games() -> None:
    from benchmarks.whole_positions import EACH
    from pegray.bench.games import empty_board, played_game
    from pegray.commands.bench import whole_positions
    from pegray.lexicon.find import find_lexicon

    positions = [named.position for named in whole_positions([])]
    assert [position.bag_size for position in positions] == [bag for bag in range(1, 7) for _ in range(EACH)]
    start = empty_board()
    lexicon = find_lexicon("ENABLE", start.distribution)
    game_of_the_fifth = played_game(start, lexicon, random.Random(1), choice=1)
    played = next(position for position in game_of_the_fifth if position.bag_size == 2)
    played.opcodes["lex"] = "ENABLE"
    assert played == positions[4]
