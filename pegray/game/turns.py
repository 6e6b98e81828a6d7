"""The late turns of a game: pre-endgames and endgames, each with its position, what was played and what was drawn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pegray.errors import InputError
from pegray.game.gcg import EventKind, Game
from pegray.game.notation import format_move
from pegray.game.position import Position
from pegray.game.racks import Racks, with_racks, work_out_racks
from pegray.game.tiles import letters_first

_KINDS = (EventKind.PLAY, EventKind.PASS, EventKind.EXCHANGE, EventKind.RACK)


@dataclass(frozen=True, eq=False)
class Turn:
    """A turn of a game with few tiles in the bag, or none.

    game: its name; number: of the turn, from 1; line: in the record; player: the nickname
    rack: as far as it is known; worked_out: not from the turn's own line but from the rest of the record
    position: before the turn; None where it cannot be told, and fault says why
    move: what was played, in notation; None if nothing was, or an exchange
    taken_back: the play was challenged off, which left the player with a pass
    drawn: the tiles drawn after it; stayed: those left in the bag then, in no order; None where they are not known
    """

    game: str
    number: int
    line: int
    player: str
    bag: int
    rack: str
    worked_out: bool
    position: Position | None
    fault: str
    move: str | None
    taken_back: bool
    drawn: str | None
    stayed: str | None

    @property
    def counted_as(self) -> str | None:
        """The move whose value is that of the turn."""
        return "pass" if self.taken_back else self.move


def late_turns(game: Game, name: str, max_bag: int) -> list[Turn]:
    """The turns of a game with at most ``max_bag`` tiles in the bag, of both players, in order.

    name: of the game
    """
    racks = work_out_racks(game)
    complete, worked_out = with_racks(game, racks)
    return [
        _turn(complete, racks, name, number, number in worked_out)
        for number, event in enumerate(game.events, 1)
        if event.kind in _KINDS and event.bag <= max_bag
    ]


def _turn(game: Game, racks: Racks, name: str, number: int, worked_out: bool) -> Turn:
    event = game.events[number - 1]
    tiles = game.distribution
    position, fault = None, ""
    try:
        position = game.position(number)
    except InputError:
        held = int(racks.at_least[number - 1, event.player].sum())
        fault = f"{held} of {event.rack_size} tiles known"
    if event.kind is EventKind.EXCHANGE:
        position, fault = None, "an exchange"
    following = game.events[number] if number < len(game.events) else None
    taken_back = following is not None and following.kind is EventKind.WITHDRAWAL
    drawn, stayed = (None, None) if taken_back else _drawn(game, racks, number)
    return Turn(
        game=name,
        number=number,
        line=event.line,
        player=game.players[event.player],
        bag=event.bag,
        rack=tiles.format_rack(racks.at_least[number - 1, event.player].astype(np.uint8)),
        worked_out=worked_out,
        position=position,
        fault=fault,
        move=None if event.move is None else format_move(event.move, tiles),
        taken_back=taken_back,
        drawn=drawn,
        stayed=stayed,
    )


def _drawn(game: Game, racks: Racks, number: int) -> tuple[str | None, str | None]:
    """The tiles drawn after a turn, and those left in the bag then, as far as later racks tell."""
    event = game.events[number - 1]
    if number == len(game.events) or event.move is None:
        return None, None
    before, after = racks.known(number - 1, event.player), racks.known(number, event.player)
    if before is None or after is None:
        return None, None
    used = game.distribution.count(event.move.rack_tiles())
    other = racks.known(number, 1 - event.player)
    stayed = None if other is None else _text(game, racks.left[number] - after - other)
    return _text(game, after - before + used), stayed


def _text(game: Game, counts: npt.NDArray[np.int64]) -> str | None:
    """Tiles as in the name of a draw, blanks last; None where the record contradicts itself."""
    if (counts < 0).any():
        return None
    tiles = [tile for tile, count in enumerate(counts.tolist()) for _ in range(count)]
    return game.distribution.format_tiles(letters_first(tiles))
