"""CGP, the one-line text of a position: the fields, and files of lines."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import numpy as np
import numpy.typing as npt

from pegray.errors import InputError, check_kind, why_unreadable
from pegray.game.layout import DIMENSION, SQUARES
from pegray.game.rules import MOST_SCORE
from pegray.game.tiles import Distribution

_SCORES = re.compile(r"-?\d{1,5}/-?\d{1,5}")
_OPCODE = re.compile(r"[A-Za-z]\w*", re.ASCII)


@dataclass(frozen=True)
class CgpFields:
    """The parts of a CGP line as text; ``opcodes`` maps what follows (``lex NWL20; ld english;``)."""

    board: str
    racks: tuple[str, str | None]
    scores: tuple[int, int]
    scoreless: int
    opcodes: dict[str, str]


def split_cgp(text: str) -> CgpFields:
    """Split a CGP line. Raises InputError naming the field that is wrong."""
    check_kind(text, str, "a CGP line")
    if "\0" in text:
        raise InputError("CGP: a NUL character, which no file's name can have either")
    if len(text.strip().splitlines()) > 1:
        raise InputError("CGP: more than one line, expected one position")
    fields = text.split(maxsplit=4)
    if len(fields) < 4:
        raise InputError(f"CGP: {len(fields)} fields, expected BOARD RACKS SCORES SCORELESS")
    board, racks, scores, scoreless = fields[:4]
    ours, slash, theirs = racks.partition("/")
    if "/" in theirs:
        raise InputError(f"CGP: racks {racks!r}: expected RACK1/RACK2")
    points = [int(number) for number in scores.split("/")] if _SCORES.fullmatch(scores) else []
    if not points or max(map(abs, points)) > MOST_SCORE:
        raise InputError(f"CGP: scores {scores!r}: expected two whole numbers, as in 356/378, up to {MOST_SCORE}")
    if not re.fullmatch(r"\d{1,5}", scoreless):
        raise InputError(f"CGP: scoreless turns {scoreless!r}: expected a whole number")
    return CgpFields(board, (ours, theirs or None), (points[0], points[1]), int(scoreless), _opcodes(fields[4:]))


def _opcodes(rest: list[str]) -> dict[str, str]:
    opcodes: dict[str, str] = {}
    for part in (rest[0] if rest else "").split(";"):
        if part.strip():
            name, _, value = part.strip().partition(" ")
            if not _OPCODE.fullmatch(name):
                raise InputError(f"CGP: {part.strip()!r}: expected opcodes such as lex NWL20; after the four fields")
            opcodes[name] = value.strip()
    return opcodes


def parse_board(text: str, distribution: Distribution) -> npt.NDArray[np.uint8]:
    """uint8[225] board of the CGP board field. Raises InputError naming row and fault."""
    rows = text.split("/")
    if len(rows) != DIMENSION:
        raise InputError(f"CGP: board of {len(rows)} rows, expected {DIMENSION}")
    board = np.zeros(SQUARES, np.uint8)
    for number, row in enumerate(rows, 1):
        squares: list[int] = []
        for part in re.findall(r"[0-9]+|[^0-9]+", row):
            if part.isascii() and part.isdigit():
                if len(part) > 2:
                    raise InputError(f"CGP: row {number}: more than 99 squares, expected {DIMENSION}")
                squares += [0] * int(part)
                continue
            try:
                tiles = distribution.parse_squares(part)
            except InputError as error:
                raise InputError(f"CGP: row {number}: {error}") from None
            if 0 in tiles:
                raise InputError(f"CGP: row {number}: a blank on the board is a lower-case letter, not ?")
            squares += tiles
        if len(squares) != DIMENSION:
            raise InputError(f"CGP: row {number}: {len(squares)} squares, expected {DIMENSION}")
        board[(number - 1) * DIMENSION : number * DIMENSION] = squares
    return board


def format_board(board: npt.NDArray[np.uint8], distribution: Distribution) -> str:
    """The CGP board field of a uint8[225] board."""
    rows = []
    for row in board.reshape(DIMENSION, DIMENSION).tolist():
        text = ""
        for filled, group in groupby(row, key=bool):
            squares = list(group)
            text += distribution.format_squares(squares) if filled else str(len(squares))
        rows.append(text)
    return "/".join(rows)


def read_cgp_file(path: str | Path) -> list[tuple[int, str]]:
    """The CGP lines of a file with their line numbers; # begins a comment line. Raises InputError."""
    try:
        data = Path(path).read_bytes()
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: {why_unreadable(error)}") from None
    return cgp_lines(data, str(path))


def cgp_lines(data: bytes, source: str) -> list[tuple[int, str]]:
    """The CGP lines of a text with their line numbers; ``source`` names it in errors. As :func:`read_cgp_file`."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{source}: not a text file in UTF-8") from None
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1)]
    return [(number, line) for number, line in lines if line and not line.startswith("#")]
