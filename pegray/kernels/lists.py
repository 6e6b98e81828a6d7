"""Lists of plays, or of placements, by lane and packed rack, kept in a bounded arena and found again by key.

A list in the arena is two header words (number of plays; best score and best score of a play that empties the rack)
and then three words a play (see generate.py). The arena has two halves. When the half in use is full, the lists that
the current line of play refers to are copied to the other half and the search goes on there; entries of the
half before that are forgotten, entries of the last half are copied over when they are asked for again.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from pegray.kernels.bits import ONE, ZERO, kernel, mix, words_at
from pegray.kernels.generate import (
    PLAY_WORDS,
    REACH_MASK,
    SCORE_SHIFT,
    SIXTEEN_BITS,
    TILE_VALUE_SHIFT,
    generate_lane,
)
from pegray.kernels.placements import generate_placements
from pegray.kernels.workspace import STOPPED_BY_ROOM

PLACEMENTS = 2  # added to a side: its placements in place of its plays

HEADER_WORDS = 2
_FORWARD = np.uint64(1 << 63)
_COUNT_MASK = np.uint64(0xFFFFFFFF)
_OUT_SHIFT = np.uint64(32)
_EPOCH_SHIFT = np.uint64(40)
_OFFSET_MASK = np.uint64((1 << 40) - 1)
_SLOT_WORDS = 4
_WAYS = 4
_NO_LIST = 0  # the first words of the arena are never written: an empty list
_RACK_FACTOR = np.uint64(0x9FB21C651E98DF25)


@kernel
def play_score(meta):
    """Score of a play from its third arena word."""
    return np.int64((meta >> SCORE_SHIFT) & SIXTEEN_BITS)


@kernel
def play_tile_value(meta):
    """Value of the tiles that a play takes from the rack, from its third arena word."""
    return np.int64(meta >> TILE_VALUE_SHIFT)


@kernel
def play_reach(meta):
    """Lanes (a bit each) whose plays may change when the play is made, from its third arena word."""
    return meta & REACH_MASK


@kernel
def list_length(arena, at):
    return np.int64(arena[at] & _COUNT_MASK)


@kernel
def list_best(arena, at):
    """Best score in a list, or -1 where it is empty."""
    return np.int64(arena[at + 1] & _COUNT_MASK) - 1


@kernel
def list_best_out(arena, at):
    """Best score in a list among plays that empty the rack, or -1."""
    return np.int64(arena[at + 1] >> _OUT_SHIFT) - 1


@kernel
def _finish_list(workspace, arena, at, count, rack):
    """Write the header of the list at ``at`` whose plays are in place."""
    best = -1
    best_out = -1
    for i in range(count):
        play = at + HEADER_WORDS + i * PLAY_WORDS
        score = play_score(arena[play + 2])
        if score > best:
            best = score
        if arena[play + 1] == rack and score > best_out:
            best_out = score
    arena[at] = np.uint64(count)
    arena[at + 1] = np.uint64(best + 1) | np.uint64(best_out + 1) << _OUT_SHIFT
    workspace.arena_next = at + HEADER_WORDS + count * PLAY_WORDS


@kernel
def _copy_list(workspace, arena, at):
    """Copy a list to the end of the half in use and leave a forward; if there is no room the search is stopped."""
    if arena[at] & _FORWARD:
        return np.int64(arena[at] & _OFFSET_MASK)
    to = workspace.arena_next
    words = HEADER_WORDS + list_length(arena, at) * PLAY_WORDS
    if to + words > workspace.arena_end:
        workspace.stop = STOPPED_BY_ROOM
        return at
    for i in range(words):
        arena[to + i] = arena[at + i]
    workspace.arena_next = to + words
    arena[at] = _FORWARD | np.uint64(to)
    return to


@kernel
def collect_arena(workspace):
    """Go on in the other half, taking along the lists of the current line of play.

    Stops the search when those alone do not leave a quarter of the half free (the arena is too small).
    """
    arena = words_at(workspace.arena_address, workspace.arena_length)
    workspace.arena_collections += 1
    workspace.arena_epoch += 1
    half = workspace.arena_length // 2
    base = half if workspace.arena_epoch & 1 else 8
    workspace.arena_next = base
    workspace.arena_end = base + half - 8
    for ply in range(workspace.live_ply + 1):
        for side in range(4):
            for lane in range(30):
                at = workspace.list_at[ply, side, lane]
                if at > 0:
                    workspace.list_at[ply, side, lane] = _copy_list(workspace, arena, at)
    if workspace.arena_end - workspace.arena_next < half // 4:
        workspace.stop = STOPPED_BY_ROOM


@kernel
def forget_lists(workspace):
    """Empty the arena and its index (a new root position)."""
    cache = words_at(workspace.cache_address, workspace.cache_length)
    cache[:] = ZERO
    workspace.list_at[:] = 0
    workspace.arena_epoch = 2
    workspace.arena_next = 8
    workspace.arena_end = workspace.arena_length // 2


@kernel
def _source_ply(workspace, ply, side, lane):
    """The nearest ply above where a side has a list of a lane in the same state, for the same rack or more; or -1."""
    lane_key = workspace.lane_key[ply, lane]
    rack = workspace.rack[ply, side & 1]
    guard = workspace.guard
    for above in range(ply - 1, -1, -1):
        if workspace.lane_key[above, lane] != lane_key:
            return -1
        if workspace.list_at[above, side, lane] > 0:
            if ((workspace.rack[above, side & 1] | guard) - rack) & guard == guard:
                return above
            return -1
    return -1


@kernel
def has_source(workspace, ply, side, lane):
    """Whether a list is there, or can be had without generating."""
    return workspace.list_at[ply, side, lane] > 0 or _source_ply(workspace, ply, side, lane) >= 0


@kernel
def lane_list(workspace, ply, side, lane):
    """Arena offset of the list of ``side``'s plays in ``lane`` at ``ply``, made if it is not there yet.

    ``side + PLACEMENTS`` asks for the placements. Where the arena has no room for the list the search is stopped, and
    an empty one stands in for it; the arena is then left as it is, with the lists that callers still look at.
    """
    at = workspace.list_at[ply, side, lane]
    if at > 0:
        return at
    arena = words_at(workspace.arena_address, workspace.arena_length)
    cache = words_at(workspace.cache_address, workspace.cache_length)
    rack = workspace.rack[ply, side & 1]
    lane_key = workspace.lane_key[ply, lane]
    source_ply = _source_ply(workspace, ply, side, lane)
    if source_ply >= 0:
        at = workspace.list_at[source_ply, side, lane]
        if workspace.rack[source_ply, side & 1] == rack or list_length(arena, at) == 0:
            workspace.list_at[ply, side, lane] = at
            return at
    if side >= PLACEMENTS:
        lane_key = ~lane_key  # plays and placements share the cache
    slots = np.uint64(workspace.cache_length // _SLOT_WORDS - 1)
    slot_key = mix(lane_key + rack * _RACK_FACTOR)
    victim = -1
    for way in range(_WAYS):
        slot = np.int64((slot_key + np.uint64(way)) & slots) * _SLOT_WORDS
        entry = cache[slot + 2]
        epoch = np.int64(entry >> _EPOCH_SHIFT)
        fresh = epoch >= workspace.arena_epoch - 1
        if fresh and cache[slot] == lane_key and cache[slot + 1] == rack:
            at = np.int64(entry & _OFFSET_MASK)
            if epoch != workspace.arena_epoch:
                if arena[at] & _FORWARD == ZERO:
                    words = HEADER_WORDS + list_length(arena, at) * PLAY_WORDS
                    if workspace.arena_next + words > workspace.arena_end:
                        victim = slot
                        break
                at = _copy_list(workspace, arena, at)
                cache[slot + 2] = np.uint64(at) | np.uint64(workspace.arena_epoch) << _EPOCH_SHIFT
            workspace.list_at[ply, side, lane] = at
            return at
        if not fresh and victim < 0:
            victim = slot
    if victim < 0:
        victim = np.int64((slot_key + (slot_key >> np.uint64(40)) % np.uint64(_WAYS)) & slots) * _SLOT_WORDS
    if source_ply >= 0:
        source = workspace.list_at[source_ply, side, lane]
        room = HEADER_WORDS + list_length(arena, source) * PLAY_WORDS
        if workspace.arena_next + room > workspace.arena_end and workspace.stop != STOPPED_BY_ROOM:
            collect_arena(workspace)
            source = workspace.list_at[source_ply, side, lane]
        at = workspace.arena_next
        if at + room > workspace.arena_end:
            workspace.stop = STOPPED_BY_ROOM
            return _NO_LIST
        count = _filter(workspace, arena, source, at, rack)
        workspace.lists_filtered += 1
    else:
        at = workspace.arena_next
        count = _generate(workspace, side, lane, rack, at + HEADER_WORDS)
        if count < 0 and workspace.stop != STOPPED_BY_ROOM:
            collect_arena(workspace)
            at = workspace.arena_next
            count = _generate(workspace, side, lane, rack, at + HEADER_WORDS)
        if count < 0:
            workspace.stop = STOPPED_BY_ROOM
            workspace.arena_next = at
            return _NO_LIST
        workspace.lists_generated += 1
    _finish_list(workspace, arena, at, count, rack)
    cache[victim] = lane_key
    cache[victim + 1] = rack
    cache[victim + 2] = np.uint64(at) | np.uint64(workspace.arena_epoch) << _EPOCH_SHIFT
    workspace.list_at[ply, side, lane] = at
    return at


@kernel
def _generate(workspace, side, lane, rack, at):
    """Write a list's plays to the arena from word ``at`` on; returns their number, or -1 where the half ends first."""
    if at > workspace.arena_end:
        return -1
    if side >= PLACEMENTS:
        return generate_placements(workspace, lane, rack, at)
    return generate_lane(workspace, lane, rack, at)


