"""The arena: lists of plays, or of placements, one after the other in a large array of words.

A list is LIST_WORDS header words (number of plays; best score and best score of a play that empties the rack) and then
PLAY_WORDS for each play: the packed move, the *need* (its tiles, a packed rack), and score | tile value | reach.

The arena has two halves, of which one is in use: see lists.py.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pegray.kernels.bits import ARRAY, ZERO, kernel, plain, words_of

ARENA = np.dtype(
    [
        ("words", ARRAY),  # uint64[]
        ("next", "i8"),  # the first word that is free
        ("end", "i8"),  # of the half in use
        ("full", "i8"),  # 1 where a list was begun for which there was no room
        ("epoch", "i8"),  # how often the half in use has changed, from 2 on
        ("collections", "i8"),  # ... in all
    ],
    align=True,
)

LIST_WORDS = 2
PLAY_WORDS = 3
NO_LIST = 0  # the first words of the arena are never written: an empty list
NO_ROOM = -1
_UNUSED_WORDS = 8
_FIRST_EPOCH = 2
SCORE_SHIFT = np.uint64(32)
TILE_VALUE_SHIFT = np.uint64(48)
_SIXTEEN_BITS = np.uint64(0xFFFF)
_REACH_MASK = np.uint64(0x3FFFFFFF)
_LENGTH_MASK = np.uint64(0xFFFFFFFF)
_OUT_SHIFT = np.uint64(32)
_FORWARD = np.uint64(1 << 63)  # in place of the number of plays: where the list has been copied to
_OFFSET_MASK = np.uint64((1 << 40) - 1)


class Play(NamedTuple):
    """A play as it is in a list."""

    move: np.uint64  # packed
    need: np.uint64  # its tiles, packed
    score: np.int64
    tile_value: np.int64  # of its tiles
    reach: np.uint64  # the lanes (a bit each) whose plays may change when it is made


@kernel
def play_at(plays, index):
    """A row of an array of plays, uint64[n, PLAY_WORDS]; of zeros it is the pass."""
    meta = plays[index, 2]
    return Play(plays[index, 0], plays[index, 1], play_score(meta), play_tile_value(meta), play_reach(meta))


@kernel
def copy_play(to, index, plays, source):
    """Copy a row of an array of plays into another, by words: numba takes seconds to compile an assignment of rows."""
    for word in range(PLAY_WORDS):
        to[index, word] = plays[source, word]


@kernel
def empty_arena(arena):
    """Begin anew, in the first half."""
    arena.epoch = _FIRST_EPOCH
    arena.next = _UNUSED_WORDS
    arena.end = arena.words.length // 2


@kernel
def change_halves(arena):
    """Go on in the other half, which is empty then."""
    arena.collections += 1
    arena.epoch += 1
    half = arena.words.length // 2
    base = half if arena.epoch & 1 else _UNUSED_WORDS
    arena.next = base
    arena.end = base + half - _UNUSED_WORDS


@kernel
def is_crowded(arena):
    """Whether less than a quarter of the half in use is free."""
    return arena.end - arena.next < arena.words.length // 8


@kernel
def words_of_list(words, at):
    """How many words a list has."""
    return LIST_WORDS + list_length(words, at) * PLAY_WORDS


@kernel
def has_moved(words, at):
    """Whether a list has been copied to the half in use."""
    return words[at] & _FORWARD != ZERO


@kernel
def copy_list(arena, at):
    """Copy a list from the other half to the end of the one in use and leave a forward; NO_ROOM if it has no room."""
    words = words_of(arena.words)
    if has_moved(words, at):
        return np.int64(words[at] & _OFFSET_MASK)
    to = arena.next
    length = words_of_list(words, at)
    if to + length > arena.end:
        return plain(NO_ROOM)
    for i in range(length):
        words[to + i] = words[at + i]
    arena.next = to + length
    words[at] = _FORWARD | np.uint64(to)
    return to


@kernel
def add_play(arena, move, need, meta):
    """Append a play to the list that is being written, where there is room (else ``full`` is set)."""
    at = arena.next
    if at + PLAY_WORDS > arena.end:
        arena.full = 1
        return
    words = words_of(arena.words)
    words[at] = move
    words[at + 1] = need
    words[at + 2] = meta
    arena.next = at + PLAY_WORDS


@kernel
def finish_list(arena, at, plays, rack):
    """Write the header of the list at ``at`` of so many plays, which are in place."""
    words = words_of(arena.words)
    best = -1
    best_out = -1
    play = at + LIST_WORDS
    for _ in range(plays):
        score = play_score(words[play + 2])
        if score > best:
            best = score
        if words[play + 1] == rack and score > best_out:
            best_out = score
        play += PLAY_WORDS
    words[at] = np.uint64(plays)
    words[at + 1] = np.uint64(best + 1) | np.uint64(best_out + 1) << _OUT_SHIFT
    arena.next = play


@kernel
def play_score(meta):
    """Score of a play from its third arena word."""
    return np.int64((meta >> SCORE_SHIFT) & _SIXTEEN_BITS)


@kernel
def play_tile_value(meta):
    """Value of the tiles that a play takes from the rack, from its third arena word."""
    return np.int64(meta >> TILE_VALUE_SHIFT)


@kernel
def play_reach(meta):
    """Lanes (a bit each) whose plays may change when the play is made, from its third arena word."""
    return meta & _REACH_MASK


@kernel
def list_length(words, at):
    """How many plays a list has."""
    return np.int64(words[at] & _LENGTH_MASK)


@kernel
def list_best(words, at):
    """Best score in a list, or -1 where it is empty."""
    return np.int64(words[at + 1] & _LENGTH_MASK) - 1


@kernel
def list_best_out(words, at):
    """Best score in a list among plays that empty the rack, or -1."""
    return np.int64(words[at + 1] >> _OUT_SHIFT) - 1
