"""Play games between two players who always take the highest score, with the bundled lexicon: how the games here came.

python jobs/games/make.py 4 > jobs/games/close.gcg
"""

from __future__ import annotations

import random
import sys
from dataclasses import replace

from pegray.bench.games import empty_board, list_tiles, take_turn
from pegray.game.notation import format_move
from pegray.game.rules import RACK_SIZE
from pegray.lexicon.find import lexicon_for
from pegray.preendgame.candidates import legal_moves

PLAYERS = ("Anna", "Ben")


def main(seed: int) -> None:
    """Print a game as GCG; the same seed is always the same game."""
    for number, player in enumerate(PLAYERS, 1):
        print(f"#player{number} {player} {player}")
    print("#lexicon ENABLE")
    for line in game_lines(random.Random(seed)):
        print(line)


def game_lines(chance: random.Random) -> list[str]:
    """The events of one game."""
    position = empty_board()
    distribution = position.distribution
    lexicon = lexicon_for(position)
    bag = list_tiles(distribution.counts)
    chance.shuffle(bag)
    racks = [bag[:RACK_SIZE], bag[RACK_SIZE : 2 * RACK_SIZE]]
    del bag[: 2 * RACK_SIZE]
    totals = [0, 0]
    lines = []
    mover = 0
    while True:
        rack = distribution.count(racks[mover])
        position = replace(position, rack=rack, opponent_rack=None)
        move, score = legal_moves(position, lexicon)[0]
        totals[mover] += score
        text = "-" if move.is_pass else format_move(move, distribution)
        lines.append(f">{PLAYERS[mover]}: {distribution.format_rack(rack)} {text} +{score} {totals[mover]}")
        take_turn(move, racks[mover], bag)
        position = position.apply(move, score)
        if not racks[mover]:
            left = distribution.count(racks[1 - mover])
            bonus = 2 * int(left @ distribution.values)
            tiles = distribution.format_rack(left)
            return [*lines, f">{PLAYERS[mover]}:  ({tiles}) +{bonus} {totals[mover] + bonus}"]
        if position.scoreless == position.rules.scoreless_turns:
            return lines
        mover = 1 - mover


if __name__ == "__main__":
    main(int(sys.argv[1]))
