"""Racks that the record of a game does not tell, worked out from the rest of it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from pegray.game.gcg import TURNS, Event, EventKind, Game

Tiles = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Racks:
    """What both players held before each event of a game, as far as its record says it or leaves no doubt.

    at_least: int64[events, 2, size], tiles that each player held for certain
    sizes: int64[events, 2], how many tiles each held
    left: int64[events, size], the tiles that were not on the board
    """

    at_least: npt.NDArray[np.int64]
    sizes: npt.NDArray[np.int64]
    left: npt.NDArray[np.int64]

    def known(self, event: int, player: int) -> Tiles | None:
        """int64[size], the rack before an event (from 0), None if it is not known in full."""
        rack: Tiles = self.at_least[event, player]
        return rack if rack.sum() == self.sizes[event, player] else None


def work_out_racks(game: Game) -> Racks:
    """Work out racks from what is written, played and left at the end, on either side.

    A player keeps what is not played and draws no more than that: so a later rack tells of those before it, all of
    them where nothing was drawn. With the bag empty a rack is what is neither on the board nor on the other one.
    """
    left = np.array([_not_on_board(game, event) for event in game.events])
    sizes = np.zeros((len(game.events), 2), np.int64)
    at_least = np.zeros((len(game.events), 2, game.distribution.size), np.int64)
    for number, event in enumerate(game.events):
        sizes[number, event.player] = event.rack_size
        sizes[number, 1 - event.player] = left[number].sum() - event.bag - event.rack_size
        if event.kind in TURNS:
            written = 0 if event.rack is None else event.rack
            at_least[number, event.player] = np.maximum(_used(game, event), written)
        elif event.left is not None:
            owner = 1 - event.player if event.rack_size == 0 else event.player
            at_least[number, owner] = event.left
    racks = Racks(at_least, sizes, left)
    for _ in game.events:  # what is found at one end may tell something at the other, and no more than once each
        before = at_least.copy()
        for number, event in enumerate(game.events):
            if event.bag == 0:
                _complete(racks, number)
            _compare_with_next(game, racks, number)
        if (at_least == before).all():
            break
    return racks


def with_racks(game: Game, racks: Racks) -> tuple[Game, frozenset[int]]:
    """The game with the racks that were worked out, and the turns, from 1, that they were worked out for."""
    events = list(game.events)
    found = set()
    for number, event in enumerate(events):
        rack = racks.known(number, event.player)
        if event.kind in TURNS and not event.rack_known and rack is not None:
            events[number] = replace(event, rack=rack.astype(np.uint8))
            found.add(number + 1)
    return replace(game, events=tuple(events)), frozenset(found)


def _complete(racks: Racks, number: int) -> None:
    """With the bag empty one rack tells the other."""
    for player in (0, 1):
        known = racks.known(number, player)
        if known is not None and (known <= racks.left[number]).all():
            racks.at_least[number, 1 - player] = racks.left[number] - known


def _compare_with_next(game: Game, racks: Racks, number: int) -> None:
    """Carry over what is known before an event to the next one, and back."""
    events, at_least = game.events, racks.at_least
    event = events[number]
    following = number + 1
    if following == len(events):
        return
    _same(at_least, number, following, 1 - event.player)
    if event.kind is EventKind.PLAY:
        if events[following].kind is EventKind.WITHDRAWAL:
            if following + 1 < len(events):
                _same(at_least, number, following + 1, event.player)
            return
        assert event.move is not None
        used = _used(game, event)
        drawn = min(event.move.tiles_played, event.bag)
        now, then = at_least[number, event.player], at_least[following, event.player]
        now[:] = np.maximum(now, used + np.maximum(then - drawn, 0))
        then[:] = np.maximum(then, now - used)
    elif event.kind not in (EventKind.EXCHANGE, EventKind.WITHDRAWAL):
        _same(at_least, number, following, event.player)


def _same(at_least: npt.NDArray[np.int64], one: int, other: int, player: int) -> None:
    """The player's rack does not change between two events."""
    at_least[one, player] = at_least[other, player] = np.maximum(at_least[one, player], at_least[other, player])


def _used(game: Game, event: Event) -> Tiles:
    """int64[size], the tiles that an event takes from the rack."""
    return game.distribution.count([] if event.move is None else event.move.rack_tiles()).astype(np.int64)


def _not_on_board(game: Game, event: Event) -> Tiles:
    """int64[size], the tiles of both racks and the bag before an event."""
    return game.distribution.counts - game.distribution.count_on(event.board)
