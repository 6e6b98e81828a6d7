"""Lists that one thread of a process has generated and another may take over, shared without locks.

First the slots, two words each: the key of a list, and where its block is and how many plays it has. Then the blocks,
written one after the other and from the start again when the end is reached. A block is a checksum of the list and of
what it is the list of, then its plays (see generate.py). So a block that another has overwritten, or that two threads
write at once, is not taken for the list it was; whoever reads copies first and checks the copy.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pegray.kernels.bits import kernel, mix, words_at
from pegray.kernels.generate import PLAY_WORDS

_HEADER_WORDS = 8  # a cache line; the first word says where the next block goes
_SLOTS = 1 << 20
_BLOCKS_AT = _HEADER_WORDS + 2 * _SLOTS
_BLOCK_WORDS = 1 << 24
_MOST_PLAYS = 1 << 16
_COUNT_SHIFT = np.uint64(40)
_OFFSET_MASK = np.uint64((1 << 40) - 1)
_SALT = np.uint64(0xD1B54A32D192ED03)


def no_shared_lists() -> npt.NDArray[np.uint64]:
    """What a process with one thread needs: nothing is shared."""
    return np.zeros(0, np.uint64)


def empty_shared_lists() -> npt.NDArray[np.uint64]:
    """Room for the lists that threads share, 144 MiB: uint64[]. What is never written costs nothing."""
    lists = np.zeros(_BLOCKS_AT + _BLOCK_WORDS, np.uint64)
    lists[0] = _BLOCKS_AT
    return lists


@kernel
def take_over(workspace, lane_key, rack, at):
    """Copy the plays of a lane's list to ``at`` in the arena; returns their number, or -1 if no thread has left it."""
    if workspace.shared_lists_length == 0:
        return -1
    lists = words_at(workspace.shared_lists_address, workspace.shared_lists_length)
    key = _key(lane_key, rack)
    slot = _slot(key)
    if lists[slot] != key:
        return -1
    found = lists[slot + 1]
    count = np.int64(found >> _COUNT_SHIFT)
    block = np.int64(found & _OFFSET_MASK)
    if at + count * PLAY_WORDS > workspace.arena_end:
        return -1
    arena = words_at(workspace.arena_address, workspace.arena_length)
    checksum = _checksum_of_nothing(lane_key, rack, count)
    for i in range(count * PLAY_WORDS):
        word = lists[block + 1 + i]
        arena[at + i] = word
        checksum = _add(checksum, word)
    return count if lists[block] == checksum else -1


@kernel
def leave_to_others(workspace, lane_key, rack, at, count):
    """Leave a lane's list, whose ``count`` plays are at ``at`` in the arena, to other threads."""
    if workspace.shared_lists_length == 0 or count > _MOST_PLAYS:
        return
    lists = words_at(workspace.shared_lists_address, workspace.shared_lists_length)
    arena = words_at(workspace.arena_address, workspace.arena_length)
    words = 1 + count * PLAY_WORDS
    block = np.int64(lists[0])
    if block + words > workspace.shared_lists_length:
        block = _BLOCKS_AT
    lists[0] = np.uint64(block + words)
    checksum = _checksum_of_nothing(lane_key, rack, count)
    for i in range(count * PLAY_WORDS):
        word = arena[at + i]
        lists[block + 1 + i] = word
        checksum = _add(checksum, word)
    lists[block] = checksum
    key = _key(lane_key, rack)
    slot = _slot(key)
    lists[slot + 1] = np.uint64(block) | np.uint64(count) << _COUNT_SHIFT
    lists[slot] = key


@kernel
def _key(lane_key, rack):
    return mix(lane_key ^ mix(rack ^ _SALT))


@kernel
def _slot(key):
    """Index of the first word of a key's slot."""
    return _HEADER_WORDS + 2 * np.int64(key & np.uint64(_SLOTS - 1))


@kernel
def _checksum_of_nothing(lane_key, rack, count):
    return mix(lane_key + mix(rack)) ^ np.uint64(count)


@kernel
def _add(checksum, word):
    return mix(checksum ^ word)
