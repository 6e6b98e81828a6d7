"""Pruning to a position, against a slow search over all lanes, starts and words."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest

from pegray.game.tiles import BLANK, BLANK_FLAG, load_distribution
from pegray.lexicon.build import build_kwg
from pegray.lexicon.kwg import ARC_MASK
from pegray.lexicon.lexicon import Lexicon
from pegray.lexicon.prune import prune
from pegray.lexicon.words import encode_words

ENGLISH = load_distribution("english")
Word = tuple[int, ...]
Board = npt.NDArray[np.uint8]
Counts = npt.NDArray[np.uint8]


def graph(words: list[Word]) -> npt.NDArray[np.uint32]:
    letters = np.zeros((len(words), 15), np.uint8)
    for row, word in zip(letters, words, strict=True):
        row[: len(word)] = word
    return build_kwg(letters, np.array([len(word) for word in words], np.uint8))


def pruned(nodes: npt.NDArray[np.uint32], board: Board, tiles: Counts) -> set[Word]:
    return set(Lexicon.of_nodes("pruned", prune(nodes, board, tiles)).words())


def formable(word: Word, board: Board, tiles: Counts) -> bool:
    """The definition, spelt out."""
    rows = (board & ~np.uint8(BLANK_FLAG)).reshape(15, 15).tolist()
    for lane in [*rows, *map(list, zip(*rows, strict=True))]:
        for start in range(16 - len(word)):
            end = start + len(word)
            if (start > 0 and lane[start - 1]) or (end < 15 and lane[end]):
                continue
            here = lane[start:end]
            if any(tile and tile != letter for tile, letter in zip(here, word, strict=True)):
                continue
            needed = [letter for tile, letter in zip(here, word, strict=True) if not tile]
            missing = sum(max(0, needed.count(letter) - int(tiles[letter])) for letter in set(needed))
            if missing <= int(tiles[BLANK]):
                return True
    return False


def random_board(random: np.random.Generator, letters: int, tiles: int) -> Board:
    board = np.zeros(225, np.uint8)
    squares = random.choice(225, tiles, replace=False)
    board[squares] = random.integers(1, letters + 1, tiles)
    board[squares[:2]] |= BLANK_FLAG
    return board


@pytest.mark.parametrize("seed", range(8))
def test_it_keeps_exactly_the_words_that_the_definition_keeps(seed: int) -> None:
    random = np.random.default_rng(seed)
    letters = int(random.integers(3, 9))
    words = sorted(
        {tuple(random.integers(1, letters + 1, random.integers(2, 16)).tolist()) for _ in range(150)}
        | {tuple(random.integers(1, letters + 1, random.integers(2, 6)).tolist()) for _ in range(150)}
    )
    board = random_board(random, letters, int(random.integers(1, 120)))
    tiles = np.zeros(ENGLISH.size, np.uint8)
    for tile in random.integers(1, letters + 1, random.integers(1, 18)):
        tiles[tile] += 1
    tiles[BLANK] = seed % 3
    expected = {word for word in words if formable(word, board, tiles)}
    assert pruned(graph(words), board, tiles) == expected


def row(text: str, number: int = 7) -> Board:
    board = np.zeros(225, np.uint8)
    for column, character in enumerate(text):
        if character != ".":
            letter = ENGLISH.tiles.index(character.upper())
            board[number * 15 + column] = letter | (BLANK_FLAG if character.islower() else 0)
    return board


def words_left(words: str, board: Board, tiles: str) -> set[str]:
    nodes = build_kwg(*encode_words("\n".join(words.split()), ENGLISH, "list"))
    return {ENGLISH.format_tiles(word) for word in pruned(nodes, board, ENGLISH.rack(tiles))}


def test_words_through_tiles_need_only_the_other_letters() -> None:
    assert words_left("CARE CARES SCARE RACE", row("...CaRE"), "S") == {"CARE", "CARES", "SCARE"}


def test_a_tile_next_to_the_word_belongs_to_it() -> None:
    # AT fits after the C only as a part of CAT, but down, or in another row, it is free
    full = np.full(225, ENGLISH.tiles.index("Q"), np.uint8)
    full[7 * 15 : 8 * 15] = row("C..QQQQQQQQQQQQ")[7 * 15 : 8 * 15]
    assert words_left("AT CAT", full, "AT") == set()
    full[7 * 15 + 3] = 0
    assert words_left("AT CAT", full, "AT") == {"CAT"}


def test_words_of_tiles_in_play_alone_need_the_room() -> None:
    full = np.full(225, ENGLISH.tiles.index("Q"), np.uint8)
    full[10:15] = 0
    assert words_left("CARE CARES QI", full, "CARES") == {"CARE"}
    full[9] = 0
    assert words_left("CARE CARES QI", full, "CARES") == {"CARE", "CARES"}


def test_each_blank_stands_for_one_letter() -> None:
    board = row("")
    assert words_left("CARE CARES RACE ACE", board, "CA??") == {"CARE", "RACE", "ACE"}
    assert words_left("CARE CARES RACE ACE", board, "CA?") == {"ACE"}
    assert words_left("QI", board, "??") == {"QI"}
    assert words_left("QI", board, "?") == set()


def test_without_tiles_or_words_both_roots_lead_nowhere() -> None:
    nodes = build_kwg(*encode_words("CARE", ENGLISH, "list"))
    empty = prune(nodes, row(""), ENGLISH.rack(""))
    assert [int(node) & ARC_MASK for node in empty] == [0, 0]
    assert pruned(empty, row("CAR"), ENGLISH.rack("E")) == set()


def test_the_arguments_are_left_as_they_were_and_may_be_read_only() -> None:
    nodes = build_kwg(*encode_words("CARE\nRACE", ENGLISH, "list"))
    board, tiles = row("CAR"), ENGLISH.rack("E?")
    before = [array.tobytes() for array in (nodes, board, tiles)]
    for array in (nodes, board, tiles):
        array.flags.writeable = False
    assert pruned(nodes, board, tiles) == {tuple(ENGLISH.parse_tiles("CARE"))}
    assert [array.tobytes() for array in (nodes, board, tiles)] == before


def test_a_sample_of_a_real_lexicon_on_a_crowded_board(tournament_lexicon: Callable[..., Lexicon]) -> None:
    nodes = tournament_lexicon("NWL20").nodes
    words = list(Lexicon.of_nodes("all", nodes).words())
    random = np.random.default_rng(11)
    board = np.zeros(225, np.uint8)
    for number in range(1, 15, 2):  # words of the lexicon in every other row
        word = words[int(random.integers(len(words)))]
        start = number * 15 + int(random.integers(16 - len(word)))
        board[start : start + len(word)] = word
    tiles = ENGLISH.rack("AEINRSTLDOU?")
    kept = pruned(nodes, board, tiles)
    sample = [words[i] for i in random.choice(len(words), 2000, replace=False)]
    assert {word for word in sample if formable(word, board, tiles)} == kept.intersection(sample)
    assert 0 < len(kept) < len(words) / 2
