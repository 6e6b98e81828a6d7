"""What tries at units had settled when they ended, kept for those who go on with these units.

Only kernels of the same sources read them: to any others a row could mean something else.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from pegray.compiled import digest_of
from pegray.kernels.bits import SOURCES
from pegray.kernels.checkpoints import HEAD_WORDS, KIND_BITS, NODES_SHIFT
from pegray.preendgame.work import Settled, Unit

LEAST_BUDGET = 100_000
"""A try with fewer nodes is made again as fast as its checkpoints are sent round."""
MOST_ROWS = 8_192
"""Of a unit: some 300 kB."""

_SIGNATURE = bytes.fromhex(digest_of(SOURCES))
_MASK = (1 << NODES_SHIFT) - 1

Words = npt.NDArray[np.uint64]


def packed(rows: Words) -> bytes:
    """Checkpoints as kernels write them (uint64[]), to be sent and kept; nothing if there are none."""
    return _SIGNATURE + rows.tobytes() if len(rows) else b""


def unpacked(checkpoints: bytes) -> Words:
    """The same for kernels to read: uint64[], none if others have written them."""
    if not checkpoints.startswith(_SIGNATURE):
        return np.zeros(0, np.uint64)
    whole = (len(checkpoints) - len(_SIGNATURE)) // 8
    return np.frombuffer(checkpoints, np.uint64, whole, len(_SIGNATURE)).copy()


def rows_kept(checkpoints: bytes) -> list[tuple[int, int]]:
    """The nodes and the key of each row."""
    return [(nodes, key) for nodes, (_, key), _ in _rows_of(unpacked(checkpoints))]


def nodes_kept(checkpoints: bytes) -> int:
    """How many nodes need not be searched again."""
    return sum(nodes for nodes, _ in rows_kept(checkpoints))


def merged(before: bytes, new: bytes) -> bytes:
    """Both together: of a row that is in both the new one, and of more than MOST_ROWS the dearest."""
    rows = {name: (nodes, row) for words in map(unpacked, (before, new)) for nodes, name, row in _rows_of(words)}
    dearest = heapq.nlargest(MOST_ROWS, rows.values(), key=lambda row: row[0])
    return packed(np.concatenate([np.zeros(0, np.uint64), *(row for _, row in dearest)]))


def _rows_of(words: Words) -> Iterator[tuple[int, tuple[int, int], Words]]:
    """Of each row its nodes, its kind and key, and the words; see pegray/kernels/checkpoints.py."""
    at = 0
    while at + HEAD_WORDS <= len(words):
        head, key = int(words[at]), int(words[at + 1])
        end = at + HEAD_WORDS + ((head & _MASK) >> KIND_BITS)
        yield head >> NODES_SHIFT, (head & ((1 << KIND_BITS) - 1), key), words[at:end]
        at = end


class Checkpoints:
    """The checkpoints of the units of a solve that are not settled."""

    def __init__(self) -> None:
        self._of: defaultdict[tuple[int, int], dict[tuple[int, ...], bytes]] = defaultdict(dict)

    def take(self, result: Settled) -> None:
        """Keep those of a try."""
        if result.checkpoints:
            unit = result.unit
            of_draw = self._of[unit.candidate, unit.draw]
            of_draw[unit.portion] = merged(of_draw.get(unit.portion, b""), result.checkpoints)

    def of(self, unit: Unit) -> bytes:
        """All that earlier tries have brought."""
        return self._of.get((unit.candidate, unit.draw), {}).get(unit.portion, b"")

    def forget(self, candidate: int, draw: int) -> None:
        """A draw of a play is settled."""
        self._of.pop((candidate, draw), None)
