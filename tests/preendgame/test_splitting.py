"""Walks that are handed out in portions, with made-up replies: lost, doubled and late results change nothing."""

from __future__ import annotations

from random import Random

import numpy as np
import numpy.typing as npt
import pytest

from pegray.game.position import Position
from pegray.kernels.checkpoints import KIND_BITS, NODES_SHIFT
from pegray.lexicon.find import find_lexicon
from pegray.preendgame import company, legs, portions, schedule
from pegray.preendgame.checkpoints import packed
from pegray.preendgame.ledger import Ledger
from pegray.preendgame.options import SolveOptions
from pegray.preendgame.problem import Problem
from pegray.preendgame.walks import Walk
from pegray.preendgame.work import Settled, Unit
from pegray.results.write import RunWriter
from pegray.runs.journal import Journal
from tests.preendgame.test_ledger import DEEP, FIRST, LOSS, WIN

ORDERS = 7
REPLIES = 40
NONE = -1
CHECKPOINTS = packed(np.array([1 | 1 << KIND_BITS | 100 << NODES_SHIFT, 5, 7], np.uint64))


class MadeUp:
    """Replies to the pass with one tile in the bag: each may be made in some orders, and costs some nodes."""

    def __init__(self, seed: int) -> None:
        random = np.random.default_rng(seed)
        self.values = random.choice([0, 1, 2], (REPLIES, ORDERS), p=[0.03, 0.05, 0.92])
        self.costs = 4 ** random.integers(1, 8, REPLIES)
        self.spent = 0

    def outcomes(self) -> list[int]:
        return self.values.min(axis=0).tolist()  # type: ignore[no-any-return]

    def settle(self, unit: Unit) -> Settled:
        """As the kernel would: cheap replies first, and what is left where the budget ends."""
        known, by = unit.known
        verdicts = np.frombuffer(known, np.int8) if known else np.full(ORDERS, NONE, np.int8)
        verdicts = np.where(verdicts < 0, WIN, verdicts)
        replies = np.array(by, np.int64) if by else np.full(ORDERS, NONE, np.int64)
        asked = sorted(unit.portion or range(1, REPLIES + 1), key=lambda reply: int(self.costs[reply - 1]))
        nodes = 0
        left: list[int] = []
        for reply in asked:
            if (verdicts == LOSS).all():
                break
            nodes += int(self.costs[reply - 1])
            if nodes > unit.budget:
                left.append(reply)
                continue
            lower = self.values[reply - 1] < verdicts
            verdicts[lower] = self.values[reply - 1][lower]
            replies[lower] = reply
        self.spent += min(nodes, unit.budget)
        finished = not left
        outcomes = verdicts if finished else np.where(verdicts < WIN, verdicts, NONE)
        named = tuple(np.where((outcomes >= 0) & (outcomes < WIN), replies, NONE).tolist())
        found = Settled(unit, finished, outcomes.astype(np.int8).tobytes(), named, None, True, nodes, 1, 0.1, 0.1)
        found.out_of_budget = not finished
        if not finished and unit.names_left:
            found.replies_left, found.untried = tuple(left), len(left) // 3
            found.checkpoints = CHECKPOINTS
        return found


@pytest.fixture(autouse=True)
def split_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schedule, "FIRST_WALK_BUDGET", 30)
    monkeypatch.setattr(schedule, "SPLIT_BUDGET", 100)
    monkeypatch.setattr(portions, "LEAST_BUDGET", 10)
    monkeypatch.setattr(portions, "LEAST_BUDGET_OF_MANY", 10)
    monkeypatch.setattr(legs, "LONGEST_LEG", 100)
    monkeypatch.setattr(company, "LEG", 40)


@pytest.fixture(scope="module")
def passing() -> Problem:
    position = Position.from_cgp(FIRST.read_text().splitlines()[-1])
    return Problem.create(position, find_lexicon("ENABLE", position.distribution), SolveOptions(only=("pass",)))


def the_outcome(ledger: Ledger) -> npt.NDArray[np.int8]:
    return np.frombuffer(ledger.book.settled[0, 0].outcomes, np.int8)


