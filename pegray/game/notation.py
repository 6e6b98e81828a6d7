"""Moves as text: ``13L ONYX`` across, ``N3 STEY`` down, ``pass``.

In a word ``.`` is a filled square, and a lower-case letter a blank. Words are spelt as in word lists: a Spanish PERRO
has the tile RR in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby

import numpy as np
import numpy.typing as npt

from pegray.errors import InputError, check_kind
from pegray.game.layout import DIMENSION
from pegray.game.move import PASS, Move
from pegray.game.tiles import BLANK_FLAG, LETTER_MASK, Distribution, letters_first
from pegray.text.numbers import count

_ACROSS = re.compile(r"(\d{1,2})([A-Oa-o])")
_DOWN = re.compile(r"([A-Oa-o])(\d{1,2})")
_DRAW = re.compile(r"\[((?:\[[^\[\]]*\]|[^\[\]])*)\](.*)")
_PARTS = re.compile(r"\([^()]*\)|\.|\[[^\]]*\]|[^().\[\]]+")


def coordinate(row: int, column: int, across: bool) -> str:
    """``13L`` for an across word from there, ``L13`` for a down word."""
    letter = chr(ord("A") + column)
    return f"{row + 1}{letter}" if across else f"{letter}{row + 1}"


def parse_coordinate(text: str) -> tuple[int, int, bool]:
    """Row, column and direction of a coordinate. Raises InputError."""
    if match := _ACROSS.fullmatch(text):
        row, column, across = int(match[1]) - 1, ord(match[2].upper()) - ord("A"), True
    elif match := _DOWN.fullmatch(text):
        row, column, across = int(match[2]) - 1, ord(match[1].upper()) - ord("A"), False
    else:
        raise InputError(f"{text!r} is not a coordinate like 13L or N3")
    if not 0 <= row < DIMENSION:
        raise InputError(f"{text!r}: rows are 1 to {DIMENSION}")
    return row, column, across


def format_move(move: Move, distribution: Distribution) -> str:
    """Text of a move."""
    if move.is_pass:
        return "pass"
    word = "".join(
        distribution.format_word(group) if placed else "." * len(list(group))
        for placed, group in groupby(move.squares, key=bool)
    )
    return f"{coordinate(move.row, move.column, move.across)} {word}"


def parse_move(text: str, board: npt.NDArray[np.uint8], distribution: Distribution) -> Move:
    """The move that ``text`` means on ``board`` (uint8[225]).

    Squares played through are ``.`` or letters in parentheses, or repeat the letter that lies there, a blank as itself
    or as the plain letter. Raises InputError when the text is no move or does not fit the board; whether the play is
    legal is not looked at.
    """
    check_kind(text, str, "a text such as 13L ONYX", "move")
    fields = text.split()
    if [field.lower() for field in fields] in (["pass"], ["-"]):
        return PASS
    if len(fields) != 2:
        raise InputError("expected a coordinate and a word, as in 13L ONYX, or pass")
    row, column, across = parse_coordinate(fields[0])
    letters = _letters(fields[1], distribution)
    start = row * DIMENSION + column
    step = 1 if across else DIMENSION
    room = DIMENSION - (column if across else row)
    if len(letters) > room:
        raise InputError(f"{len(letters)} squares from {fields[0]} run off the board")
    squares = []
    for i, (tile, through) in enumerate(letters):
        square = start + i * step
        there = int(board[square])
        where = coordinate(square // DIMENSION, square % DIMENSION, True)
        if there == 0:
            if through or tile == 0:
                raise InputError(f"{where} is empty, but the word plays through it")
            squares.append(tile)
        else:
            # a blank on the board may be repeated as the plain letter, as many games in GCG do
            same_letter = tile & LETTER_MASK == there & LETTER_MASK
            if tile and tile != there and not (same_letter and (through or there & BLANK_FLAG)):
                raise InputError(f"{where} already holds {distribution.board_text(there)}")
            squares.append(0)
    if not any(squares):
        raise InputError("no tile is placed")
    return _canonical(row, column, across, squares, board)


def parse_draw(text: str, distribution: Distribution, drawn: int | None = None) -> list[int]:
    """The tiles of a draw in their order: ``[AEG]I`` or ``AEGI``. Raises InputError.

    drawn: how many of them the play draws, as many as the brackets have to enclose; None if no play is meant
    """
    check_kind(text, str, "a text such as [AEG]I", "draw")
    bracketed = _DRAW.fullmatch(text)
    # brackets also enclose a tile that prints as several letters, as in [NY]
    is_tile = bracketed is not None and len(bracketed[1]) > 1 and bracketed[1] in distribution.tiles
    try:
        if bracketed is None or is_tile:
            return distribution.parse_tiles(text)
        ours = distribution.parse_tiles(bracketed[1])
        if drawn is not None and len(ours) != drawn:
            raise InputError(f"{count(len(ours), 'tile')} in the brackets, but the play draws {drawn}")
        return [*ours, *distribution.parse_tiles(bracketed[2])]
    except InputError as error:
        raise InputError(str(error), "draw", text) from None


def format_draw(drawn: Iterable[int], stays: Iterable[int], distribution: Distribution) -> str:
    """``[AEG]I``: the tiles that we draw, in any order, and those that stay in the bag, in draw order."""
    return f"[{distribution.format_tiles(letters_first(drawn))}]{distribution.format_tiles(stays)}"


def _letters(word: str, distribution: Distribution) -> list[tuple[int, bool]]:
    """For each square of a word: tile (0 for ``.``) and whether it was written as played through."""
    letters: list[tuple[int, bool]] = []
    if "".join(_PARTS.findall(word)) != word:
        raise InputError(f"unmatched parenthesis in {word!r}")
    for part in _PARTS.findall(word):
        if part == ".":
            letters.append((0, True))
        elif part.startswith("("):
            inner = part[1:-1]
            letters += [(0, True)] * len(inner) if set(inner) <= {"."} else [
                (tile, True) for tile in distribution.parse_word(inner)
            ]  # fmt: skip
        else:
            letters += [(tile, False) for tile in distribution.parse_word(part)]
    if any(tile == 0 and not through for tile, through in letters):
        raise InputError(f"{word!r}: a blank is written as the lower-case letter that it stands for")
    return letters


def _canonical(row: int, column: int, across: bool, squares: list[int], board: npt.NDArray[np.uint8]) -> Move:
    """The move with its whole main word; a one-tile play across where it makes an across word, else down."""
    placed = [i for i, tile in enumerate(squares) if tile]
    step_row, step_column = (0, 1) if across else (1, 0)
    if len(placed) == 1:
        at_row, at_column = row + placed[0] * step_row, column + placed[0] * step_column
        tile = squares[placed[0]]
        across = _touches(board, at_row, at_column, 0, 1)
        step_row, step_column = (0, 1) if across else (1, 0)
        row, column, squares = at_row, at_column, [tile]
    while (
        (row - step_row) >= 0
        and (column - step_column) >= 0
        and board[(row - step_row) * DIMENSION + column - step_column]
    ):
        row, column = row - step_row, column - step_column
        squares = [0, *squares]
    while True:
        end_row, end_column = row + len(squares) * step_row, column + len(squares) * step_column
        if end_row >= DIMENSION or end_column >= DIMENSION or not board[end_row * DIMENSION + end_column]:
            break
        squares = [*squares, 0]
    return Move(row, column, across, tuple(squares))


def _touches(board: npt.NDArray[np.uint8], row: int, column: int, step_row: int, step_column: int) -> bool:
    """Whether a tile lies next to a square along a direction."""
    for sign in (-1, 1):
        near_row, near_column = row + sign * step_row, column + sign * step_column
        if 0 <= near_row < DIMENSION and 0 <= near_column < DIMENSION and board[near_row * DIMENSION + near_column]:
            return True
    return False
