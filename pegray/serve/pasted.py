"""Positions from what was pasted or uploaded: CGP lines, or a game."""

from __future__ import annotations

from dataclasses import dataclass

from pegray.errors import InputError
from pegray.game.cgp import cgp_lines
from pegray.game.gcg import Game, looks_like_gcg, parse_gcg
from pegray.game.position import Position
from pegray.game.tiles import Distribution

_SOURCE = "text"


@dataclass(frozen=True)
class Pasted:
    """One of the positions of a text.

    position: the one chosen; number: its turn of a game, or its line; choices: the number and a label of each
    """

    position: Position
    number: int
    choices: list[tuple[int, str]]


def read_pasted(data: bytes, number: int | None, distribution: Distribution | None) -> Pasted:
    """The position of a turn or line; without a number that of a game in progress, else the last, or the first line.

    Raises InputError that says what cannot be read, and where.
    """
    if not data.strip():
        raise InputError("nothing is there to read: paste a CGP line or a GCG")
    if looks_like_gcg(data):
        return _of_game(parse_gcg(data, _SOURCE, distribution), number)
    lines = dict(cgp_lines(data, _SOURCE))
    if not lines:
        raise InputError("no CGP line in it")
    chosen = next(iter(lines)) if number is None else number
    if chosen not in lines:
        raise InputError(f"no CGP in line {chosen}")
    choices = [(line, f"line {line}: {_shortened(cgp)}") for line, cgp in lines.items()]
    return Pasted(Position.from_cgp(lines[chosen], distribution), chosen, choices)


def _of_game(game: Game, number: int | None) -> Pasted:
    turns = game.preendgame_turns()
    if not turns:
        raise InputError("no turn of this game has 1 to 6 tiles in the bag and a rack known in full")
    chosen = turns[-1] if number is None else number
    return Pasted(game.position(chosen), chosen, [(turn, _turn_label(game, turn)) for turn in turns])


def _turn_label(game: Game, turn: int) -> str:
    """``turn 23, Ann: ADNNOPT, 4 in the bag``"""
    event = game.events[turn - 1]
    assert event.rack is not None
    rack = game.distribution.format_rack(event.rack)
    return f"turn {turn}, {game.players[event.player]}: {rack}, {event.bag} in the bag"


def _shortened(cgp: str) -> str:
    """The fields after the board."""
    return " ".join(cgp.split()[1:4])
