"""The placements that a player may still lay while the other side only passes: of all lanes, but the impossible ones.

A placement is impossible where a tile of it would have to form a word across that there is none for, or where the rack
has too few other tiles to lead there (joining.py). What is dropped forms no words across for others, and leads nowhere:
so it is done again.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from pegray.game.layout import DIMENSION
from pegray.kernels.arena import LIST_WORDS, PLAY_WORDS, list_length, play_score
from pegray.kernels.bits import ONE, ZERO, kernel, plain, words_of
from pegray.kernels.intrinsics import trailing_zeros
from pegray.kernels.joining import (
    JOINING,
    LEAST_APART,
    allowed_in,
    count_between,
    find_beside,
    find_live,
    keep_near,
    near_in,
    spelt_in,
    touched_lanes,
)
from pegray.kernels.lane_memory import (
    KEPT,
    NO_BLOCK,
    first_key,
    is_known,
    keep_block,
    known_block,
    longer_key,
    make_room,
    slot_of,
)
from pegray.kernels.lanes import LANES
from pegray.kernels.letters import key_of_letters, read_letters
from pegray.kernels.lists import PLACEMENTS, fetch_list, lane_list, name_of
from pegray.kernels.moves import TILE_BITS, all_laid, tile_of, tiles_laid
from pegray.kernels.numbering import MOST_TILES, SETS
from pegray.kernels.placements import squares_of

_ROOM = 1 << 15  # for placements; with more there is no bound
_ROUNDS = 2  # a third drops little more
_MOST_WORDS = 1 << 18  # of the memory that a bound takes

# A block of placements begins with where they begin, where those of 1, 2, ... tiles end, and the block of what they
# spell. Beside its key are the masks of what is spelt by kind, _MASKS_OF_WORD in a word.
_SPELT = MOST_TILES + 1
_HEADER = _SPELT + 1
_MASKS_OF_WORD = 4
_MASK_BITS = np.uint64(DIMENSION)

# A placement is one word, from the lowest bit: the mask of its squares in the lane, the lane, the number of the set of
# its tiles, their kinds in the order of the lane, the face value of the word.
_LANE_SHIFT = np.uint64(DIMENSION)
_NUMBER_SHIFT = np.uint64(20)
KIND_BITS = np.uint64(3)
_ALL_KINDS_BITS = KIND_BITS * np.uint64(MOST_TILES)
_KINDS_SHIFT = _NUMBER_SHIFT + np.uint64(MOST_TILES)
_FACE_SHIFT = _KINDS_SHIFT + _ALL_KINDS_BITS
_WHOLE_LANE = (ONE << np.uint64(DIMENSION)) - ONE
_LANE_MASK = np.uint64(31)
_NUMBER_MASK = np.uint64(SETS - 1)
_KIND_MASK = (ONE << KIND_BITS) - ONE
_KINDS_MASK = (ONE << _ALL_KINDS_BITS) - ONE

LAID = np.dtype(
    [
        ("joining", JOINING),
        # the placements of the lane that is laid: those of as many tiles together, in word[_first(tiles) : end[tiles]]
        ("word", "u8", ((MOST_TILES + 1) * _ROOM,)),
        ("end", "i8", (MOST_TILES + 1,)),
        # by lane: a key of all that its placements depend on, the slot of the index for it, and their block; NO_BLOCK:
        # none is possible
        ("key", "u8", (LANES,)),
        ("slot", "i8", (LANES,)),
        ("block", "i8", (LANES,)),
    ],
    align=True,
)


@kernel
def _first(tiles):
    """Where the placements of so many tiles begin in ``word``."""
    return tiles * _ROOM


@kernel
def laid_from(words, block, tiles):
    """Where the placements of so many tiles begin among the words of the memory."""
    return np.int64(words[block + tiles - 1])


@kernel
def laid_until(words, block, tiles):
    """Where they end."""
    return np.int64(words[block + tiles])


@kernel
def spelt_by(words, block):
    """The block of the words that the placements of a block spell (crosses.py), or NO_BLOCK where it is not known."""
    return np.int64(words[block + _SPELT])


@kernel
def keep_spelt(words, block, spelt):
    """Keep that block."""
    words[block + _SPELT] = np.uint64(spelt)


@kernel
def laid_squares(word):
    """Mask of the squares in its lane that a placement lays tiles on."""
    return word & _WHOLE_LANE


@kernel
def laid_lane(word):
    """The lane of a placement."""
    return np.int64((word >> _LANE_SHIFT) & _LANE_MASK)


@kernel
def laid_number(word):
    """Number of the set of its tiles."""
    return np.int64((word >> _NUMBER_SHIFT) & _NUMBER_MASK)


@kernel
def laid_kinds(word):
    """Kinds of its tiles, the first in the lowest KIND_BITS."""
    return (word >> _KINDS_SHIFT) & _KINDS_MASK


@kernel
def first_kind(kinds):
    """The first of such kinds."""
    return np.int64(kinds & _KIND_MASK)


@kernel
def laid_face(word):
    """Face value of its word."""
    return np.int64(word >> _FACE_SHIFT)


@kernel
def lay_placements(workspace, ply, side, laid, numbering):
    """Lay all that are possible, of the rack that is numbered; False if there are too many.

    False too where the arena is too small for them: the search is stopped.
    """
    joining = laid.joining
    tiles = numbering.tiles
    make_room(workspace.lane_memory, plain(_MOST_WORDS))
    find_beside(joining, workspace.position.board)
    count_between(joining, tiles - LEAST_APART)
    if not _lay_all(workspace, ply, side, laid, numbering):
        return False
    for _ in range(_ROUNDS):
        find_live(joining, numbering.kinds)
        keep_near(joining, tiles - LEAST_APART)
        count_between(joining, tiles - LEAST_APART)
        _drop_impossible(workspace.lane_memory, laid, tiles, numbering.kinds)
    return True


@kernel
def _nearness(tiles, count):
    """How many tiles at most the rack leaves to lie between a placement of ``count`` and the board."""
    return min(tiles - count, tiles - LEAST_APART)


@kernel
def _lay_all(workspace, ply, side, laid, numbering):
    """Lay the placements of all lanes that are not too far away."""
    memory = workspace.lane_memory
    rack = workspace.position.rack[ply, side]
    read_letters(workspace.letters, workspace.position.board)
    for lane in range(LANES):
        key = first_key(memory, name_of(key_of_letters(workspace.letters, lane), rack))
        _ask_for(memory, laid, lane, _with_near(key, laid.joining, lane, numbering.tiles, _WHOLE_LANE))
    for lane in range(LANES):
        if not is_known(memory, laid.slot[lane], laid.key[lane]):
            fetch_list(workspace.lists, name_of(key_of_letters(workspace.letters, lane), rack))
    words = words_of(memory.words)
    room = _ROOM
    for lane in range(LANES):
        slot = laid.slot[lane]
        if not is_known(memory, slot, laid.key[lane]):
            at = lane_list(workspace, ply, side + PLACEMENTS, lane)
            if workspace.limits.stop or list_length(words_of(workspace.arena.words), at) > room:
                return False
            _lay_lane(workspace, laid, numbering, lane, at)
        _take_up(memory, laid, lane, numbering.kinds)
        if laid.block[lane] != NO_BLOCK:
            room -= laid_until(words, laid.block[lane], plain(MOST_TILES)) - laid.block[lane] - _HEADER
    return True


@kernel
def _ask_for(memory, laid, lane, key):
    """What is looked for next of a lane."""
    laid.key[lane] = key
    laid.slot[lane] = slot_of(memory, key)


@kernel
def _with_near(key, joining, lane, tiles, squares):
    """A key of what depends on which of some squares of a lane are near."""
    near = ZERO
    for between in range(tiles - LEAST_APART + 1):
        if between == _MASKS_OF_WORD:
            key = longer_key(key, near)
            near = ZERO
        near = near << _MASK_BITS | near_in(joining, between, lane) & squares
    return longer_key(key, near)


@kernel
def _lay_lane(workspace, laid, numbering, lane, at):
    """Lay those of a list, and keep them."""
    arena = words_of(workspace.arena.words)
    tiles = numbering.tiles
    for count in range(MOST_TILES + 1):
        laid.end[count] = _first(count)
    spelt_first = spelt_last = ZERO
    placement = at + LIST_WORDS
    for _ in range(list_length(arena, at)):
        move = arena[placement]
        meta = arena[placement + 2]
        placement += PLAY_WORDS
        count = tiles_laid(move)
        squares = squares_of(meta)
        if squares & near_in(laid.joining, _nearness(tiles, count), lane) == ZERO:
            continue
        kinds = ZERO
        number = 0
        tiles_left = all_laid(move)
        for i in range(count):
            kind = numbering.kind[tile_of(tiles_left)]
            tiles_left >>= TILE_BITS
            kinds |= np.uint64(kind) << KIND_BITS * np.uint64(i)
            number += numbering.weight[kind]
        first, last = _spelt(squares, kinds, count)
        spelt_first |= first
        spelt_last |= last
        end = laid.end[count]
        laid.word[end] = (
            squares
            | np.uint64(lane) << _LANE_SHIFT
            | np.uint64(number) << _NUMBER_SHIFT
            | kinds << _KINDS_SHIFT
            | np.uint64(play_score(meta)) << _FACE_SHIFT
        )
        laid.end[count] = end + 1
    words = words_of(workspace.lane_memory.words)
    to = _begin_block(workspace.lane_memory)
    for count in range(1, MOST_TILES + 1):
        for i in range(_first(count), laid.end[count]):
            words[to] = laid.word[i]
            to += 1
        words[workspace.lane_memory.next + count] = np.uint64(to)
    _keep(workspace.lane_memory, laid, lane, to, spelt_first, spelt_last)


@kernel
def _spelt(squares, kinds, count):
    """The masks of where the kinds of a placement are: of the first _MASKS_OF_WORD kinds, and of the others."""
    first = last = ZERO
    for _ in range(count):
        kind = first_kind(kinds)
        kinds >>= KIND_BITS
        square = squares & ~(squares - ONE)
        squares ^= square
        if kind < _MASKS_OF_WORD:
            first |= square << _MASK_BITS * np.uint64(kind)
        else:
            last |= square << _MASK_BITS * np.uint64(kind - _MASKS_OF_WORD)
    return first, last


@kernel
def _begin_block(memory):
    """Begin a block of placements; returns where the first of them comes."""
    words = words_of(memory.words)
    words[memory.next] = np.uint64(memory.next + _HEADER)
    keep_spelt(words, memory.next, plain(NO_BLOCK))
    return memory.next + _HEADER


@kernel
def _keep(memory, laid, lane, end, spelt_first, spelt_last):
    """Keep the placements of a lane, whose block has been begun, and their masks."""
    slot = laid.slot[lane]
    keep_block(memory, slot, laid.key[lane], end if end > memory.next + _HEADER else memory.next)
    index = words_of(memory.index)
    index[slot + KEPT] = spelt_first
    index[slot + KEPT + 1] = spelt_last


@kernel
def _take_up(memory, laid, lane, kinds):
    """The placements of a lane are those that were looked for."""
    slot = laid.slot[lane]
    laid.block[lane] = known_block(memory, slot)
    index = words_of(memory.index)
    spelt = index[slot + KEPT]
    for kind in range(kinds):
        if kind == _MASKS_OF_WORD:
            spelt = index[slot + KEPT + 1]
        laid.joining.spelt_along[kind * LANES + lane] = spelt & _WHOLE_LANE
        spelt >>= _MASK_BITS


@kernel
def _drop_impossible(memory, laid, tiles, kinds):
    """One round of it. Lanes that it cannot touch keep their blocks."""
    joining = laid.joining
    touched = touched_lanes(joining, kinds, tiles - LEAST_APART)
    rest = touched
    while rest != ZERO:
        lane = np.int64(trailing_zeros(rest))
        rest &= rest - ONE
        key = _with_near(laid.key[lane], joining, lane, tiles, np.uint64(joining.spelt[lane]))
        allowed = ZERO
        for kind in range(kinds):
            if kind == _MASKS_OF_WORD:
                key = longer_key(key, allowed)
                allowed = ZERO
            may_lie = allowed_in(joining, kind, lane) & spelt_in(joining, kind, lane)
            allowed = allowed << _MASK_BITS | may_lie
        _ask_for(memory, laid, lane, longer_key(key, allowed))
    while touched != ZERO:
        lane = np.int64(trailing_zeros(touched))
        touched &= touched - ONE
        if not is_known(memory, laid.slot[lane], laid.key[lane]):
            _drop_of_lane(memory, laid, lane, tiles)
        _take_up(memory, laid, lane, kinds)


@kernel
def _drop_of_lane(memory, laid, lane, tiles):
    """The same for a lane."""
    joining = laid.joining
    words = words_of(memory.words)
    before = laid.block[lane]
    to = _begin_block(memory)
    spelt_first = spelt_last = ZERO
    for count in range(1, MOST_TILES + 1):
        near = near_in(joining, _nearness(tiles, count), lane) if count <= tiles else ZERO
        for i in range(laid_from(words, before, count), laid_until(words, before, count)):
            word = words[i]
            squares = laid_squares(word)
            possible = squares & near != ZERO
            kinds = laid_kinds(word)
            for _ in range(count):
                possible &= allowed_in(joining, first_kind(kinds), lane) & squares & ~(squares - ONE) != ZERO
                kinds >>= KIND_BITS
                squares &= squares - ONE
            if possible:
                first, last = _spelt(laid_squares(word), laid_kinds(word), count)
                spelt_first |= first
                spelt_last |= last
                words[to] = word
                to += 1
        words[memory.next + count] = np.uint64(to)
    _keep(memory, laid, lane, to, spelt_first, spelt_last)


@kernel
def tiles_between(laid, word):
    """How many tiles must lie between a placement that is left and those on the board."""
    squares = laid_squares(word)
    between = 0
    while squares & near_in(laid.joining, between, laid_lane(word)) == ZERO:
        between += 1
    return between
