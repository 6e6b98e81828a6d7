"""Estimates say something of plays of which little is proven; what is proven does not rest on them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from pegray.kernels.memory import new_memory
from pegray.preendgame.ledger import Ledger
from pegray.preendgame.quick_look import AFTER_NODES, DRAWS, SHARE, Estimator, sampled_draws
from pegray.preendgame.ranking import build_result
from pegray.preendgame.solver import PositionSolver
from pegray.preendgame.work import Settled, Unit
from pegray.results.cells import bounds_text
from pegray.results.model import SolveResult, SolveStats
from pegray.results.write import RunWriter
from pegray.runs.journal import Journal
from pegray.terms import UnitKind
from tests.preendgame.test_ledger import LOSS, WIN, new_ledger, problem, result, run, settle

ESTIMATES = np.array([2.5, np.nan, 7.5, 5.0])


def estimated(points: npt.NDArray[np.float64]) -> list[Settled]:
    """The results of quick looks with these points; none for a nan."""
    return [
        Settled(Unit(play, 0, UnitKind.ESTIMATE, 0), True, b"", (), None, False, 0, 0, 0.0, 0.0, estimate=value)
        for play, value in enumerate(points.tolist())
        if not np.isnan(value)
    ]


def built(ledger: Ledger) -> SolveResult:
    return build_result(ledger, SolveStats(0.0, 0.0, 0, 0, True))


def with_estimates(**options: Any) -> Ledger:
    ledger = new_ledger(tiebreak=False, **options)
    for one in estimated(ESTIMATES):
        ledger.record(one)
    return ledger


def test_the_order_of_the_work_is_the_same() -> None:
    assert with_estimates().next_units(1000) == new_ledger(tiebreak=False).next_units(1000)


def test_nothing_that_is_proven_rests_on_them() -> None:
    # all plays are finished: else what is known of those that are cut off depends on the order of the work
    with_them, without = with_estimates(early_cutoff=False), new_ledger(tiebreak=False, early_cutoff=False)
    for ledger in (with_them, without):
        run(ledger, lambda play, draw: LOSS if draw < play else WIN)
    for one, other in zip(built(with_them).plays, built(without).plays, strict=True):
        assert (one.move, one.rank, one.points, one.at_most) == (other.move, other.rank, other.points, other.at_most)
    assert with_them.state == "complete"


def test_they_are_in_the_result_and_never_in_the_points() -> None:
    ledger = with_estimates()
    settle(ledger, 0, {6: LOSS})
    plays = built(ledger).plays
    assert {play.estimate for play in plays} == {2.5, None, 7.5, 5.0}
    assert [play.points for play in plays if play.status == "unfinished"] == [None] * 3
    assert [play.estimate for play in plays if play.status == "unfinished"] == [7.5, 5.0, None]
    assert [bounds_text(play) for play in plays if play.estimate == 7.5] == ["<=8 ~7.5"]
    assert built(ledger).to_arrow()["plays"]["estimate"].to_pylist() == [play.estimate for play in plays]
    assert [play["estimate"] for play in built(ledger).to_json()["plays"]] == [play.estimate for play in plays]


def test_the_journal_keeps_them(tmp_path: Path) -> None:
    kept: list[Settled] = estimated(ESTIMATES)
    journal = Journal(RunWriter(str(tmp_path)), "key")
    journal.append(kept)
    journal.close()
    ledger = new_ledger(tiebreak=False)
    for one in Journal(RunWriter(str(tmp_path)), "key").load():
        ledger.record(one)
    assert np.array_equal(ledger.book.estimates, ESTIMATES, equal_nan=True)


def test_only_a_long_solve_is_looked_at() -> None:
    """Each play once, the highest score first, for a share of the time; a ledger that wants none has none."""
    for wanted in (True, False):
        ledger = Ledger(problem(tiebreak=False), estimates=wanted)
        assert {unit.kind for unit in ledger.next_units(1)} == {UnitKind.VERDICT}
        ledger.book.nodes, ledger.book.cpu_seconds = AFTER_NODES, 100.0
        looked = [unit.candidate for unit in ledger.next_units(5) if unit.kind == UnitKind.ESTIMATE]
        scores = ledger.problem.candidates.scores[looked].tolist()
        assert scores == sorted(ledger.problem.candidates.scores.tolist(), reverse=True)[: 4 * wanted]
        assert all(unit.kind == UnitKind.VERDICT for unit in ledger.next_units(5))


def test_estimates_wait_when_they_have_had_their_share() -> None:
    ledger = Ledger(problem(tiebreak=False), estimates=True)
    ledger.book.nodes, ledger.book.cpu_seconds = AFTER_NODES, 100.0
    (unit,) = ledger.next_units(1)
    assert unit.kind == UnitKind.ESTIMATE
    cost = SHARE * 1000.0
    ledger.record(Settled(unit, True, b"", (), None, False, 9, 1, cost, cost, estimate=3.0))
    assert ledger.next_units(1)[0].kind == UnitKind.VERDICT
    assert ledger.book.estimates[unit.candidate] == 3.0


def test_draws_are_sampled_by_their_weights() -> None:
    assert sampled_draws(np.array([1, 1, 1])) == [0, 1, 2]
    assert sampled_draws(np.array([1, 100, 1])) == [1]
    assert len(sampled_draws(np.full(120, 6))) == DRAWS


def test_what_is_not_settled_counts_as_what_is_usual() -> None:
    ledger = new_ledger()
    estimator = Estimator(ledger.book.eventualities, 8)
    units = [Unit(0, draw, UnitKind.VERDICT, 100) for draw in range(4)]
    assert estimator.points([result(unit, None) for unit in units], 1) is None
    assert estimator.points([result(unit, LOSS) for unit in units], 1) == 8 * 0.5 / 5
    some = [result(units[0], LOSS), *(result(unit, None) for unit in units[1:])]
    assert estimator.points(some, 1) == pytest.approx(8 * (0.5 + 3 * 0.1) / 5)
    assert estimator.points([result(units[0], WIN), result(units[1], LOSS)], 1) == pytest.approx(8 * 1.5 / 3)


def test_a_solver_looks_at_plays() -> None:
    """The one that wins 7.5 of 8 looks better than one that wins a single draw."""
    solver = PositionSolver(problem(), new_memory(0))
    found = solver.settle([Unit(play, 0, UnitKind.ESTIMATE, 400) for play in range(4)])
    points = {int(problem().candidates.scores[one.unit.candidate]): one.estimate for one in found}
    assert all(one.finished and one.nodes and not one.proven for one in found)
    assert points[33] is not None and points[36] is not None and points[33] > points[36]
