"""The transposition table: bounds on the spread still to come, shared by all threads of a process.

An entry is two words: the position's key xor its data, and the data (Hyatt's lockless hashing: an entry torn by two
writers fails the key test and is ignored). Data: lower bound + 32768, upper bound + 32768 (16 bits each) and a
32-bit mark of the best move. The bounds speak of the spread that the player on turn still gains from here to the end,
so one entry serves every score that the game may stand at.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from pegray.kernels.bits import ZERO, kernel, mix, words_at

INFINITE = 30000
_BIAS = 32768
_SIXTEEN = np.uint64(16)
_THIRTY_TWO = np.uint64(32)
_SIXTEEN_BITS = np.uint64(0xFFFF)
_RACK_FACTOR = np.uint64(0xA0761D6478BD642F)
_OTHER_FACTOR = np.uint64(0xE7037ED1A0B428DB)
_SALT = np.uint64(0x8EBC6AF09C88C6E3)
_WAYS = 2


@kernel
def endgame_key(board_key, mover_rack, other_rack):
    """Key of an endgame position from the side of the player on turn."""
    return board_key ^ mix(mover_rack * _RACK_FACTOR) ^ mix(other_rack * _OTHER_FACTOR ^ _SALT)


@kernel
def probe(workspace, key):
    """Data of the entry for ``key``, or 0."""
    table = words_at(workspace.table_address, workspace.table_length)
    slots = np.uint64(workspace.table_length // 2 - 1)
    workspace.table_probes += 1
    for way in range(_WAYS):
        at = np.int64((key ^ np.uint64(way)) & slots) * 2
        data = table[at + 1]
        if table[at] ^ data == key and data != ZERO:
            workspace.table_hits += 1
            return data
    return ZERO


@kernel
def store(workspace, key, lower, upper, move_mark):
    """Write an entry over the one for ``key``, over an empty one, or over the first of its bucket."""
    table = words_at(workspace.table_address, workspace.table_length)
    slots = np.uint64(workspace.table_length // 2 - 1)
    data = np.uint64(lower + _BIAS) | np.uint64(upper + _BIAS) << _SIXTEEN | np.uint64(move_mark) << _THIRTY_TWO
    target = np.int64(key & slots) * 2
    for way in range(_WAYS):
        at = np.int64((key ^ np.uint64(way)) & slots) * 2
        old = table[at + 1]
        if old == ZERO or table[at] ^ old == key:
            target = at
            break
        if way == 1:
            # keep the first slot for what came first half of the time: a cheap mix of depth and age
            target = at if (key >> np.uint64(50)) & np.uint64(1) else target
    table[target] = key ^ data
    table[target + 1] = data


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
