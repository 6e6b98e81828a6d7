"""Moves in the kernels' packed form and back."""

from __future__ import annotations

import random

import numpy as np
import pytest

from pegray.game.move import PASS
from pegray.game.notation import format_move, parse_move
from pegray.game.position import Position
from pegray.lexicon.find import find_lexicon
from pegray.preendgame.candidates import legal_moves
from pegray.preendgame.engine import legal_plays
from pegray.preendgame.packed_moves import pack_move, unpack_move
from tests.game.positions import EMPTY_BOARD, PUBLISHED

ENGLISH = [name for name in PUBLISHED if name != "vivons"]


@pytest.mark.parametrize("name", ENGLISH)
def test_round_trip_of_legal_plays(name: str) -> None:
    position = Position.from_cgp(PUBLISHED[name])
    moves, _ = legal_plays(position, find_lexicon("ENABLE", position.distribution).nodes)
    sample = random.Random(name).sample(moves.tolist(), min(300, len(moves)))
    for packed in sample:
        move = unpack_move(packed, position.board)
        assert pack_move(move) == packed
        text = format_move(move, position.distribution)
        assert pack_move(parse_move(text, position.board, position.distribution)) == packed


def test_the_pass() -> None:
    assert pack_move(PASS) == 0
    assert unpack_move(0, np.zeros(225, np.uint8)) == PASS


@pytest.mark.parametrize("text", ["8B RETINAS", "H2 RETINAs", "8H at", "8N AT", "H14 AT"])
def test_round_trip_on_the_empty_board(text: str) -> None:
    position = Position.from_cgp(f"{EMPTY_BOARD} AEINRST/ 0/0 0")
    move = parse_move(text, position.board, position.distribution)
    assert unpack_move(pack_move(move), position.board) == move


def test_legal_moves_come_by_score_with_the_pass_last() -> None:
    position = Position.from_cgp(PUBLISHED["onyx"])
    moves = legal_moves(position, find_lexicon("ENABLE", position.distribution))
    scores = [score for _, score in moves[:-1]]
    assert scores == sorted(scores, reverse=True) and moves[-1] == (PASS, 0)
