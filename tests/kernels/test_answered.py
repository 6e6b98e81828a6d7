"""What one answer is said to refute falls short: endgames stay those of the slow reference."""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from dataclasses import replace

import numba
import pytest

from pegray.kernels.bits import ZERO
from pegray.kernels.entry import root_plays
from pegray.kernels.outs import disturbs, mark_zone
from pegray.kernels.position import make_move, unmake_move
from tests.kernels.adapter import KernelPosition, enable_words
from tests.kernels.test_differential import BATCH, ORACLE, as_endgame, positions
from tests.reference.positions import RandomPosition
from tests.reference.reference import Reference, State, in_order

TARGETS = range(-10, 43, 4)  # what is asked for, less what is gained


def check_answers(position: RandomPosition, ours: int, theirs: int) -> int:
    """Compare the gain of an endgame with so many tiles, and bounds on it; returns how many plays were dropped."""
    tiles = as_endgame(position)
    letters = tiles.our_rack + tiles.unseen
    if len(letters) < ours + theirs:
        return 0
    small = replace(
        tiles, our_rack=in_order(letters[:ours]), unseen=in_order(letters[ours : ours + theirs]), scoreless=0
    )
    reference = Reference(small.words)
    gain = reference.endgame(State(small.board, small.our_rack, small.unseen, "", 0))
    dropped = 0
    for target in (gain + more for more in TARGETS):
        kernels = KernelPosition(small)  # that knows nothing of the game yet
        bound = kernels.endgame_bound(target)
        assert target <= bound <= gain or gain <= bound < target, f"{target} asked, {bound} found in {small}"
        dropped += int(kernels.record["answered"]["dropped"][0])
    return dropped


def test_answers() -> None:
    """With all words of two letters: a play leaves the other side many to go out with."""
    dropped = 0
    for position in positions(0, BATCH // 2, 5):
        easy = replace(position, words=frozenset(enable_words(2)))
        for ours in (2, 3):
            dropped += check_answers(easy, ours, 2)
    assert dropped > 0


@numba.njit
def asked_too_late(record, moves):
    """How many pairs of moves seem to disturb each other, or not, once the one is on the board, but not before."""
    workspace = record[0]
    mistakes = 0
    for answer in range(moves.size):
        workspace.answered.answer.move[0] = moves[answer]
        mark_zone(workspace.answered.answer, workspace.position, 0)
        for other in range(moves.size):
            before = disturbs(workspace.answered.answer, workspace.position, moves[other], 0)
            make_move(workspace.position, 0, moves[answer], ZERO)
            mistakes += before != disturbs(workspace.answered.answer, workspace.position, moves[other], 0)
            unmake_move(workspace.position, 0)
    return mistakes


def test_whatever_lies_on_the_squares_of_an_answer() -> None:
    """Whether a play disturbs it is asked when the answer is on the board, and does not depend on that."""
    pairs = 0
    for position in positions(0, BATCH // 2, 5):
        kernels = KernelPosition(position)
        moves, _ = root_plays(kernels.record, 0)
        assert asked_too_late(kernels.record, moves) == 0, str(position)
        pairs += moves.size**2
    assert pairs > 0


@pytest.mark.oracle
@pytest.mark.parametrize("start", ORACLE)
def test_more_answers(start: int) -> None:
    for position in positions(start, BATCH // 2, 5):
        for longest in (2, 3):
            short = replace(position, words=frozenset(enable_words(longest)))
            for ours in (2, 3):
                check_answers(short, ours, 2)
