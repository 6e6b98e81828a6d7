"""Two plays in the same orders of the bag."""

from __future__ import annotations

from pegray.game.tiles import load_distribution
from pegray.results.compare import compared
from pegray.results.play import Outcome

ENGLISH, SPANISH = load_distribution("english"), load_distribution("spanish")


def outcome(draw: str, weight: int, letter: str) -> Outcome:
    """Of ``[AEG]I``, with the last bracket as the end of what is drawn."""
    drawn, _, stays = draw[1:].rpartition("]")
    return Outcome(draw, drawn, stays, weight, letter, not stays, True, None, None, 1)


def test_plays_that_draw_alike() -> None:
    one = [outcome("[AE]", 4, "W"), outcome("[AI]", 2, "L")]
    two = [outcome("[AI]", 2, "W"), outcome("[AE]", 4, "W"), outcome("[EI]", 2, "D")]
    found = compared(one, two, ENGLISH)
    assert [(pair.draw, pair.weight, pair.one.outcome, pair.two.outcome) for pair in found] == [
        ("[AE]", 4, "W", "W"),
        ("[AI]", 2, "L", "W"),
    ]


def test_a_play_that_leaves_more_in_the_bag_tells_more_apart() -> None:
    one = [outcome("[A]EI", 1, "W"), outcome("[A]IE", 1, "L"), outcome("[E]AI", 1, "D"), outcome("[I]AE", 1, "W")]
    two = [outcome("[AE]I", 2, "W"), outcome("[AI]E", 2, "L")]
    found = compared(one, two, ENGLISH)
    wanted = [("[A]EI", "W", "W"), ("[A]IE", "L", "L"), ("[E]AI", "D", "W"), ("[I]AE", "W", "L")]
    assert [(pair.draw, pair.one.outcome, pair.two.outcome) for pair in found] == wanted
    assert sum(pair.weight for pair in found) == 4
    turned = compared(two, one, ENGLISH)
    assert [(pair.draw, pair.two.outcome, pair.one.outcome) for pair in turned] == wanted


def test_blanks_and_tiles_of_two_letters() -> None:
    one = [outcome("[]?A", 1, "W"), outcome("[]A?", 1, "L")]
    assert [pair.draw for pair in compared(one, [outcome("[A?]", 2, "W")], ENGLISH)] == ["[]?A", "[]A?"]
    one = [Outcome("[][RR]A", "", "[RR]A", 1, "W", False, True, None, None, 1)]
    two = [outcome("[A[RR]]", 2, "D")]
    assert [(pair.draw, pair.two.outcome) for pair in compared(one, two, SPANISH)] == [("[][RR]A", "D")]


def test_nothing_settled() -> None:
    assert compared([], [outcome("[A]", 1, "W")], ENGLISH) == []
