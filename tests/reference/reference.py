"""The reference solver: the rules (docs/semantics.md) as slow, obvious Python, the oracle of the differential tests.

It shares no code with pegray and takes plain data only:

- a board is 15 strings of 15 characters, '.' empty, 'A' a tile, 'a' a blank standing for A;
- a rack, the unseen tiles or a bag is a string of upper-case letters and '?' (a tile is one character);
- a lexicon is a set of upper-case words; letter values are a dictionary.

A solver is made once per lexicon: ``Reference(words).solve(board, our_rack, unseen, opponent_rack_size,
spread, scoreless, known, opponent)`` returns every legal play with its outcome for every eventuality class.

Decisions where the rules leave room
------------------------------------
- Racks may be of any size, so that tests stay small: the bag holds ``len(unseen) - opponent_rack_size``
  tiles (7 in the real game), and a play of t tiles draws min(t, tiles in the bag): racks are never filled
  beyond what was played.
- The scoreless turns before the position matter only where there are five: then any turn of ours without
  points, the pass or a tile play of blanks alone, is the sixth and ends the game (after the draw). From 0
  to 4 they are forgotten, and from the position on only passes count: two in a row end the game, and a
  tile play, even one of blanks alone, ends a run of them.
- A game that ends by passes or by the sixth scoreless turn ends also with tiles in the bag: each player
  loses their own rack, the bag counts for nobody. Playing one's last tile comes first, whatever it scores.
- Playing one's last tile ends the game only if the bag was empty *before* the play (else one draws at
  least a tile).
- Known opponent rack: the knowledge lasts. Whoever held the known tiles K and has played the tiles q since
  is known to still hold max(K - q, 0) of every kind (a blank played counts as '?', whatever letter it
  stands for), and our nested decisions draw the bag from unseen - that. The knowledge is ours: under the
  rational model the opponent's choice, and everything that it imagines about us, is made as if nothing
  were known.
- Nested decisions weigh eventualities as labelled draws too; no inference is drawn from what anybody played.
- A play is one legal placement of given tiles: the same letter from a blank and from a real tile are two
  plays, and a one-tile play that forms two words is one play, written across.
- A pass that ends the game has no tie-break spread unless the bag is empty; the tie-break is for plays
  that empty it.
"""

from __future__ import annotations

import functools
import itertools
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

Board = tuple[str, ...]

# T, D: triple and double word; t, d: triple and double letter. Q, q: quadruple ones, on other boards.
STANDARD_PREMIUMS: Board = (
    "T..d...T...d..T",
    ".D...t...t...D.",
    "..D...d.d...D..",
    "d..D...d...D..d",
    "....D.....D....",
    ".t...t...t...t.",
    "..d...d.d...d..",
    "T..d...D...d..T",
    "..d...d.d...d..",
    ".t...t...t...t.",
    "....D.....D....",
    "d..D...d...D..d",
    "..D...d.d...D..",
    ".D...t...t...D.",
    "T..d...T...d..T",
)
LETTER_MULTIPLIER = {"q": 4, "t": 3, "d": 2}
WORD_MULTIPLIER = {"Q": 4, "T": 3, "D": 2}
ENGLISH_VALUES = {
    "?": 0, "A": 1, "B": 3, "C": 3, "D": 2, "E": 1, "F": 4, "G": 2, "H": 4, "I": 1, "J": 8, "K": 5, "L": 1,
    "M": 3,
    "N": 1, "O": 1, "P": 3, "Q": 10, "R": 1, "S": 1, "T": 1, "U": 1, "V": 4, "W": 4, "X": 8, "Y": 4, "Z": 10,
}  # fmt: skip
EMPTY_BOARD: Board = ("." * 15,) * 15
CENTRE = 7
SCORELESS_TURNS = 6  # in a row end the game
# How much an outcome is worth, in half points so that sums stay whole numbers.
HALF_POINTS = {"W": 2, "D": 1, "L": 0}


