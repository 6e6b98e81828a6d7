"""Making and unmaking moves, and the keys that name the state of each lane.

A lane's list of plays depends on the lane's own tiles and, at each empty square, on the tiles that touch it from
across (they decide the cross-set, the cross-score and how far a tile's effect reaches). The lane key hashes just
that, so two boards whose lanes have equal keys share the list. A move changes the keys of few lanes: its own, those
that cross its tiles, and those at the ends of the words it makes.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from pegray.kernels.bits import ZERO, kernel, mix

TILE_BITS = np.uint64(7)
TILE_MASK = np.uint64(127)
BLANK_BIT = np.uint64(64)
COUNT_MASK = np.uint64(7)
FIRST_SHIFT = np.uint64(3)
FIRST_MASK = np.uint64(15)
LANE_SHIFT = np.uint64(7)
LANE_MASK = np.uint64(31)
TILES_SHIFT = np.uint64(12)

_RUN_FACTOR = np.uint64(0x100000001B3)
_RUN_SEED = np.uint64(0xCBF29CE484222325)
_RUN_MIDDLE = np.uint64(0x1F3)
_LANE_TILE_SALT = np.uint64(0x51ED270B7F1D0D8F)
_LANE_CROSS_FACTOR = np.uint64(0x2545F4914F6CDD1D)
_BOARD_SALT = np.uint64(0x3C79AC492BA7B653)


@kernel
def run_hash(board, line_start, step, index):
    """Hash of the tiles that touch the empty square ``index`` of a line from both sides along it; 0 if none do.

    The line has 15 squares from ``line_start``, ``step`` apart.
    """
    value = _RUN_SEED
    touching = False
    i = index - 1
    while i >= 0 and board[line_start + i * step] != 0:
        value = (value ^ np.uint64(board[line_start + i * step])) * _RUN_FACTOR
        touching = True
        i -= 1
    value = (value ^ _RUN_MIDDLE) * _RUN_FACTOR
    i = index + 1
    while i < 15 and board[line_start + i * step] != 0:
        value = (value ^ np.uint64(board[line_start + i * step])) * _RUN_FACTOR
        touching = True
        i += 1
    if not touching:
        return ZERO
    return mix(value)


@kernel
def _tile_component(lane, index, code):
    return mix(_LANE_TILE_SALT + np.uint64(((lane * 15 + index) << 8) + np.int64(code)))


@kernel
def _cross_component(board, lane, index):
    """Part of a lane's key that the tiles across one of its empty squares give."""
    if lane < 15:
        value = run_hash(board, index, 15, lane)
    else:
        value = run_hash(board, index * 15, 1, lane - 15)
    if value == ZERO:
        return ZERO
    return mix(value + np.uint64(lane * 15 + index + 1) * _LANE_CROSS_FACTOR)


@kernel
def set_root_keys(workspace):
    """Compute all keys of ply 0 from the board."""
    board = workspace.board
    board_key = ZERO
    for lane in range(30):
        start, step = line(lane)
        key = mix(np.uint64(lane + 1))
        for index in range(15):
            code = board[start + index * step]
            if code != 0:
                key ^= _tile_component(lane, index, code)
                if lane < 15:
                    board_key ^= _board_component(start + index, code)
            else:
                key ^= _cross_component(board, lane, index)
        workspace.lane_key[0, lane] = key
    workspace.board_key[0] = board_key


@kernel
def _board_component(square, code):
    return mix(_BOARD_SALT + np.uint64((square << 8) + np.int64(code)))


@kernel
def line(lane):
    """First square and step of a lane."""
    if lane < 15:
        return lane * 15, 1
    return lane - 15, 15


@kernel
def crossing(lane, index):
    """The lane that crosses ``lane`` at ``index``, and the index of the shared square in it."""
    if lane < 15:
        return 15 + index, lane
    return index, lane - 15


@kernel
def move_tiles(workspace, move):
    """What a move takes from the rack: packed tiles, and their value."""
    need = ZERO
    value = 0
    tiles = move >> TILES_SHIFT
    for _ in range(np.int64(move & COUNT_MASK)):
        tile = 0 if tiles & BLANK_BIT else np.int64(tiles & TILE_MASK)
        need += workspace.tile_unit[tile]
        value += workspace.tile_value[tile]
        tiles >>= TILE_BITS
    return need, value


