"""How positions that are solved at once share a cluster, and bundles its nodes: pure bookkeeping, without Ray."""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence

# So many threads for each position are enough, if there are that many positions.
_THREADS_PER_POSITION = 8
MOST_POSITIONS = 32


def positions_at_once(least: int, threads: int) -> int:
    """How many positions to solve at once on so many threads; ``least`` on a few, and one stays one.

    The more threads work on one position, the more of what they do turns out to have been for nothing.
    """
    return least if least == 1 else max(least, min(MOST_POSITIONS, threads // _THREADS_PER_POSITION))


def fair_share(slots: int, of_others: Sequence[int]) -> int:
    """How many bundles of all ``slots`` a position may have in flight, where each of the others has so many.

    What they leave, and at least as much as each of them.
    """
    return max(slots - sum(of_others), math.ceil(slots / (1 + len(of_others))))


def least_busy(bundles: int, loads: Sequence[tuple[int, int]]) -> list[int]:
    """Which of some nodes gets each of so many bundles: in turn the one that is the least busy.

    loads: of each node its bundles, and its threads
    """
    waiting = [(here / threads, node, here) for node, (here, threads) in enumerate(loads)]
    heapq.heapify(waiting)
    chosen = []
    for _ in range(bundles):
        _, node, here = waiting[0]
        heapq.heapreplace(waiting, ((here + 1) / loads[node][1], node, here + 1))
        chosen.append(node)
    return chosen
