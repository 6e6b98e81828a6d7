"""What threads share: the table keeps its entries when it grows, and decisions are remembered whole or not at all."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import numpy.typing as npt

from pegray.game.layout import load_layout
from pegray.game.tiles import load_distribution
from pegray.kernels.decisions import recall, remember
from pegray.kernels.memory import Memory, memory_of
from pegray.kernels.rational import _recall_moves, _remember_moves
from pegray.kernels.table import _grow, empty_table, probe, store
from pegray.kernels.workspace import new_workspace

KEYS = np.random.default_rng(7).integers(1, 1 << 63, 1 << 11, np.uint64)


def workspace_on(memory: Memory) -> Any:
    english = load_distribution("english")
    return new_workspace(english, load_layout(), english.rack("AB"), np.zeros(2, np.uint32), memory, 1 << 12)


@numba.njit
def stored(record: Any, key: np.uint64, lower: int) -> None:
    store(record[0].table, key, lower, lower + 5, np.uint64(1))


@numba.njit
def probed(record: Any, key: np.uint64) -> np.uint64:
    return probe(record[0].table, key)


@numba.njit
def grown(entries: npt.NDArray[np.uint64], slots: np.uint64) -> None:
    _grow(entries, slots)


@numba.njit
def moves_remembered(record: Any, key: np.uint64, moves: npt.NDArray[np.uint64]) -> None:
    _remember_moves(record[0].decisions, key, moves)


@numba.njit
def moves_recalled(record: Any, key: np.uint64) -> npt.NDArray[np.uint64]:
    return _recall_moves(record[0].decisions, key)


@numba.njit
def remembered(record: Any, key: np.uint64, row: npt.NDArray[np.uint64]) -> None:
    remember(record[0].decisions, key, row)


@numba.njit
def recalled(record: Any, key: np.uint64, first: int, row: npt.NDArray[np.uint64]) -> bool:
    return recall(record[0].decisions, key, first, row)


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


def test_a_table_that_another_thread_has_grown_meanwhile_is_not_grown_again() -> None:
    table = empty_table(1 << 5, first_slots=1 << 4)
    grown(table, np.uint64(1 << 4))
    grown(table, np.uint64(1 << 4))  # by one that has looked before
    assert table[0] == 1 << 5


def test_moves_that_two_threads_have_written_at_once_are_none() -> None:
    memory = memory_of(empty_table(16))
    record = workspace_on(memory).record
    one, other = np.arange(6, dtype=np.uint64).reshape(2, 3), np.arange(10, 16, dtype=np.uint64).reshape(2, 3)
    for moves in (one, other):
        moves_remembered(record, KEYS[0], moves)
        assert (moves_recalled(record, KEYS[0]) == moves).all()
    torn = np.empty(1, np.uint64)
    moves_remembered(record, KEYS[0], one)
    assert recalled(record, KEYS[0], 0, torn)  # the first word of one, the moves of the other
    moves_remembered(record, KEYS[0], other)
    remembered(record, KEYS[0], torn)
    assert not moves_recalled(record, KEYS[0]).size


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