class Move(NamedTuple):
    """A legal move: `text` is the main word with '.' for squares already filled; `tiles` the tiles off the
    rack.
    """

    row: int
    column: int
    across: bool
    text: str
    tiles: str
    score: int

    def __str__(self) -> str:
        if not self.text:
            return "pass"
        number, letter = str(self.row + 1), "ABCDEFGHIJKLMNO"[self.column]
        return f"{number}{letter} {self.text}" if self.across else f"{letter}{number} {self.text}"


PASS = Move(0, 0, True, "", "", 0)


class State(NamedTuple):
    """Everything about a game, hidden tiles too. `rack` and `spread` are those of the player on turn; `bag`
    in draw order. `passes` made in a row just before, 2 if the game has ended without a play out; `last_chance`:
    a turn without points ends it.
    """

    board: Board
    rack: str
    other_rack: str
    bag: str
    spread: int
    passes: int = 0
    last_chance: bool = False


class InformationSet(NamedTuple):
    """What the player on turn knows. `unseen` is the bag plus the other rack; `known` is part of the other
    rack.
    """

    board: Board
    rack: str
    unseen: str
    other_size: int
    spread: int
    passes: int
    last_chance: bool
    known: str


@dataclass(frozen=True)
class Play:
    """One candidate play, solved."""

    move: str
    score: int
    tiles: int
    outcomes: dict[str, tuple[int, str]]  # draw such as "[AEG]I" -> (weight, "W", "D" or "L")
    spreads: dict[str, int] | None  # draw -> final spread for us, for plays after which the bag is empty
    certain: bool  # nobody guesses after this play: it empties the bag or ends the game

    @property
    def total(self) -> int:
        return sum(weight for weight, _ in self.outcomes.values())

    def weight(self, outcome: str) -> int:
        """The weight of the eventualities with this outcome ("W", "D" or "L")."""
        return sum(weight for weight, found in self.outcomes.values() if found == outcome)

    @property
    def points(self) -> float:
        return self.weight("W") + self.weight("D") / 2

    @property
    def spread(self) -> float | None:
        """The tie-break: the average final spread over all eventualities, or None if the play leaves tiles
        in the bag.
        """
        if self.spreads is None:
            return None
        return sum(self.outcomes[draw][0] * spread for draw, spread in self.spreads.items()) / self.total


