"""The reference's notation for the tiles of any language: one character each, with a lower case for the blank.

English tiles are their letters. Those of other languages are renamed by their number, since a tile of several
characters, such as the Spanish CH, is none that the reference could read.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from pegray.game.layout import SQUARES, Layout
from pegray.game.move import Move
from pegray.game.tiles import BLANK, BLANK_FLAG, LETTER_MASK, load_distribution
from pegray.lexicon.build import build_kwg
from pegray.lexicon.words import LONGEST
from tests.reference.reference import ENGLISH_VALUES, LETTER_MULTIPLIER, WORD_MULTIPLIER, Board

SYMBOLS = "?ABCDEFGHIJKLMNOPQRSTUVWXYZ" + "".join(map(chr, range(ord("А"), ord("Я") + 1)))
COLUMNS = "ABCDEFGHIJKLMNO"
_TILE = {symbol: tile for tile, symbol in enumerate(SYMBOLS)}
_SQUARE = _TILE | {symbol.lower(): tile | BLANK_FLAG for symbol, tile in _TILE.items() if tile != BLANK} | {".": 0}


def tiles_of(text: str) -> list[int]:
    """The tiles of a rack or a word."""
    return [_TILE[symbol] for symbol in text]


def text_of(tiles: Iterable[int]) -> str:
    """A rack or a draw, in the order given."""
    return "".join(SYMBOLS[tile] for tile in tiles)


def squares_of(board: Board) -> npt.NDArray[np.uint8]:
    """The board as uint8[225]."""
    squares = np.array([_SQUARE[square] for row in board for square in row], np.uint8)
    assert len(squares) == SQUARES
    return squares


def name_of(move: Move) -> str:
    """A move as the reference writes it."""
    if move.is_pass:
        return "pass"
    word = "".join(_letter(square) if square else "." for square in move.squares)
    row, column = str(move.row + 1), COLUMNS[move.column]
    return f"{row}{column} {word}" if move.across else f"{column}{row} {word}"


def _letter(square: int) -> str:
    symbol = SYMBOLS[square & LETTER_MASK]
    return symbol.lower() if square & BLANK_FLAG else symbol


def word_graph(words: Iterable[str]) -> npt.NDArray[np.uint32]:
    """The nodes for some words."""
    ordered = sorted(set(words))
    letters = np.zeros((len(ordered), LONGEST), np.uint8)
    for row, word in enumerate(ordered):
        letters[row, : len(word)] = tiles_of(word)
    return build_kwg(letters, np.array([len(word) for word in ordered], np.uint8))


@functools.cache
def values_in(language: str) -> dict[str, int]:
    """The points of the tiles."""
    if language == "english":
        return ENGLISH_VALUES
    return dict(zip(SYMBOLS, load_distribution(language).values.tolist(), strict=False))


@functools.cache
def bag_in(language: str) -> str:
    """All the tiles."""
    counts = load_distribution(language).counts.tolist()
    return "".join(symbol * count for symbol, count in zip(SYMBOLS, counts, strict=False))


@functools.cache
def layout_of(premiums: Board) -> Layout:
    """The board of these premium squares."""
    squares = "".join(premiums)
    return Layout(
        "test",
        np.array([LETTER_MULTIPLIER.get(square, 1) for square in squares], np.int8),
        np.array([WORD_MULTIPLIER.get(square, 1) for square in squares], np.int8),
        SQUARES // 2,
    )
