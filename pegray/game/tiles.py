"""Tiles and letter distributions.

A *tile* is an index into a distribution: 0 is the blank, letters count from 1 in the order of the
distribution's file. On the board, and where a tile has just been played, a blank is its letter's index or-ed
with :data:`BLANK_FLAG`.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from pathlib import Path

import numpy as np
import numpy.typing as npt

from pegray.errors import InputError, why_unreadable

BLANK = 0
BLANK_FLAG = 0x80
LETTER_MASK = 0x7F
_MOST_TILES = 255
MAX_LETTERS = 41  # as many as Slovak has; kernels keep a bit of a word for each (kernels/word_graph.py)


@dataclass(frozen=True, eq=False)
class Distribution:
    """The tiles of a game.

    tiles: printed form of each tile, ``?`` first
    blank_forms: printed form of a blank that stands for the letter
    counts: int8[size]; values: int16[size] points; vowels: bool[size]
    file: the absolute path that it was read from; empty for a bundled one
    """

    name: str
    tiles: tuple[str, ...]
    blank_forms: tuple[str, ...]
    counts: npt.NDArray[np.int8]
    values: npt.NDArray[np.int16]
    vowels: npt.NDArray[np.bool_]
    file: str = ""

    @property
    def size(self) -> int:
        """Number of different tiles, the blank included."""
        return len(self.tiles)

    def parse_tiles(self, text: str) -> list[int]:
        """Tile indices of a rack's text. Raises InputError on an unknown letter, with its place."""
        return [tile & LETTER_MASK if not tile & BLANK_FLAG else _lower(text) for tile in self.parse_squares(text)]

    def parse_squares(self, text: str) -> list[int]:
        """Tile indices of letters as they stand on a board: lower case is a blank. Raises InputError.

        Without brackets RR is two tiles where R is one, as in other programs, and ``[RR]`` the tile of that name. What
        cannot be two tiles, such as a Catalan NY, may do without.
        """
        return self._parse(text, _forms_of_tiles(self))

    def parse_word(self, text: str) -> list[int]:
        """Tile indices of a word as a word list spells it: RR is the tile of that name. Raises InputError."""
        return self._parse(text, _forms(self))

    def _parse(self, text: str, plain: dict[str, int]) -> list[int]:
        """The tiles of a text; ``plain``: the printed forms that need no brackets, the longest one counts."""
        forms = _forms(self)
        longest = max(len(form) for form in plain)
        squares: list[int] = []
        at = 0
        while at < len(text):
            if text[at] == "[":
                end = text.find("]", at)
                form = text[at + 1 : end] if end > at else text[at:]
                if end < 0 or form not in forms:
                    raise InputError(f"unknown tile {text[at : end + 1 or None]!r} at character {at + 1} of {text!r}")
                squares.append(forms[form])
                at = end + 1
                continue
            for length in range(min(longest, len(text) - at), 0, -1):
                if text[at : at + length] in plain:
                    squares.append(plain[text[at : at + length]])
                    at += length
                    break
            else:
                raise InputError(f"unknown letter {text[at]!r} at character {at + 1} of {text!r}")
        return squares

    def rack(self, text: str) -> npt.NDArray[np.uint8]:
        """uint8[size] counts of the tiles in a rack's text.

        Raises InputError on an unknown letter, and for so many tiles that a count of them has no room.
        """
        tiles = self.parse_tiles(text)
        if len(tiles) > _MOST_TILES:
            raise InputError(f"rack of {len(tiles)} tiles")
        return self.count(tiles)

    def count(self, tiles: Iterable[int]) -> npt.NDArray[np.uint8]:
        """uint8[size]: how many there are of each tile."""
        return np.bincount(np.fromiter(tiles, np.intp), minlength=self.size).astype(np.uint8)

    def count_on(self, board: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
        """int64[size]: how many there are of each tile on the squares of a board."""
        squares = board[board != 0]
        return np.bincount(np.where(squares & BLANK_FLAG, BLANK, squares), minlength=self.size)

    def format_rack(self, counts: npt.NDArray[np.uint8]) -> str:
        """Text of a rack, letters in the distribution's order, blanks first: ``?AENORW``."""
        return "".join(_bracketed(self.tiles[tile]) * count for tile, count in enumerate(counts.tolist()))

    def format_squares(self, squares: Iterable[int]) -> str:
        """Text of tiles that lie side by side on the board, blanks in lower case."""
        return "".join(self.board_text(square) for square in squares)

    def format_tiles(self, tiles: Iterable[int]) -> str:
        """Text of tiles in the order given, which reads the same as tiles and as a word."""
        return self._join(self.tiles[tile] for tile in tiles)

    def format_word(self, squares: Iterable[int]) -> str:
        """Text of tiles of a move, blanks in lower case, which reads the same as tiles and as a word."""
        return self._join(self.board_form(square) for square in squares)

    def _join(self, forms: Iterable[str]) -> str:
        """The forms one after the other, so that none is read into two: R, R is ``R[R]`` where RR is a tile."""
        starts = _two_character_starts(self)
        text = ""
        for form in forms:
            text += f"[{form}]" if len(form) > 1 or text[-1:] + form in starts else form
        return text

    def board_text(self, square: int) -> str:
        """Printed form of one tile on the board; several characters come in brackets."""
        return _bracketed(self.board_form(square))

    def board_form(self, square: int) -> str:
        """What is printed on one tile on the board, a blank as its letter in lower case."""
        return self.blank_forms[square & LETTER_MASK] if square & BLANK_FLAG else self.tiles[square]

    def value(self, square: int) -> int:
        """Points of a tile on the board."""
        return 0 if square & BLANK_FLAG else int(self.values[square])


def letters_first(tiles: Iterable[int]) -> list[int]:
    """Tiles as a draw is written: letters in the distribution's order, blanks last."""
    return sorted(tiles, key=lambda tile: (tile == BLANK, tile))


def _bracketed(form: str) -> str:
    return f"[{form}]" if len(form) > 1 else form


def _lower(text: str) -> int:
    raise InputError(f"lower-case letter in the rack {text!r}: a blank is written ?")


@cache
def _forms(distribution: Distribution) -> dict[str, int]:
    """Printed form -> tile, blanks flagged."""
    forms = {form: tile | BLANK_FLAG for tile, form in enumerate(distribution.blank_forms) if tile != BLANK}
    forms.update({form: tile for tile, form in enumerate(distribution.tiles)})
    return forms


@cache
def _forms_of_tiles(distribution: Distribution) -> dict[str, int]:
    """The printed forms that can be read in one way only: not RR where R is a tile, nor CH where C and H are."""
    forms = _forms(distribution)
    return {form: tile for form, tile in forms.items() if len(form) == 1 or not set(form) <= forms.keys()}


@cache
def _two_character_starts(distribution: Distribution) -> frozenset[str]:
    """The first two characters of every printed form that has more than one."""
    return frozenset(form[:2] for form in _forms(distribution) if len(form) > 1)


BUNDLED = ("english", "french", "german", "spanish", "polish", "dutch", "norwegian", "catalan")
_FILE = ".csv"
_LONGEST_FORM = 8
_LAST_CHARACTER = "\uffff"
_NO_FORM = set(" /[]().?#-+0123456789")  # what stands for something else in a CGP line or a move


def is_distribution_file(name_or_path: str) -> bool:
    """Whether a distribution is given by its file and not by a name."""
    return Path(name_or_path).suffix.lower() == _FILE


@cache
def load_distribution(name_or_path: str) -> Distribution:
    """A bundled distribution by name, or one from a csv file.

    A row is ``tile[,blank form],count,points,vowel``; the first row is the blank, without points. Raises InputError.
    """
    name = name_or_path.lower()
    if name in BUNDLED:
        text = (resources.files("pegray.data.distributions") / f"{name}.csv").read_text(encoding="utf-8")
        return _read(name, text.splitlines())
    if not is_distribution_file(name_or_path):
        there_are = f"there are {', '.join(BUNDLED)}, or a path to a {_FILE}"
        raise InputError(f"unknown distribution {name_or_path!r} ({there_are})")
    path = Path(name_or_path)
    try:
        read = _read(path.stem, path.read_text(encoding="utf-8-sig").splitlines())
    except (OSError, ValueError) as error:
        raise InputError(f"distribution {name_or_path}: {why_unreadable(error)}") from None
    return replace(read, file=os.path.abspath(path))


def _rows(name: str, lines: list[str]) -> list[list[str]]:
    try:
        return list(csv.reader(line for line in lines if line.strip()))
    except csv.Error as error:
        raise InputError(f"distribution {name}: {error}") from None


def _check_forms(name: str, line: int, forms: tuple[str, str], taken: set[str]) -> None:
    """Raise InputError unless a letter and its blank print so that they can be read again, and unlike all others."""
    for form in forms:
        if not 1 <= len(form) <= _LONGEST_FORM or not _NO_FORM.isdisjoint(form) or not form.isprintable():
            raise InputError(f"distribution {name}: line {line}: {form!r} cannot be printed on a tile")
        if len(form) == 1 and form > _LAST_CHARACTER:
            raise InputError(f"distribution {name}: line {line}: {form!r} is no character of the basic plane")
    if forms[0] == forms[1] or not taken.isdisjoint(forms):
        raise InputError(f"distribution {name}: line {line}: {forms[0]} or its blank {forms[1]} is there already")


def _read(name: str, lines: list[str]) -> Distribution:
    tiles: list[str] = []
    blank_forms: list[str] = []
    numbers: list[tuple[int, int, int]] = []
    for number, row in enumerate(_rows(name, lines), 1):
        try:
            if len(row) not in (4, 5):
                raise ValueError
            count, points, vowel = (int(value) for value in row[-3:])
            if not (0 <= count <= 100 and 0 <= points <= 100):
                raise ValueError
        except ValueError:
            raise InputError(f"distribution {name}: line {number}: expected tile,blank,count,points,vowel") from None
        form = row[0].strip("[]")
        blank_form = row[1].strip("[]") if len(row) == 5 else form.lower()
        if tiles:
            _check_forms(name, number, (form, blank_form), {*tiles, *blank_forms})
        elif points:
            raise InputError(f"distribution {name}: line {number}: a blank has no points")
        tiles.append(form)
        blank_forms.append(blank_form)
        numbers.append((count, points, vowel))
    if not tiles or tiles[0] != "?" or len(tiles) > MAX_LETTERS + 1:
        raise InputError(f"distribution {name}: the first tile must be ?, with at most {MAX_LETTERS} letters after it")
    table = np.array(numbers, np.int16)
    return Distribution(
        name,
        tuple(tiles),
        tuple(blank_forms),
        table[:, 0].astype(np.int8),
        table[:, 1].copy(),
        table[:, 2].astype(np.bool_),
    )