class Reference:
    """The rules for one lexicon. Results are remembered between calls; `forget` frees the memory."""

    def __init__(
        self,
        words: Iterable[str],
        values: dict[str, int] | None = None,
        bonus: int = 50,
        premiums: Board = STANDARD_PREMIUMS,
    ) -> None:
        self.words = frozenset(words)
        self.prefixes = frozenset(word[:length] for word in self.words for length in range(len(word) + 1))
        self.values = ENGLISH_VALUES if values is None else values
        self.alphabet = sorted(letter for letter in self.values if letter != "?")
        self.bonus = bonus
        self.premiums = premiums
        self.forget()

    def forget(self) -> None:
        """Empty every memory."""
        self._line_plays: dict[tuple[str, str, tuple[tuple[str, str], ...], bool, str], list[LinePlay]] = {}
        self._moves: dict[tuple[Board, str], list[Move]] = {}
        self._endgames: dict[tuple[Board, str, str, int, bool], int] = {}
        self._outcomes: dict[tuple[State, bool, str, str], str] = {}
        self._best_moves: dict[tuple[InformationSet, str], list[Move]] = {}

    # ---------------------------------------------------------------- moves and scores

    def moves(self, board: Board, rack: str) -> list[Move]:
        """Every legal tile play, then the pass."""
        key = board, in_order(rack)
        if key not in self._moves:
            found = []
            for across in (True, False):
                lines, crossing_lines = (board, transposed(board)) if across else (transposed(board), board)
                premiums = self.premiums if across else transposed(self.premiums)
                crossings = transpose_pairs([neighbours(line) for line in crossing_lines])
                for index, line in enumerate(lines):
                    opening = board == EMPTY_BOARD and index == CENTRE
                    for play in self.line_plays(line, premiums[index], crossings[index], opening, key[1]):
                        if len(play.tiles) == 1 and not across and play.crosses:
                            continue  # this one-tile play was found among those across
                        row, column = (index, play.start) if across else (play.start, index)
                        found.append(Move(row, column, across, play.text, play.tiles, play.score))
            self._moves[key] = [*found, PASS]
        return self._moves[key]

    def line_plays(
        self, line: str, premiums: str, crossings: tuple[tuple[str, str], ...], opening: bool, rack: str
    ) -> list[LinePlay]:
        """Every play along one line (a row, or a column read downwards).

        `crossings` holds for each square the tiles that adjoin it in the other direction: those before and
        those after. `opening` says that the board is empty and that this line runs through its centre.
        """
        key = line, premiums, crossings, opening, rack
        if key not in self._line_plays:
            found: list[LinePlay] = []
            if opening or line != "." * 15 or any(before or after for before, after in crossings):
                for first in range(15):
                    if line[first] == ".":
                        self.extend(line, premiums, crossings, opening, rack, {}, first, found)
            self._line_plays[key] = found
        return self._line_plays[key]

    def extend(
        self,
        line: str,
        premiums: str,
        crossings: tuple[tuple[str, str], ...],
        opening: bool,
        rack: str,
        placed: dict[int, str],
        square: int,
        found: list[LinePlay],
    ) -> None:
        """Put each tile of the rack on the empty `square`, note what is a play, and go on to the next
        empty square.

        `line` has the tiles placed so far on it, and `placed` says which they are.
        """
        before, after = crossings[square]
        for tile in sorted(set(rack)):
            for letter in [letter.lower() for letter in self.alphabet] if tile == "?" else [tile]:
                if (before or after) and (before + letter + after).upper() not in self.words:
                    continue
                filled = line[:square] + letter + line[square + 1 :]
                start = end = square
                while start > 0 and filled[start - 1] != ".":
                    start -= 1
                while end < 15 and filled[end] != ".":
                    end += 1
                word = filled[start:end].upper()
                if word not in self.prefixes:
                    continue
                now_placed = {**placed, square: letter}
                if word in self.words and len(word) >= 2:
                    crosses = any(crossings[index] != ("", "") for index in now_placed)
                    joins = crosses or len(word) > len(now_placed)
                    if joins or (opening and CENTRE in now_placed):
                        text = "".join(now_placed.get(index, ".") for index in range(start, end))
                        tiles = "".join("?" if used.islower() else used for used in now_placed.values())
                        score = self.score(filled, start, end, now_placed, premiums, crossings)
                        found.append(LinePlay(start, text, tiles, score, crosses))
                if end < 15:
                    left = without(rack, tile)
                    self.extend(filled, premiums, crossings, opening, left, now_placed, end, found)

    def score(
        self,
        filled: str,
        start: int,
        end: int,
        placed: dict[int, str],
        premiums: str,
        crossings: tuple[tuple[str, str], ...],
    ) -> int:
        """The score of the word filled[start:end], the words across it, and the bonus for seven tiles."""
        main, factor, total = 0, 1, 0
        for index in range(start, end):
            if index not in placed:
                main += self.value(filled[index])
                continue
            letter_score = self.value(filled[index]) * LETTER_MULTIPLIER.get(premiums[index], 1)
            word_factor = WORD_MULTIPLIER.get(premiums[index], 1)
            main += letter_score
            factor *= word_factor
            before, after = crossings[index]
            if before or after:
                total += (letter_score + sum(map(self.value, before + after))) * word_factor
        return total + main * factor + (self.bonus if len(placed) == 7 else 0)

    def value(self, square: str) -> int:
        """The value of a tile on the board: nothing for a blank."""
        return 0 if square.islower() else self.values[square]

    def rack_value(self, rack: str) -> int:
        return sum(self.values[tile] for tile in rack)

    # ---------------------------------------------------------------- playing

    def play(self, state: State, move: Move) -> State:
        """The state after the player on turn made the move and drew; the other player is on turn."""
        drawn, bag = state.bag[: len(move.tiles)], state.bag[len(move.tiles) :]
        if state.last_chance and move.score == 0:
            passes = 2
        else:
            passes = state.passes + 1 if move == PASS else 0
        return State(
            board=put_on(state.board, move),
            rack=state.other_rack,
            other_rack=in_order(without(state.rack, move.tiles) + drawn),
            bag=bag,
            spread=-(state.spread + move.score),
            passes=passes,
        )

    def final_spread(self, state: State) -> int | None:
        """The final spread for the player on turn if the game is over, else None."""
        if not state.other_rack:
            return state.spread - 2 * self.rack_value(state.rack)
        if state.passes >= 2:
            return state.spread - self.rack_value(state.rack) + self.rack_value(state.other_rack)
        return None

    def endgame(self, state: State) -> int:
        """The final spread for the player on turn with the bag empty and perfect play for spread by both."""
        over = self.final_spread(state)
        if over is not None:
            return over
        key = state.board, state.rack, state.other_rack, state.passes, state.last_chance
        if key not in self._endgames:
            level = state._replace(spread=0)  # what is still to come does not depend on the spread so far
            replies = self.moves(state.board, state.rack)
            self._endgames[key] = max(-self.endgame(self.play(level, move)) for move in replies)
        return state.spread + self._endgames[key]

    # ---------------------------------------------------------------- the pre-endgame

    def outcome(self, state: State, ours: bool, known: str, opponent: str) -> str:
        """W, D or L for us. `ours`: we are on turn. `known`: what we know of the opponent's rack."""
        key = state, ours, known, opponent
        if key not in self._outcomes:
            self._outcomes[key] = self._find_outcome(state, ours, known, opponent)
        return self._outcomes[key]

    def _find_outcome(self, state: State, ours: bool, known: str, opponent: str) -> str:
        over = self.final_spread(state)
        if over is not None:
            return sign(over if ours else -over)
        if not state.bag:
            final = self.endgame(state)
            return sign(final if ours else -final)
        if ours:
            # We choose blind, from our information set; then the tiles really there decide.
            choice = self.best_moves(information(state, known), opponent)
        elif opponent == "rational":
            # So does the opponent, who knows nothing of what we happen to know.
            choice = self.best_moves(information(state, ""), opponent)
        else:
            choice = self.moves(state.board, state.rack)
        worst = "W"
        for move in choice:
            still_known = known if ours else leftover(known, move.tiles)
            worst = worse(worst, self.outcome(self.play(state, move), not ours, still_known, opponent))
            if worst == "L":
                break
        return worst

    def best_moves(self, info: InformationSet, opponent: str) -> list[Move]:
        """The moves with the most points in this information set: those that its owner might play."""
        key = info, opponent
        if key not in self._best_moves:
            points = {}
            for move in self.moves(info.board, info.rack):
                outcomes = self.outcomes(info, move, opponent).values()
                points[move] = sum(weight * HALF_POINTS[outcome] for weight, outcome in outcomes)
            most = max(points.values())
            self._best_moves[key] = [move for move in points if points[move] == most]
        return self._best_moves[key]

    def outcomes(self, info: InformationSet, move: Move, opponent: str) -> dict[str, tuple[int, str]]:
        """The outcome of a move, for the owner of the information set, in every eventuality class."""
        return {
            f"[{drawn}]{stays}": (weight, self.outcome(self.play(state, move), False, info.known, opponent))
            for (drawn, stays), (weight, state) in eventualities(info, move).items()
        }

    def solve(
        self,
        board: Iterable[str],
        our_rack: str,
        unseen: str,
        opponent_rack_size: int = 7,
        spread: int = 0,
        scoreless: int = 0,
        known: str = "",
        opponent: str = "guaranteed",
        only: Iterable[str] | None = None,
    ) -> list[Play]:
        """Every play of ours (or those written in `only`), most points first.

        `unseen` is the bag and the opponent's rack together, `spread` our score minus theirs, `known`
        tiles that the opponent holds, `opponent` "guaranteed" or "rational". With at most
        `opponent_rack_size` tiles unseen it is an endgame with one eventuality, "[]". Raises ValueError
        for input that is no position.
        """
        board = tuple(board)
        if len(board) != 15 or any(len(row) != 15 for row in board):
            raise ValueError("the board is not 15x15")
        if opponent not in ("guaranteed", "rational"):
            raise ValueError(f"unknown model of the opponent: {opponent}")
        if not 0 <= scoreless < SCORELESS_TURNS:
            raise ValueError(f"{scoreless} scoreless turns: the game is over")
        if Counter(known) - Counter(unseen) or len(known) > opponent_rack_size:
            raise ValueError(f"the opponent cannot hold {known}")
        info = InformationSet(
            board,
            in_order(our_rack),
            in_order(unseen),
            min(opponent_rack_size, len(unseen)),
            spread,
            0,
            scoreless == SCORELESS_TURNS - 1,
            in_order(known),
        )
        wanted = None if only is None else set(only)
        plays = [
            self.solve_move(info, move, opponent)
            for move in self.moves(board, info.rack)
            if wanted is None or str(move) in wanted
        ]
        return sorted(plays, key=lambda play: -play.points)

    def solve_move(self, info: InformationSet, move: Move, opponent: str) -> Play:
        """One of our plays at the root."""
        empties_bag = len(info.unseen) - info.other_size <= len(move.tiles)
        spreads = None
        if empties_bag:
            spreads = {
                f"[{drawn}]{stays}": -self.endgame(self.play(state, move))
                for (drawn, stays), (_, state) in eventualities(info, move).items()
            }
        return Play(
            move=str(move),
            score=move.score,
            tiles=len(move.tiles),
            outcomes=self.outcomes(info, move, opponent),
            spreads=spreads,
            certain=empties_bag or (info.last_chance and move.score == 0),
        )


