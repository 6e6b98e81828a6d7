"""The KWG file format: word graphs as little-endian 32-bit nodes.

Bits 0-21 of a node are the index of its first child (0: none), bit 22 marks the last of a run of siblings, bit 23 the
end of a word, bits 24-31 are the tile: letters from 1, and 0 for the GADDAG's separator. The children of node 0 begin
the DAWG (words read forwards), those of node 1 the GADDAG.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import numpy as np
import numpy.typing as npt
from numba import njit

from pegray.errors import InputError

ARC_MASK = 0x3FFFFF
LAST_SIBLING = 0x400000
WORD_END = 0x800000
TILE_SHIFT = 24
SEPARATOR = 0
DAWG = 0
GADDAG = 1
MAX_NODES = ARC_MASK + 1

MAX_WORD_LENGTH = 15
_LONGEST_GADDAG_STRING = MAX_WORD_LENGTH + 1

_SOUND = 0
_TOO_DEEP = 1
_TILE_REPEATED = 2
_NO_LAST_SIBLING = 3
_SEPARATOR_MISPLACED = 4
_TILE_TOO_LARGE = 5
_NO_WORD = 6


def read_kwg(path: str | os.PathLike[str], size: int = 64) -> npt.NDArray[np.uint32]:
    """uint32[n] nodes of a KWG file, checked so that every walk from its two roots stays inside and ends.

    size: number of tiles of the distribution, the blank included. Raises InputError.
    """
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"lexicon {path}: {error.strerror or error}") from None
    if len(data) % 4:
        raise InputError(f"lexicon {path}: not a KWG file: {len(data)} bytes, not a multiple of 4")
    nodes = np.frombuffer(data, "<u4").astype(np.uint32)
    if not 2 <= len(nodes) <= MAX_NODES:
        raise InputError(f"lexicon {path}: not a KWG file: {len(nodes)} nodes, expected 2 to {MAX_NODES}")
    fault = find_fault(nodes, size)
    if fault:
        raise InputError(f"lexicon {path}: {fault}")
    return nodes


def find_fault(nodes: npt.NDArray[np.uint32], size: int) -> str:
    """What is wrong with a word graph over ``size`` tiles, in words; empty when it is sound."""
    if int(nodes[DAWG]) >> TILE_SHIFT or int(nodes[GADDAG]) >> TILE_SHIFT:
        return "not a KWG file: its first two nodes are not the roots of a DAWG and a GADDAG"
    arcs = nodes & np.uint32(ARC_MASK)
    outside = np.flatnonzero(arcs >= len(nodes))
    if len(outside):
        return f"not a KWG file: node {outside[0]} points to node {arcs[outside[0]]} of {len(nodes)}"
    if not arcs[GADDAG]:
        return "no GADDAG in this KWG file"
    for root, name in ((DAWG, "DAWG"), (GADDAG, "GADDAG")):
        fault, node = _walk_all(nodes, int(root), size)
        if fault == _TILE_TOO_LARGE:
            return f"{name} node {node}: tile {int(nodes[node]) >> TILE_SHIFT}, but the distribution has {size - 1} letters"
        if fault != _SOUND:
            return f"not a KWG file: {name} node {node}: {_FAULTS[fault]}"
    return ""


_FAULTS = {
    _TOO_DEEP: f"a word longer than {MAX_WORD_LENGTH} letters, or a cycle",
    _TILE_REPEATED: "the same tile twice among its siblings",
    _NO_LAST_SIBLING: "siblings without an end",
    _SEPARATOR_MISPLACED: "a separator where none can be",
    _NO_WORD: "a path that ends without a word",
}


@njit(nogil=True, cache=True)
def _walk_all(nodes: npt.NDArray[np.uint32], root: int, size: int) -> tuple[int, int]:
    """(fault, node): visit every sibling run below a root once, keeping the height of what hangs below each.

    Heights find cycles and words that are too long without walking every path.
    """
    count = len(nodes)
    height = np.zeros(count, np.int8)  # of the run that starts here: 0 not seen, -1 on the path now
    stack_run = np.zeros(_LONGEST_GADDAG_STRING + 2, np.int64)
    stack_node = np.zeros(_LONGEST_GADDAG_STRING + 2, np.int64)
    stack_tall = np.zeros(_LONGEST_GADDAG_STRING + 2, np.int64)
    first = np.int64(nodes[root] & np.uint32(ARC_MASK))
    if first == 0:
        return _SOUND, root
    longest = _LONGEST_GADDAG_STRING if root == GADDAG else MAX_WORD_LENGTH
    depth = 0
    stack_run[0] = first
    stack_node[0] = first
    height[first] = -1
    seen_tiles = np.zeros(_LONGEST_GADDAG_STRING + 2, np.uint64)
    while depth >= 0:
        node = stack_node[depth]
        if node >= count:
            return _NO_LAST_SIBLING, stack_run[depth]
        below = np.int64(nodes[node] & np.uint32(ARC_MASK))
        if below != 0 and height[below] == 0:
            if depth + 1 >= longest:
                return _TOO_DEEP, node
            depth += 1
            stack_run[depth] = below
            stack_node[depth] = below
            stack_tall[depth] = 0
            seen_tiles[depth] = 0
            height[below] = -1
            continue
        tile = np.int64(nodes[node] >> np.uint32(TILE_SHIFT))
        if tile >= size:
            return _TILE_TOO_LARGE, node
        if tile == SEPARATOR and (root == DAWG or depth == 0):
            return _SEPARATOR_MISPLACED, node
        if below == 0:
            if nodes[node] & np.uint32(WORD_END) == 0:
                return _NO_WORD, node
        elif height[below] < 0:
            return _TOO_DEEP, node
        bit = np.uint64(1) << np.uint64(tile)
        if seen_tiles[depth] & bit:
            return _TILE_REPEATED, node
        seen_tiles[depth] |= bit
        tall = 1 + (np.int64(height[below]) if below != 0 else 0)
        if depth + tall > longest:
            return _TOO_DEEP, node
        if tall > stack_tall[depth]:
            stack_tall[depth] = tall
        if nodes[node] & np.uint32(LAST_SIBLING) == 0:
            stack_node[depth] = node + 1
            continue
        height[stack_run[depth]] = stack_tall[depth]
        depth -= 1
    return _SOUND, root


def write_kwg(nodes: npt.NDArray[np.uint32], path: str | os.PathLike[str]) -> None:
    """Write uint32[n] nodes as a KWG file, at once or not at all. Raises InputError when that is not possible."""
    path = Path(path)
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(nodes.astype("<u4").tobytes())
            umask = os.umask(0)
            os.umask(umask)
            os.chmod(temporary, 0o666 & ~umask)
            os.replace(temporary, path)
        except BaseException:
            os.unlink(temporary)
            raise
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from None
