"""What bounds on a player alone have worked out for single lanes, to be found again by key.

Positions that are bounded one after the other differ in a few lanes. What a step of a bound finds out about a lane
depends on little but the lane, so it is found again for most of them: a *block* of words, by a key of all that it
depends on. Blocks lie one after the other in a ring, where the newest overwrite the oldest.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from pegray.kernels.bits import ARRAY, ZERO, kernel, mix, words_of
from pegray.kernels.intrinsics import prefetch

LANE_MEMORY = np.dtype(
    [
        ("words", ARRAY),  # uint64[a power of two], blocks one after the other
        # uint64[], slots of SLOT_WORDS: a key, where its block is counted from the first turn of the ring on (0: there
        # is none), and what else is kept with it
        ("index", ARRAY),
        ("next", "i8"),  # the first word that is free
        ("turned", "i8"),  # words of all turns of the ring before
        ("oldest", "i8"),  # blocks from here on, so counted, are not overwritten
        ("epoch", "u8"),  # how often everything was forgotten: part of all keys
    ],
    align=True,
)

SLOT_WORDS = 4
KEPT = 2  # the words of a slot from here on are its owner's
NO_BLOCK = 0
_FIRST_BLOCK = 8  # the first words are never part of a block
_WORD_BYTES = np.uint64(8)


@kernel
def forget_lanes(memory):
    """Forget everything."""
    memory.epoch += np.uint64(1)


@kernel
def make_room(memory, words):
    """Make room for blocks of so many words in all, which come next."""
    length = memory.words.length
    if memory.next + words > length or memory.next == 0:
        memory.turned += length
        memory.next = _FIRST_BLOCK
    memory.oldest = memory.turned + memory.next + words - length


@kernel
def first_key(memory, key):
    """What a key begins with."""
    return mix(key + mix(memory.epoch))


@kernel
def longer_key(key, word):
    """A key of what depends on ``word`` too."""
    return mix(key + word)


@kernel
def slot_of(memory, key):
    """Where in the index a key would be, which begins to be loaded."""
    slot = np.int64(key & np.uint64(memory.index.length // SLOT_WORDS - 1)) * SLOT_WORDS
    prefetch(memory.index.address + np.uint64(slot) * _WORD_BYTES)
    return slot


@kernel
def is_known(memory, slot, key):
    """Whether it is there."""
    index = words_of(memory.index)
    block = np.int64(index[slot + 1])
    return index[slot] == key and (block == NO_BLOCK or block >= memory.oldest)


@kernel
def known_block(memory, slot):
    """The block of a key that is there, which begins to be loaded; or NO_BLOCK."""
    block = words_of(memory.index)[slot + 1]
    if block != ZERO:
        block &= np.uint64(memory.words.length - 1)
        prefetch(memory.words.address + block * _WORD_BYTES)
    return np.int64(block)


@kernel
def keep_block(memory, slot, key, end):
    """Keep the block from ``next`` up to ``end`` under a key; or that there is none, where it ends there."""
    index = words_of(memory.index)
    index[slot] = key
    index[slot + 1] = np.uint64(memory.turned + memory.next) if end > memory.next else ZERO
    memory.next = end
