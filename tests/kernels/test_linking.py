"""Kernels that only kernels call are compiled to be linked, and no further."""

from __future__ import annotations

import numba
import numpy as np
import pytest

from pegray.kernels.bits import kernel, plain


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
