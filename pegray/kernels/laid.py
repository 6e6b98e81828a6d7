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
from pegray.kernels.bits import ONE, ZERO, kernel, words_of
from pegray.kernels.intrinsics import trailing_zeros
from pegray.kernels.joining import JOINING, LEAST_APART, count_between, find_beside, find_live, forget_spelt
from pegray.kernels.lanes import LANES
from pegray.kernels.lists import PLACEMENTS, lane_list
from pegray.kernels.moves import TILE_BITS, all_laid, tile_of, tiles_laid
from pegray.kernels.numbering import MOST_TILES, SETS
from pegray.kernels.placements import squares_of

_ROOM = 1 << 15  # for placements; with more there is no bound
_ROUNDS = 2  # a third drops little more

# A placement is one word, from the lowest bit: the mask of its squares in the lane, the lane, the number of the set of
# its tiles, their kinds in the order of the lane, the face value of the word.
_LANE_SHIFT = np.uint64(DIMENSION)
_NUMBER_SHIFT = np.uint64(20)
KIND_BITS = np.uint64(3)
_ALL_KINDS_BITS = KIND_BITS * np.uint64(MOST_TILES)
_KINDS_SHIFT = _NUMBER_SHIFT + np.uint64(MOST_TILES)
_FACE_SHIFT = _KINDS_SHIFT + _ALL_KINDS_BITS
_SQUARES_MASK = np.uint64((1 << DIMENSION) - 1)
_LANE_MASK = np.uint64(31)
_NUMBER_MASK = np.uint64(SETS - 1)
_KIND_MASK = (ONE << KIND_BITS) - ONE
_KINDS_MASK = (ONE << _ALL_KINDS_BITS) - ONE

LAID = np.dtype(
    [
        ("joining", JOINING),
        ("word", "u8", ((MOST_TILES + 1) * _ROOM,)),  # placements, those of as many tiles together
        ("end", "i8", (MOST_TILES + 1,)),  # by tiles: they are in word[first_laid(tiles) : end[tiles]]
    ],
    align=True,
)


@kernel
def first_laid(tiles):
    """Where the placements of so many tiles begin in ``word``."""
    return tiles * _ROOM


@kernel
def laid_squares(word):
    """Mask of the squares in its lane that a placement lays tiles on."""
    return word & _SQUARES_MASK


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
    find_beside(joining, workspace.position.board)
    count_between(joining, tiles - LEAST_APART)
    forget_spelt(joining, numbering.kinds)
    if not _lay_all(workspace, ply, side, laid, numbering):
        return False
    for number in range(_ROUNDS):
        if number > 0:
            _note_again(laid, numbering)
        find_live(joining, numbering.kinds)
        count_between(joining, tiles - LEAST_APART)
        if not _drop_impossible(laid, tiles):
            break
    return True


@kernel
def _nearness(tiles, count):
    """Where in ``joining.near`` the masks begin of squares that the rack leads to beside a placement of ``count``."""
    return min(tiles - count, tiles - LEAST_APART) * LANES


@kernel
def _lay_all(workspace, ply, side, laid, numbering):
    """Lay the placements of all lanes that are not too far away, and note what they spell."""
    arena = words_of(workspace.arena.words)
    tiles = numbering.tiles
    for count in range(MOST_TILES + 1):
        laid.end[count] = first_laid(count)
    room = _ROOM
    for lane in range(LANES):
        at = lane_list(workspace, ply, side + PLACEMENTS, lane)
        if workspace.limits.stop:
            return False
        length = list_length(arena, at)
        room -= length
        if room < 0:
            return False
        placement = at + LIST_WORDS
        for _ in range(length):
            move = arena[placement]
            meta = arena[placement + 2]
            placement += PLAY_WORDS
            count = tiles_laid(move)
            squares = squares_of(meta)
            if squares & laid.joining.near[_nearness(tiles, count) + lane] == ZERO:
                continue
            kinds = ZERO
            number = 0
            tiles_left = all_laid(move)
            for i in range(count):
                kind = numbering.kind[tile_of(tiles_left)]
                tiles_left >>= TILE_BITS
                kinds |= np.uint64(kind) << KIND_BITS * np.uint64(i)
                number += numbering.weight[kind]
            _note_spelt(laid.joining, lane, count, squares, kinds)
            end = laid.end[count]
            laid.word[end] = (
                squares
                | np.uint64(lane) << _LANE_SHIFT
                | np.uint64(number) << _NUMBER_SHIFT
                | kinds << _KINDS_SHIFT
                | np.uint64(play_score(meta)) << _FACE_SHIFT
            )
            laid.end[count] = end + 1
    return True


@kernel
def _note_spelt(joining, lane, count, squares, kinds):
    """Note the tiles of a placement on their squares."""
    crossing = DIMENSION if lane < DIMENSION else 0  # the first lane across
    bit_across = ONE << np.uint64(lane if lane < DIMENSION else lane - DIMENSION)
    for _ in range(count):
        row = first_kind(kinds) * LANES
        kinds >>= KIND_BITS
        joining.spelt_along[row + lane] |= squares & ~(squares - ONE)
        joining.spelt_across[row + crossing + np.int64(trailing_zeros(squares))] |= bit_across
        squares &= squares - ONE


@kernel
def _note_again(laid, numbering):
    """Note what the placements spell that are left."""
    forget_spelt(laid.joining, numbering.kinds)
    for count in range(1, numbering.tiles + 1):
        for i in range(first_laid(count), laid.end[count]):
            word = laid.word[i]
            _note_spelt(laid.joining, laid_lane(word), count, laid_squares(word), laid_kinds(word))


@kernel
def _drop_impossible(laid, tiles):
    """One round of it; returns whether any was dropped."""
    joining = laid.joining
    dropped = 0
    for count in range(1, tiles + 1):
        near = _nearness(tiles, count)
        kept = first_laid(count)
        end = laid.end[count]
        for i in range(kept, end):
            word = laid.word[i]
            lane = laid_lane(word)
            squares = laid_squares(word)
            possible = squares & joining.near[near + lane] != ZERO
            kinds = laid_kinds(word)
            for _ in range(count):
                possible &= joining.allowed[first_kind(kinds) * LANES + lane] & squares & ~(squares - ONE) != ZERO
                kinds >>= KIND_BITS
                squares &= squares - ONE
            laid.word[kept] = word
            kept += possible
        laid.end[count] = kept
        dropped += end - kept
    return dropped > 0


@kernel
def tiles_between(laid, word):
    """How many tiles must lie between a placement that is left and those on the board."""
    squares = laid_squares(word)
    at = laid_lane(word)
    between = 0
    while squares & laid.joining.near[at] == ZERO:
        between += 1
        at += LANES
    return between
