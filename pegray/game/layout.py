"""Board layouts: premium squares as data."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

import numpy as np
import numpy.typing as npt

from pegray.errors import InputError, why_unreadable

DIMENSION = 15
SQUARES = DIMENSION * DIMENSION

_LETTER = {"'": 2, '"': 3, "^": 4}
_WORD = {"-": 2, "=": 3, "~": 4, "*": 2}
_PLAIN = ". "
_STANDARD_BOARDS = ("crosswordgame", "standard")


@dataclass(frozen=True, eq=False)
class Layout:
    """Premium squares: int8[225] multipliers by square (row * 15 + column), and the first play's square."""

    name: str
    letter_multipliers: npt.NDArray[np.int8]
    word_multipliers: npt.NDArray[np.int8]
    start_square: int


def layout_named(name: str | None) -> Layout:
    """The layout of a board as a CGP line names it (``bdn``), None where it does not. Raises InputError for others."""
    if name and name.lower() not in _STANDARD_BOARDS:
        raise InputError(f"CGP: bdn {name}: unknown board, there is CrosswordGame")
    return load_layout()


@cache
def load_layout(name_or_path: str = "standard") -> Layout:
    """A bundled layout by name, or one from a text file of 15 rows (# comments). Raises InputError."""
    if name_or_path == "standard":
        text = (resources.files("pegray.data.layouts") / "standard.txt").read_text(encoding="utf-8")
    else:
        try:
            text = Path(name_or_path).read_text(encoding="utf-8")
        except (OSError, ValueError) as error:
            raise InputError(f"layout {name_or_path}: {why_unreadable(error)}") from None
    rows = [line for line in text.splitlines() if line and not line.startswith("#")]
    if len(rows) != DIMENSION or any(len(row) != DIMENSION for row in rows):
        raise InputError(f"layout {name_or_path}: expected {DIMENSION} rows of {DIMENSION} characters")
    squares = "".join(rows)
    for square, character in enumerate(squares):
        if character not in _LETTER and character not in _WORD and character not in _PLAIN:
            raise InputError(f"layout {name_or_path}: row {square // DIMENSION + 1}: unknown character {character!r}")
    if squares.count("*") != 1:
        raise InputError(f"layout {name_or_path}: exactly one square must be the start (*)")
    return Layout(
        name_or_path,
        np.array([_LETTER.get(character, 1) for character in squares], np.int8),
        np.array([_WORD.get(character, 1) for character in squares], np.int8),
        squares.index("*"),
    )