class LinePlay(NamedTuple):
    """A play along one line: `start` is where its word begins; `crosses`: it also forms words across the
    line.
    """

    start: int
    text: str
    tiles: str
    score: int
    crosses: bool


# ---------------------------------------------------------------- information


def information(state: State, known: str) -> InformationSet:
    """What the player on turn knows in this state."""
    return InformationSet(
        state.board,
        state.rack,
        in_order(state.bag + state.other_rack),
        len(state.other_rack),
        state.spread,
        state.passes,
        state.last_chance,
        known,
    )


def eventualities(info: InformationSet, move: Move) -> dict[tuple[str, str], tuple[int, State]]:
    """(tiles that the move draws, sorted; tiles that stay, in order) -> (labelled draws, the state before
    the move).
    """
    bag_size = len(info.unseen) - info.other_size
    found = {}
    for (drawn, stays), weight in labelled_draws(without(info.unseen, info.known), bag_size, len(move.tiles)).items():
        other_rack = without(info.unseen, drawn + stays)
        state = State(info.board, info.rack, other_rack, drawn + stays, info.spread, info.passes, info.last_chance)
        found[drawn, stays] = weight, state
    return found


@functools.cache
def labelled_draws(pool: str, bag_size: int, drawn: int) -> Counter[tuple[str, str]]:
    """Count the orders in which a bag can come out of the pool, copies of a tile told apart."""
    classes: Counter[tuple[str, str]] = Counter()
    for order in itertools.permutations(pool, bag_size):
        classes[in_order(order[:drawn]), "".join(order[drawn:])] += 1
    return classes


