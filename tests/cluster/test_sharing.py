"""How positions share a cluster."""

from __future__ import annotations

from pegray.cluster.sharing import fair_share, least_busy, positions_at_once


def test_more_threads_solve_more_positions_at_once() -> None:
    assert [positions_at_once(4, threads) for threads in (0, 2, 32, 40, 256, 10_000)] == [4, 4, 4, 5, 32, 32]
    assert positions_at_once(1, 10_000) == 1


def test_a_position_has_what_others_leave_and_at_least_as_much_as_each() -> None:
    assert fair_share(8, []) == 8
    assert fair_share(8, [1, 2]) == 5
    assert fair_share(8, [8, 0]) == 3
    assert fair_share(0, [1]) == 0


def test_bundles_go_to_nodes_in_turn_by_how_busy_their_threads_are() -> None:
    assert least_busy([None] * 4, [(0, 1), (0, 2)]) == [0, 1, 1, 0]
    assert least_busy([None] * 3, [(4, 2), (0, 2)]) == [1, 1, 1]


def test_what_goes_on_stays_where_it_was_if_a_thread_is_idle_there() -> None:
    assert least_busy([None, 1, 1, None], [(0, 2), (1, 3)]) == [0, 1, 1, 0]
    assert least_busy([1, 1, 1], [(0, 2), (1, 2)]) == [1, 0, 0]
