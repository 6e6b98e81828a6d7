"""Kernels that only kernels call are compiled to be linked, and no further; the others own what they call."""

from __future__ import annotations

import sys
from typing import Any

import numba
import numpy as np
import pytest
from llvmlite.binding import Linkage
from numba.core.codegen import CPUCodeLibrary

from pegray.kernels.bits import kernel, plain
from pegray.kernels.linking import options_to_enter, options_to_link

entered = numba.njit(**options_to_enter())
ROWS = np.dtype([("of", "i2", (2, 3)), ("sum", "i8")], align=True)


@kernel
def twice(number):  # type: ignore[no-untyped-def]
    return 2 * number


@kernel
def doubled(number, times):  # type: ignore[no-untyped-def]
    if times == 0:
        return number
    return doubled(twice(number), times - 1)


@kernel
def checked(numbers):  # type: ignore[no-untyped-def]
    if numbers.shape[0] == 0:
        raise ValueError("none")
    return np.sort(numbers)[0]


@numba.njit
def smallest_doubled(numbers, times):  # type: ignore[no-untyped-def]
    return doubled(checked(numbers), plain(times))


def test_what_is_linked_in_does_what_it_says() -> None:
    assert smallest_doubled(np.array([7, 5, 9]), 3) == 40
    assert smallest_doubled(np.array([1]), 0) == 1
    with pytest.raises(ValueError, match="none"):
        smallest_doubled(np.zeros(0, np.int64), 1)


def test_no_machine_code_is_made_of_what_is_linked_in() -> None:
    smallest_doubled(np.array([1]), 1)
    for linked in (twice, doubled, checked):
        (compiled,) = linked.overloads.values()
        assert compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name) == 0
    (compiled,) = smallest_doubled.overloads.values()
    assert compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name) != 0


@entered
def smallest_doubled_owned(numbers, times):  # type: ignore[no-untyped-def]
    return doubled(checked(numbers), plain(times))


def test_what_a_kernel_calls_is_its_own() -> None:
    assert smallest_doubled_owned(np.array([7, 5, 9]), 3) == 40
    with pytest.raises(ValueError, match="none"):
        smallest_doubled_owned(np.zeros(0, np.int64), 1)
    assert linkages(smallest_doubled) == {Linkage.external, Linkage.linkonce_odr}
    assert linkages(smallest_doubled_owned) == {Linkage.external, Linkage.internal, Linkage.linkonce_odr}


@kernel
def paths(stairs, step):  # type: ignore[no-untyped-def]
    return step if stairs < 2 else paths(stairs - 1, step) + paths(stairs - 2, step)


def test_what_a_kernel_owns_is_nobody_elses() -> None:
    @entered
    def by_threes(stairs):  # type: ignore[no-untyped-def]
        return paths(stairs, plain(3))

    @numba.njit
    def by(stairs, step):  # type: ignore[no-untyped-def]
        return paths(stairs, step)

    assert by_threes(5) == 24  # its paths need not be told the step
    assert by(5, 7) == 56


def linkages(function: Any) -> set[Linkage]:
    """How the functions in the code of one can be seen from elsewhere."""
    (compiled,) = function.overloads.values()
    return {part.linkage for part in compiled.library.get_defined_functions()}


def move_and_add(rows, grid, column):  # type: ignore[no-untyped-def]
    row = rows[0]
    for index in range(3):
        row.of[1, index] = grid[1][column[index]] + row.of[0, 2 - index]
        row.sum += row.of[np.uint8(1), np.int8(index)]
    grid[:, 0] = grid[0, 1:3]
    return row.of[1]


def test_indices_as_they_are_reach_what_they_name() -> None:
    rows, grid = np.zeros(1, ROWS), np.arange(6, dtype=np.int32).reshape(2, 3)
    rows["of"] = [[10, 20, 30], [0, 0, 0]]
    moved = entered(move_and_add)(rows, grid, np.array([2, 0, 1], np.int8))
    assert moved.tolist() == rows["of"][0, 1].tolist() == [35, 23, 14]
    assert rows["sum"].tolist() == [72]
    assert grid.tolist() == [[1, 1, 2], [2, 4, 5]]


def test_no_index_is_asked_whether_it_counts_from_the_end() -> None:
    def at(numbers, index):  # type: ignore[no-untyped-def]
        return numbers[index]

    def asks(function: Any) -> bool:
        assert function(np.array([7, 5, 9]), 2) == 9
        (compiled,) = function.overloads.values()
        return "icmp slt" in str(compiled.library.get_function(compiled.fndesc.llvm_func_name))

    assert asks(numba.njit(at)), "numba's own way"
    assert not asks(entered(at))


def test_where_numba_is_made_otherwise_kernels_are_compiled_its_own_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(CPUCodeLibrary, "_finalize_dynamic_globals")
    with pytest.warns(UserWarning, match=r"JITCodeLibrary\._finalize_dynamic_globals is missing"):
        options = options_to_link()
    assert options == options_to_enter() == {}
    monkeypatch.undo()
    whole = numba.njit(**options)
    twice_as_much = whole(lambda number: 2 * number)

    @whole
    def four_times(number):  # type: ignore[no-untyped-def]
        return twice_as_much(twice_as_much(number))

    assert four_times(5) == 20
    assert twice_as_much(5) == 10, "Python can call it too"


def test_a_module_of_numba_that_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numba._dynfunc", None)
    with pytest.warns(UserWarning, match=r"numba\._dynfunc\.make_function is missing"):
        assert options_to_link() == {}
