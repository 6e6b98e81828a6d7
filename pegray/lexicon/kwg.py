"""KWG files: a word graph as an array of 32-bit nodes.

A node is one arc: bits 0-21 the index of the list of arcs that follows it (0: none), bit 22 the last arc of
its list, bit 23 the end of a word, bits 24-31 the tile. A list is a run of nodes up to one that is marked
last, in the order of their tiles. Node 0 leads to the root list of the DAWG, node 1 to that of the GADDAG.
Letters count from 1; tile 0 is the GADDAG's separator.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import numpy.typing as npt

from pegray.errors import InputError, why_unreadable
from pegray.files import write_atomically

ARC_MASK = 0x3FFFFF
LAST_FLAG = 1 << 22
END_FLAG = 1 << 23
TILE_SHIFT = 24
MAX_NODES = ARC_MASK + 1
HIGHEST_TILE = 63

ROOTS = 2  # nodes that lead to the DAWG and to the GADDAG

_NODE_BYTES = 4


def read_kwg(path: str | Path) -> npt.NDArray[np.uint32]:
    """The nodes of a KWG file, uint32[n].

    Raises InputError if it cannot be read or is no sound word graph.
    """
    try:
        size = os.path.getsize(path)
        if size > MAX_NODES * _NODE_BYTES:
            raise InputError(f"{path}: not a KWG file: {size} bytes, more than a KWG can hold")
        data = Path(path).read_bytes()
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: {why_unreadable(error)}") from None
    if len(data) % _NODE_BYTES or len(data) <= ROOTS * _NODE_BYTES:
        raise InputError(f"{path}: not a KWG file: {len(data)} bytes")
    nodes = np.frombuffer(data, "<u4").astype(np.uint32)
    fault = _fault(nodes)
    if fault:
        raise InputError(f"{path}: not a KWG file: {fault}")
    return nodes


def write_kwg(nodes: npt.NDArray[np.uint32], path: str | Path) -> None:
    """Write a KWG file in one step: readers see the old file or the new one. Raises InputError."""
    try:
        write_atomically(path, nodes.astype("<u4").tobytes())
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror or error}") from None


def _fault(nodes: npt.NDArray[np.uint32]) -> str | None:
    """What is wrong with a graph, so that nobody who follows its arcs leaves the array or runs in circles."""
    arcs = (nodes & np.uint32(ARC_MASK)).astype(np.int64)
    tiles = nodes >> np.uint32(TILE_SHIFT)
    last = (nodes & np.uint32(LAST_FLAG)) != 0
    indices = np.arange(len(nodes))
    if not last[-1]:
        return "its last list has no end"
    outside = (arcs >= len(nodes)) | (arcs == 1)
    if outside.any():
        return f"node {int(np.argmax(outside))} leads outside the graph"
    unknown = tiles > HIGHEST_TILE
    if unknown.any():
        return f"node {int(np.argmax(unknown))} has tile {int(tiles[np.argmax(unknown)])}"
    disorder = ~last[ROOTS:-1] & (tiles[ROOTS + 1 :] <= tiles[ROOTS:-1])
    if disorder.any():
        return f"the tiles of a list are out of order at node {int(np.argmax(disorder)) + ROOTS}"
    if arcs[0] == 0:
        return "it has no words"
    if arcs[1] == 0:
        return "it has no GADDAG"
    run = np.cumsum(last) - last
    inner = indices[ROOTS:][arcs[ROOTS:] != 0]
    if (run[arcs[inner]] < run[inner]).all():  # as build_kwg writes them: lists after those that they lead to
        return None
    return _loop(arcs, last, indices)


def _loop(arcs: npt.NDArray[np.int64], last: npt.NDArray[np.bool_], indices: npt.NDArray[np.int64]) -> str | None:
    """Follow all paths from the roots at once, arc by arc, and see that they come to an end."""
    first = np.concatenate(([True], last[:-1]))
    run_start = np.maximum.accumulate(np.where(first, indices, 0))
    reached = np.zeros(len(arcs), np.bool_)
    reached[arcs[:ROOTS]] = True
    reached[0] = False
    for _ in range(HIGHEST_TILE):
        # a list begins where an arc leads, which may be inside a longer list
        list_start = np.maximum.accumulate(np.where(reached, indices, -1))
        onward = arcs[list_start >= run_start]
        reached = np.zeros(len(arcs), np.bool_)
        reached[onward] = True
        reached[0] = False
        if not reached.any():
            return None
    return "its arcs run in circles"
