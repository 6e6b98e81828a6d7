"""The positions of the soak: small, random, and chosen so that the finer rules decide them.

Most random positions are decided by much, whoever sees the bag and however ties fall. So each board is solved once,
and then asked about again and again with a spread at which some line of play ends in a tie or by a point, with or
without knowledge of the opponent's rack, under either model. Letters often come several times, so that weights count.

Question i depends on the seed, the lexica and i alone, so that a soak can be stopped and taken up again anywhere.
"""

from __future__ import annotations

import functools
import random
from dataclasses import dataclass, field, replace

from tests.kernels.symbols import bag_in, values_in
from tests.reference.positions import RandomPosition
from tests.reference.reference import EMPTY_BOARD, PASS, STANDARD_PREMIUMS, Board, Reference, State, in_order, without
from tests.soak.measured import MeasuredReference, QuickReference, TooLong, words_that_fit
from tests.soak.vocabulary import vocabulary

QUESTIONS_PER_BOARD = 12
BOARDS_PER_GAME = 12
GAME_WORDS = 300
SAMPLE = 1500
LANGUAGES = ("english",) * 6 + ("french", "german", "spanish", "spanish", "polish", "catalan", "catalan", "norwegian")
# Tiles in the bag -> sizes of our rack, and the most plays that racks have on average.
SIZES = {1: (2, 3, 3, 4), 2: (2, 3, 3), 3: (2, 2, 3), 4: (1, 2, 2)}
MOST_PLAYS = {1: 20, 2: 9, 3: 6, 4: 5}
FEWEST_PLAYS = {1: 5, 2: 4, 3: 3, 4: 3}
MOST_WORDS = 90
MOVE_LISTS = 600  # that the reference may make for one board
WAYS = (
    ("plain",) * 3
    + ("tiny table", "large table", "small arena", "two threads", "two threads", "helper", "cut off", "cut off")
    + ("whole",) * 6
)
RAY_SHARE = 0.01
RACK = 7


@dataclass(frozen=True)
class Question:
    """What is asked of a position, and how the solver is to find it.

    lexicon: where its words are from
    choices: how the whole solver is asked, a random number for each question
    shared: what the reference remembers of the board
    """

    position: RandomPosition
    lexicon: str
    opponent: str
    way: str
    choices: int
    shared: QuickReference = field(compare=False)

    def __str__(self) -> str:
        return f"{self.position} from {self.lexicon}, {self.opponent} opponent, {self.way}, choices {self.choices}"

    def kinds(self) -> list[str]:
        """What it is an example of, for the tallies."""
        position = self.position
        known = len(position.known)
        share = "nothing" if not known else "all" if known == position.opponent_rack_size else "part"
        return [
            f"bag: {position.bag_size}",
            f"opponent: {self.opponent}",
            f"known of its rack: {share}",
            f"scoreless turns: {position.scoreless}",
            f"blanks to play: {'yes' if '?' in position.our_rack + position.unseen else 'no'}",
            f"language: {position.language}",
            f"board: {'standard' if position.premiums == STANDARD_PREMIUMS else 'other'}",
            f"lexicon: {self.lexicon}",
            f"racks of: {position.opponent_rack_size}",
            f"solved: {self.way}",
        ]


@dataclass(frozen=True)
class Ground:
    """A board that several questions are asked about, with its tiles and words.

    at_stake: spreads at which one line of play or another ends in a tie
    """

    position: RandomPosition
    lexicon: str
    at_stake: tuple[int, ...]
    shared: QuickReference


