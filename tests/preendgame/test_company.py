"""Who joins whom when threads on other machines have nothing to do."""

from __future__ import annotations

from pegray.preendgame.company import LEG, MOST, company_for
from pegray.preendgame.work import Unit

KEPT = b"checkpoints"


def at(reply: int, budget: int = 4 * LEG, checkpoints: bytes = KEPT) -> Unit:
    """A unit in flight: one reply."""
    return Unit(0, 0, "verdict", budget, portion=(reply,), checkpoints=checkpoints)


def joined_by(in_flight: list[Unit], count: int) -> list[Unit]:
    """The units for so many threads, where all replies are left."""
    return company_for(in_flight, count, lambda unit: True)


def test_those_who_have_least_company_get_more() -> None:
    joined = joined_by([at(1), at(2)], 3)
    assert [(unit.portion, unit.company) for unit in joined] == [((1,), (1, 2)), ((2,), (1, 1)), ((1,), (2, 2))]
    assert {unit.budget for unit in joined} == {LEG}
    assert len({unit.key for unit in [at(1), at(2), *joined]}) == 5


def test_who_has_gone_is_replaced() -> None:
    there = [at(1), *joined_by([at(1)], 3)]
    assert joined_by(there, 1)[0].company == (4, 4)
    del there[2]
    assert joined_by(there, 1)[0].company == (2, 3)


def test_nobody_has_more_company_than_is_of_use() -> None:
    joined = joined_by([at(1)], 100)
    assert [unit.company for unit in joined] == [(place, MOST) for place in range(1, MOST + 1)]
    assert joined_by([at(1), *joined], 100) == []


def test_only_a_reply_that_takes_long_and_goes_on_has_company() -> None:
    several = Unit(0, 0, "verdict", LEG, portion=(1, 2), checkpoints=KEPT)
    whole = Unit(0, 0, "verdict", LEG, checkpoints=KEPT)
    assert joined_by([at(1, budget=LEG - 1), at(2, checkpoints=b""), several, whole], 5) == []


def test_nobody_joins_at_a_reply_that_does_not_matter_any_more() -> None:
    joined = company_for([at(1), at(2)], 5, lambda unit: unit.portion == (2,))
    assert {unit.portion for unit in joined} == {(2,)} and len(joined) == 5