def work_on(
    ledger: Ledger,
    made_up: MadeUp,
    random: Random,
    at_once: int,
    results: list[Settled],
    most: int | None = None,
    machines: int = 1,
) -> None:
    """Work until all is settled, or on so many units: several in flight, their results lost, doubled and late."""
    flying: list[Unit] = []
    while not ledger.done and (most is None or most > 0):
        flying += ledger.next_units(at_once - len(flying), at_once if machines > 1 else 1, machines=machines)
        assert flying, "not done, and nothing to work on"
        unit = flying.pop(random.randrange(len(flying)))
        if random.random() < 0.2:
            ledger.give_back(unit)
            continue
        results.append(made_up.settle(unit))
        ledger.record(results[-1])
        if random.random() < 0.2:
            ledger.record(random.choice(results))
        most = None if most is None else most - 1


@pytest.mark.parametrize(("at_once", "machines"), [(1, 1), (3, 1), (20, 1), (3, 2), (20, 5)])
@pytest.mark.parametrize("seed", range(6))
def test_whatever_becomes_of_results(passing: Problem, seed: int, at_once: int, machines: int) -> None:
    made_up, random = MadeUp(seed), Random(seed)
    ledger, results = Ledger(passing), []
    work_on(ledger, made_up, random, at_once, results, machines=machines)
    in_company = any(result.unit.company[0] for result in results)
    assert in_company == (machines > 1) or at_once == 3, "three threads are seldom idle"
    assert the_outcome(ledger).tolist() == made_up.outcomes()
    assert any(result.unit.portion for result in results)
    replies = ledger.book.settled[0, 0].replies
    for order, reply in enumerate(replies):
        assert (reply == NONE) == (made_up.outcomes()[order] == WIN)
        if reply != NONE:
            assert made_up.values[reply - 1, order] == made_up.outcomes()[order]
    # in any order, and twice
    again = Ledger(passing)
    for result in random.sample(results * 2, 2 * len(results)):
        again.record(result)
    assert again.done and the_outcome(again).tolist() == made_up.outcomes()
    assert not again.schedule.in_flight and not ledger.schedule.in_flight


@pytest.mark.parametrize("seed", range(4))
def test_a_run_that_is_taken_up_goes_on_with_what_is_left(passing: Problem, seed: int, tmp_path: object) -> None:
    made_up, random = MadeUp(seed), Random(seed)
    out = RunWriter(str(tmp_path))
    ledger, results = Ledger(passing), []
    work_on(ledger, made_up, random, 4, results, most=12)
    journal = Journal(out, passing.key)
    journal.append(results)
    journal.close()
    left = ledger.book.walks[0, 0].left
    again = Ledger(passing)
    for result in Journal(out, passing.key).load():
        again.record(result)
    assert again.book.walks[0, 0].left == left and left is not None and len(left) < REPLIES
    handed = again.next_units(1000)
    assert {reply for unit in handed for reply in unit.portion} == set(left)
    assert again.book.partial[0, 0].outcomes == ledger.book.partial[0, 0].outcomes
    for unit in handed:
        again.give_back(unit)
    work_on(again, made_up, random, 4, results)
    assert the_outcome(again).tolist() == made_up.outcomes()


def test_no_reply_is_worked_on_twice_at_a_time(passing: Problem) -> None:
    made_up = MadeUp(1)
    ledger = Ledger(passing)
    flying: list[Unit] = []
    while not ledger.done:
        flying += ledger.next_units(8 - len(flying))
        portions_in_flight = [reply for unit in flying for reply in unit.portion]
        assert len(set(portions_in_flight)) == len(portions_in_flight)
        ledger.record(made_up.settle(flying.pop(0)))


def test_splitting_takes_few_nodes_more(passing: Problem, monkeypatch: pytest.MonkeyPatch) -> None:
    spent = []
    for threshold in (100, 1 << 60):
        monkeypatch.setattr(schedule, "SPLIT_BUDGET", threshold)
        made_up, ledger = MadeUp(5), Ledger(passing)
        work_on(ledger, made_up, Random(0), 1, [])
        spent.append(made_up.spent)
    assert spent[0] < spent[1]  # a walk as a whole begins anew each time


