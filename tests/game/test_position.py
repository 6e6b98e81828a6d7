"""Positions: unseen tiles, the bag, moves made, transposition."""

from __future__ import annotations

import numpy as np
import pytest

from pegray.game.move import PASS
from pegray.game.notation import parse_move
from pegray.game.position import Position
from pegray.game.tiles import load_distribution
from tests.game.positions import EMPTY_BOARD, PUBLISHED

ONYX = Position.from_cgp(PUBLISHED["onyx"])


def test_what_is_unseen() -> None:
    assert ONYX.distribution.format_rack(ONYX.unseen) == "AACEISUY"
    assert ONYX.bag_size == 1
    assert ONYX.spread == -22
    assert ONYX.lexicon == "NWL20"


def test_the_second_rack_is_no_knowledge() -> None:
    without = Position.from_cgp(PUBLISHED["onyx"].replace("ACEISUY", ""))
    assert without.opponent_rack is None
    assert without.unseen.tolist() == ONYX.unseen.tolist()
    assert without != ONYX


def test_with_an_empty_bag_all_that_is_unseen_is_the_opponents() -> None:
    smaller = Position.from_cgp(PUBLISHED["onyx"].replace("1CHANSONS2W3", "1CHANSONS1YW3").replace("ACEISUY", ""))
    assert smaller.bag_size == 0
    assert smaller.distribution.format_rack(smaller.unseen) == "AACEISU"


def test_a_play_is_made() -> None:
    move = parse_move("13L ONYX", ONYX.board, ONYX.distribution)
    after = ONYX.apply(move, ONYX.score(move))
    assert after.scores == (378, 389)
    assert after.scoreless == 0
    assert after.to_cgp().split()[:3] == [
        PUBLISHED["onyx"].split()[0].replace("WE3R1V7", "WE3R1V3ONYX"),
        "ACEISUY/EST",
        "378/389",
    ]
    assert ONYX.to_cgp() == PUBLISHED["onyx"]


def test_a_pass_counts_as_scoreless() -> None:
    after = ONYX.apply(PASS, 0)
    assert after.scoreless == 1
    assert after.scores == (378, 356)
    case = parse_move("1A CASE", after.board, after.distribution)
    assert after.apply(case, 30).scoreless == 0
    assert after.apply(case, 0).scoreless == 2, "a play of blanks alone"


def test_a_blank_leaves_the_rack_as_a_blank() -> None:
    bedel = Position.from_cgp(PUBLISHED["bedel"])
    move = parse_move("1H ANONYm", bedel.board, bedel.distribution)
    after = bedel.apply(move, 0)
    assert after.opponent_rack is not None
    assert after.distribution.format_rack(after.opponent_rack) == "P"


@pytest.mark.parametrize("name", PUBLISHED)
def test_transposed_twice_is_the_same(name: str) -> None:
    position = Position.from_cgp(PUBLISHED[name])
    transposed = position.transpose()
    assert (transposed.board.reshape(15, 15) == position.board.reshape(15, 15).T).all()
    assert transposed.unseen.tolist() == position.unseen.tolist()
    assert transposed.transpose() == position
    assert transposed.transpose().layout.start_square == position.layout.start_square


def test_a_play_scores_the_same_on_the_transposed_board() -> None:
    transposed = ONYX.transpose()
    move = parse_move("13L ONYX", ONYX.board, ONYX.distribution)
    down = parse_move("M12 ONYX", transposed.board, transposed.distribution)
    assert transposed.score(down) == ONYX.score(move)


def test_a_position_does_not_change_under_ones_hands() -> None:
    with pytest.raises(ValueError, match="read-only"):
        ONYX.board[0] = 1
    with pytest.raises(ValueError, match="read-only"):
        ONYX.rack[0] = 1
    assert len({ONYX, Position.from_cgp(PUBLISHED["onyx"])}) == 1


def test_a_distribution_given_wins_over_the_opcode_and_is_written() -> None:
    french = load_distribution("french")
    position = Position.from_cgp(f"{EMPTY_BOARD} AEINRST/ 0/0 0 ld english;", distribution=french)
    assert position.distribution is french
    assert position.unseen.sum() == 95
    assert Position.from_cgp(position.to_cgp()).distribution is french


def test_the_dtypes() -> None:
    assert ONYX.board.dtype == ONYX.rack.dtype == ONYX.unseen.dtype == np.uint8
    assert ONYX.board.shape == (225,)
    assert ONYX.rack.shape == ONYX.unseen.shape == (27,)
