"""Plays that use all of a player's tiles, and whether they stand whatever the other player does first.

An *out* stays legal at the same score unless a tile is put on one of the squares that it depends on: those that it
fills, the empty ones at the ends of its word, and the empty ones at the ends of each word that it makes across.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pegray.game.layout import DIMENSION
from pegray.kernels.arena import LIST_WORDS, PLAY_WORDS, list_best_out, list_length, play_score
from pegray.kernels.bits import ONE, ZERO, kernel, plain, words_of
from pegray.kernels.lanes import LANES, cross_ends, line
from pegray.kernels.lists import fetch_slots, lane_list, source_list
from pegray.kernels.moves import first_place, lane_of, tiles_laid

MAX_OUTS = 16  # the worst falls off

OUTS = np.dtype(
    [
        ("score", "i8", (MAX_OUTS,)),
        ("lane", "u8", (MAX_OUTS,)),
        ("move", "u8", (MAX_OUTS,)),
        ("zone", "u8", (MAX_OUTS, 4)),  # a bit for each square that it depends on
    ],
    align=True,
)
"""Plays of one side that may stand, by falling score. hopeless.py keeps answers in one of its own."""

_SQUARE_BITS = np.int64(63)


@kernel
def gather_outs(workspace, ply, side, only_sourced):
    """Put the best outs of a side, by falling score, into ``workspace.outs``; returns their number.

    ``only_sourced``: leave out the lanes whose lists would have to be generated.
    """
    arena = words_of(workspace.arena.words)
    rack = workspace.position.rack[ply, side]
    outs = plain(0)
    if not only_sourced:
        fetch_slots(workspace, ply, side)
    for lane in range(LANES):
        if only_sourced:
            at = source_list(workspace, ply, side, lane)
            if at < 0:
                continue
        else:
            at = lane_list(workspace, ply, side, lane)
            if list_best_out(arena, at) < 0:
                continue
        play = at + LIST_WORDS
        for _ in range(list_length(arena, at)):
            if arena[play + 1] == rack:
                outs = _insert(workspace.outs, outs, play_score(arena[play + 2]), lane, arena[play])
            play += PLAY_WORDS
    for i in range(outs):
        mark_zone(workspace.outs, workspace.position, i)
    return outs


@kernel
def _insert(outs, found, score, lane, move):
    """Insert an out into the sorted fields; the lowest falls off the end."""
    if found == MAX_OUTS:
        if score <= outs.score[found - 1]:
            return found
        i = found - 1
    else:
        i = found
        found += 1
    while i > 0 and outs.score[i - 1] < score:
        outs.score[i] = outs.score[i - 1]
        outs.lane[i] = outs.lane[i - 1]
        outs.move[i] = outs.move[i - 1]
        i -= 1
    outs.score[i] = score
    outs.lane[i] = np.uint64(lane)
    outs.move[i] = move
    return found


@kernel
def _mark(outs, out, square):
    outs.zone[out, square >> 6] |= ONE << np.uint64(square & _SQUARE_BITS)


@kernel
def mark_zone(outs, position, out):
    """Mark the squares that an out depends on."""
    board = position.board
    for word in range(4):
        outs.zone[out, word] = ZERO
    move = outs.move[out]
    lane = lane_of(move)
    index = first_place(move)
    start, step = line(lane)
    before = index - 1
    while before >= 0 and board[start + before * step] != 0:
        before -= 1
    if before >= 0:
        _mark(outs, out, start + before * step)
    left = tiles_laid(move)
    while index < DIMENSION and (left > 0 or board[start + index * step] != 0):
        square = start + index * step
        if board[square] == 0:
            left -= 1
            _mark(outs, out, square)
            low, high = cross_ends(board, lane, square)
            # the squares of this crossing line are 15 apart in a row's play, 1 apart in a column's
            across = DIMENSION if lane < DIMENSION else 1
            origin = square % DIMENSION if lane < DIMENSION else square - square % DIMENSION
            if low >= 0:
                _mark(outs, out, origin + low * across)
            if high < DIMENSION:
                _mark(outs, out, origin + high * across)
        index += 1
    if index < DIMENSION:
        _mark(outs, out, start + index * step)


def _squares_of_lanes() -> npt.NDArray[np.uint64]:
    """uint64[LANES, 4]: a bit for each square of a lane, as in ``zone``."""
    squares = np.zeros((LANES, 4), np.uint64)
    for lane in range(LANES):
        for index in range(DIMENSION):
            square = lane * DIMENSION + index if lane < DIMENSION else index * DIMENSION + lane - DIMENSION
            squares[lane, square >> 6] |= np.uint64(1 << (square & 63))
    return squares


_LANE_SQUARES = _squares_of_lanes()


@kernel
def _is_beside(outs, out, lane):
    """Whether an out stands whatever is played in ``lane``."""
    shared = ZERO
    for word in range(4):
        shared |= outs.zone[out, word] & _LANE_SQUARES[lane, word]
    return shared == ZERO


@kernel
def out_beside(outs, found, lane):
    """Best score among the ``found`` outs that stand whatever is played in ``lane``, or -1."""
    for i in range(found):
        if _is_beside(outs, i, lane):
            return outs.score[i]
    return -1


@kernel
def outs_beside(outs, found, lane):
    """Which of the ``found`` outs stand whatever is played in ``lane``: a bit for each."""
    beside = ZERO
    for i in range(found):
        if _is_beside(outs, i, lane):
            beside |= ONE << np.uint64(i)
    return beside


@kernel
def standing_out(outs, position, found, move, reach):
    """Best score among the gathered outs that stand after the other side plays ``move``, or -1."""
    for i in range(found):
        if stands(outs, position, i, move, reach):
            return outs.score[i]
    return -1


@kernel
def stands(outs, position, out, move, reach):
    """Whether an out stays as it is when the other side plays ``move``, which changes the lanes in ``reach``."""
    return not (reach >> outs.lane[out]) & ONE or not disturbs(outs, position, move, out)


@kernel
def disturbs(outs, position, move, out):
    """Whether a move puts a tile on a square that an out depends on.

    That may be there already: those squares were empty when they were marked, so a move that covers them then disturbs.
    """
    board = position.board
    lane = lane_of(move)
    start, step = line(lane)
    square = start + first_place(move) * step
    left = tiles_laid(move)
    while left > 0:
        if (outs.zone[out, square >> 6] >> np.uint64(square & _SQUARE_BITS)) & ONE:
            return True
        if board[square] == 0:
            left -= 1
        square += step
    return False
