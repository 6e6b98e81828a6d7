"""What a search that is stopped had settled on the way, written down for whoever goes on with it elsewhere.

It stays in the memory of the process: the table, the decisions, what was found of their draws. A *checkpoint* is a row
of one of these that took long to find: its kind, its length and the nodes in one word, its key, its words. What is
settled takes the place of the checkpoints below it, so no two of them share a node: a search leaves no more than its
nodes by LEAST_NODES, and far fewer.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pegray.kernels.bits import ARRAY, kernel, words_of
from pegray.kernels.decisions import remember
from pegray.kernels.table import entry_lower, entry_move, entry_upper, recall_bounds, store

LEAST_NODES = 100
"""What takes fewer is found again soon enough."""

# kinds: whose memory a row is for
BOUND = 0
DECISION = 1
DRAW = 2

HEAD_WORDS = 2
KIND_BITS = 8
NODES_SHIFT = 32
_LENGTH_MASK = np.uint64((1 << (NODES_SHIFT - KIND_BITS)) - 1)
_KIND_MASK = np.uint64((1 << KIND_BITS) - 1)
_KIND_BITS = np.uint64(KIND_BITS)
_NODES_SHIFT = np.uint64(NODES_SHIFT)

CHECKPOINTS = np.dtype(
    [
        ("rows", ARRAY),  # uint64[]: room for the checkpoints of one unit; what finds none is left out
        ("used", "i8"),  # words of it
        ("least", "i8"),  # nodes that a checkpoint took
    ],
    align=True,
)


class Begun(NamedTuple):
    """Where a search was when it began with something: nodes, and words of checkpoints."""

    nodes: np.int64
    words: np.int64


@kernel
def begin_checkpoint(workspace):
    """Something begins that may come to be a checkpoint."""
    return Begun(workspace.limits.nodes, workspace.checkpoints.used)


@kernel
def _is_dear(workspace, begun):
    """Whether what has begun then has taken long."""
    return workspace.limits.nodes - begun.nodes >= workspace.checkpoints.least


@kernel
def keep_row(workspace, kind, begun, key, row):
    """What has begun then is settled, and remembered in ``row`` (uint64[n]): if it took long that is a checkpoint."""
    if _is_dear(workspace, begun):
        words = _make_room(workspace, kind, begun, key, row.shape[0])
        for i in range(words.shape[0]):
            words[i] = row[i]


@kernel
def keep_bound(workspace, begun, key, data):
    """The same of a node of an endgame and its entry in the table."""
    if _is_dear(workspace, begun):
        words = _make_room(workspace, BOUND, begun, key, 1)
        if words.shape[0] > 0:
            words[0] = data


@kernel
def _make_room(workspace, kind, begun, key, length):
    """Put the head of a checkpoint in the place of those below it; returns where its words go: none if it is full."""
    checkpoints = workspace.checkpoints
    rows = words_of(checkpoints.rows)
    at = begun.words
    end = at + HEAD_WORDS + length
    if end > rows.shape[0]:
        return rows[:0]
    nodes = np.uint64(workspace.limits.nodes - begun.nodes)
    rows[at] = np.uint64(kind) | np.uint64(length) << _KIND_BITS | nodes << _NODES_SHIFT
    rows[at + 1] = key
    checkpoints.used = end
    return rows[at + HEAD_WORDS : end]


@kernel
def restore(workspace, rows):
    """Enter checkpoints (uint64[]) into the memory: rows that are not whole are left out."""
    at = 0
    while at + HEAD_WORDS <= rows.shape[0]:
        kind = rows[at] & _KIND_MASK
        end = at + HEAD_WORDS + np.int64((rows[at] >> _KIND_BITS) & _LENGTH_MASK)
        if end > rows.shape[0]:
            break
        key, row = rows[at + 1], rows[at + HEAD_WORDS : end]
        if kind == BOUND and row.shape[0] == 1:
            known = recall_bounds(workspace.table, key)
            lower, upper = max(known.lower, entry_lower(row[0])), min(known.upper, entry_upper(row[0]))
            store(workspace.table, key, lower, upper, entry_move(row[0]))
        elif kind == DECISION:
            remember(workspace.decisions, key, row)
        elif kind == DRAW:
            remember(workspace.found, key, row)
        at = end
