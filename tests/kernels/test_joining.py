"""Tiles between a square and the board, against a walk from square to square."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from pegray.game.layout import DIMENSION, SQUARES
from pegray.kernels.bits import entry_kernel, plain
from pegray.kernels.joining import JOINING, MOST_BETWEEN, count_between, find_beside, find_live
from pegray.kernels.lanes import LANES

MOST = MOST_BETWEEN
FAR = MOST + 1  # that many tiles, or more
KINDS = 2


@entry_kernel
def between_on(record, board):
    """On empty squares wherever they are; ``record``: one JOINING."""
    joining = record[0]
    find_beside(joining, board)
    count_between(joining, plain(MOST))


@entry_kernel
def between_where_live(record, board, along, across):
    """On those where a tile can lie, by the squares that words have each kind of tile on."""
    joining = record[0]
    find_beside(joining, board)
    joining.spelt_along[: KINDS * LANES] = along
    joining.spelt_across[: KINDS * LANES] = across
    find_live(joining, plain(KINDS))
    count_between(joining, plain(MOST))


def masks(squares: set[int]) -> list[int]:
    """By lane, rows before columns."""
    lanes = [0] * LANES
    for square in squares:
        row, column = divmod(square, DIMENSION)
        lanes[row] |= 1 << column
        lanes[DIMENSION + column] |= 1 << row
    return lanes


def check_near(record: npt.NDArray[np.void], counts: list[int]) -> None:
    """Compare the masks of squares with so many tiles between, or fewer."""
    near = record["near"][0][: (MOST + 1) * LANES].reshape(MOST + 1, LANES)
    for most in range(MOST + 1):
        assert near[most].tolist() == masks({square for square in range(SQUARES) if counts[square] <= most})


def neighbours(square: int) -> list[tuple[int, int]]:
    """Direction (0 along rows) and square, of those beside it."""
    row, column = divmod(square, DIMENSION)
    steps = [(0, 0, 1), (0, 0, -1), (1, 1, 0), (1, -1, 0)]
    inside = [(way, row + down, column + right) for way, down, right in steps]
    return [(way, r * DIMENSION + c) for way, r, c in inside if 0 <= r < DIMENSION and 0 <= c < DIMENSION]


def walked(board: npt.NDArray[np.uint8], live: set[int]) -> list[int]:
    """The same counted step by step."""
    reached = {square for square in live if any(board[other] for _, other in neighbours(square))}
    counts = [FAR] * SQUARES
    for distance in range(MOST + 1):
        for square in reached:
            counts[square] = min(counts[square], distance)
        reached = {other for square in reached for _, other in neighbours(square) if other in live}
    return counts


def some_board(seed: int) -> npt.NDArray[np.uint8]:
    """With five tiles or so."""
    random = np.random.default_rng(seed)
    return (random.random(SQUARES) < 0.02).astype(np.uint8)


@pytest.mark.parametrize("seed", range(5))
def test_all_empty_squares(seed: int) -> None:
    board, record = some_board(seed), np.zeros(1, JOINING)
    between_on(record, board)
    empty = set(np.flatnonzero(board == 0).tolist())
    check_near(record, walked(board, empty))


@pytest.mark.parametrize("seed", range(5))
def test_squares_where_a_tile_can_lie(seed: int) -> None:
    """The same kind of tile must suit the words of both directions in which it touches tiles, and be in one of them."""
    board, record = some_board(seed), np.zeros(1, JOINING)
    random = np.random.default_rng(100 + seed)
    # by direction and kind: squares that words along it have one on
    spelt = [
        [{square for square in range(SQUARES) if not board[square] and random.random() < 0.5} for _ in range(KINDS)]
        for _ in (0, 1)
    ]
    live = set()
    for square in range(SQUARES):
        ways = {way for way, other in neighbours(square) if board[other]}
        for kind in range(KINDS):
            words = {way for way in (0, 1) if square in spelt[way][kind]}
            if words and ways <= words:
                live.add(square)
    rows, columns = ([masks(squares) for squares in kinds] for kinds in spelt)
    along = [lane for kind in range(KINDS) for lane in rows[kind][:DIMENSION] + columns[kind][DIMENSION:]]
    across = [lane for kind in range(KINDS) for lane in columns[kind][:DIMENSION] + rows[kind][DIMENSION:]]
    between_where_live(record, board, np.array(along, np.uint64), np.array(across, np.uint64))
    check_near(record, walked(board, live))


def test_an_empty_board_asks_for_nothing() -> None:
    record = np.zeros(1, JOINING)
    between_on(record, np.zeros(SQUARES, np.uint8))
    check_near(record, [0] * SQUARES)