# ---------------------------------------------------------------- small helpers


def sign(spread: int) -> str:
    return "W" if spread > 0 else "D" if spread == 0 else "L"


def worse(first: str, second: str) -> str:
    return min(first, second, key=HALF_POINTS.__getitem__)


def in_order(tiles: Iterable[str]) -> str:
    return "".join(sorted(tiles))


def without(tiles: str, taken: str) -> str:
    """The tiles that are left, in order; every tile taken must be there."""
    for tile in taken:
        if tile not in tiles:
            raise ValueError(f"no {tile} among {tiles}")
        tiles = tiles.replace(tile, "", 1)
    return tiles


def leftover(known: str, played: str) -> str:
    """What is left of the known tiles after some tiles were played, known or not."""
    return in_order((Counter(known) - Counter(played)).elements())


@functools.lru_cache(maxsize=10_000)
def transposed(board: Board) -> Board:
    return tuple("".join(column) for column in zip(*board, strict=True))


def transpose_pairs(lines: list[tuple[tuple[str, str], ...]]) -> list[tuple[tuple[str, str], ...]]:
    return list(zip(*lines, strict=True))


@functools.cache
def neighbours(line: str) -> tuple[tuple[str, str], ...]:
    """For each square of a line: the unbroken run of tiles that ends just before it, and that which starts
    just after.
    """
    pairs = []
    for square in range(15):
        start, end = square, square + 1
        while start > 0 and line[start - 1] != ".":
            start -= 1
        while end < 15 and line[end] != ".":
            end += 1
        pairs.append((line[start:square], line[square + 1 : end]))
    return tuple(pairs)


