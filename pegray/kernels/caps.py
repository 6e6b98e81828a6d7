"""The most that the plays of a lane can come to, told without making their list.

Making a list takes some microseconds, and where a player is far from the target all of it is for nothing: no play of
the lane comes near. Which squares of the lane the rack's tiles fit is told by the cross-sets alone. So each row of
squares that a play could fill gives a bound: the tiles on the board, the rack's dearest tiles for as many squares, the
dearest that fits for each letter premium, and all word premiums. Whether there is such a word is not asked.

Most lanes come back in the same state and with the same rack, so their caps are kept, by the name of the list that is
not made.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from pegray.game.layout import DIMENSION
from pegray.game.rules import BINGO_BONUS, RACK_SIZE
from pegray.game.tiles import BLANK
from pegray.kernels.bits import ARRAY, ONE, ZERO, kernel, words_of
from pegray.kernels.cross_sets import load_lane
from pegray.kernels.game import count_of
from pegray.kernels.intrinsics import prefetch
from pegray.kernels.lanes import line

SORTED_RACK = np.dtype(
    [
        ("rack", "u8"),
        ("tiles", "i8"),  # how many it has
        # the dearest first
        ("tile", "i8", (RACK_SIZE,)),
        ("value", "i8", (RACK_SIZE,)),
        ("fit", "i8", (DIMENSION,)),  # value of the dearest that may be laid on a square of the lane, or -1
    ],
    align=True,
)
"""A rack, and where its tiles may be laid in the lane that is looked at."""

CAPS = np.dtype(
    [
        ("sorted", SORTED_RACK),
        ("kept", ARRAY),  # uint64[], slots of the name of a lane's list (lists.py), and its caps packed; by name
    ],
    align=True,
)
"""A rack and a lane while the lane's plays are bounded, and the caps of other lanes."""

NO_PLAY = -(1 << 20)
_NO_CAP = 1 << 20
SLOT_WORDS = 2
_SLOT_BYTES = np.uint64(8 * SLOT_WORDS)
_HALF = np.uint64(32)
_LOW_HALF = np.uint64((1 << 32) - 1)
_BIAS = 1 << 24  # added to a cap, so that it is above 0


@kernel
def sort_rack(sorted_rack, game, rack):
    """Unpack a rack of RACK_SIZE tiles at the most into a SORTED_RACK, if it is not there."""
    if sorted_rack.rack == rack:
        return
    sorted_rack.rack = rack
    tiles = 0
    for kind in range(game.kinds):
        tile = game.kind_tile[kind]
        value = game.tile_value[tile]
        for _ in range(count_of(game, rack, kind)):
            i = tiles
            while i > 0 and sorted_rack.value[i - 1] < value:
                sorted_rack.value[i] = sorted_rack.value[i - 1]
                sorted_rack.tile[i] = sorted_rack.tile[i - 1]
                i -= 1
            sorted_rack.value[i] = value
            sorted_rack.tile[i] = tile
            tiles += 1
    sorted_rack.tiles = tiles


@kernel
def forget_caps(caps):
    """Keep no caps (a new root position)."""
    kept = words_of(caps.kept)
    kept[:] = ZERO


@kernel
def _slot(caps, name):
    """Which of the slots a name has."""
    return name & np.uint64(caps.kept.length // SLOT_WORDS - 1)


@kernel
def fetch_cap(caps, name):
    """Begin to load what is kept of the caps of a lane, for :func:`kept_caps`."""
    prefetch(caps.kept.address + _slot(caps, name) * _SLOT_BYTES)


@kernel
def kept_caps(workspace, lane, rack, name):
    """As :func:`cap_lane`, looked up by the ``name`` of the lane's list with the rack.

    As with the transposition table, no two lists are thought to have the same name.
    """
    kept = words_of(workspace.caps.kept)
    slot = np.int64(_slot(workspace.caps, name)) * SLOT_WORDS
    if kept[slot] != name:
        some, everything = cap_lane(workspace, lane, rack)
        kept[slot] = name
        kept[slot + 1] = np.uint64(some + _BIAS) << _HALF | np.uint64(everything + _BIAS)
        return some, everything
    packed = kept[slot + 1]
    return np.int64(packed >> _HALF) - _BIAS, np.int64(packed & _LOW_HALF) - _BIAS


@kernel
def cap_lane(workspace, lane, rack):
    """Bounds on what plays in ``lane`` come to with a rack.

    For those that leave a tile, the score and twice the value of the tiles played; for those that leave none, the
    score. NO_PLAY where there is none of a kind.
    """
    anchors = load_lane(workspace, lane)
    some = np.int64(NO_PLAY)
    everything = np.int64(NO_PLAY)
    if anchors == 0:
        if workspace.position.board_key[0] == ZERO:  # the board is empty: any lane through the start may have plays
            some = everything = np.int64(_NO_CAP)
        return some, everything
    spelling = workspace.spelling
    game = workspace.game
    sorted_rack = workspace.caps.sorted
    sort_rack(sorted_rack, game, rack)
    tiles = sorted_rack.tiles
    fit_tiles(sorted_rack, spelling)
    start, step = line(lane)
    before = 0  # what the tiles on the board just before the square count
    for first in range(DIMENSION):
        if spelling.letter[first] != 0:
            before += spelling.cross_score[first]
            continue
        face = before
        before = 0
        premium = 0
        multiplier = 1
        across = 0
        laid = 0
        value = 0
        anchored = False
        index = first
        while index < DIMENSION and laid < tiles and sorted_rack.fit[index] >= 0:
            square = start + index * step
            letter = np.int64(game.letter_multiplier[square])
            word = np.int64(game.word_multiplier[square])
            premium += (letter - 1) * sorted_rack.fit[index]
            multiplier *= word
            if spelling.cross_score[index] >= 0:
                across += (spelling.cross_score[index] + letter * sorted_rack.fit[index]) * word
            value += sorted_rack.value[laid]
            laid += 1
            anchored |= (anchors >> index) & 1 != 0
            index += 1
            while index < DIMENSION and spelling.letter[index] != 0:
                face += spelling.cross_score[index]
                index += 1
            if anchored:
                score = (face + value + premium) * multiplier + across
                if laid == RACK_SIZE:
                    score += BINGO_BONUS
                if laid == tiles:
                    everything = max(everything, score)
                else:
                    some = max(some, score + 2 * value)
    return some, everything


@kernel
def fit_tiles(sorted_rack, spelling):
    """Fill ``fit`` for the lane in ``spelling``."""
    for index in range(DIMENSION):
        sorted_rack.fit[index] = -1
        letters = spelling.cross_set[index]
        if spelling.letter[index] == 0 and letters != ZERO:
            for i in range(sorted_rack.tiles):
                tile = sorted_rack.tile[i]
                if tile == BLANK or (letters >> np.uint64(tile)) & ONE:
                    sorted_rack.fit[index] = sorted_rack.value[i]
                    break
