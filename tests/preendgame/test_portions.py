"""Which portion of the replies to a play comes next, on one thread and on many."""

from __future__ import annotations

import pytest

from pegray.preendgame.legs import LONGEST_LEG
from pegray.preendgame.portions import DEAR_BUDGET, LEAST_BUDGET, LEAST_BUDGET_OF_MANY, Portions
from pegray.preendgame.walks import Walk
from pegray.preendgame.work import BUDGET_GROWTH, Settled, Unit
from tests.preendgame.test_checkpoints import of, row

MANY = 64
KEPT = of(row(5, LONGEST_LEG, 7))


def new_walk(looked_into: int, untried: int) -> Walk:
    """A walk that has named what is left: replies from 1 on, the untried last."""
    walk = Walk(0, 0, 3)
    named = tuple(range(1, looked_into + untried + 1))
    walk.take(Settled(Unit(0, 0, "verdict", 1), False, b"", (), None, True, 1, 1, 0.0, 0.0, True, replies_left=named))
    walk.untried = set(named[looked_into:])
    return walk


def bring_back(
    walk: Walk,
    portions: Portions,
    portion: tuple[int, ...],
    nodes: int,
    left: tuple[int, ...],
    checkpoints: bytes = b"",
) -> None:
    """A portion comes back with what it leaves."""
    unit = Unit(0, 0, "verdict", nodes, portion=portion)
    result = Settled(unit, not left, b"", (), None, True, nodes, 1, 0.0, 0.0, bool(left), replies_left=left or None)
    result.checkpoints = checkpoints
    walk.take(result)
    portions.take(result, landed=True)


def test_there_are_portions_for_all_threads() -> None:
    for threads, together in ((1, 16), (8, 16), (MANY // 2, 10), (MANY, 8), (1_000, 8)):
        portion, _ = Portions(new_walk(0, 640), 400_000, threads).next()
        assert len(portion) == together


def test_portions_are_not_so_small_that_they_keep_the_driver_busy() -> None:
    portion, budget = Portions(new_walk(0, 640), 400_000, 1_000, least=40_000).next()
    assert len(portion) == 8 and budget == 8 * 40_000


def test_many_threads_try_several_replies_with_the_nodes_of_one() -> None:
    walk = new_walk(0, 640)
    portions = Portions(walk, 400_000, 1_000)
    portion, budget = portions.next()
    assert (portion, budget) == (tuple(range(1, 9)), LEAST_BUDGET_OF_MANY)
    bring_back(walk, portions, portion, 4_000, (3, 7))
    seen = [portions.next()[0] for _ in range(2)]
    assert seen == [(3,), (7,)], "those that took too much come alone, and before others"


def test_many_threads_try_replies_with_fewer_nodes_at_first() -> None:
    assert Portions(new_walk(100, 0), 400_000, 1).next() == ((1,), LEAST_BUDGET)
    assert Portions(new_walk(100, 0), 400_000, MANY).next() == ((1,), LEAST_BUDGET_OF_MANY)


def test_one_thread_takes_the_cheapest_first() -> None:
    walk = new_walk(3, 0)
    portions = Portions(walk, 60_000, 1)
    seen = []
    for _ in range(4):
        portion, budget = portions.next()
        seen.append((portion, budget))
        bring_back(walk, portions, portion, budget, portion)
    assert seen == [((reply,), LEAST_BUDGET) for reply in (1, 2, 3)] + [((1,), LEAST_BUDGET * BUDGET_GROWTH)]


def test_many_threads_take_the_dearest_first_and_give_it_what_it_needs() -> None:
    walk = new_walk(100, 0)
    portions = Portions(walk, 400_000, MANY)
    for reply in range(1, 9):
        portion, budget = portions.next()
        assert portion == (reply,)
        bring_back(walk, portions, portion, 1_000, ())
    dear, budget = portions.next()
    bring_back(walk, portions, dear, budget, dear)
    assert portions.next() == (dear, DEAR_BUDGET)
    assert portions.next() == ((10,), LEAST_BUDGET_OF_MANY)


def test_what_was_settled_elsewhere_is_not_handed_out() -> None:
    walk = new_walk(2, 2)
    portions = Portions(walk, 80_000, 1)
    bring_back(walk, portions, (1,), 10, ())
    bring_back(walk, portions, (3,), 10, ())
    assert [portions.next()[0] for _ in range(2)] == [(2,), (4,)]
    assert not portions.is_waiting and portions.tries == 0


def test_a_long_try_is_made_in_legs_where_each_goes_on_from_the_one_before() -> None:
    walk, whole = new_walk(1, 0), LONGEST_LEG * 5 // 2
    portions = Portions(walk, whole, 1)
    assert portions.next() == ((1,), whole), "nobody knows yet whether it can go on"
    bring_back(walk, portions, (1,), whole, (1,), KEPT)
    budgets = []
    while portions.tries == 1:
        portion, budget = portions.next()
        budgets.append(budget)
        bring_back(walk, portions, portion, budget, portion, KEPT)
    assert sum(budgets) == whole * BUDGET_GROWTH and max(budgets) == LONGEST_LEG


@pytest.mark.parametrize("brought", [b"", of(row(5, LONGEST_LEG // 100, 7))])
def test_what_settles_little_in_a_leg_has_the_whole_of_its_try_at_once(brought: bytes) -> None:
    walk, whole = new_walk(1, 0), LONGEST_LEG * 5 // 2
    portions = Portions(walk, whole, 1)
    bring_back(walk, portions, *portions.next(), (1,), KEPT)
    bring_back(walk, portions, *portions.next(), (1,), brought)
    assert (portions.tries, portions.next()[1]) == (2, whole * BUDGET_GROWTH**2)


def test_the_longest_tries_have_longer_legs() -> None:
    walk, whole = new_walk(1, 0), LONGEST_LEG * 10
    portions = Portions(walk, whole, 1)
    bring_back(walk, portions, *portions.next(), (1,), KEPT)
    bring_back(walk, portions, *portions.next(), (1,), KEPT)
    assert portions.next()[1] == whole * BUDGET_GROWTH // 16