@kernel
def make_move(workspace, ply, move):
    """Put the tiles of ``move`` on the board and set the keys of ``ply + 1``; racks are the caller's business."""
    board = workspace.board
    keys = workspace.lane_key[ply + 1]
    before = workspace.lane_key[ply]
    for lane in range(30):
        keys[lane] = before[lane]
    board_key = workspace.board_key[ply]
    count = np.int64(move & COUNT_MASK)
    workspace.placed_count[ply + 1] = count
    if count == 0:
        workspace.board_key[ply + 1] = board_key
        return
    lane = np.int64((move >> LANE_SHIFT) & LANE_MASK)
    index = np.int64((move >> FIRST_SHIFT) & FIRST_MASK)
    start, step = line(lane)
    squares = workspace.placed_square[ply + 1]
    first = index
    while first > 0 and board[start + (first - 1) * step] != 0:
        first -= 1
    placed = 0
    last = index
    while placed < count:
        if board[start + last * step] == 0:
            squares[placed] = start + last * step
            placed += 1
        last += 1
    while last < 15 and board[start + last * step] != 0:
        last += 1
    # what the tiles cover or reach is taken out of the keys, the tiles are placed, and it is put back as it is then
    _toggle_reach(workspace, keys, lane, first, last, count, squares)
    tiles = move >> TILES_SHIFT
    for i in range(count):
        square = np.int64(squares[i])
        tile = np.int64(tiles & TILE_MASK)
        code = (tile & 63) | ((tile & 64) << 1)
        tiles >>= TILE_BITS
        across = square // 15
        down = square % 15
        keys[across] ^= _cross_component(board, across, down)
        keys[15 + down] ^= _cross_component(board, 15 + down, across)
        keys[across] ^= _tile_component(across, down, code)
        keys[15 + down] ^= _tile_component(15 + down, across, code)
        board_key ^= _board_component(square, code)
    tiles = move >> TILES_SHIFT
    for i in range(count):
        tile = np.int64(tiles & TILE_MASK)
        board[np.int64(squares[i])] = np.uint8((tile & 63) | ((tile & 64) << 1))
        tiles >>= TILE_BITS
    _toggle_reach(workspace, keys, lane, first, last, count, squares)
    workspace.board_key[ply + 1] = board_key


@kernel
def _toggle_reach(workspace, keys, lane, first, last, count, squares):
    """Toggle the cross components of the empty squares at the ends of all words through the placed squares."""
    board = workspace.board
    if first > 0:
        other, index = crossing(lane, first - 1)
        keys[other] ^= _cross_component(board, other, index)
    if last < 15:
        other, index = crossing(lane, last)
        keys[other] ^= _cross_component(board, other, index)
    for i in range(count):
        square = np.int64(squares[i])
        low, high = cross_ends(board, lane, square)
        if lane < 15:
            position = square % 15
            if low >= 0:
                keys[low] ^= _cross_component(board, low, position)
            if high < 15:
                keys[high] ^= _cross_component(board, high, position)
        else:
            position = square // 15
            if low >= 0:
                keys[15 + low] ^= _cross_component(board, 15 + low, position)
            if high < 15:
                keys[15 + high] ^= _cross_component(board, 15 + high, position)


@kernel
def cross_ends(board, lane, square):
    """Numbers of the nearest lanes parallel to ``lane`` that are empty above and below ``square`` (or -1, 15)."""
    if lane < 15:
        step = 15
        low = high = square // 15
        start = square % 15
    else:
        step = 1
        low = high = square % 15
        start = (square // 15) * 15
    low -= 1
    while low >= 0 and board[start + low * step] != 0:
        low -= 1
    high += 1
    while high < 15 and board[start + high * step] != 0:
        high += 1
    return low, high


@kernel
def unmake_move(workspace, ply):
    """Take back the move that led from ``ply`` to ``ply + 1``."""
    for i in range(workspace.placed_count[ply + 1]):
        workspace.board[np.int64(workspace.placed_square[ply + 1, i])] = np.uint8(0)
