"""Who led early and was best in the end: what counts as what, on made-up positions."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks.estimates import Watched, draw, lead, shares, table
from pegray.terms import State, Status


def end(best: float | None = 6.0) -> Any:
    def play(move: str, points: float | None, at_most: float) -> SimpleNamespace:
        status = Status.UNFINISHED if points is None else Status.FINISHED
        return SimpleNamespace(move=move, points=points, at_most=at_most, status=status)

    plays = [
        play("best", best, 6),
        play("level", 6, 6),
        play("worse", 5, 5),
        play("cut", None, 4),
        play("may", None, 6),
    ]
    return SimpleNamespace(plays=plays, best=plays[0] if best else None, total=8)


@pytest.mark.parametrize(
    ("state", "move", "found"),
    [
        (State.OPEN, "best", ("best", 0)),
        (State.OPEN, "level", ("best", 0)),
        (State.OPEN, "worse", ("not best", 12.5)),
        (State.OPEN, "cut", ("not best", 25)),
        (State.OPEN, "may", ("not known", 0)),
        (State.ANSWERED, "worse", ("answered", 0)),
    ],
)
def test_what_a_lead_turns_out_to_be(state: State, move: str, found: tuple[str, float]) -> None:
    assert lead(end(), state, move) == found


def test_nothing_is_known_of_a_position_that_stays_open() -> None:
    assert lead(end(None), State.OPEN, "best") == ("not known", 0)


WATCHED = [
    Watched("a", 1, 9, State.COMPLETE, {1: "answered", 10: "answered"}, {}),
    Watched("b", 1, 9, State.ANSWERED, {1: "not best", 10: "best"}, {1: 12.5}),
    Watched("c", 2, 9, State.COMPLETE, {1: "best", 10: "not known"}, {}),
    Watched("d", 2, 9, State.OPEN, {1: "not known", 10: "not known"}, {}),
]


def test_positions_that_were_not_answered_do_not_count() -> None:
    assert {bag: {t: dict(c) for t, c in times.items()} for bag, times in shares(WATCHED).items()} == {
        1: {1: {"answered": 1, "not best": 1}, 10: {"answered": 1, "best": 1}},
        2: {1: {"best": 1}, 10: {"not known": 1}},
    }
    assert table(WATCHED).splitlines()[2] == "| 1 | 2 | 2 | 1 s | 1 | 0 | 1 | 0 | 12.5% |"


def test_the_picture(tmp_path: Path) -> None:
    draw(WATCHED, str(tmp_path / "estimates.png"))
    assert (tmp_path / "estimates.png").stat().st_size > 1000
