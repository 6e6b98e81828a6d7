"""How many units go into a bundle."""

from __future__ import annotations

from pegray.cluster.bundles import Packing
from pegray.preendgame.schedule import FIRST_UNCUT_BUDGET
from pegray.preendgame.work import Unit
from pegray.terms import UnitKind

MANY = 1000  # threads


def units(count: int, budget: int = 100) -> list[Unit]:
    return [Unit(play, play % 3, UnitKind.VERDICT, budget) for play in range(count)]


def nobody(unit: Unit) -> bool:
    return False


def grown(times: int) -> Packing:
    packing = Packing(10)
    for _ in range(times):
        packing.learn(0.01, MANY)
    return packing


def test_short_bundles_grow_and_long_ones_shrink() -> None:
    packing = Packing(10)
    assert packing.capacity(share=4) == 4
    packing.learn(0.01, MANY)
    assert packing.capacity(share=4) == 8
    packing.learn(0.3, MANY)
    assert packing.capacity(share=4) == 8
    packing.learn(1.0, MANY)
    assert packing.capacity(share=4) == 4
    assert grown(100).capacity(share=1) == 32


def test_bundles_that_are_out_count_not_their_units() -> None:
    packing = grown(3)
    packing.units_out, packing.bundles_out = 50, 3
    assert packing.capacity(share=4) == 50 + 4
    packing.bundles_out = 9
    assert packing.capacity(share=4) == 50


def test_few_units_are_spread_over_the_bundles() -> None:
    assert [len(bundle) for bundle in grown(7).pack(units(6), 3, nobody)] == [2, 2, 2]
    assert [len(bundle) for bundle in grown(7).pack(units(20), 1, nobody)] == [8, 8, 4]


def test_what_is_packed_is_out_until_it_comes_back() -> None:
    packing = grown(7)
    first, *_ = packing.pack(units(20), 4, nobody)
    assert (packing.bundles_out, packing.units_out) == (4, 20)
    packing.come_back(first)
    assert (packing.bundles_out, packing.units_out) == (3, 20 - len(first))


def test_units_of_a_draw_stand_together() -> None:
    (bundle,) = grown(11).pack(units(9), 1, nobody)
    assert [unit.draw for unit in bundle] == [0, 0, 0, 1, 1, 1, 2, 2, 2]


def test_what_may_take_long_or_has_killed_goes_alone() -> None:
    quick = units(4)
    long = [Unit(play, 0, UnitKind.SPREAD, FIRST_UNCUT_BUDGET + 1) for play in range(2)]
    bundles = grown(7).pack(quick + long, 1, lambda unit: unit.candidate == 3)
    assert sorted(map(len, bundles)) == [1, 1, 1, 3]


def test_the_longer_bundles_last_the_fewer_wait_for_a_thread() -> None:
    packing = Packing(10)
    assert packing.free(share=32) == 32
    for _ in range(500):
        packing.learn(0.05, MANY)
    assert packing.free(share=32) == 32
    for _ in range(500):
        packing.learn(1.0, MANY)
    assert packing.free(share=32) == 16 + 2
    packing.bundles_out = 17
    assert packing.free(share=32) == 1
    packing.bundles_out = 0
    for _ in range(500):
        packing.learn(100.0, MANY)
    assert packing.free(share=32) == 16 + 1
    packing.bundles_out = 20
    assert packing.free(share=32) == 0


def test_many_bundles_are_of_few_units() -> None:
    assert grown(100).capacity(share=64) == 64 * 32
    assert grown(100).capacity(share=512) == 512 * 4
    assert grown(100).capacity(share=4096) == 4096
    waiting = grown(100)
    waiting.units_out, waiting.bundles_out = 3, 1
    assert waiting.capacity(share=0) == 3  # no node is ready


def test_what_is_likely_to_take_long_is_not_put_together() -> None:
    tried = [Unit(play, 0, UnitKind.VERDICT, 48_000, tried=12_000) for play in range(5)]
    assert [len(bundle) for bundle in grown(20).pack(tried, 1, nobody)] == [2, 2, 1]
    assert [len(bundle) for bundle in grown(20).pack(tried[:1] + units(9), 1, nobody)] == [10]


def test_a_first_try_goes_with_others_however_many_nodes_it_may_have() -> None:
    assert [len(bundle) for bundle in grown(20).pack(units(9, 10 * FIRST_UNCUT_BUDGET), 1, nobody)] == [9]


def test_on_few_threads_bundles_are_short() -> None:
    for threads, seconds in ((1, 0.01), (20, 0.02), (MANY, 0.1)):
        packing = Packing(10)
        for _ in range(3):
            packing.learn(0.9 * seconds, threads)
        assert packing.capacity(share=1) == 4
        for _ in range(3):
            packing.learn(1.1 * seconds, threads)
        assert packing.capacity(share=1) == 4
        packing.learn(5.1 * seconds, threads)
        assert packing.capacity(share=1) == 2
