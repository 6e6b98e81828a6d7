"""What replies can still bring down, added up by the tiles that stay, is what a count of all orders says."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from collections import Counter
from itertools import permutations
from random import Random

import numba
import numpy as np
import pytest

from pegray.game.layout import load_layout
from pegray.kernels.bits import plain
from pegray.kernels.draws import draw_sequences
from pegray.kernels.orders import all_orders, best_left, losable, lower_all, lower_each, stakes_of
from pegray.kernels.verdicts import LOSS, WIN
from pegray.kernels.workspace import bare_workspace, pack_rack
from tests.kernels.adapter import ENGLISH

LETTERS = "AABCDEE"
BAG = 3
ROUNDS = 40


@numba.njit
def begun(record, pool, verdicts):
    """The orders with their verdicts so far, and what is at stake."""
    orders = all_orders(record[0].game, pool, plain(BAG))
    orders.verdicts[:] = verdicts
    return orders, stakes_of(record[0].game, orders, pool, plain(BAG))


@numba.njit
def at_stake(record, stakes, rest):
    return best_left(record[0].game, stakes, rest), losable(record[0].game, stakes, rest)


@numba.njit
def empty_the_bag(record, orders, stakes, rest, verdict):
    return lower_all(record[0].game, orders, stakes, rest, np.uint64(1), verdict)


@numba.njit
def leave_tiles(record, orders, stakes, rest, left, nested):
    tails, _ = draw_sequences(record[0].game, rest, left)
    return lower_each(record[0].game, orders, stakes, rest, np.uint64(2), left, tails, nested)


def drawn_in_order(letters: str, number: int) -> dict[tuple[str, ...], int]:
    """Each order of so many of some letters, ascending, and in how many ways it comes about."""
    ways = Counter(tuple(letters[i] for i in chosen) for chosen in permutations(range(len(letters)), number))
    return dict(sorted(ways.items()))


def may_stay(order: tuple[str, ...], rest: str) -> bool:
    return not Counter(order) - Counter(rest)


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_stakes_follow_the_verdicts(seed: int) -> None:
    random = Random(seed)
    counts = ENGLISH.rack(LETTERS).astype(np.uint8)
    workspace = bare_workspace(ENGLISH, load_layout(), counts)

    def packed(letters: str) -> np.uint64:
        return np.uint64(pack_rack(workspace, ENGLISH.rack(letters).astype(np.uint8)))

    weights = drawn_in_order(LETTERS, BAG)
    verdicts = {order: random.choice([LOSS, WIN // 2, WIN, WIN]) for order in weights}
    orders, stakes = begun(workspace.record, packed(LETTERS), np.array([*verdicts.values()], np.int8))
    for _ in range(8):
        played = random.sample(range(len(LETTERS)), random.randint(1, 4))
        rest = "".join(letter for i, letter in enumerate(LETTERS) if i not in played)
        possible = [order for order in weights if may_stay(order, rest)]
        best, losses = at_stake(workspace.record, stakes, packed(rest))
        assert best == max((verdicts[order] for order in possible), default=LOSS)
        assert losses == sum(verdicts[order] * weights[order] for order in possible)
        before = sum(verdicts[order] * weights[order] for order in weights)
        left = BAG - len(played)
        if left <= 0:
            verdict = random.randint(LOSS, WIN)
            lowered = empty_the_bag(workspace.record, orders, stakes, packed(rest), verdict)
            brought = dict.fromkeys(possible, verdict)
        else:
            nested = {tail: random.randint(LOSS, WIN) for tail in drawn_in_order(rest, left)}
            of_tails = np.array([*nested.values()], np.int8)
            lowered = leave_tiles(workspace.record, orders, stakes, packed(rest), left, of_tails)
            brought = {order: nested[order[-left:]] for order in possible}
        verdicts |= {order: min(verdicts[order], verdict) for order, verdict in brought.items()}
        assert dict(zip(weights, orders.verdicts.tolist(), strict=True)) == verdicts
        assert lowered == before - sum(verdicts[order] * weights[order] for order in weights)