@kernel
def _filter(workspace, arena, source, at, rack):
    """Copy the plays of ``source`` that ``rack`` can make behind the header at ``at``; returns their number."""
    guarded = rack | workspace.guard
    guard = workspace.guard
    to = at + HEADER_WORDS
    play = source + HEADER_WORDS
    for _ in range(list_length(arena, source)):
        if (guarded - arena[play + 1]) & guard == guard:
            arena[to] = arena[play]
            arena[to + 1] = arena[play + 1]
            arena[to + 2] = arena[play + 2]
            to += PLAY_WORDS
        play += PLAY_WORDS
    return (to - at - HEADER_WORDS) // PLAY_WORDS


@kernel
def make_side_lists(workspace, ply, side):
    """Make all lists of a side, so that those of the positions below can be filtered from them."""
    for lane in range(30):
        lane_list(workspace, ply, side, lane)


@kernel
def widen_rack(workspace, ply, side, rack):
    """Give a side more tiles at ``ply`` and make its lists: those after a draw can be filtered from them."""
    if workspace.rack[ply, side] != rack:
        workspace.rack[ply, side] = rack
        for lane in range(30):
            workspace.list_at[ply, side, lane] = 0
            workspace.list_at[ply, side + PLACEMENTS, lane] = 0
    make_side_lists(workspace, ply, side)


@kernel
def begin_ply(workspace, ply):
    """No list of ``ply`` is known yet."""
    workspace.live_ply = ply
    for side in range(4):
        for lane in range(30):
            workspace.list_at[ply, side, lane] = 0


assert ONE == 1
