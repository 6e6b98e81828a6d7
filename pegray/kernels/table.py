"""The transposition table: bounds on the spread still to come, shared by all threads of a process.

An entry is two words: the position's key xor its data, and the data (Hyatt's lockless hashing: an entry torn by two
writers fails the key test and is ignored). Data: lower bound + 32768, upper bound + 32768 (16 bits each) and a
32-bit mark of the best move. The bounds speak of the spread that the player on turn still gains from here to the end,
so one entry serves every score that the game may stand at.

Only the first part of the table is in use, and more of it as entries come: memory that is never touched costs nothing.
The words before the entries say how many slots are in use, to all threads alike.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pegray.kernels.bits import ARRAY, ONE, ZERO, kernel, mix, plain, words_of
from pegray.kernels.intrinsics import prefetch
from pegray.kernels.pages import empty_words

INFINITE = 30000  # more than any spread, see MOST_SCORE
HEADER_WORDS = 8  # a cache line
_FIRST_SLOTS = 1 << 20
_WORD_BYTES = 8
_SLOTS = 0  # word of the header: slots in use, a power of two
_STORES = 1  # word of the header: entries written since the table has last grown, in steps of _STORES_TOLD
_STORES_TOLD = 256
_BIAS = 32768
_SIXTEEN = np.uint64(16)
_THIRTY_TWO = np.uint64(32)
_SIXTEEN_BITS = np.uint64(0xFFFF)
_RACK_FACTOR = np.uint64(0xA0761D6478BD642F)
_OTHER_FACTOR = np.uint64(0xE7037ED1A0B428DB)
_SALT = np.uint64(0x8EBC6AF09C88C6E3)
_WAYS = 2

TABLE = np.dtype(
    [
        ("entries", ARRAY),  # uint64[], shared by all threads
        ("probes", "i8"),  # of this thread
        ("hits", "i8"),
        ("stores", "i8"),
    ],
    align=True,
)


def empty_table(slots: int, first_slots: int = _FIRST_SLOTS) -> npt.NDArray[np.uint64]:
    """A transposition table of ``slots`` entries (a power of two), of which ``first_slots`` are in use: uint64[]."""
    table = empty_words(HEADER_WORDS + 2 * slots)
    table[_SLOTS] = min(slots, first_slots)
    return table


class Known(NamedTuple):
    """What is known of a node: bounds on what the player on turn gains from there on."""

    key: np.uint64
    lower: np.int64
    upper: np.int64
    mark: np.uint64  # of the move that was best; 0 for none


@kernel
def endgame_key(board_key, mover_rack, other_rack):
    """Key of an endgame position from the side of the player on turn."""
    return board_key ^ mix(mover_rack * _RACK_FACTOR) ^ mix(other_rack * _OTHER_FACTOR ^ _SALT)


@kernel
def _slot(key, way, slots):
    """Where the entry for ``key`` may be, as the index of its first word."""
    return HEADER_WORDS + 2 * np.int64((key ^ np.uint64(way)) & (slots - ONE))


@kernel
def fetch_entry(table, key):
    """Begin to load the entry for ``key``: it is asked for soon."""
    slots = words_of(table.entries)[_SLOTS]
    prefetch(table.entries.address + np.uint64(_WORD_BYTES * _slot(key, 0, slots)))


@kernel
def probe(table, key):
    """Data of the entry for ``key``, or 0."""
    entries = words_of(table.entries)
    slots = entries[_SLOTS]
    table.probes += 1
    for way in range(_WAYS):
        at = _slot(key, way, slots)
        data = entries[at + 1]
        if entries[at] ^ data == key and data != ZERO:
            table.hits += 1
            return data
    return ZERO


@kernel
def store(table, key, lower, upper, move_mark):
    """Write an entry over the one for ``key``, over an empty one, or over the first of its bucket; returns its data."""
    entries = words_of(table.entries)
    slots = entries[_SLOTS]
    data = np.uint64(lower + _BIAS) | np.uint64(upper + _BIAS) << _SIXTEEN | np.uint64(move_mark) << _THIRTY_TWO
    target = _slot(key, 0, slots)
    for way in range(_WAYS):
        at = _slot(key, way, slots)
        old = entries[at + 1]
        if old == ZERO or entries[at] ^ old == key:
            target = at
            break
        if way == 1:
            # keep the first slot for what came first half of the time: a cheap mix of depth and age
            target = at if (key >> np.uint64(50)) & np.uint64(1) else target
    entries[target] = key ^ data
    entries[target + 1] = data
    table.stores += 1
    if table.stores % _STORES_TOLD == 0:
        entries[_STORES] += np.uint64(_STORES_TOLD)
        capacity = (table.entries.length - HEADER_WORDS) // 2
        if entries[_STORES] >= slots and 2 * np.int64(slots) <= capacity:
            _grow(entries, slots)
    return data


@kernel
def recall_bounds(table, key):
    """What the table says of a node."""
    data = probe(table, key)
    if data == ZERO:
        return Known(key, plain(-INFINITE), plain(INFINITE), ZERO)
    return Known(key, entry_lower(data), entry_upper(data), entry_move(data))


@kernel
def learn_bound(table, known, target, value, mark):
    """A node was found to gain ``value``: at least, where that reaches the target that was asked for; else at most.

    Returns the data of its entry.
    """
    lower, upper = known.lower, known.upper
    if value >= target:
        lower = max(lower, value)
    else:
        upper = min(upper, value)
    return store(table, known.key, lower, upper, mark)


@kernel
def _grow(entries, slots):
    """Use twice as many slots as ``slots``, and move the entries that belong into the new ones.

    Other threads may read and write meanwhile: what they write where it is not looked for any more is lost, no more.
    One of them may have grown the table since its ``slots`` were read, and there may be no room for more.
    """
    if entries[_SLOTS] != slots:
        return
    entries[_STORES] = ZERO
    for slot in range(np.int64(slots)):
        at = HEADER_WORDS + 2 * slot
        data = entries[at + 1]
        if data != ZERO and (entries[at] ^ data) & slots != ZERO:
            to = at + 2 * np.int64(slots)
            entries[to] = entries[at]
            entries[to + 1] = data
            entries[at] = ZERO
            entries[at + 1] = ZERO
    entries[_SLOTS] = slots * np.uint64(2)


@kernel
def entry_lower(data):
    return np.int64(data & _SIXTEEN_BITS) - _BIAS


@kernel
def entry_upper(data):
    return np.int64((data >> _SIXTEEN) & _SIXTEEN_BITS) - _BIAS


@kernel
def entry_move(data):
    return data >> _THIRTY_TWO


@kernel
def mark_of(move):
    """32-bit mark that tells a move from the others of its position."""
    return mix(move + _SALT) >> _THIRTY_TWO
