"""What shares an entry of the transposition table has the same value: docs/architecture.md proves it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numba
import numpy as np
import pytest

from pegray.game.notation import parse_move
from pegray.kernels.endgame import node_key
from pegray.kernels.entry import root_bound, set_root
from pegray.kernels.limits import UNLIMITED_DEPTH
from pegray.kernels.turns import place_move, take_back
from pegray.kernels.workspace import pack_rack
from pegray.preendgame.packed_moves import pack_move
from tests.kernels.adapter import ENGLISH, KernelPosition, parsed_board
from tests.kernels.test_differential import as_endgame, positions
from tests.reference.positions import RandomPosition
from tests.reference.reference import Reference, State, in_order

PLIES = 3
NODES = 300  # of each position at the most
DEPTHS = range(1, 6)


@numba.njit
def key_at(record: Any, ply: int, mover: int, depth: int) -> np.uint64:
    return node_key(record[0].position, ply, mover, depth)


@numba.njit
def place(record: Any, ply: int, mover: int, move: np.uint64) -> None:
    place_move(record[0], ply, mover, move)


@numba.njit
def back(record: Any, ply: int) -> None:
    take_back(record[0], ply)


def small_endgame(position: RandomPosition) -> RandomPosition:
    endgame = as_endgame(position)
    letters = (endgame.our_rack + endgame.unseen)[:5]
    return replace(endgame, our_rack=in_order(letters[:3]), unseen=in_order(letters[3:]), scoreless=0)


def packed(kernels: KernelPosition, rack: str) -> np.uint64:
    return np.uint64(pack_rack(kernels.workspace, ENGLISH.rack(rack).astype(np.uint8)))


def nodes(kernels: KernelPosition, reference: Reference, state: State, ply: int = 0) -> Iterator[tuple[int, State]]:
    """The key that the moves have led to, and the state, of each node where somebody is on turn; moves are undone."""
    yield int(key_at(kernels.record, ply, ply & 1, UNLIMITED_DEPTH)), state
    if ply == PLIES:
        return
    for move in reference.moves(state.board, state.rack):
        after = reference.play(state, move)
        if reference.final_spread(after) is None:
            found = parse_move(str(move), parsed_board(state.board), ENGLISH)
            place(kernels.record, ply, ply & 1, np.uint64(pack_move(found)))
            yield from nodes(kernels, reference, after, ply + 1)
            back(kernels.record, ply)


def set_out(kernels: KernelPosition, state: State) -> None:
    """Begin anew from a state, whose player on turn is side 0."""
    set_root(kernels.record, parsed_board(state.board), packed(kernels, state.rack), packed(kernels, state.other_rack))


def check_position(position: RandomPosition) -> int:
    """Look at the nodes of an endgame; returns how many of them share their key with one that was there before."""
    reference, kernels = Reference(position.words), KernelPosition(position)
    by_key: dict[int, list[State]] = defaultdict(list)
    root = State(position.board, position.our_rack, position.unseen, "", 0)
    for count, (key, state) in enumerate(nodes(kernels, reference, root)):
        by_key[key].append(state._replace(spread=0))
        if count == NODES:
            break
    kernels = KernelPosition(position)  # from here on one table for all nodes
    others: dict[tuple[Any, ...], int] = {}
    for key, states in by_key.items():
        alike = {(state.board, in_order(state.rack), in_order(state.other_rack)) for state in states}
        assert len(alike) == 1, f"one key for {alike}"
        assert others.setdefault(alike.pop(), key) == key, f"two keys for {states[0]}"
        state = states[0]
        set_out(kernels, state)
        assert int(key_at(kernels.record, 0, 0, UNLIMITED_DEPTH)) == key, f"not that of the board alone: {state}"
        limited = {int(key_at(kernels.record, 0, 0, depth)) for depth in DEPTHS}
        assert len(limited) == len(DEPTHS) and key not in limited
        set_out(kernels, state._replace(rack=state.other_rack, other_rack=state.rack))
        assert int(key_at(kernels.record, 0, 1, UNLIMITED_DEPTH)) == key, "whose side it is changes nothing"

        # a turn before that was a pass changes what the entry says just as the proof has it
        ends = reference.rack_value(state.other_rack) - reference.rack_value(state.rack)
        played, passed = (reference.endgame(state._replace(passes=passes)) for passes in (0, 1))
        assert passed == max(played, ends)
        set_out(kernels, state)
        for target in (played, played + 1, passed, passed + 1, ends, ends + 1):
            for pass_ends, gain in ((0, played), (1, passed), (0, played)):
                bound = root_bound(kernels.record, pass_ends, target)
                assert target <= bound <= gain or gain <= bound < target, f"{target}, {pass_ends}: {bound} in {state}"
    return sum(len(states) - 1 for states in by_key.values())


def test_nodes_with_the_same_key_have_the_same_value() -> None:
    shared = [check_position(small_endgame(position)) for position in positions(0, 2, 4)]
    assert sum(shared) > 0


@pytest.mark.slow
def test_more_nodes_with_the_same_key() -> None:
    for position in positions(3, 12, 5):
        check_position(small_endgame(position))
