"""Kernels that only kernels call are compiled to be linked, and no further."""

from __future__ import annotations

import sys

import numba
import numpy as np
import pytest
from numba.core.codegen import CPUCodeLibrary

from pegray.kernels.bits import kernel, plain
from pegray.kernels.linking import options_to_link


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


def test_where_numba_is_made_otherwise_kernels_are_compiled_its_own_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(CPUCodeLibrary, "_finalize_dynamic_globals")
    with pytest.warns(UserWarning, match=r"JITCodeLibrary\._finalize_dynamic_globals is missing"):
        options = options_to_link()
    monkeypatch.undo()
    assert options == {}
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
