"""The reference solver, made fit for thousands of positions: quicker plays, and an end to what would take too long."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations

from tests.kernels.symbols import values_in
from tests.reference.positions import RandomPosition
from tests.reference.reference import Board, InformationSet, LinePlay, Move, Reference, State, in_order, transposed


class TooLong(Exception):
    """The reference has made as many lists of moves, or settled as many states, as it may."""


class QuickReference(Reference):
    """The reference for a position and those that come after it.

    It forgets the words that never fit. Plays along a line are found once, with all the tiles in play, word by word; a
    rack makes those whose tiles it has. The rules are the reference's own, and a test compares the plays.
    """

    def __init__(self, position: RandomPosition) -> None:
        self._pool = in_order(position.our_rack + position.unseen)
        words = words_that_fit(sorted(position.words), position.board, self._pool)
        super().__init__(words, values_in(position.language), premiums=position.premiums)
        self._by_length: dict[int, list[str]] = {}
        for word in words:
            self._by_length.setdefault(len(word), []).append(word)
        self._of_all: dict[tuple[object, ...], dict[str, list[LinePlay]]] = {}
        self._has: dict[tuple[str, str], bool] = {}

    def line_plays(
        self, line: str, premiums: str, crossings: tuple[tuple[str, str], ...], opening: bool, rack: str
    ) -> list[LinePlay]:
        key = line, premiums, crossings
        if key not in self._of_all:
            by_tiles: dict[str, list[LinePlay]] = {}
            for play in self._plays_of_all(line, premiums, crossings):
                by_tiles.setdefault(in_order(play.tiles), []).append(play)
            self._of_all[key] = by_tiles
        return [play for tiles, plays in self._of_all[key].items() if self._has_all(rack, tiles) for play in plays]

    def _plays_of_all(self, line: str, premiums: str, crossings: tuple[tuple[str, str], ...]) -> Iterator[LinePlay]:
        """Every play along a line with all the tiles in play, word by word."""
        for start in range(15):
            if start and line[start - 1] != ".":
                continue
            for length, words in self._by_length.items():
                end = start + length
                if end > 15 or (end < 15 and line[end] != "."):
                    continue
                empty = [square for square in range(start, end) if line[square] == "."]
                crosses = any(crossings[square] != ("", "") for square in empty)
                if not empty or not (crosses or len(empty) < length):
                    continue
                squares = line[start:end].upper()
                for word in words:
                    if all(square in (".", letter) for letter, square in zip(word, squares, strict=True)):
                        laid = [word[square - start] for square in empty]
                        if self._crossings_are_words(empty, laid, crossings):
                            yield from self._laid(line, premiums, crossings, start, end, empty, laid, crosses)

    def _crossings_are_words(self, empty: list[int], laid: list[str], crossings: tuple[tuple[str, str], ...]) -> bool:
        return all(
            crossings[square] == ("", "")
            or crossings[square][0].upper() + letter + crossings[square][1].upper() in self.words
            for square, letter in zip(empty, laid, strict=True)
        )

    def _laid(
        self,
        line: str,
        premiums: str,
        crossings: tuple[tuple[str, str], ...],
        start: int,
        end: int,
        empty: list[int],
        laid: list[str],
        crosses: bool,
    ) -> Iterator[LinePlay]:
        """The plays of one word at one place: each of its new letters is a tile or a blank."""
        blanks = self._pool.count("?")
        for number in range(min(blanks, len(laid)) + 1):
            for which in combinations(range(len(laid)), number):
                tiles = "".join("?" if place in which else letter for place, letter in enumerate(laid))
                if not self._has_all(self._pool, in_order(tiles)):
                    continue
                shown = [letter.lower() if place in which else letter for place, letter in enumerate(laid)]
                placed = dict(zip(empty, shown, strict=True))
                filled = "".join(placed.get(square, line[square]) for square in range(15))
                text = "".join(placed.get(square, ".") for square in range(start, end))
                yield LinePlay(start, text, tiles, self.score(filled, start, end, placed, premiums, crossings), crosses)

    def _has_all(self, rack: str, tiles: str) -> bool:
        key = rack, tiles
        if key not in self._has:
            self._has[key] = not Counter(tiles) - Counter(rack)
        return self._has[key]


def words_that_fit(words: Iterable[str], board: Board, pool: str) -> list[str]:
    """The words that can still be formed: where they agree with the board, the rest of them is in the pool."""
    lines = [*board, *transposed(board)]
    letters = [set(line.upper()) for line in lines]
    tiles, blanks = Counter(pool), pool.count("?")

    def fits(word: str) -> bool:
        borrowed = set(word) - tiles.keys()
        return any(
            len(borrowed - there) <= blanks and _fits_line(word, line, tiles, blanks)
            for line, there in zip(lines, letters, strict=True)
        )

    return [word for word in words if fits(word)]


def _fits_line(word: str, line: str, tiles: Counter[str], blanks: int) -> bool:
    bounded = f".{line.upper()}."
    for start in range(1, 17 - len(word)):
        end = start + len(word)
        squares = bounded[start:end]
        if bounded[start - 1] != "." or bounded[end] != "." or "." not in squares:
            continue
        if any(square not in (".", letter) for letter, square in zip(word, squares, strict=True)):
            continue
        new = Counter(letter for letter, square in zip(word, squares, strict=True) if square == ".")
        if (new - tiles).total() <= blanks:
            return True
    return False


class MeasuredReference(QuickReference):
    """One that makes at most so many lists of moves.

    finals: the final spreads, for us, that it has come across
    """

    def __init__(self, position: RandomPosition, move_lists: int) -> None:
        super().__init__(position)
        self.finals: Counter[int] = Counter()
        self._most = move_lists

    def moves(self, board: Board, rack: str) -> list[Move]:
        if len(self._moves) > self._most:
            raise TooLong
        return super().moves(board, rack)

    def usual_finals(self) -> list[int]:
        """The half of them that is nearest to the middle, where some draws win and others lose."""
        finals = sorted(self.finals.elements())
        middle = finals[len(finals) // 2]
        near = sorted(self.finals, key=lambda final: (abs(final - middle), final))
        return near[: max(6, len(near) // 2)]

    def _find_outcome(self, state: State, ours: bool, known: str, opponent: str) -> str:
        final = self.final_spread(state)
        if final is None and not state.bag:
            final = self.endgame(state)
        if final is not None:
            self.finals[final if ours else -final] += 1
        return super()._find_outcome(state, ours, known, opponent)


class SharingReference(QuickReference):
    """A reference for one question that shares with ``other``, on the same board, what does not depend on it.

    It settles at most so many states, or raises TooLong.
    """

    def __init__(self, other: QuickReference, states: int) -> None:
        self.__dict__.update(other.__dict__)
        self._outcomes, self._best_moves = {}, {}
        self._most = states

    def _find_outcome(self, state: State, ours: bool, known: str, opponent: str) -> str:
        if len(self._outcomes) > self._most:
            raise TooLong
        return super()._find_outcome(state, ours, known, opponent)

    def best_moves(self, info: InformationSet, opponent: str) -> list[Move]:
        if len(self._best_moves) > self._most:
            raise TooLong
        return super().best_moves(info, opponent)
