"""Long tries of a draw in one piece: how many nodes come next, and when a try is over."""

from __future__ import annotations

import pytest

from pegray.preendgame.ledger import Ledger
from pegray.preendgame.legs import LONGEST_LEG
from pegray.preendgame.work import BUDGET_GROWTH, Settled, Unit
from tests.preendgame.test_checkpoints import of, row
from tests.preendgame.test_ledger import new_ledger, result, unit_for

LITTLE = of(row(5, LONGEST_LEG // 100, 7))
KEPT = of(row(5, LONGEST_LEG, 7))


def run_out(ledger: Ledger, unit: Unit, checkpoints: bytes) -> Settled:
    """A unit comes back that has run out of its nodes."""
    came = result(unit, None, out_of_budget=True)
    came.nodes, came.checkpoints = unit.budget, checkpoints
    ledger.record(came)
    return came


def tries(ledger: Ledger, checkpoints: bytes, count: int) -> list[Settled]:
    """So many results of one draw, each of which runs out of its nodes."""
    return [run_out(ledger, unit_for(ledger, 0, 0), checkpoints) for _ in range(count)]


def budgets(ledger: Ledger, checkpoints: bytes, count: int) -> list[int]:
    return [came.unit.budget for came in tries(ledger, checkpoints, count)]


def first_long(ledger: Ledger) -> int:
    """Run out of all tries that are shorter than a leg; the budget of the first that is not, still to be handed out."""
    while (budget := budgets(ledger, KEPT, 1)[0]) * BUDGET_GROWTH < LONGEST_LEG:
        pass
    return budget * BUDGET_GROWTH


def test_a_long_try_of_a_draw_is_made_in_legs() -> None:
    ledger = new_ledger(tiebreak=False)
    first = first_long(ledger)
    assert budgets(ledger, KEPT, 1) == [first], "nobody knows yet whether it can go on"
    whole = first * BUDGET_GROWTH
    legs = [LONGEST_LEG] * (whole // LONGEST_LEG) + [whole % LONGEST_LEG]
    assert budgets(ledger, KEPT, len(legs)) == legs
    assert unit_for(ledger, 0, 0).checkpoints == KEPT
    assert unit_for(ledger, 0, 1).budget < LONGEST_LEG, "others have their own"


@pytest.mark.parametrize("brought", [b"", LITTLE])
def test_a_draw_that_keeps_little_has_the_whole_of_its_next_try(brought: bytes) -> None:
    ledger = new_ledger(tiebreak=False)
    first = first_long(ledger)
    budgets(ledger, KEPT, 1)
    assert budgets(ledger, brought, 2) == [LONGEST_LEG, first * BUDGET_GROWTH**2]


def test_a_run_that_is_taken_up_goes_on_with_the_next_leg() -> None:
    ledger, again = new_ledger(tiebreak=False), new_ledger(tiebreak=False)
    first_long(ledger)
    for came in tries(ledger, KEPT, 4):
        again.record(came)
    assert unit_for(again, 0, 0)._replace(lost=0) == unit_for(ledger, 0, 0)._replace(lost=0)
