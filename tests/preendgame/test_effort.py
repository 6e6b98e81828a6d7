"""What a solve uses and may still need: nothing is said of what is left before a play is finished."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from pegray.preendgame.effort import Meter
from pegray.preendgame.executors.base import Crew
from pegray.preendgame.ledger import Ledger
from pegray.preendgame.problem import Problem
from pegray.preendgame.remaining import remaining
from pegray.terms import State
from tests.preendgame.test_session import answer

CREW = Crew(machines=3, threads=24)


def one_finished(problem: Problem) -> Ledger:
    """A play is finished, and has lost every second of its draws; each draw took a second."""
    ledger = Ledger(problem)
    while not ledger.book.finished_mask().any():
        (unit,) = ledger.next_units(1)
        result = replace(answer(ledger, unit), cpu_seconds=1.0, nodes=1000)
        ledger.record(replace(result, outcomes=b"\x00" * len(result.outcomes)) if unit.draw % 2 else result)
    return ledger


def test_before_a_play_is_finished_nothing_is_known(problem: Problem) -> None:
    assert remaining(Ledger(problem).book) is None


def test_the_rest_costs_about_what_those_before_did(problem: Problem) -> None:
    book = one_finished(problem).book
    left = remaining(book)
    assert left is not None and 0 < left.low < left.high
    uncut = replace(problem, options=replace(problem.options, early_cutoff=False))
    assert remaining(one_finished(uncut).book) is None


def test_a_meter_reads_what_is_used(problem: Problem, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    ledger = one_finished(problem)
    meter = Meter(ledger.book)
    first = meter.read(CREW, State.OPEN)
    assert (first.machines, first.threads, first.nodes_per_second) == (3, 24, 0.0)
    assert first.cpu_seconds == 7
    assert first.left is not None
    now = 110.0
    ledger.book.nodes += 5000
    assert meter.read(CREW, State.OPEN).nodes_per_second == 500
    assert meter.read(CREW, State.ANSWERED).left is None
