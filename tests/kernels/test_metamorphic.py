"""Changes that must not change an outcome: less memory, and rows exchanged with columns."""

from __future__ import annotations

import functools
from dataclasses import replace

import numpy as np
import pytest

from pegray.game.layout import load_layout
from pegray.game.position import Position
from pegray.kernels.memory import memory_of
from pegray.kernels.table import empty_table
from pegray.lexicon.find import find_lexicon
from pegray.preendgame.options import SolveOptions
from pegray.preendgame.problem import Problem
from pegray.preendgame.solver import PositionSolver
from pegray.preendgame.work import Unit
from tests.game.positions import PUBLISHED
from tests.kernels.adapter import NO_BOUND, KernelPosition, enable_words, turned
from tests.kernels.test_differential import as_endgame
from tests.reference.positions import RandomPosition, random_position

SEED = 21
COUNT = 12


@functools.cache
def position(number: int) -> RandomPosition:
    return random_position(enable_words(5), SEED, number)


def draws_of_plays(kernels: KernelPosition) -> list[object]:
    """The outcomes and spreads of all plays, whatever the plays are called."""
    return sorted((play.score, sorted(play.outcomes.items()), str(play.spreads)) for play in kernels.plays().values())


def test_the_layout_is_symmetric() -> None:
    layout = load_layout()
    for multipliers in (layout.letter_multipliers, layout.word_multipliers):
        square = multipliers.reshape(15, 15)
        assert np.array_equal(square, square.T)


@pytest.mark.parametrize("number", range(COUNT))
def test_a_transposed_board_has_the_same_outcomes(number: int) -> None:
    upright = position(number)
    assert draws_of_plays(KernelPosition(upright)) == draws_of_plays(KernelPosition(turned(upright)))


@pytest.mark.parametrize("number", range(COUNT))
def test_a_small_table_has_the_same_outcomes(number: int) -> None:
    small = KernelPosition(position(number), table_entries=1024)
    large = KernelPosition(position(number), table_entries=1 << 18)
    assert small.plays() == large.plays()


@pytest.mark.parametrize("number", range(COUNT))
def test_a_small_arena_has_the_same_outcomes(number: int) -> None:
    small = KernelPosition(position(number), arena_words=1 << 13)
    large = KernelPosition(position(number), arena_words=1 << 22)
    assert small.plays() == large.plays()
    assert large.record["arena"]["collections"] == 0
    if small.record["lists"]["generated"] > 3000:
        assert small.record["arena"]["collections"] > 0


@pytest.mark.parametrize("number", range(COUNT))
def test_outcomes_do_not_depend_on_what_was_settled_before(number: int) -> None:
    kernels = KernelPosition(position(number))
    first = kernels.plays()
    assert kernels.plays() == first
    assert kernels.plays(with_spreads=False) == {name: replace(play, spreads=None) for name, play in first.items()}


@pytest.mark.parametrize("number", range(COUNT))
def test_a_far_guess_finds_the_same_spreads(number: int) -> None:
    near, far = KernelPosition(position(number)), KernelPosition(position(number))
    far.spread_guess = 500 if number % 2 else -500
    assert near.plays() == far.plays()


@pytest.mark.parametrize("number", range(COUNT))
def test_an_exact_gain_is_where_the_answers_turn(number: int) -> None:
    kernels = KernelPosition(as_endgame(position(number)))
    gain = kernels.endgame_gain()
    assert kernels.endgame_bound(gain) >= gain
    assert kernels.endgame_bound(gain + 1) <= gain


@pytest.mark.parametrize(
    ("table_entries", "arena_words"),
    [
        (1 << 10, 1 << 22),
        (1 << 18, 1 << 17),
        (1 << 18, 1 << 14),  # too small even for one line of play: the solver starts again with more
    ],
)
def test_a_real_position_with_little_memory(table_entries: int, arena_words: int) -> None:
    def settled(table_entries: int, arena_words: int) -> list[tuple[bytes, int | None, bool]]:
        solver = PositionSolver(problem, memory_of(empty_table(table_entries)), arena_words)
        return [(found.outcomes, found.spread, found.finished) for found in solver.settle(units)]

    cgp = Position.from_cgp(PUBLISHED["onyx"])
    options = SolveOptions(only=("13L ONYX", "13L OXY", "13J EXON"))
    problem = Problem.create(cgp, find_lexicon("ENABLE", cgp.distribution), options)
    units = [
        Unit(candidate, draw, kind, NO_BOUND)
        for candidate in range(len(problem.candidates))
        for draw in range(7)
        for kind in ("verdict", "spread")
    ]
    found = settled(table_entries, arena_words)
    assert found == settled(1 << 20, 1 << 24)
    assert all(finished for _, _, finished in found)