def put_on(board: Board, move: Move) -> Board:
    """The board with the move's tiles on it."""
    rows = list(board)
    for step, letter in enumerate(move.text):
        if letter != ".":
            row, column = (move.row, move.column + step) if move.across else (move.row + step, move.column)
            if rows[row][column] != ".":
                raise ValueError(f"{move}: a tile on a tile")
            rows[row] = rows[row][:column] + letter + rows[row][column + 1 :]
    return tuple(rows)


# ---------------------------------------------------------------- CGP


class CgpPosition(NamedTuple):
    """The fields of a CGP line: the player on turn first."""

    board: Board
    rack: str
    opponent_rack: str
    scores: tuple[int, int]
    scoreless: int
    opcodes: dict[str, str]


def parse_cgp(text: str) -> CgpPosition:
    """Read a CGP line whose tiles are single characters; ValueError if it is none."""
    board_text, racks, scores, scoreless, *opcode_texts = text.split(maxsplit=4)
    rows = []
    for row_text in board_text.split("/"):
        row, number = "", ""
        for character in row_text + "|":
            if character.isdigit():
                number += character
                continue
            row += "." * int(number or 0)
            number = ""
            row += character
        rows.append(row[:-1])
    if len(rows) != 15 or any(len(row) != 15 for row in rows):
        raise ValueError("the board of the CGP is not 15x15")
    rack, _, opponent_rack = racks.partition("/")
    our_score, their_score = scores.split("/")
    opcodes = {}
    for opcode in "".join(opcode_texts).split(";"):
        if opcode.strip():
            name, _, value = opcode.strip().partition(" ")
            opcodes[name] = value
    return CgpPosition(tuple(rows), rack, opponent_rack, (int(our_score), int(their_score)), int(scoreless), opcodes)


def format_cgp(board: Board, rack: str, opponent_rack: str, scores: tuple[int, int], scoreless: int) -> str:
    """Write a CGP line."""
    rows = []
    for row in board:
        text, empty = "", 0
        for square in row + "|":
            if square == ".":
                empty += 1
                continue
            text += (str(empty) if empty else "") + square
            empty = 0
        rows.append(text[:-1])
    return f"{'/'.join(rows)} {rack}/{opponent_rack} {scores[0]}/{scores[1]} {scoreless}"
