"""A lane as words are spelt into it: its tiles, and what the tiles across allow on its empty squares.

What letters make a word with the tiles that a square touches across, its cross-set, is looked up once and kept, by a
hash of those tiles; their points are kept beside it.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from pegray.game.layout import DIMENSION
from pegray.game.tiles import LETTER_MASK, MAX_LETTERS
from pegray.kernels.bits import ONE, ZERO, kernel, plain, words_of
from pegray.kernels.game import points_on_board
from pegray.kernels.lanes import LAST, line, touching_run
from pegray.kernels.word_graph import WORD_END, child_letters, child_with, has_child, lowest_letter

_WHOLE_LANE = (1 << DIMENSION) - 1
# what is kept of the tiles that a square touches: a bit for each letter of the cross-set, and above them their points
_POINTS_SHIFT = np.uint64(MAX_LETTERS + 1)
_LETTERS = (ONE << _POINTS_SHIFT) - ONE


@kernel
def load_lane(workspace, lane):
    """Fill the fields of ``spelling`` by place; returns a bit for each anchor.

    Without anchors they are filled only where the board is empty, since else there are no plays.
    """
    occupied = workspace.position.occupied[lane]
    if lane < DIMENSION:
        number, crossing_lanes, parallel_lanes = lane, DIMENSION, plain(0)
    else:
        number, crossing_lanes, parallel_lanes = lane - DIMENSION, 0, plain(DIMENSION)
    touched = 0
    beside = ZERO  # the lanes beside this one, a bit each
    if number > 0:
        touched |= workspace.position.occupied[lane - 1]
        beside |= ONE << np.uint64(lane - 1)
    if number < LAST:
        touched |= workspace.position.occupied[lane + 1]
        beside |= ONE << np.uint64(lane + 1)
    anchors = (touched | occupied << 1 | occupied >> 1) & ~occupied & _WHOLE_LANE
    if anchors == 0 and workspace.position.board_key[0] != ZERO:
        return anchors
    start, step = line(lane)
    for index in range(DIMENSION):
        code = workspace.position.board[start + index * step]
        workspace.spelling.letter[index] = code & np.uint8(LETTER_MASK)
        if code != 0:
            workspace.spelling.cross_score[index] = points_on_board(workspace.game, code)
        elif (touched >> index) & 1:
            _load_cross(workspace, index, number, crossing_lanes, parallel_lanes)
        else:
            workspace.spelling.cross_score[index] = -1
            workspace.spelling.cross_set[index] = ~ZERO
            workspace.spelling.reach[index] = beside | ONE << np.uint64(crossing_lanes + index)
    return anchors


@kernel
def _load_cross(workspace, index, number, crossing_lanes, parallel_lanes):
    """Fill the fields of ``spelling`` for an empty square that touches tiles across.

    ``number``: of the lane among those parallel to it, which begin at ``parallel_lanes``
    """
    board = workspace.position.board
    start, step = line(crossing_lanes + index)
    key, low, high = touching_run(board, start, step, number)
    reach = ONE << np.uint64(crossing_lanes + index)
    if low >= 0:
        reach |= ONE << np.uint64(parallel_lanes + low)
    if high < DIMENSION:
        reach |= ONE << np.uint64(parallel_lanes + high)
    kept = words_of(workspace.lexicon.cross_sets)
    slot = np.int64(key & np.uint64(workspace.lexicon.cross_sets.length // 2 - 1)) * 2
    if kept[slot] != key:
        letters = _cross_set(workspace.lexicon, board, start, step, low, number, high)
        points = cross_points(workspace.game, board, start, step, low, high)
        kept[slot + 1] = letters | np.uint64(points) << _POINTS_SHIFT
        kept[slot] = key
    cross = kept[slot + 1]
    workspace.spelling.reach[index] = reach
    workspace.spelling.cross_set[index] = cross & _LETTERS
    workspace.spelling.cross_score[index] = np.int64(cross >> _POINTS_SHIFT)


@kernel
def cross_points(game, board, start, step, low, high):
    """Points of the tiles between two places of a line."""
    points = 0
    for i in range(low + 1, high):
        points += points_on_board(game, board[start + i * step])
    return points


@kernel
def _cross_set(lexicon, board, start, step, low, index, high):
    """Letters (a bit each) that make a word of all between two places of a line, where square ``index`` is empty."""
    graph = words_of(lexicon.graph)
    node = graph[0]
    for i in range(low + 1, index):
        letter = np.int64(board[start + i * step] & np.uint8(LETTER_MASK))
        if not has_child(node, letter):
            return ZERO
        node = child_with(graph, node, letter)
    letters = ZERO
    candidates = child_letters(node)
    while candidates != ZERO:
        letter = lowest_letter(candidates)
        candidates &= candidates - ONE
        below = child_with(graph, node, letter)
        found = True
        for i in range(index + 1, high):
            after = np.int64(board[start + i * step] & np.uint8(LETTER_MASK))
            if not has_child(below, after):
                found = False
                break
            below = child_with(graph, below, after)
        if found and below & WORD_END != ZERO:
            letters |= ONE << np.uint64(letter)
    return letters
