"""Play games with the bundled lexicon and print pre-endgames from them: how the positions of record.yaml were made.

python jobs/record.py 1 1000 > jobs/record/bag1.cgp    # so many positions with one tile in the bag
"""

from __future__ import annotations

import random
import sys
from dataclasses import replace

import pegray
from pegray.bench.games import empty_board, list_tiles, take_turn
from pegray.game.position import RACK_SIZE
from pegray.lexicon.find import lexicon_for
from pegray.lexicon.lexicon import Lexicon
from pegray.preendgame.candidates import legal_moves

# Players choose among so many plays of the highest score, each as likely: more variety than always the highest.
CHOICE = 4
# Who is further ahead or behind than this has mostly won or lost already.
MOST_SPREAD = 50
# From here on a game is played to several endings, with the unseen tiles dealt anew: most of the work comes before.
SHARED_UNTIL = 25
ENDINGS = 4


def main(bag_size: int, count: int) -> None:
    """Print so many positions as CGP lines; the same numbers print the same lines, and more begin with them."""
    start = empty_board()
    lexicon = lexicon_for(start)
    print(f"# Pre-endgames with {bag_size} in the bag, of random games with the bundled lexicon, made by record.py.")
    found = 0
    game = 0
    while found < count:
        game += 1
        chance = random.Random(f"{bag_size} in the bag, game {game}")
        middle = played_until(start, lexicon, chance, SHARED_UNTIL)
        for ending in range(1, ENDINGS + 1):
            if middle is None or abs(middle.spread) > MOST_SPREAD or found == count:
                break
            position = played_until(middle, lexicon, chance, bag_size, exactly=True)
            if position is not None and abs(position.spread) <= MOST_SPREAD:
                print(f"# game {game}, ending {ending}")
                print(position.to_cgp(), flush=True)
                found += 1


def played_until(
    position: pegray.Position, lexicon: Lexicon, chance: random.Random, bag_size: int, exactly: bool = False
) -> pegray.Position | None:
    """Play on, the unseen tiles dealt at random, until no more than so many tiles are in the bag.

    exactly: who has a play that leaves just so many, among those to choose from, takes it: else most games miss it
    Returns None if a player passes before, or if the game has missed it.
    """
    distribution = position.distribution
    rack, unseen = list_tiles(position.rack), list_tiles(position.unseen)
    chance.shuffle(unseen)
    if not rack:
        rack, unseen = unseen[:RACK_SIZE], unseen[RACK_SIZE:]
    other_rack, bag = unseen[:RACK_SIZE], unseen[RACK_SIZE:]
    while len(bag) > bag_size:
        position = replace(position, rack=distribution.count(rack), opponent_rack=None)
        plays = legal_moves(position, lexicon, CHOICE)
        wanted = [play for play in plays if exactly and play[0].tiles_played == len(bag) - bag_size]
        move, score = chance.choice(wanted or plays)
        if move.is_pass:
            return None
        take_turn(move, rack, bag)
        position = position.apply(move, score)
        rack, other_rack = other_rack, rack
    if exactly and len(bag) < bag_size:
        return None
    return replace(position, rack=distribution.count(rack), opponent_rack=None)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
