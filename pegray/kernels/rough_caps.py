"""The most that the plays which one play makes possible may come to, told without making it.

To make a play, and to cap the lanes that it changes (caps.py), takes microseconds. Where a player is far behind, nearly
all plays fall short by so much that less will do: for each place of a lane, what a word through it may come to with so
many tiles, wherever it begins. That is found once for all the plays of a rack. Each play then changes lanes in four
ways, and the words that it makes possible go through one of a few squares:

- in its own lane they go on from the play;
- in a lane that crosses one of its tiles they go through that tile, for which the square is counted;
- in a lane that crosses an end of its word they lay a tile there, and make the word longer;
- in a lane beside it they lay tiles at the ends of what the play touches across, and make that longer.

What is counted too often (premiums for the dearest tile, tiles of the play with its premiums) makes a bound no lower.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from pegray.game.layout import DIMENSION
from pegray.game.rules import RACK_SIZE
from pegray.kernels.bits import ONE, ZERO, kernel, plain
from pegray.kernels.caps import SORTED_RACK, fit_tiles, sort_rack
from pegray.kernels.cross_sets import cross_points, load_lane
from pegray.kernels.game import points_on_board
from pegray.kernels.lanes import LANES, LAST, crossing, line, touching_run
from pegray.kernels.moves import TILE_BITS, all_laid, first_place, lane_of, tile_of, tiles_laid

_COUNTS = RACK_SIZE + 1
_NO_WORD = -(1 << 20)
_NO_CAP = 1 << 20

ROUGH_CAPS = np.dtype(
    [
        ("sorted", SORTED_RACK),
        ("value", "i8", (_COUNTS,)),  # points of so many of its dearest tiles
        ("known", "u8"),  # a bit for each lane of which the following is known
        # by lane: squares (a bit each) where none of the tiles fits what lies across
        ("barred", "i8", (LANES,)),
        # by lane, place and number of empty squares: a word through the place scores no more, with so many exactly and
        # with as many or fewer; what may fit a barred square counts only at that place, and of two there is no word
        ("exactly", "i4", (LANES * DIMENSION * _COUNTS,)),
        ("within", "i4", (LANES * DIMENSION * _COUNTS,)),
        # by lane that a play changes: the most that one word scores that leaves a tile, and one that leaves none; what
        # comes in addition for words across; and how many barred squares may have been opened
        ("some", "i8", (LANES,)),
        ("everything", "i8", (LANES,)),
        ("across", "i8", (LANES,)),
        ("opened", "i8", (LANES,)),
    ],
    align=True,
)


@kernel
def begin_caps(workspace, rack):
    """Cap plays with tiles of ``rack`` from here on, as long as the board stays as it is."""
    caps = workspace.rough_caps
    caps.known = ZERO
    sort_rack(caps.sorted, workspace.game, rack)
    caps.value[0] = 0
    for tiles in range(caps.sorted.tiles):
        caps.value[tiles + 1] = caps.value[tiles] + caps.sorted.value[tiles]


@kernel
def cap_next(workspace, move, rest_value):
    """Cap the plays that ``move`` makes possible for the rest of the rack, worth ``rest_value``: see :func:`next_cap`.

    The move takes tiles of the rack, not all of them, and is not made. Returns a bit for each lane that it changes.
    """
    caps = workspace.rough_caps
    game = workspace.game
    board = workspace.position.board
    lane = lane_of(move)
    start, step = line(lane)
    index = first_place(move)
    laid = all_laid(move)
    left = tiles_laid(move)
    tiles = caps.sorted.tiles
    rest = tiles - left
    changed = _raise(workspace, ZERO, lane, index, tiles, caps.value[tiles], plain(0))
    points = 0
    before = index - 1
    while before >= 0 and board[start + before * step] != 0:
        points += points_on_board(game, board[start + before * step])
        before -= 1
    while index < DIMENSION and (left > 0 or board[start + index * step] != 0):
        code = board[start + index * step]
        if code != 0:
            points += points_on_board(game, code)
        else:
            value = game.tile_value[tile_of(laid)]
            laid >>= TILE_BITS
            left -= 1
            points += value
            other, place = crossing(lane, index)
            changed = _raise(workspace, changed, other, place, rest + 1, rest_value + value, plain(0))
            changed = _raise_beside(workspace, changed, lane, index, value, rest, rest_value)
        index += 1
    for end in (before, index):
        if 0 <= end <= LAST:
            other, place = crossing(lane, end)
            across = _across(workspace, start + end * step, points)
            changed = _raise(workspace, changed, other, place, rest, rest_value, across)
    return changed


@kernel
def next_cap(caps, lane):
    """The most that a play scores which a move has made possible in a lane, if it leaves a tile, and if it leaves none.

    Below 0 where there is none.
    """
    return caps.some[lane] + caps.across[lane], caps.everything[lane] + caps.across[lane]


@kernel
def _raise_beside(workspace, changed, lane, index, points, rest, rest_value):
    """Cap the lanes beside ``lane``, where a tile worth ``points`` is laid at ``index``; returns the changed lanes."""
    caps = workspace.rough_caps
    board = workspace.position.board
    other, number = crossing(lane, index)
    start, step = line(other)
    _, low, high = touching_run(board, start, step, number)
    points += cross_points(workspace.game, board, start, step, low, high)
    for end in (low, high):
        if 0 <= end <= LAST:
            beside = lane - number + end
            across = _across(workspace, start + end * step, points)
            changed = _raise(workspace, changed, beside, index, rest, rest_value, across)
            caps.opened[beside] += (caps.barred[beside] >> index) & 1
            if caps.opened[beside] > 1:
                caps.some[beside] = caps.everything[beside] = _NO_CAP
    return changed


@kernel
def _across(workspace, square, points):
    """The most that a tile on a square scores with tiles that are worth ``points`` across."""
    game = workspace.game
    dearest = workspace.rough_caps.value[1]
    return (points + np.int64(game.letter_multiplier[square]) * dearest) * np.int64(game.word_multiplier[square])


@kernel
def _raise(workspace, changed, lane, place, empties, value, across):
    """Cap the words through a place of a changed lane that have so many empty squares, or fewer; all have ``value``.

    Empty squares are those before the move is made, and ``value`` that of the tiles on so many of them. Returns the
    changed lanes.
    """
    caps = workspace.rough_caps
    bit = ONE << np.uint64(lane)
    if caps.known & bit == ZERO:
        caps.known |= bit
        _bound_words(workspace, lane)
    if changed & bit == ZERO:
        caps.some[lane] = caps.everything[lane] = _NO_WORD
        caps.across[lane] = caps.opened[lane] = 0
    at = (lane * DIMENSION + place) * _COUNTS + empties
    caps.some[lane] = max(caps.some[lane], np.int64(caps.within[at - 1]))
    # less what the dearest tiles are worth in addition, which counts once at the least
    caps.everything[lane] = max(caps.everything[lane], np.int64(caps.exactly[at]) - caps.value[empties] + value)
    caps.across[lane] += across
    return changed | bit


@kernel
def _bound_words(workspace, lane):
    """Fill ``barred``, ``exactly`` and ``within`` for a lane."""
    caps = workspace.rough_caps
    spelling = workspace.spelling
    row = lane * DIMENSION * _COUNTS
    caps.exactly[row : row + DIMENSION * _COUNTS] = _NO_WORD
    caps.within[row : row + DIMENSION * _COUNTS] = _NO_WORD
    caps.barred[lane] = 0
    if load_lane(workspace, lane) == 0:
        if workspace.position.occupied[lane] != 0:
            return  # no square is empty
        spelling.letter[:] = 0
        spelling.cross_set[:] = ~ZERO
        spelling.cross_score[:] = -1
    fit_tiles(caps.sorted, spelling)
    for first in range(DIMENSION):
        if first == 0 or spelling.letter[first - 1] == 0:
            _bound_words_from(workspace, lane, first)
    for place in range(DIMENSION):
        caps.barred[lane] |= np.int64(spelling.letter[place] == 0 and caps.sorted.fit[place] < 0) << place
        for at in range(row + place * _COUNTS + 1, row + (place + 1) * _COUNTS):
            caps.within[at] = max(caps.within[at - 1], caps.exactly[at])


@kernel
def _bound_words_from(workspace, lane, first):
    """Raise ``exactly`` by the words of a lane that begin at ``first``."""
    caps = workspace.rough_caps
    game = workspace.game
    spelling = workspace.spelling
    start, step = line(lane)
    face = 0
    premium = 0
    multiplier = 1
    across = 0
    empties = 0
    barred = plain(-1)
    dearest = caps.value[1]
    for index in range(first, DIMENSION):
        if spelling.letter[index] != 0:
            face += spelling.cross_score[index]
        else:
            fitting = caps.sorted.fit[index]
            if empties == caps.sorted.tiles or (fitting < 0 and barred >= 0):
                break
            if fitting < 0:
                barred = plain(index)
                fitting = dearest
            empties += 1
            square = start + index * step
            letter = np.int64(game.letter_multiplier[square])
            word = np.int64(game.word_multiplier[square])
            premium += (letter - 1) * dearest  # any tile may fit once the play is made
            multiplier *= word
            if spelling.cross_score[index] >= 0:
                across += (spelling.cross_score[index] + letter * fitting) * word
        if empties > 0 and (index == LAST or spelling.letter[index + 1] == 0):
            most = (face + caps.value[empties] + premium) * multiplier + across
            low, high = (first, index + 1) if barred < 0 else (barred, barred + 1)
            for place in range(low, high):
                at = (lane * DIMENSION + place) * _COUNTS + empties
                caps.exactly[at] = max(np.int64(caps.exactly[at]), most)
