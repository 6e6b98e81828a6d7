"""What threads share: a table keeps its entries when it grows; decisions and lists are found whole or not at all."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import numpy.typing as npt

from pegray.game.layout import load_layout
from pegray.game.tiles import load_distribution
from pegray.kernels.decisions import recall, remember
from pegray.kernels.memory import Memory, memory_of
from pegray.kernels.shared_lists import leave_to_others, take_over
from pegray.kernels.table import empty_table, probe, store
from pegray.kernels.workspace import new_workspace

ARENA_WORDS = 1 << 12
KEYS = np.random.default_rng(7).integers(1, 1 << 63, 1 << 11, np.uint64)


def workspace_on(memory: Memory) -> Any:
    english = load_distribution("english")
    return new_workspace(english, load_layout(), english.rack("AB"), np.zeros(2, np.uint32), memory, ARENA_WORDS)


@numba.njit
def stored(record: Any, key: np.uint64, lower: int) -> None:
    store(record[0], key, lower, lower + 5, np.uint64(1))


@numba.njit
def probed(record: Any, key: np.uint64) -> np.uint64:
    return probe(record[0], key)


@numba.njit
def remembered(record: Any, key: np.uint64, row: npt.NDArray[np.uint64]) -> None:
    remember(record[0], key, row)


@numba.njit
def recalled(record: Any, key: np.uint64, first: int, row: npt.NDArray[np.uint64]) -> bool:
    return recall(record[0], key, first, row)


@numba.njit
def left_to_others(record: Any, lane_key: np.uint64, rack: np.uint64, at: int, count: int) -> None:
    leave_to_others(record[0], lane_key, rack, at, count)


@numba.njit
def taken_over(record: Any, lane_key: np.uint64, rack: np.uint64, at: int) -> int:
    return take_over(record[0], lane_key, rack, at)


def found(record: Any) -> dict[int, int]:
    entries = {int(key): int(probed(record, key)) for key in KEYS}
    return {key: data for key, data in entries.items() if data}


def test_a_table_that_grows_keeps_its_entries() -> None:
    table = empty_table(1 << 12, first_slots=1 << 10)
    memory = memory_of(table)
    record, other = workspace_on(memory).record, workspace_on(memory).record
    for i, key in enumerate(KEYS[:1023]):
        stored(record, key, i)
    before = found(record)
    assert 0.7 * 1023 < len(before) < 1023 and table[0] == 1 << 10
    stored(record, KEYS[1023], 1023)
    assert table[0] == 1 << 11
    after = found(record)
    assert after.keys() - before.keys() == {int(KEYS[1023])}
    assert len(before.keys() - after.keys()) <= 1  # the last entry may have been written over another
    assert all(after[key] == before[key] for key in after.keys() & before.keys())
    assert found(other) == after  # a thread that has written nothing looks where the entries are now


def test_a_table_grows_with_what_all_threads_write_and_no_further_than_its_memory() -> None:
    table = empty_table(1 << 10, first_slots=1 << 9)
    memory = memory_of(table)
    records = [workspace_on(memory).record for _ in range(2)]
    for i, key in enumerate(KEYS):
        stored(records[i % 2], key, i)
        assert table[0] == (1 << 9 if i < 2 * 256 - 1 else 1 << 10)
    for key, data in found(records[0]).items():
        assert data & 0xFFFF == list(KEYS).index(key) + 32768


def test_a_table_smaller_than_its_first_part() -> None:
    assert empty_table(16)[0] == 16


def test_decisions_are_remembered_whole_or_not_at_all() -> None:
    memory = memory_of(empty_table(16))
    record, other = workspace_on(memory).record, workspace_on(memory).record
    row, blank = np.array([5, 0, 7], np.uint64), np.zeros(3, np.uint64)
    assert not recalled(record, KEYS[0], 0, blank)
    remembered(record, KEYS[0], row)
    assert recalled(other, KEYS[0], 0, blank) and (blank == row).all()
    assert recalled(other, KEYS[0], 1, blank[:2]) and blank.tolist() == [0, 7, 7]
    assert not recalled(record, KEYS[0], 0, np.zeros(4, np.uint64))  # it had three words
    assert not recalled(record, KEYS[1], 0, blank)

    neighbour = KEYS[0] + np.uint64(2)  # its first word lies where the last of the other lies
    remembered(record, neighbour, row)
    assert recalled(record, neighbour, 0, blank)
    assert not recalled(record, KEYS[0], 0, blank)


def two_threads(arena: npt.NDArray[np.uint64]) -> tuple[Memory, Any, Any]:
    """A memory, the thread that has ``arena``, and one that has an empty one."""
    memory = memory_of(empty_table(16), threads=2)
    first, second = workspace_on(memory), workspace_on(memory)
    first.arrays["arena"][:] = arena
    return memory, first, second


def test_a_list_left_to_others_is_found_for_its_lane_and_rack_alone() -> None:
    arena = np.arange(ARENA_WORDS, dtype=np.uint64)
    _, first, second = two_threads(arena)
    assert taken_over(second.record, KEYS[0], KEYS[1], 50) == -1
    left_to_others(first.record, KEYS[0], KEYS[1], 20, 7)
    left_to_others(first.record, KEYS[2], KEYS[1], 0, 0)
    assert taken_over(second.record, KEYS[0], KEYS[1], 50) == 7
    assert second.arrays["arena"][50 : 50 + 21].tolist() == arena[20 : 20 + 21].tolist()
    assert not second.arrays["arena"][50 + 21 :].any() and not second.arrays["arena"][:50].any()
    assert taken_over(second.record, KEYS[2], KEYS[1], 50) == 0
    assert taken_over(second.record, KEYS[1], KEYS[0], 50) == -1
    assert taken_over(second.record, KEYS[0], KEYS[2], 50) == -1


def test_a_list_that_has_no_room_in_the_arena_is_not_taken_over() -> None:
    _, first, second = two_threads(np.ones(ARENA_WORDS, np.uint64))
    left_to_others(first.record, KEYS[0], KEYS[1], 0, 7)
    end = int(second.record["arena_end"][0])
    assert taken_over(second.record, KEYS[0], KEYS[1], end - 20) == -1
    assert taken_over(second.record, KEYS[0], KEYS[1], end - 21) == 7
    assert not second.arrays["arena"][end:].any()


def test_lists_that_were_written_over_are_not_found() -> None:
    """As many as there is room for are, the last ones; a single wrong word is enough for none."""
    plays = 200
    memory, first, second = two_threads(KEYS.repeat(2))
    words = 1 + 3 * plays
    memory.shared_lists[0] = memory.shared_lists.size - 3 * words - 1
    for key in KEYS[:5]:  # three at the end, two from the start again
        left_to_others(first.record, key, key, 0, plays)
    assert [taken_over(second.record, key, key, 0) for key in KEYS[:6]] == [plays] * 5 + [-1]
    memory.shared_lists[0] = memory.shared_lists.size - 3 * words - 1
    left_to_others(first.record, KEYS[5], KEYS[5], 0, 1)
    assert [taken_over(second.record, key, key, 0) for key in KEYS[:6]] == [-1, *[plays] * 4, 1]
    memory.shared_lists[-2] ^= np.uint64(1)
    assert [taken_over(second.record, key, key, 0) for key in KEYS[:6]] == [-1, plays, -1, plays, plays, 1]


def test_one_thread_alone_shares_no_lists() -> None:
    memory = memory_of(empty_table(16))
    workspace = workspace_on(memory)
    left_to_others(workspace.record, KEYS[0], KEYS[1], 0, 7)
    assert taken_over(workspace.record, KEYS[0], KEYS[1], 50) == -1
    assert memory.shared_lists.size == 0