@pytest.mark.parametrize(("threads", "expected"), [(1, 120), (2, 120), (4, 30), (1000, 30)])
def test_with_more_threads_than_draws_are_left_a_walk_is_split_sooner(
    passing: Problem, threads: int, expected: int
) -> None:
    made_up, ledger = MadeUp(5), Ledger(passing)
    while not ledger.book.walks:
        (unit,) = ledger.next_units(1, threads)
        result = made_up.settle(unit)
        result.cpu_seconds = 1e6  # so that no budget is too small for so many threads
        ledger.record(result)
    assert unit.budget == expected
    # all portions together have what comes after 120 nodes, however soon it is split
    left = ledger.book.walks[0, 0].left or {}
    (portion,) = ledger.next_units(1, threads)
    assert portion.budget == 480 // len(left) * len(portion.portion)


def test_what_nobody_needs_any_more_is_withdrawn(passing: Problem) -> None:
    made_up, ledger = MadeUp(2), Ledger(passing)
    while not ledger.book.walks:
        ledger.record(made_up.settle(ledger.next_units(1)[0]))
    flying = ledger.next_units(5)
    assert len(flying) == 5 and ledger.withdrawn() == []
    lost = made_up.settle(flying[0])
    lost.outcomes, lost.replies = bytes([LOSS]) * ORDERS, (flying[0].portion[0],) * ORDERS
    ledger.record(lost)
    assert ledger.withdrawn() == flying[1:] and ledger.withdrawn() == []
    for unit in flying[1:]:
        late = Settled(unit, False, b"", (), None, True, 1, 0, 0.0, 0.0)
        ledger.record(late)
    assert ledger.done and not ledger.schedule.in_flight


def test_losses_everywhere_end_a_walk() -> None:
    walk = Walk(0, 0, 2)
    lost = Settled(Unit(0, 0, "verdict", 1, portion=(5,)), False, b"\x00\x00", (5, 5), None, True, 1, 1, 0.0, 0.0)
    walk.take(lost)
    assert walk.is_settled and walk.so_far().finished and walk.so_far().replies == (5, 5)


def test_the_draws_of_a_play_are_worked_on_side_by_side() -> None:
    position = Position.from_cgp(next(line for line in DEEP.read_text().splitlines() if line[0] != "#"))
    lexicon = find_lexicon("ENABLE", position.distribution)
    ledger = Ledger(Problem.create(position, lexicon, SolveOptions(only=("9L ...D",))))
    units = ledger.next_units(1_000)
    for unit in units:
        orders = len(ledger.book.eventualities.stays(1, unit.draw)[0])
        known, by = bytes([0xFF]) * orders, (NONE,) * orders
        left = tuple(range(1, REPLIES + 1))
        ledger.record(Settled(unit, False, known, by, None, True, 1, 1, 1e6, 1.0, True, replies_left=left))
    flying = ledger.next_units(3 * len(units), 3 * len(units))
    by_draw = [sum(unit.draw == draw for unit in flying) for draw in range(len(units))]
    assert len(units) > 2 and min(by_draw) >= 2
    for unit in flying:
        ledger.give_back(unit)
    assert not ledger.schedule.in_flight


def test_whoever_keeps_company_at_a_reply_that_is_done_is_withdrawn(passing: Problem) -> None:
    made_up, ledger, flying = MadeUp(2), Ledger(passing), list[Unit]()
    flying += ledger.next_units(20, 20, machines=2)
    while not any(unit.company[0] for unit in flying):
        ledger.record(made_up.settle(flying.pop(0)))
        flying += ledger.next_units(20 - len(flying), 20, machines=2)
    joined = next(unit for unit in flying if unit.company[0])
    assert joined.checkpoints == CHECKPOINTS and joined.known == ledger.book.walks[0, 0].known()
    ledger.withdrawn()
    done = made_up.settle(joined._replace(budget=1 << 40))
    done.unit = joined
    flying.remove(joined)
    ledger.record(done)
    alike = [unit for unit in flying if unit.portion == joined.portion]
    assert alike and set(alike) <= set(ledger.withdrawn())
    for unit in flying:
        ledger.give_back(unit)
    assert ledger.schedule.in_flight == 0
