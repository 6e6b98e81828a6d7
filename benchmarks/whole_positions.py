"""Play games with the bundled lexicon and print whole pre-endgames from them: how pegray/data/bench/whole.cgp was made.

python benchmarks/whole_positions.py > pegray/data/bench/whole.cgp
"""

from __future__ import annotations

import random
from collections import Counter

from pegray.bench.games import empty_board, played_game
from pegray.game.position import Position
from pegray.game.rules import PREENDGAME_BAG, is_preendgame
from pegray.lexicon.find import lexicon_for
from pegray.lexicon.lexicon import Lexicon

EACH = 4  # positions of each bag size


def main() -> None:
    """Print the positions as CGP lines, those with few tiles in the bag first."""
    start = empty_board()
    lexicon = lexicon_for(start)
    print("# Whole pre-endgames for `pegray bench --whole`, made by benchmarks/whole_positions.py: games between")
    print("# players who always take the play with the highest score, with the bundled lexicon; one position a game.")
    for seed, position in sorted(chosen(start, lexicon), key=lambda found: found[1].bag_size):
        position.opcodes["lex"] = lexicon.name
        print(f"# {position.bag_size} in the bag, game {seed}")
        print(position.to_cgp())


def chosen(start: Position, lexicon: Lexicon) -> list[tuple[int, Position]]:
    """The first positions that are wanted, each with the seed of its game."""
    found: list[tuple[int, Position]] = []
    sizes: Counter[int] = Counter()
    seed = 0
    while len(found) < EACH * len(PREENDGAME_BAG):
        seed += 1
        for position in played_game(start, lexicon, random.Random(seed), choice=1):
            if is_preendgame(position.bag_size) and sizes[position.bag_size] < EACH:
                found.append((seed, position))
                sizes[position.bag_size] += 1
                break
    return found


if __name__ == "__main__":
    main()
