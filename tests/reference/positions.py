"""Small random late positions for differential tests, the same for the same seed and (ordered) word list.

Games are played out from the empty board by the reference generator, each turn a random choice among the
best-scoring plays, with a sample of the word list; then a position is cut down until the reference can
solve it: racks of few tiles, a bag of one to three, and a sample of words that leaves few plays. Position
number i depends on the seed and on i alone, so that a long soak can be stopped and taken up again anywhere.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .reference import EMPTY_BOARD, PASS, STANDARD_PREMIUMS, Board, Reference, State, format_cgp, in_order, without

ENGLISH_TILES = "??AAAAAAAAABBCCDDDDEEEEEEEEEEEEFFGGGHHIIIIIIIIIJKLLLLMMNNNNNNOOOOOOOOPPQRRRRRRSSSSTTTTTTUUUUVVWWXYYZ"
assert len(ENGLISH_TILES) == 100
POSITIONS_PER_GAME = 8
GAME_WORDS = 1500
# Racks are drawn again, so many times, until we have so many plays with all the words.
TRIES = 20
FEWEST_PLAYS = 6
# Tiles in the bag, size of the larger rack -> the most plays that a rack may have: the cost grows with a
# power of it.
MOST_PLAYS = {
    (1, 2): 20,
    (1, 3): 12,
    (1, 4): 8,
    (2, 2): 10,
    (2, 3): 7,
    (2, 4): 6,
    (3, 2): 7,
    (3, 3): 5,
    (3, 4): 4,
}


@dataclass(frozen=True)
class RandomPosition:
    """One position with its lexicon; `solve_arguments` are those of Reference.solve.

    `language` names the letter distribution. In others than English each tile is one character too, whatever it is
    printed as: see tests/kernels/symbols.py.
    """

    name: str
    words: frozenset[str]
    board: Board
    our_rack: str
    unseen: str
    opponent_rack_size: int
    spread: int
    scoreless: int
    known: str
    language: str = "english"
    premiums: Board = STANDARD_PREMIUMS

    @property
    def bag_size(self) -> int:
        return len(self.unseen) - self.opponent_rack_size

    def solve_arguments(self) -> tuple[Board, str, str, int, int, int, str]:
        return (
            self.board,
            self.our_rack,
            self.unseen,
            self.opponent_rack_size,
            self.spread,
            self.scoreless,
            self.known,
        )

    def __str__(self) -> str:
        """Enough to write the position down in a bug report (its words apart)."""
        cgp = format_cgp(self.board, self.our_rack, "", (self.spread, 0), self.scoreless)
        return (
            f"{self.name}: {cgp} unseen {self.unseen} opponent holds {self.opponent_rack_size}"
            f" known {self.known or 'none'}, {len(self.words)} words, {self.language}"
        )


def random_positions(words: Sequence[str], seed: int, start: int = 0, stop: int = 500) -> Iterator[RandomPosition]:
    """The positions numbered start..stop-1 of this seed."""
    for number in range(start, stop):
        yield random_position(tuple(words), seed, number)


def random_position(words: tuple[str, ...], seed: int, number: int) -> RandomPosition:
    """One position of the seed's sequence."""
    chance = random.Random(f"position {seed} {number}")
    boards = played_game(words, seed, number // POSITIONS_PER_GAME)
    board, tiles = chance.choice(boards)

    bag_size = chance.choice([1, 1, 2, 2, 3])
    our_size = chance.choice([2, 3, 3, 4] if bag_size == 1 else [2, 3, 3])
    opponent_size = chance.choice([our_size, our_size, our_size, max(2, our_size - 1), min(4, our_size + 1)])
    everything = whole_lexicon(words)
    for _ in range(TRIES):
        pool = chance.sample(tiles, our_size + opponent_size + bag_size)
        if "?" not in pool and chance.random() < 0.15:
            pool[chance.randrange(len(pool))] = "?"
        our_rack, unseen = in_order(pool[:our_size]), in_order(pool[our_size:])
        if len(everything.moves(board, our_rack)) >= FEWEST_PLAYS:
            break
    everything.forget()
    lexicon = fitting_words(words, board, our_rack, unseen, opponent_size, chance)
    spread = chance.choice([-2, -1, 0, 0, 0, 1, 2, 4, 8, 12]) - playout_spread(
        lexicon, board, our_rack, pool[our_size:], bag_size
    )
    known = (
        chance.sample(pool[our_size + bag_size :], chance.randint(1, opponent_size)) if chance.random() < 0.3 else []
    )
    return RandomPosition(
        name=f"seed {seed} number {number}",
        words=lexicon,
        board=board,
        our_rack=our_rack,
        unseen=unseen,
        opponent_rack_size=opponent_size,
        spread=spread,
        scoreless=chance.choice([0, 0, 0, 0, 0, 1, 2, 3, 4, 5]),
        known=in_order(known),
    )


@functools.lru_cache(maxsize=1)
def whole_lexicon(words: tuple[str, ...]) -> Reference:
    return Reference(words)


@functools.lru_cache(maxsize=2)
def played_game(words: tuple[str, ...], seed: int, game: int) -> list[tuple[Board, list[str]]]:
    """The last boards of one random game, each with the tiles that are not on it."""
    chance = random.Random(f"game {seed} {game}")
    reference = Reference(sample(words, GAME_WORDS, chance))
    tiles = list(ENGLISH_TILES)
    chance.shuffle(tiles)
    rack, other_rack, bag = in_order(tiles[:7]), in_order(tiles[7:14]), "".join(tiles[14:])
    state = State(EMPTY_BOARD, rack, other_rack, bag, 0)
    boards = []
    while reference.final_spread(state) is None:
        plays = [move for move in reference.moves(state.board, state.rack) if len(move.tiles) <= 5]
        plays.sort(key=lambda move: -move.score)
        state = reference.play(state, chance.choice([play for play in plays[:6] if play != PASS] or [PASS]))
        left = list(state.rack + state.other_rack + state.bag)
        if len(left) >= 11:
            boards.append((state.board, left))
    return boards[-5:]


def fitting_words(
    words: tuple[str, ...],
    board: Board,
    our_rack: str,
    unseen: str,
    opponent_size: int,
    chance: random.Random,
) -> frozenset[str]:
    """A sample of the words with which nobody has too many plays."""
    racks = [our_rack]
    for _ in range(3):
        racks.append(in_order(chance.sample(unseen, opponent_size)))
        racks.append(in_order(chance.sample(our_rack + unseen, len(our_rack))))
    limit = MOST_PLAYS[len(unseen) - opponent_size, max(len(our_rack), opponent_size)]
    short = frozenset(word for word in words if len(word) <= 3)
    lexicon = short | sample(words, chance.choice([500, 3000]), chance)
    while True:
        counts = play_counts(lexicon, board, racks)
        if sum(counts) <= limit * len(counts) and max(counts) <= 3 * limit:
            return lexicon
        # Of two smaller samples, take the one that leaves more racks something to play.
        samples = [sample(tuple(sorted(lexicon)), len(lexicon) * 2 // 3, chance) for _ in range(2)]
        lexicon = max(samples, key=lambda words: sum(min(limit, n) for n in play_counts(words, board, racks)))


def play_counts(lexicon: frozenset[str], board: Board, racks: list[str]) -> list[int]:
    reference = Reference(lexicon)
    return [len(reference.moves(board, rack)) for rack in racks]


def sample(words: tuple[str, ...], count: int, chance: random.Random) -> frozenset[str]:
    return frozenset(words if count >= len(words) else chance.sample(words, count))


def playout_spread(lexicon: frozenset[str], board: Board, our_rack: str, unseen: Sequence[str], bag_size: int) -> int:
    """The final spread for us from a level start if everybody plays the highest score: what makes a close
    position.
    """
    reference = Reference(lexicon)
    bag = "".join(unseen[:bag_size])
    state = State(board, our_rack, in_order(without("".join(unseen), bag)), bag, 0)
    ours = True
    while (final := reference.final_spread(state)) is None:
        plays = reference.moves(state.board, state.rack)
        state = reference.play(state, max(plays, key=lambda move: (move.score, len(move.tiles))))
        ours = not ours
    return final if ours else -final
