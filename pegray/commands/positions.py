"""From a POSITION argument to positions."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pegray.errors import InputError

if TYPE_CHECKING:
    from pegray.game.position import Position
    from pegray.game.tiles import Distribution

FILE_SUFFIXES = {".cgp", ".gcg", ".txt"}


@dataclass(frozen=True)
class NamedPosition:
    """A position with a short name and the place that it was read from."""

    name: str
    source: str
    position: Position


def read_positions(
    arguments: Sequence[str], turn: int | None = None, distribution: str | None = None
) -> list[NamedPosition]:
    """The positions that the arguments name, in order; InputError naming the argument or line."""
    tiles = None
    if distribution is not None:
        from pegray.game.tiles import load_distribution

        tiles = load_distribution(distribution)
    return [position for argument in arguments for position in _read_argument(argument, turn, tiles)]


def read_position(arguments: Sequence[str], turn: int | None = None, distribution: str | None = None) -> NamedPosition:
    """The one position that the arguments name. Raises InputError if they name several."""
    positions = read_positions(arguments, turn, distribution)
    if len(positions) > 1:
        raise InputError(f"{arguments[0]}: {len(positions)} positions, expected one")
    return positions[0]


def _read_argument(argument: str, turn: int | None, tiles: Distribution | None) -> list[NamedPosition]:
    if not argument.strip():
        raise InputError("POSITION: empty")
    path = Path(argument)
    if not os.path.exists(argument) and _looks_like_cgp(argument):
        _refuse_turn(turn, "a CGP string")
        return [NamedPosition("position", "command line", _from_cgp(argument, tiles))]
    if not os.path.exists(argument):
        raise InputError(f"{argument}: no such file, and not a CGP string either")
    if not path.is_file():
        raise InputError(f"{argument}: not a file")
    if path.suffix.lower() == ".gcg":
        return [_read_gcg_turn(path, turn, tiles)]
    _refuse_turn(turn, argument)
    return _read_cgp_lines(path, tiles)


def _looks_like_cgp(argument: str) -> bool:
    # A board row or two and a rack at least; otherwise it was meant as a file.
    fields = argument.split()
    return len(fields) > 1 and "/" in fields[0] and Path(argument).suffix.lower() not in FILE_SUFFIXES


def _refuse_turn(turn: int | None, what: str) -> None:
    if turn is not None:
        raise InputError(f"--turn {turn}: {what} has no turns, only a GCG file has")


def _from_cgp(text: str, tiles: Distribution | None) -> Position:
    from pegray.game.position import Position

    return Position.from_cgp(text, distribution=tiles)


def _read_cgp_lines(path: Path, tiles: Distribution | None) -> list[NamedPosition]:
    from pegray.game.cgp import read_cgp_file

    lines = read_cgp_file(path)
    if not lines:
        raise InputError(f"{path}: no CGP line in it")
    positions = []
    for number, cgp in lines:
        name = path.stem if len(lines) == 1 else f"{path.stem}-{number}"
        try:
            positions.append(NamedPosition(name, f"{path}:{number}", _from_cgp(cgp, tiles)))
        except InputError as error:
            raise InputError(f"{path}:{number}: {error}") from None
    return positions


def _read_gcg_turn(path: Path, turn: int | None, tiles: Distribution | None) -> NamedPosition:
    from pegray.game.gcg import read_gcg

    game = read_gcg(path, distribution=tiles)
    if turn is None:
        turns = ", ".join(map(str, game.preendgame_turns())) or "none"
        raise InputError(f"{path}: give --turn N (turns with 1 to 6 tiles in the bag: {turns})")
    return NamedPosition(f"{path.stem}-turn{turn}", f"{path}:turn {turn}", game.position_at(turn))
