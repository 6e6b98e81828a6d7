"""Estimates put plays in order at first; what is proven does not rest on them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from pegray.preendgame.ledger import Ledger
from pegray.preendgame.ranking import build_result
from pegray.preendgame.work import Settled, estimated
from pegray.results.cells import bounds_text
from pegray.results.model import SolveResult, SolveStats
from pegray.results.write import RunWriter
from pegray.runs.journal import Journal
from tests.preendgame.test_ledger import LOSS, WIN, new_ledger, result, run, settle

ESTIMATES = np.array([2.5, np.nan, 7.5, 5.0])


def built(ledger: Ledger) -> SolveResult:
    return build_result(ledger, SolveStats(0.0, 0.0, 0, 0, True))


def with_estimates(**options: Any) -> Ledger:
    ledger = new_ledger(tiebreak=False, **options)
    for one in estimated(ESTIMATES):
        ledger.record(one)
    return ledger


def test_the_play_with_the_best_estimate_comes_first() -> None:
    ledger = with_estimates()
    order: list[int] = []
    for unit in ledger.next_units(1000):
        if unit.candidate not in order:
            order.append(unit.candidate)
    assert order == [2, 3, 1, 0]  # one without an estimate stands where half the points would put it


def test_results_overrule_estimates() -> None:
    ledger = with_estimates()
    unit = ledger.next_units(1)[0]
    assert unit.candidate == 2
    ledger.record(result(unit, LOSS))
    assert ledger.next_units(1)[0].candidate == 3


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
