"""Games between simple players, for positions as they come up in play: the same seed plays the same game."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from pegray.game.layout import SQUARES, load_layout
from pegray.game.move import Move
from pegray.game.position import Position
from pegray.game.rules import RACK_SIZE
from pegray.game.tiles import Distribution, load_distribution
from pegray.lexicon.lexicon import Lexicon
from pegray.preendgame.candidates import legal_moves


def empty_board(distribution: Distribution | None = None) -> Position:
    """The start of a game, nobody holding a tile; English if no distribution is given."""
    distribution = distribution or load_distribution("english")
    no_tiles = np.zeros(distribution.size, np.uint8)
    return Position(np.zeros(SQUARES, np.uint8), no_tiles, None, (0, 0), 0, distribution, load_layout())


def played_game(start: Position, lexicon: Lexicon, chance: random.Random, choice: int) -> Iterator[Position]:
    """The positions of a random game up to its last draw, or to the first pass.

    Players take one of the ``choice`` plays of the highest score, each as likely. The opponent's rack is left out,
    since nobody at the table sees it either.
    """
    bag = list_tiles(start.distribution.counts)
    chance.shuffle(bag)
    rack, other_rack = bag[:RACK_SIZE], bag[RACK_SIZE : 2 * RACK_SIZE]
    del bag[: 2 * RACK_SIZE]
    position = start
    while bag:
        position = replace(position, rack=start.distribution.count(rack), opponent_rack=None)
        yield position
        move, score = chance.choice(legal_moves(position, lexicon, choice))
        if move.is_pass:
            return
        take_turn(move, rack, bag)
        position = position.apply(move, score)
        rack, other_rack = other_rack, rack


def take_turn(move: Move, rack: list[int], bag: list[int]) -> None:
    """Take the move's tiles from the rack, and fill it up from the bag."""
    for tile in move.rack_tiles():
        rack.remove(tile)
    drawn = min(len(bag), move.tiles_played)
    rack += bag[:drawn]
    del bag[:drawn]


def list_tiles(counts: npt.NDArray[np.uint8] | npt.NDArray[np.int8]) -> list[int]:
    """The tiles of a multiset, one by one."""
    return [tile for tile, count in enumerate(counts.tolist()) for _ in range(count)]
