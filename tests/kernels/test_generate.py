"""The kernels' legal moves and scores against the reference's move generator."""

from __future__ import annotations

import random

import numpy as np
import pytest

from pegray.game.layout import load_layout
from pegray.game.notation import format_move
from pegray.game.position import Position
from pegray.preendgame.engine import legal_plays
from pegray.preendgame.packed_moves import unpack_move
from tests.game.positions import PUBLISHED
from tests.kernels.adapter import ENGLISH, enable_words, parsed_board, word_graph
from tests.reference.positions import ENGLISH_TILES, played_game
from tests.reference.reference import EMPTY_BOARD, Board, Reference, in_order, parse_cgp

SAMPLE = 6000
GAMES = [pytest.param(game, marks=[pytest.mark.oracle] * (game > 1)) for game in range(6)]
RACKS_PER_BOARD = 5
BOARDS = [name for name in PUBLISHED if name != "vivons"]


def kernel_moves(board: Board, rack: str, nodes: np.ndarray) -> list[tuple[str, int]]:
    squares = parsed_board(board)
    position = Position(squares, ENGLISH.rack(rack), None, (0, 0), 0, ENGLISH, load_layout())
    moves, scores = legal_plays(position, nodes)
    names = [format_move(unpack_move(move, squares), ENGLISH) for move in moves.tolist()]
    return sorted(zip(names, scores.tolist(), strict=True))


def compare(board: Board, racks: list[str], words: list[str]) -> None:
    reference, nodes = Reference(words), word_graph(words)
    for rack in racks:
        expected = sorted((str(move), move.score) for move in reference.moves(board, rack))
        # lists, not sets: each play is there once
        assert kernel_moves(board, rack, nodes) == expected, f"{rack} on {board}"


def random_racks(chance: random.Random, count: int) -> list[str]:
    """Racks of 1 to 7 tiles, one of them with a blank and one with two."""
    racks = [chance.sample(ENGLISH_TILES.replace("?", ""), chance.choice([1, 3, 5, 7, 7, 7])) for _ in range(count)]
    racks[0][0] = "?"
    racks[1] = ["?", "?", *racks[1][:3]]
    return [in_order(rack) for rack in racks]


@pytest.mark.parametrize("game", GAMES)
def test_boards_of_random_games(game: int) -> None:
    chance = random.Random(game)
    for board, _ in played_game(enable_words(), 22, game):
        compare(board, random_racks(chance, RACKS_PER_BOARD), chance.sample(enable_words(15), SAMPLE))


@pytest.mark.parametrize("name", BOARDS)
def test_published_boards(name: str) -> None:
    chance = random.Random(name)
    position = parse_cgp(PUBLISHED[name])
    racks = [position.rack.replace("?", "S"), *random_racks(chance, RACKS_PER_BOARD)]
    compare(position.board, racks, chance.sample(enable_words(15), SAMPLE))


def test_the_whole_lexicon_with_a_blank() -> None:
    position = parse_cgp(PUBLISHED["labour"])
    compare(position.board, [position.rack], list(enable_words(15)))


def test_opening_moves() -> None:
    compare(EMPTY_BOARD, ["AEINRST", "?AEINRS", "QI", "A", "??"], list(enable_words(15)[::20]) + ["QI", "RETINAS"])


def test_a_rack_that_has_no_play() -> None:
    compare(parse_cgp(PUBLISHED["onyx"]).board, ["VVV"], ["AT", "ATS"])
