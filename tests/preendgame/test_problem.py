"""What cannot be solved is refused in one line that says what and where."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from pegray.errors import InputError
from pegray.game.position import Position
from pegray.lexicon.find import find_lexicon
from pegray.preendgame.options import SolveOptions
from pegray.preendgame.problem import Problem
from tests.game.positions import PUBLISHED

ONYX = PUBLISHED["onyx"]
OPENING = "/".join(["15"] * 15) + " AEINRST/ 0/0 0"


def create(cgp: str = ONYX, **options: Any) -> Problem:
    position = Position.from_cgp(cgp)
    return Problem.create(position, find_lexicon("ENABLE", position.distribution), SolveOptions(**options))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"only": ("13L ONYXES",)}, "only='13L ONYXES': "),
        ({"only": ("8A ZZZ",)}, "only='8A ZZZ': "),
        ({"only": ("13L OXYN",)}, "only='13L OXYN': not a legal play here"),
        ({"protect": ("13L OXYN",)}, "protect='13L OXYN': not a legal play here"),
        ({"known_rack": "QQ"}, "known_rack='QQ': 2 x Q, but 0 unseen"),
        ({"known_rack": "CC"}, "known_rack='CC': 2 x C, but 1 unseen"),
        ({"known_rack": "AACEISUY"}, "known_rack='AACEISUY': more than 7 tiles"),
        ({"known_rack": "4"}, "4"),
        ({"opponent": "psychic"}, "opponent='psychic': expected guaranteed or rational"),
        ({"top": 0}, "top=0: expected a whole number of at least 1"),
    ],
)
def test_an_option_that_cannot_be_used(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as error:
        create(**options)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_the_highest_score_can_be_named() -> None:
    only = create(only=("highest", "13L ONYX")).candidates
    assert len(only) == 2 and only.scores.tolist() == [44, 33]
    protected = create(protect=("highest",)).candidates
    assert protected.scores[protected.protected].tolist() == [protected.scores.max()]


def test_an_endgame_is_refused() -> None:
    endgame = ONYX.replace("G6D7", "G6DY6").replace(" ENOSTXY/ACEISUY", " ENOSTXY/")
    with pytest.raises(InputError, match="^the bag is empty: this is an endgame [^\n]*$"):
        create(endgame)


def test_too_many_tiles_in_the_bag() -> None:
    with pytest.raises(InputError, match="^86 tiles in the bag: pre-endgames are solved with 1 to 6$"):
        create(OPENING)


def test_totals_are_labelled_draws() -> None:
    assert create().total == 8
    assert create(PUBLISHED["notarize"]).total == 9 * 8
    assert create(PUBLISHED["kanjis"]).total == 11 * 10 * 9 * 8
    # with seven tiles known there is only one tile left to be in the bag
    assert create(known_rack="AACEISU").total == 1
    assert create(known_rack="AA").total == 6


def test_the_key_tells_problems_apart() -> None:
    assert create().key == create().key
    assert len({create().key, create(top=2).key, create(known_rack="A").key}) == 3


def test_the_key_tells_where_the_first_play_begins() -> None:
    """No tile lies on the board yet: then, and only then, it matters."""
    problem = create(only=("pass",))
    elsewhere = replace(problem.position.layout, start_square=problem.position.layout.start_square + 1)
    moved = replace(problem, position=replace(problem.position, layout=elsewhere))
    assert moved.key == problem.key
    empty = replace(problem.position, board=np.zeros_like(problem.position.board))
    keys = {replace(problem, position=replace(empty, layout=layout)).key for layout in (empty.layout, elsewhere)}
    assert len(keys) == 2


def test_candidates() -> None:
    everything = create()
    chosen = create(only=("13L ONYX", "pass"), protect=("13L OXY",))
    assert len(everything.candidates) > 100
    assert len(chosen.candidates) == 3 and chosen.candidates.protected.sum() == 1
    emptying = create(max_tiles_left=0).candidates
    assert emptying.skipped.sum() == 1 and emptying.tiles[emptying.skipped] == [0]  # the pass
