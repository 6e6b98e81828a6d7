"""Play random games with the bundled lexicon and print close pre-endgames from them: how thirty.cgp was made.

python jobs/thirty.py > jobs/thirty.cgp
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import numpy.typing as npt

import pegray
from pegray.api import lexicon_for
from pegray.game.layout import SQUARES, load_layout
from pegray.game.move import Move
from pegray.game.position import RACK_SIZE
from pegray.game.tiles import BLANK, Distribution, load_distribution
from pegray.lexicon.lexicon import Lexicon
from pegray.preendgame.candidates import legal_moves

# How many positions, by tiles in the bag.
WANTED = {1: 24, 2: 6}
# Players choose among so many plays of the highest score: more variety than always the highest.
CHOICE = 4
# A position is close if some, but not all, of so many random bags win when both go for the highest score.
PLAYOUTS = 6


def main() -> None:
    """Print the positions as CGP lines, at most one from a game."""
    distribution = load_distribution("english")
    no_tiles = np.zeros(distribution.size, np.uint8)
    start = pegray.Position(np.zeros(SQUARES, np.uint8), no_tiles, None, (0, 0), 0, distribution, load_layout())
    lexicon = lexicon_for(start)
    print("# Close pre-endgames from random games, made by thirty.py. They need no lexicon but the bundled one.")
    seed = 0
    for bag_size, count in WANTED.items():
        found = 0
        while found < count:
            seed += 1
            chance = random.Random(seed)
            for position in played_game(start, lexicon, chance):
                if position.bag_size == bag_size and not blank_left(position) and is_close(position, lexicon, chance):
                    print(f"# {bag_size} in the bag, game {seed}")
                    print(position.to_cgp(), flush=True)
                    found += 1


def played_game(start: pegray.Position, lexicon: Lexicon, chance: random.Random) -> Iterator[pegray.Position]:
    """The positions of a random game up to its last draw, or to the first pass.

    The opponent's rack is left out, since nobody at the table sees it either.
    """
    bag = _tiles(start.distribution.counts)
    chance.shuffle(bag)
    rack, other_rack = bag[:RACK_SIZE], bag[RACK_SIZE : 2 * RACK_SIZE]
    del bag[: 2 * RACK_SIZE]
    position = start
    while bag:
        position = replace(position, rack=_counts(rack, start.distribution), opponent_rack=None)
        yield position
        move, score = chance.choice(legal_moves(position, lexicon)[:CHOICE])
        if move.is_pass:
            return
        _play(move, rack, bag)
        position = position.apply(move, score)
        rack, other_rack = other_rack, rack


def blank_left(position: pegray.Position) -> bool:
    """Whether somebody may hold a blank: such positions can take minutes."""
    return bool(position.rack[BLANK] or position.unseen[BLANK])


def is_close(position: pegray.Position, lexicon: Lexicon, chance: random.Random) -> bool:
    """Whether the order of the bag decides the game when both always play the highest score."""
    wins = [_playout_spread(position, lexicon, chance) > 0 for _ in range(PLAYOUTS)]
    return any(wins) and not all(wins)


def _playout_spread(position: pegray.Position, lexicon: Lexicon, chance: random.Random) -> int:
    """Our final spread in one random playout."""
    distribution = position.distribution
    unseen = _tiles(position.unseen)
    chance.shuffle(unseen)
    rack, other_rack, bag = _tiles(position.rack), unseen[:RACK_SIZE], unseen[RACK_SIZE:]
    sign = 1
    while True:
        position = replace(position, rack=_counts(rack, distribution), opponent_rack=_counts(other_rack, distribution))
        move, score = legal_moves(position, lexicon)[0]
        _play(move, rack, bag)
        position = position.apply(move, score)
        ours, theirs = (_value(tiles, distribution) for tiles in (rack, other_rack))
        # the spread is now the opponent's, who is on turn
        if not rack:
            return sign * (2 * theirs - position.spread)
        if position.scoreless == position.rules.scoreless_turns:
            return sign * (theirs - ours - position.spread)
        rack, other_rack = other_rack, rack
        sign = -sign


def _play(move: Move, rack: list[int], bag: list[int]) -> None:
    """Take the move's tiles from the rack, and fill it up from the bag."""
    for tile in move.rack_tiles():
        rack.remove(tile)
    drawn = min(len(bag), move.tiles_played)
    rack += bag[:drawn]
    del bag[:drawn]


def _tiles(counts: npt.NDArray[np.uint8]) -> list[int]:
    return [tile for tile, count in enumerate(counts.tolist()) for _ in range(count)]


def _counts(tiles: list[int], distribution: Distribution) -> npt.NDArray[np.uint8]:
    return np.bincount(tiles, minlength=distribution.size).astype(np.uint8)


def _value(tiles: list[int], distribution: Distribution) -> int:
    return sum(int(distribution.values[tile]) for tile in tiles)


if __name__ == "__main__":
    main()
