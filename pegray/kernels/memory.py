"""What all threads of a process that work on one position share."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from pegray.kernels.decisions import empty_decisions
from pegray.kernels.found import nothing_found
from pegray.kernels.table import empty_table
from pegray.kernels.taken import nothing_taken

NO_BOUND = 1 << 60


@dataclass(frozen=True)
class Memory:
    """Arrays that kernels in several threads read and write at once, without locks.

    table: uint64[], the transposition table (see table.py)
    decisions: uint64[], the memory of decisions (see decisions.py)
    bound: int64[1], the losses that a running play may not exceed, in half weights
    taken: uint64[], the plays that are being searched (see taken.py)
    found: uint64[], what has come of the draws of a choice (see found.py)
    spreads: the last final spread found, by draw
    """

    table: npt.NDArray[np.uint64]
    decisions: npt.NDArray[np.uint64]
    bound: npt.NDArray[np.int64]
    taken: npt.NDArray[np.uint64]
    found: npt.NDArray[np.uint64]
    spreads: dict[int, int] = field(default_factory=dict)

    def count_helpers(self, more: int) -> None:
        """So many more threads help others at their units from now on. Not thread-safe."""
        self.taken[-1] = int(self.taken[-1]) + more


def new_memory(table_gib: float) -> Memory:
    """An empty memory with a table of at most ``table_gib`` GiB (a power of two of 16-byte entries, at least 1024)."""
    slots = max(1024, int(table_gib * 2**30) // 16)
    return memory_of(empty_table(1 << (slots.bit_length() - 1)))


def memory_of(table: npt.NDArray[np.uint64]) -> Memory:
    """An empty memory around ``table``."""
    return Memory(table, empty_decisions(), np.full(1, NO_BOUND, np.int64), nothing_taken(), nothing_found())
