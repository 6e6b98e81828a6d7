"""Tiles between a square and the board, against a walk from square to square."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from pegray.game.layout import DIMENSION, SQUARES
from pegray.kernels.bits import entry_kernel, plain
from pegray.kernels.joining import FAR, JOINING, count_between, find_beside, find_live

MOST = 3


@entry_kernel
def between_on(record, board):
    """On empty squares wherever they are; ``record``: one JOINING."""
    joining = record[0]
    find_beside(joining, board)
    count_between(joining, plain(MOST))


@entry_kernel
def between_where_live(record, board, spelt):
    """On those where a tile can lie, by the kinds of tiles that words have there."""
    joining = record[0]
    find_beside(joining, board)
    joining.spelt[:] = spelt
    find_live(joining)
    count_between(joining, plain(MOST))


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
    assert record["between"][0].tolist() == walked(board, empty)


@pytest.mark.parametrize("seed", range(5))
def test_squares_where_a_tile_can_lie(seed: int) -> None:
    """The same kind of tile must suit the words of both directions in which it touches tiles, and be in one of them."""
    board, record = some_board(seed), np.zeros(1, JOINING)
    spelt = np.random.default_rng(100 + seed).integers(0, 4, 2 * SQUARES).astype(np.uint8)
    spelt[np.tile(board != 0, 2)] = 0
    live = set()
    for square in range(SQUARES):
        ways = {way for way, other in neighbours(square) if board[other]}
        for kind in (1, 2):
            words = {way for way in (0, 1) if spelt[way * SQUARES + square] & kind}
            if words and ways <= words:
                live.add(square)
    between_where_live(record, board, spelt)
    assert record["between"][0].tolist() == walked(board, live)


def test_an_empty_board_asks_for_nothing() -> None:
    record = np.zeros(1, JOINING)
    between_on(record, np.zeros(SQUARES, np.uint8))
    assert not record["between"][0].any()
