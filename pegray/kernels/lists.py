"""Lists of plays, or of placements, by lane and packed rack, kept in the arena (arena.py) and found again by key.

When the half of the arena in use is full, the lists that the current line of play refers to are copied to the other
half and the search goes on there; entries of the half before that are forgotten, entries of the last half are copied
over when they are asked for again.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from pegray.kernels.arena import (
    LIST_WORDS,
    NO_LIST,
    NO_ROOM,
    PLAY_WORDS,
    change_halves,
    copy_list,
    empty_arena,
    finish_list,
    has_moved,
    is_crowded,
    list_length,
    words_of_list,
)
from pegray.kernels.bits import ARRAY, ZERO, kernel, mix, words_of
from pegray.kernels.caps import fetch_cap, forget_caps
from pegray.kernels.game import fits
from pegray.kernels.generate import generate_lane
from pegray.kernels.intrinsics import prefetch
from pegray.kernels.lane_memory import forget_lanes
from pegray.kernels.lanes import LANES
from pegray.kernels.letters import key_of_letters, read_letters
from pegray.kernels.limits import STOPPED_BY_ROOM, stop
from pegray.kernels.placements import generate_placements
from pegray.kernels.position import MAX_PLIES

PLACEMENTS = 2  # added to a side: its placements in place of its plays
_KINDS_OF_LISTS = 4  # plays of side 0 and 1, placements of side 0 and 1

LISTS = np.dtype(
    [
        ("live_ply", "i8"),  # lists of this ply and of those above are in use
        ("index", ARRAY),  # uint64[], slots of the name of a list, and epoch | place in the arena; by name
        ("generated", "i8"),
        ("filtered", "i8"),
        # plays in all lists that were generated, and in those of the root
        ("plays", "i8"),
        ("root_plays", "i8"),
        ("at", "i8", (MAX_PLIES, _KINDS_OF_LISTS, LANES)),  # in the arena; 0 where it is not known
    ],
    align=True,
)

SLOT_WORDS = 2
_SLOT_BYTES = np.uint64(8 * SLOT_WORDS)
_WAYS = 4
_EPOCH_SHIFT = np.uint64(40)
_PLACE_MASK = np.uint64((1 << 40) - 1)
_VICTIM_SHIFT = np.uint64(40)
_RACK_FACTOR = np.uint64(0x9FB21C651E98DF25)


@kernel
def forget_lists(workspace):
    """Empty the arena and its index, and what is told of lanes without lists (a new root position)."""
    index = words_of(workspace.lists.index)
    index[:] = ZERO
    forget_caps(workspace.caps)
    forget_lanes(workspace.lane_memory)
    workspace.lists.at[:] = 0
    empty_arena(workspace.arena)


@kernel
def begin_ply(lists, ply):
    """No list of ``ply`` is known yet."""
    lists.live_ply = ply
    for side in range(_KINDS_OF_LISTS):
        for lane in range(LANES):
            lists.at[ply, side, lane] = 0


@kernel
def collect_arena(workspace):
    """Go on in the other half, taking along the lists of the current line of play.

    Stops the search when those alone do not leave a quarter of the half free (the arena is too small).
    """
    lists = workspace.lists
    change_halves(workspace.arena)
    for ply in range(lists.live_ply + 1):
        for side in range(_KINDS_OF_LISTS):
            for lane in range(LANES):
                at = lists.at[ply, side, lane]
                if at > 0:
                    to = copy_list(workspace.arena, at)
                    if to == NO_ROOM:
                        stop(workspace.limits, STOPPED_BY_ROOM)
                    else:
                        lists.at[ply, side, lane] = to
    if is_crowded(workspace.arena):
        stop(workspace.limits, STOPPED_BY_ROOM)


@kernel
def _source_ply(workspace, ply, side, lane):
    """The nearest ply above where a side has a list of a lane in the same state, for the same rack or more; or -1."""
    position = workspace.position
    lane_key = position.lane_key[ply, lane]
    rack = position.rack[ply, side & 1]
    for above in range(ply - 1, -1, -1):
        if position.lane_key[above, lane] != lane_key:
            return -1
        if workspace.lists.at[above, side, lane] > 0:
            if fits(workspace.game, rack, position.rack[above, side & 1]):
                return above
            return -1
    return -1


@kernel
def source_list(workspace, ply, side, lane):
    """Arena offset of a list that has all of a side's plays in a lane, and maybe others, or -1 where none is made yet.

    The best score of it bounds those of the side's plays, for less than it costs to look up or make their own list.
    """
    at = workspace.lists.at[ply, side, lane]
    if at > 0:
        return at
    above = _source_ply(workspace, ply, side, lane)
    return workspace.lists.at[above, side, lane] if above >= 0 else np.int64(-1)


@kernel
def fetch_slots(workspace, ply, side):
    """Begin to load the slots of the lists of a side that have no :func:`source_list`, and of the caps of their lanes.

    The wait for them is half the cost of most lists that are found.
    """
    lists = workspace.lists
    position = workspace.position
    for lane in range(LANES):
        if source_list(workspace, ply, side, lane) < 0:
            name = name_of(position.lane_key[ply, lane], position.rack[ply, side & 1])
            fetch_list(lists, name)
            fetch_cap(workspace.caps, name)


@kernel
def fetch_list(lists, name):
    """Begin to load the slot of a list, for :func:`lane_list`."""
    prefetch(lists.index.address + _first_slot(lists, name) * _SLOT_BYTES)


@kernel
def lane_list(workspace, ply, side, lane):
    """Arena offset of the list of ``side``'s plays in ``lane`` at ``ply``, made if it is not there yet.

    ``side + PLACEMENTS`` asks for the placements. Where the arena has no room for the list the search is stopped, and
    an empty one stands in for it; the arena is then left as it is, with the lists that callers still look at.
    """
    lists = workspace.lists
    at = lists.at[ply, side, lane]
    if at > 0:
        return at
    position = workspace.position
    rack = position.rack[ply, side & 1]
    source_ply = _source_ply(workspace, ply, side, lane)
    if source_ply >= 0:
        at = lists.at[source_ply, side, lane]
        if position.rack[source_ply, side & 1] == rack or list_length(words_of(workspace.arena.words), at) == 0:
            lists.at[ply, side, lane] = at
            return at
    key = position.lane_key[ply, lane]
    if side >= PLACEMENTS:  # they do not depend on what lies across, as plays do
        read_letters(workspace.letters, position.board)
        key = key_of_letters(workspace.letters, lane)
    name = name_of(key, rack)
    at, slot = _look_up(workspace, name)
    if at == NO_LIST:
        if source_ply >= 0:
            at = _filter_list(workspace, source_ply, side, lane, rack)
        else:
            at = _generate_list(workspace, side, lane, rack)
            plays = list_length(words_of(workspace.arena.words), at)
            lists.plays += plays
            if ply == 0:
                lists.root_plays += plays
        if at == NO_LIST:
            stop(workspace.limits, STOPPED_BY_ROOM)
            return at
        index = words_of(lists.index)
        index[slot] = name
        _set_place(index, slot, at, workspace.arena.epoch)
    lists.at[ply, side, lane] = at
    return at


@kernel
def name_of(key, rack):
    """What a list is found by: as with the transposition table, no two are thought to have the same."""
    return mix(key + rack * _RACK_FACTOR)


@kernel
def _first_slot(lists, name):
    """The first of the _WAYS slots that a list may be in."""
    return name & np.uint64(lists.index.length // SLOT_WORDS - _WAYS)


@kernel
def _look_up(workspace, name):
    """The list of a name in the half in use, or NO_LIST; and the slot of the index for it."""
    arena = workspace.arena
    words = words_of(arena.words)
    index = words_of(workspace.lists.index)
    first = _first_slot(workspace.lists, name)
    victim = -1
    for way in range(_WAYS):
        slot = np.int64(first + np.uint64(way)) * SLOT_WORDS
        epoch = np.int64(index[slot + 1] >> _EPOCH_SHIFT)
        fresh = epoch >= arena.epoch - 1
        if fresh and index[slot] == name:
            at = np.int64(index[slot + 1] & _PLACE_MASK)
            if epoch != arena.epoch:
                if not has_moved(words, at) and arena.next + words_of_list(words, at) > arena.end:
                    return NO_LIST, slot
                at = copy_list(arena, at)
                _set_place(index, slot, at, arena.epoch)
            return at, slot
        if not fresh and victim < 0:
            victim = slot
    if victim < 0:
        victim = np.int64(first + (name >> _VICTIM_SHIFT) % np.uint64(_WAYS)) * SLOT_WORDS
    return NO_LIST, victim


@kernel
def _set_place(index, slot, at, epoch):
    """Say in a slot of the index where its list is."""
    index[slot + 1] = np.uint64(at) | np.uint64(epoch) << _EPOCH_SHIFT


@kernel
def _filter_list(workspace, source_ply, side, lane, rack):
    """Write the list of the plays that ``rack`` can make of those listed at ``source_ply``; NO_LIST without room."""
    arena = workspace.arena
    words = words_of(arena.words)
    source = workspace.lists.at[source_ply, side, lane]
    room = words_of_list(words, source)
    if arena.next + room > arena.end and workspace.limits.stop != STOPPED_BY_ROOM:
        collect_arena(workspace)
        source = workspace.lists.at[source_ply, side, lane]
    at = arena.next
    if at + room > arena.end:
        return NO_LIST
    guard = workspace.game.guard
    guarded = rack | guard
    to = at + LIST_WORDS
    play = source + LIST_WORDS
    for _ in range(list_length(words, source)):
        if (guarded - words[play + 1]) & guard == guard:
            words[to] = words[play]
            words[to + 1] = words[play + 1]
            words[to + 2] = words[play + 2]
            to += PLAY_WORDS
        play += PLAY_WORDS
    finish_list(arena, at, (to - at - LIST_WORDS) // PLAY_WORDS, rack)
    workspace.lists.filtered += 1
    return at


@kernel
def _generate_list(workspace, side, lane, rack):
    """Write the list of all plays, or placements, of a lane with ``rack``; NO_LIST without room."""
    at = workspace.arena.next
    plays = _generate(workspace, side, lane, rack, at + LIST_WORDS)
    if plays == NO_ROOM and workspace.limits.stop != STOPPED_BY_ROOM:
        collect_arena(workspace)
        at = workspace.arena.next
        plays = _generate(workspace, side, lane, rack, at + LIST_WORDS)
    if plays == NO_ROOM:
        workspace.arena.next = at
        return NO_LIST
    finish_list(workspace.arena, at, plays, rack)
    workspace.lists.generated += 1
    return at


@kernel
def _generate(workspace, side, lane, rack, at):
    """Write plays or placements to the arena from word ``at`` on; returns their number, or NO_ROOM."""
    if at > workspace.arena.end:
        return NO_ROOM
    if side >= PLACEMENTS:
        return generate_placements(workspace, lane, rack, at)
    return generate_lane(workspace, lane, rack, at)


@kernel
def make_side_lists(workspace, ply, side):
    """Make all lists of a side, so that those of the positions below can be filtered from them."""
    for lane in range(LANES):
        lane_list(workspace, ply, side, lane)


@kernel
def side_plays(workspace, ply, side):
    """All plays of a side, lane by lane, and last the pass: uint64[n, PLAY_WORDS]; none where the search is stopped."""
    arena = words_of(workspace.arena.words)
    number = 0
    for lane in range(LANES):
        number += list_length(arena, lane_list(workspace, ply, side, lane))
    if workspace.limits.stop:
        return np.empty((0, PLAY_WORDS), np.uint64)
    plays = np.empty((number + 1, PLAY_WORDS), np.uint64)
    i = 0
    for lane in range(LANES):
        at = workspace.lists.at[ply, side, lane]
        play = at + LIST_WORDS
        for _ in range(list_length(arena, at)):
            for word in range(PLAY_WORDS):
                plays[i, word] = arena[play + word]
            i += 1
            play += PLAY_WORDS
    for word in range(PLAY_WORDS):
        plays[number, word] = ZERO
    return plays


@kernel
def widen_rack(workspace, ply, side, rack):
    """Give a side more tiles at ``ply`` and make its lists: those after a draw can be filtered from them."""
    if workspace.position.rack[ply, side] != rack:
        workspace.position.rack[ply, side] = rack
        for lane in range(LANES):
            workspace.lists.at[ply, side, lane] = 0
            workspace.lists.at[ply, side + PLACEMENTS, lane] = 0
    make_side_lists(workspace, ply, side)
