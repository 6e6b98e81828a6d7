"""Keys of letters are those of the board, whatever boards have been read before."""

from __future__ import annotations

import numpy as np

from pegray.game.layout import DIMENSION, SQUARES
from pegray.kernels.bits import entry_kernel
from pegray.kernels.lanes import LANES
from pegray.kernels.letters import LETTERS, key_of_letters, read_letters


@entry_kernel
def keys_of(record, board, keys):
    """``record``: one LETTERS."""
    read_letters(record[0], board)
    for lane in range(LANES):
        keys[lane] = key_of_letters(record[0], lane)


def test_keys_do_not_depend_on_boards_before() -> None:
    random = np.random.default_rng(8)
    used = np.zeros(1, LETTERS)
    board = np.zeros(SQUARES, np.uint8)
    keys, anew, before = (np.zeros(LANES, np.uint64) for _ in range(3))
    keys_of(used, board, before)
    assert len(set(before.tolist())) == LANES
    for _ in range(50):
        square = int(random.integers(SQUARES))
        board[square] = (board[square] + random.integers(1, 256)) % 256
        keys_of(used, board, keys)
        keys_of(np.zeros(1, LETTERS), board, anew)
        assert keys.tolist() == anew.tolist()
        changed = np.flatnonzero(keys != before).tolist()
        assert changed == [square // DIMENSION, DIMENSION + square % DIMENSION]
        before[:] = keys
