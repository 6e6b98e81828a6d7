"""The soak finds no difference, and finds every deliberate error."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.kernels.symbols import values_in
from tests.reference.reference import Reference, in_order
from tests.soak.errors import ERRORS
from tests.soak.questions import Question, question
from tests.soak.soak import Soak
from tests.soak.vocabulary import BUNDLED

SEED = 1
WITHIN = 500  # positions
# Where to look for each error first; the slow test begins at 0.
NEAR = {
    "sees-the-bag": 12,
    "ties-fall-the-best-way": 23,
    "forgets-the-known-rack": 23,
    "weighs-nothing": 3,
    "never-passes": 14,
    "rational-ties-the-wrong-way": 103,
}


def soak_from(first: int) -> Soak:
    return Soak(SEED, [BUNDLED], first, ray=False)


def some_questions(first: int, count: int) -> list[Question]:
    found = (question(SEED, number, (BUNDLED,), ray=False) for number in range(first, first + count))
    return [one for one in found if one is not None]


def noticed(error: str, first: int, last: int) -> int | None:
    """The number of the first position on which a soak with the error in its reference notices something."""
    soak = soak_from(first)
    while soak.next < last:
        if soak.step(ERRORS[error]):
            return soak.next - 1
    return None


def test_no_difference_and_it_goes_on_where_it_was(tmp_path: Path) -> None:
    state = tmp_path / "soak.json"
    soak = soak_from(NEAR["sees-the-bag"])
    for _ in range(4):
        soak.step()
    soak.write(state)
    again = soak_from(0).read(state)
    assert again == soak and again.next == NEAR["sees-the-bag"] + 4
    assert soak.differences == [] and soak.compared and soak.tallies
    with pytest.raises(SystemExit, match="another soak"):
        Soak(SEED + 1, [BUNDLED]).read(state)


def test_a_question_depends_on_its_number_alone() -> None:
    numbers = range(NEAR["sees-the-bag"], NEAR["sees-the-bag"] + 2)
    first = [str(question(SEED, number, (BUNDLED,))) for number in numbers]
    assert [str(question(SEED, number, (BUNDLED,))) for number in reversed(numbers)] == first[::-1]


def test_the_quick_plays_are_those_of_the_reference() -> None:
    for asked in some_questions(NEAR["sees-the-bag"], 1):
        position, chance = asked.position, random.Random(1)
        plain = Reference(position.words, values_in(position.language), premiums=position.premiums)
        pool = position.our_rack + position.unseen
        for size in (1, 2, 3, len(position.our_rack)):
            rack = in_order(chance.sample(pool, size))
            quick, slow = asked.shared.moves(position.board, rack), plain.moves(position.board, rack)
            assert sorted(quick) == sorted(slow)


@pytest.mark.parametrize("error", ERRORS)
def test_an_error_is_noticed(error: str) -> None:
    assert noticed(error, NEAR[error], min(WITHIN, NEAR[error] + 6)) is not None


@pytest.mark.slow
@pytest.mark.parametrize("error", ERRORS)
def test_an_error_is_noticed_soon(error: str) -> None:
    assert noticed(error, 0, WITHIN) is not None