def question(seed: int, number: int, lexica: tuple[str, ...], ray: bool = True) -> Question | None:
    """One question of the seed's sequence; None for one of a board that came to nothing."""
    found = ground(seed, number // QUESTIONS_PER_BOARD, lexica)
    if found is None:
        return None
    chance = random.Random(f"question {seed} {number}")
    position = found.position
    spread = chance.choice(found.at_stake) + chance.choice([0, 0, 0, 0, -1, 1])
    opponent = chance.choice(["guaranteed", "guaranteed", "rational"])
    way = chance.choice(WAYS)
    position = replace(
        position,
        name=f"seed {seed} number {number}",
        spread=spread,
        scoreless=chance.choice([0, 0, 0, 1, 2, 3, 4, 5, 5]),
        known=some_known(position, chance),
    )
    through_ray = chance.random() < RAY_SHARE
    if way == "whole" and (position.opponent_rack_size != RACK or len(position.our_rack) != RACK):
        way = chance.choice(WAYS[:-6])
    if way == "whole" and through_ray and ray:
        way = "whole, through Ray"
    return Question(position, found.lexicon, opponent, way, chance.randrange(1 << 30), found.shared)


def some_known(position: RandomPosition, chance: random.Random) -> str:
    """Tiles that the opponent may be known to hold: mostly none, or some or all of a rack."""
    if chance.random() < 0.5:
        return ""
    size = position.opponent_rack_size
    rack = chance.sample(position.unseen, size)
    return in_order(rack if chance.random() < 0.35 else chance.sample(rack, chance.randint(1, size)))


@functools.lru_cache(maxsize=2)
def ground(seed: int, number: int, lexica: tuple[str, ...]) -> Ground | None:
    """The board of a number; None if the reference would take too long with any of its words."""
    chance = random.Random(f"board {seed} {number}")
    game = random_game(seed, number // BOARDS_PER_GAME, lexica)
    board, left = chance.choice(game.boards)
    bag_size = chance.choice([1, 1, 2, 2, 2, 3, 3, 4])
    for attempt in range(12):
        our_rack, unseen, opponent_size = random_racks(left, bag_size, chance)
        position = RandomPosition(
            f"board {number}",
            frozenset(),
            board,
            our_rack,
            unseen,
            opponent_size,
            0,
            0,
            "",
            game.language,
            game.premiums,
        )
        words = chosen_words(game.words, position, attempt, chance)
        if words is None:
            continue
        position = replace(position, words=words)
        position = replace(position, spread=-played_out(position, chance))
        reference = MeasuredReference(position, MOVE_LISTS)
        try:
            reference.solve(*position.solve_arguments())
        except TooLong:
            continue
        at_stake = tuple(position.spread - final for final in reference.usual_finals())
        return Ground(position, game.lexicon, at_stake, reference)
    return None


@dataclass(frozen=True)
class Game:
    """Boards of a random game, each with the tiles that are not on it."""

    language: str
    lexicon: str
    premiums: Board
    words: tuple[str, ...]
    boards: list[tuple[Board, str]]


@functools.lru_cache(maxsize=1)
def random_game(seed: int, number: int, lexica: tuple[str, ...]) -> Game:
    """A game of high plays with few words, in some language, from some lexicon, on some board."""
    chance = random.Random(f"game {seed} {number}")
    language = chance.choice(LANGUAGES)
    lexicon = chance.choice(lexica)
    longest = chance.choice([4, 5, 5, 6, 8])
    words = vocabulary(lexicon, language, longest)
    premiums = random_premiums(chance)
    reference = Reference(chance.sample(words, min(GAME_WORDS, len(words))), values_in(language), premiums=premiums)
    tiles = list(bag_in(language))
    chance.shuffle(tiles)
    state = State(EMPTY_BOARD, in_order(tiles[:7]), in_order(tiles[7:14]), "".join(tiles[14:]), 0)
    boards: list[tuple[Board, str]] = []
    while reference.final_spread(state) is None and len(boards) < 16:
        plays = [move for move in reference.moves(state.board, state.rack) if 0 < len(move.tiles) <= 5]
        plays.sort(key=lambda move: (-move.score, str(move)))  # whatever the order of Python's sets
        state = reference.play(state, chance.choice(plays[:6]) if plays else PASS)
        boards.append((state.board, in_order(state.rack + state.other_rack + state.bag)))
    return Game(language, lexicon, premiums, words, boards[4:] or boards)


def random_premiums(chance: random.Random) -> Board:
    """The standard board, one without premium squares, or one with them anywhere."""
    kind = chance.random()
    if kind < 0.6:
        return STANDARD_PREMIUMS
    squares = "." if kind < 0.7 else "......TDtdQq"
    return tuple("".join(chance.choice(squares) for _ in range(15)) for _ in range(15))


def random_racks(left: str, bag_size: int, chance: random.Random) -> tuple[str, str, int]:
    """Our rack, the unseen tiles and the size of the opponent's rack, from the tiles that are left.

    Half of them are racks of seven, most of whose tiles are the same few letters.
    """
    our_size = chance.choice(SIZES[bag_size])
    opponent_size = max(1, our_size + chance.choice([0, 0, 0, -1, 1]))
    pool = chance.sample(left, min(len(left), our_size + opponent_size + bag_size))
    pool += chance.choices(left, k=our_size + opponent_size + bag_size - len(pool))
    for _ in range(chance.choice([0, 1, 1, 2])):
        # another tile of a letter that is there: draws of different weights
        pool[chance.randrange(our_size, len(pool))] = chance.choice(pool)
    if "?" not in pool and chance.random() < 0.15:
        pool[chance.randrange(len(pool))] = "?"
    ours, unseen = pool[:our_size], pool[our_size:]
    if chance.random() < 0.5:
        letters = [letter for letter in left if letter != "?"]
        dull = chance.sample(letters, min(2, len(letters)))
        ours += chance.choices(dull, k=RACK - our_size)
        unseen += chance.choices(dull, k=RACK - opponent_size)
        opponent_size = RACK
    return in_order(ours), in_order(unseen), opponent_size


def chosen_words(
    vocabulary: tuple[str, ...], position: RandomPosition, attempt: int, chance: random.Random
) -> frozenset[str] | None:
    """A sample of the words with which nobody has too many plays, and we have some; None if there is none.

    With each failed attempt fewer plays are too many.
    """
    board, our_rack, unseen = position.board, position.our_rack, position.unseen
    opponent_size, bag_size = position.opponent_rack_size, position.bag_size
    racks = [our_rack]
    for _ in range(2):
        racks.append(in_order(chance.sample(unseen, opponent_size)))
        racks.append(in_order(chance.sample(our_rack + unseen, len(our_rack))))
    limit = MOST_PLAYS[bag_size] * 0.9**attempt
    some = chance.sample(vocabulary, min(len(vocabulary), SAMPLE))
    words = words_that_fit(some, board, our_rack + unseen)
    most = MOST_WORDS // (2 if "?" in our_rack + unseen else 1)
    ours = words_that_fit(words, board, our_rack)
    ours = chance.sample(ours, min(len(ours), most // 2))
    words = sorted({*ours, *chance.sample(words, min(len(words), most - len(ours)))})
    while True:
        reference = QuickReference(replace(position, words=frozenset(words)))
        counts = []
        for rack in racks:
            counts.append(len(reference.moves(board, rack)))
            if counts[-1] > 2 * limit:
                break
        too_many = max(max(counts) / (2 * limit), sum(counts) / (len(counts) * limit))
        if too_many <= 1:
            return frozenset(words) if counts[0] >= FEWEST_PLAYS[bag_size] else None
        words = chance.sample(words, int(len(words) * max(0.1, min(0.8, 1.2 / too_many))))


def played_out(position: RandomPosition, chance: random.Random) -> int:
    """The final spread from a level start if everybody plays the highest score."""
    reference = QuickReference(position)
    bag = "".join(chance.sample(position.unseen, position.bag_size))
    state = State(position.board, position.our_rack, without(position.unseen, bag), bag, 0)
    ours = True
    while (final := reference.final_spread(state)) is None:
        plays = reference.moves(state.board, state.rack)
        state = reference.play(state, max(plays, key=lambda move: (move.score, len(move.tiles), str(move))))
        ours = not ours
    return final if ours else -final
