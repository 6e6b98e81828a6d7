"""Who leads while a solve goes on: the same plays, in the same order, as in the table."""

from __future__ import annotations

import pytest

from pegray.preendgame.ledger import Ledger
from pegray.preendgame.packed_moves import unpack_move
from pegray.preendgame.standings import leading
from tests.preendgame.test_estimates import built, with_estimates
from tests.preendgame.test_ledger import DRAW, LOSS, result, settle, unit_for


def moves(ledger: Ledger) -> list[str]:
    from pegray.game.notation import format_move

    position = ledger.problem.position
    packed = [int(ledger.problem.candidates.moves[play.candidate]) for play in ledger.progress().leading]
    return [format_move(unpack_move(move, position.board), position.distribution) for move in packed]


@pytest.mark.parametrize("finished", [None, {0: LOSS}, dict.fromkeys(range(7), LOSS)])
def test_plays_lead_as_the_table_lists_them(finished: dict[int, int] | None) -> None:
    ledger = with_estimates()
    ledger.record(result(unit_for(ledger, 1, 6), DRAW))
    ledger.record(result(unit_for(ledger, 2, 0), LOSS))
    if finished is not None:
        settle(ledger, 3, finished)
    answer = built(ledger)
    assert moves(ledger) == [play.move for play in answer.plays]
    told, plays = ledger.progress(), answer.plays
    assert [(play.at_least, play.at_most, play.finished) for play in told.leading] == [
        (play.at_least, play.at_most, play.points is not None) for play in plays
    ]
    assert (told.at_least, told.at_most) == answer.bounds


def test_an_estimate_is_within_what_is_proven_and_gone_at_the_end() -> None:
    ledger = with_estimates()
    for draw in range(7):
        ledger.record(result(unit_for(ledger, 2, draw), LOSS))
    assert {play.candidate: play.estimate for play in ledger.progress().leading} == {0: 2.5, 1: None, 2: None, 3: 5.0}
    ledger.record(result(unit_for(ledger, 3, 6), LOSS))
    (told,) = (play for play in ledger.progress().leading if play.candidate == 3)
    assert told.estimate is not None and told.at_least <= told.estimate <= told.at_most


def test_the_position_is_answered() -> None:
    ledger = with_estimates()
    settle(ledger, 2, {})
    told = ledger.progress()
    assert (told.state, told.at_least, told.at_most) == ("answered", 8, 8)
    assert told.leading[0].candidate == 2
    assert len(leading(ledger.book, ledger.state, 3)) == 3
