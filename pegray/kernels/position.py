"""The position, by ply: making and unmaking moves, and the keys that name the state of each lane.

The lane key hashes just what a lane's list of plays depends on (lanes.py), so two boards whose lanes have equal keys
share the list. A move changes the keys of few lanes: its own, those that cross its tiles, and those at the ends of the
words it makes.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from pegray.game.layout import DIMENSION, SQUARES
from pegray.game.rules import RACK_SIZE
from pegray.kernels.bits import ZERO, kernel, mix
from pegray.kernels.lanes import LANES, cross_ends, crossing, line, run_hash
from pegray.kernels.moves import TILE_BITS, all_laid, first_place, lane_of, on_board, tiles_laid

# Of two turns in a row one lays a tile, since two passes end the game: 41 turns, then two that answered.py tries out.
MAX_PLIES = 48

POSITION = np.dtype(
    [
        ("board", "u1", (SQUARES,)),  # 0 for an empty square, else the letter, with a bit for a blank (game/tiles.py)
        ("occupied", "i8", (LANES,)),  # squares with a tile, a bit each by place in the lane; of now
        ("board_key", "u8", (MAX_PLIES,)),
        ("lane_key", "u8", (MAX_PLIES, LANES)),
        ("root_rack", "u8"),  # ours; rack[0, 0] may be wider, see lists.widen_rack
        ("rack", "u8", (MAX_PLIES, 2)),  # packed, by side; that of side 1 is the pool while tiles are in the bag
        ("rack_value", "i8", (MAX_PLIES, 2)),  # points of the tiles in it
        ("placed_square", "u1", (MAX_PLIES, RACK_SIZE)),  # where the move that led to a ply has put its tiles
        ("placed_count", "i8", (MAX_PLIES,)),  # how many these are
        ("opponent_rack_size", "i8"),  # tiles that the opponent can play at once, with tiles in the bag
    ],
    align=True,
)
"""What is there after ``ply`` moves; the board is that of now. Side 0 is the player being solved for ("us")."""

_LANE_TILE_SALT = np.uint64(0x51ED270B7F1D0D8F)
_LANE_CROSS_FACTOR = np.uint64(0x2545F4914F6CDD1D)
_BOARD_SALT = np.uint64(0x3C79AC492BA7B653)


@kernel
def set_root_keys(position):
    """Compute all keys of ply 0 from the board."""
    board = position.board
    board_key = ZERO
    for lane in range(LANES):
        start, step = line(lane)
        key = mix(np.uint64(lane + 1))
        position.occupied[lane] = 0
        for index in range(DIMENSION):
            code = board[start + index * step]
            if code != 0:
                position.occupied[lane] |= 1 << index
                key ^= _tile_component(lane, index, code)
                if lane < DIMENSION:
                    board_key ^= _board_component(start + index, code)
            else:
                key ^= _cross_component(board, lane, index)
        position.lane_key[0, lane] = key
    position.board_key[0] = board_key


@kernel
def make_move(position, ply, move, board_key):
    """Put the tiles of ``move`` on the board and set the keys of ``ply + 1``; racks are the caller's business.

    ``board_key``: what :func:`board_key_after` says of the move
    """
    board = position.board
    keys = position.lane_key[ply + 1]
    before = position.lane_key[ply]
    for lane in range(LANES):
        keys[lane] = before[lane]
    position.board_key[ply + 1] = board_key
    count = tiles_laid(move)
    position.placed_count[ply + 1] = count
    if count == 0:
        return
    lane = lane_of(move)
    index = first_place(move)
    start, step = line(lane)
    squares = position.placed_square[ply + 1]
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
    while last < DIMENSION and board[start + last * step] != 0:
        last += 1
    # what the tiles cover or reach is taken out of the keys, the tiles are placed, and it is put back as it is then
    _toggle_reach(position, ply + 1, lane, first, last, count)
    laid = all_laid(move)
    for i in range(count):
        square = np.int64(squares[i])
        code = on_board(laid)
        laid >>= TILE_BITS
        across = square // DIMENSION
        down = square % DIMENSION
        keys[across] ^= _cross_component(board, across, down)
        keys[DIMENSION + down] ^= _cross_component(board, DIMENSION + down, across)
        keys[across] ^= _tile_component(across, down, code)
        keys[DIMENSION + down] ^= _tile_component(DIMENSION + down, across, code)
    laid = all_laid(move)
    for i in range(count):
        square = np.int64(squares[i])
        board[square] = np.uint8(on_board(laid))
        laid >>= TILE_BITS
        _toggle_occupied(position, square)
    _toggle_reach(position, ply + 1, lane, first, last, count)


@kernel
def board_key_after(position, ply, move):
    """The board's key once ``move`` is made at ``ply``."""
    key = position.board_key[ply]
    start, step = line(lane_of(move))
    square = start + first_place(move) * step
    laid = all_laid(move)
    left = tiles_laid(move)
    while left > 0:
        if position.board[square] == 0:
            key ^= _board_component(square, on_board(laid))
            laid >>= TILE_BITS
            left -= 1
        square += step
    return key


