"""From a POSITION argument to positions."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pegray.errors import InputError

if TYPE_CHECKING:
    from pegray.game.gcg import Game
    from pegray.game.position import Position
    from pegray.game.tiles import Distribution

STANDARD_INPUT = "-"
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
    if list(arguments).count(STANDARD_INPUT) > 1:
        raise InputError("POSITION: - (standard input) can be given once")
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
    if argument == STANDARD_INPUT:
        return _read_text(standard_input(), "standard input", "stdin", turn, tiles)
    path = Path(argument)
    if not os.path.exists(argument) and _looks_like_cgp(argument):
        _refuse_turn(turn, "a CGP string")
        return [NamedPosition("position", "command line", _from_cgp(argument, tiles))]
    if not os.path.exists(argument):
        raise InputError(f"{argument}: no such file, and not a CGP string either")
    if path.is_dir():
        raise InputError(f"{argument}: not a file")
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    return _read_text(data, str(path), path.stem, turn, tiles, is_game=path.suffix.lower() == ".gcg")


def standard_input() -> bytes:
    """All of standard input. Raises InputError if it is closed."""
    if sys.stdin is None:
        raise InputError("-: standard input is closed")
    return sys.stdin.buffer.read()


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


def _read_text(
    data: bytes, source: str, name: str, turn: int | None, tiles: Distribution | None, is_game: bool = False
) -> list[NamedPosition]:
    """The positions of a text: CGP lines or, if it looks like one, a game."""
    from pegray.game.gcg import looks_like_gcg, parse_gcg

    if is_game or looks_like_gcg(data):
        return [_game_position(parse_gcg(data, source, tiles), name, turn)]
    _refuse_turn(turn, source)
    return _cgp_positions(data, source, name, tiles)


def _cgp_positions(data: bytes, source: str, name: str, tiles: Distribution | None) -> list[NamedPosition]:
    from pegray.game.cgp import cgp_lines

    lines = cgp_lines(data, source)
    if not lines:
        raise InputError(f"{source}: no CGP line in it")
    positions = []
    for number, cgp in lines:
        name_of_line = name if len(lines) == 1 else f"{name}-{number}"
        try:
            positions.append(NamedPosition(name_of_line, f"{source}:{number}", _from_cgp(cgp, tiles)))
        except InputError as error:
            raise InputError(f"{source}:{number}: {error}") from None
    return positions


def _game_position(game: Game, name: str, turn: int | None) -> NamedPosition:
    """The position before a turn of a game; without it that of a game in progress."""
    if turn is None and not game.in_progress:
        turns = ", ".join(map(str, game.preendgame_turns())) or "none"
        raise InputError(
            f"{game.source}: give --turn N (turns with 1 to 6 tiles in the bag: {turns}), "
            "or end it with the rack of the player on turn (#rack1 AEINRST)"
        )
    number = len(game.events) if turn is None else turn
    return NamedPosition(f"{name}-turn{number}", f"{game.source}:turn {number}", game.position(turn))
