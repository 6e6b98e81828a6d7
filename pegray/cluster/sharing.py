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


def least_busy(wanted: Sequence[int | None], loads: Sequence[tuple[int, int]]) -> list[int]:
    """Which of some nodes gets each of some bundles: the one it wants, if that has an idle thread, or the least busy.

    wanted: for each bundle the node that has its beginnings in memory, if any
    loads: of each node its bundles, and its threads
    """
    busy = [bundles for bundles, _ in loads]
    threads = [threads for _, threads in loads]
    chosen = [0] * len(wanted)
    others = []
    for bundle, node in enumerate(wanted):
        if node is not None and busy[node] < threads[node]:
            busy[node] += 1
            chosen[bundle] = node
        else:
            others.append(bundle)
    waiting = [(busy[node] / threads[node], node) for node in range(len(loads))]
    heapq.heapify(waiting)
    for bundle in others:
        chosen[bundle] = node = waiting[0][1]
        busy[node] += 1
        heapq.heapreplace(waiting, (busy[node] / threads[node], node))
    return chosen
