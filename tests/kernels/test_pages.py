"""Large arrays are zeros in pages of their own, wherever they are made."""

from __future__ import annotations

import mmap

import numpy as np
import pytest

from pegray.kernels.pages import LARGE_PAGE, empty_words


@pytest.mark.parametrize("words", [0, 1, LARGE_PAGE // 8 - 1, LARGE_PAGE // 8, LARGE_PAGE + 3])
def test_zeros_that_can_be_written(words: int) -> None:
    first, second = empty_words(words), empty_words(words)
    assert first.dtype == np.uint64 and first.shape == (words,)
    assert not first.any()
    first[:] = 7
    assert not second.any()
    second[-1:] = 8
    assert (first == 7).all()


@pytest.mark.skipif(not hasattr(mmap, "MADV_HUGEPAGE"), reason="a system without large pages")
def test_large_arrays_begin_with_a_large_page() -> None:
    assert empty_words(LARGE_PAGE // 8).ctypes.data % LARGE_PAGE == 0
    assert empty_words(3 * LARGE_PAGE).ctypes.data % LARGE_PAGE == 0


def test_a_system_without_large_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(mmap, "MADV_HUGEPAGE", raising=False)
    array = empty_words(LARGE_PAGE)
    assert array.shape == (LARGE_PAGE,)
    assert not array.any()


def test_an_array_larger_than_any_memory() -> None:
    with pytest.raises(MemoryError):
        empty_words(1 << 57)


def test_an_array_goes_with_its_last_part() -> None:
    part = empty_words(LARGE_PAGE)[5:9]
    part[:] = 1
    assert part.sum() == 4
