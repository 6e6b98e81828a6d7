"""Large arrays, in large pages of memory.

Kernels look into arrays of up to many GiB at random. In pages of the usual 4 KiB the machine has to find out for nearly
every look where the page is, which a virtual machine makes dearer still; in pages of 2 MiB it knows.
"""

from __future__ import annotations

import mmap
from contextlib import suppress

import numpy as np
import numpy.typing as npt

LARGE_PAGE = 1 << 21
_WORD_BYTES = 8


def empty_words(words: int) -> npt.NDArray[np.uint64]:
    """Zeros: uint64[words]. What is never written costs nothing.

    Where there is room for one large page at least it begins with one, if the system has such (Linux: unless
    ``/sys/kernel/mm/transparent_hugepage/enabled`` says never).
    """
    size = words * _WORD_BYTES
    if size >= LARGE_PAGE and hasattr(mmap, "MADV_HUGEPAGE"):
        with suppress(OSError):  # too large for the machine: let numpy say so
            room = mmap.mmap(-1, size + LARGE_PAGE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
            with suppress(OSError):  # a system without
                room.madvise(mmap.MADV_HUGEPAGE)
            array = np.frombuffer(room, np.uint64)
            begin = -array.ctypes.data % LARGE_PAGE // _WORD_BYTES
            return array[begin : begin + words]
    return np.zeros(words, np.uint64)