@kernel
def gain_if_over(position, ply, mover):
    """What the player on turn gains if the game is over: each player loses the tiles on the own rack."""
    return position.rack_value[ply, 1 - mover] - position.rack_value[ply, mover]


@kernel
def unmake_move(position, ply):
    """Take back the move that led from ``ply`` to ``ply + 1``."""
    for i in range(position.placed_count[ply + 1]):
        square = np.int64(position.placed_square[ply + 1, i])
        position.board[square] = np.uint8(0)
        _toggle_occupied(position, square)


@kernel
def _toggle_occupied(position, square):
    """A square is filled, or emptied."""
    across, down = square // DIMENSION, square % DIMENSION
    position.occupied[across] ^= 1 << down
    position.occupied[DIMENSION + down] ^= 1 << across


@kernel
def _toggle_reach(position, ply, lane, first, last, count):
    """Toggle the cross components of the squares at the ends of the words through those placed, in the keys of ``ply``.

    The main word goes from ``first`` to before ``last`` in ``lane``.
    """
    if first > 0:
        other, index = crossing(lane, first - 1)
        _toggle_cross(position, ply, other, index)
    if last < DIMENSION:
        other, index = crossing(lane, last)
        _toggle_cross(position, ply, other, index)
    for i in range(count):
        square = np.int64(position.placed_square[ply, i])
        low, high = cross_ends(position.board, lane, square)
        across = lane < DIMENSION
        lanes = 0 if across else DIMENSION
        index = square % DIMENSION if across else square // DIMENSION
        if low >= 0:
            _toggle_cross(position, ply, lanes + low, index)
        if high < DIMENSION:
            _toggle_cross(position, ply, lanes + high, index)


@kernel
def _toggle_cross(position, ply, lane, index):
    """Toggle the cross component of one of a lane's empty squares."""
    position.lane_key[ply, lane] ^= _cross_component(position.board, lane, index)


@kernel
def _tile_component(lane, index, code):
    return mix(_LANE_TILE_SALT + np.uint64(((lane * DIMENSION + index) << 8) + np.int64(code)))


@kernel
def _cross_component(board, lane, index):
    """Part of a lane's key that the tiles across one of its empty squares give."""
    if lane < DIMENSION:
        value = run_hash(board, index, DIMENSION, lane)
    else:
        value = run_hash(board, index * DIMENSION, 1, lane - DIMENSION)
    if value == ZERO:
        return ZERO
    return mix(value + np.uint64(lane * DIMENSION + index + 1) * _LANE_CROSS_FACTOR)


@kernel
def _board_component(square, code):
    return mix(_BOARD_SALT + np.uint64((square << 8) + np.int64(code)))
