"""Play random games with the bundled lexicon and print close pre-endgames from them: how thirty.cgp was made.

python jobs/thirty.py > jobs/thirty.cgp
"""

from __future__ import annotations

import random
from dataclasses import replace

import pegray
from pegray.bench.games import empty_board, list_tiles, played_game, take_turn
from pegray.game.position import RACK_SIZE
from pegray.game.tiles import BLANK, Distribution
from pegray.lexicon.find import lexicon_for
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
    start = empty_board()
    lexicon = lexicon_for(start)
    print("# Close pre-endgames from random games, made by thirty.py. They need no lexicon but the bundled one.")
    seed = 0
    for bag_size, count in WANTED.items():
        found = 0
        while found < count:
            seed += 1
            chance = random.Random(seed)
            for position in played_game(start, lexicon, chance, CHOICE):
                if position.bag_size == bag_size and not blank_left(position) and is_close(position, lexicon, chance):
                    print(f"# {bag_size} in the bag, game {seed}")
                    print(position.to_cgp(), flush=True)
                    found += 1


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
    unseen = list_tiles(position.unseen)
    chance.shuffle(unseen)
    rack, other_rack, bag = list_tiles(position.rack), unseen[:RACK_SIZE], unseen[RACK_SIZE:]
    sign = 1
    while True:
        ours, theirs = (distribution.count(tiles) for tiles in (rack, other_rack))
        position = replace(position, rack=ours, opponent_rack=theirs)
        move, score = legal_moves(position, lexicon)[0]
        take_turn(move, rack, bag)
        position = position.apply(move, score)
        our_points, their_points = (_value(tiles, distribution) for tiles in (rack, other_rack))
        # the spread is now the opponent's, who is on turn
        if not rack:
            return sign * (2 * their_points - position.spread)
        if position.scoreless == position.rules.scoreless_turns:
            return sign * (their_points - our_points - position.spread)
        rack, other_rack = other_rack, rack
        sign = -sign


def _value(tiles: list[int], distribution: Distribution) -> int:
    return sum(int(distribution.values[tile]) for tile in tiles)


if __name__ == "__main__":
    main()
