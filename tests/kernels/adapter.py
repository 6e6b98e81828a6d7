"""The kernels on the small positions of the reference solver, in its notation for plays and draws."""

from __future__ import annotations

import functools
import lzma
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from importlib import resources
from math import factorial

import numpy as np
import numpy.typing as npt

from pegray.game.layout import load_layout
from pegray.game.position import Position
from pegray.game.tiles import load_distribution
from pegray.kernels.entry import (
    UNIT,
    best_line,
    gains_alone,
    list_multisets,
    list_sequences,
    root_bound,
    root_plays,
    root_spread,
    set_root,
    settle_draws,
    settle_rational,
    settle_spread,
    settle_staying,
)
from pegray.kernels.memory import Memory, memory_of, new_memory
from pegray.kernels.table import HEADER_WORDS, INFINITE, empty_table
from pegray.kernels.workspace import Workspace, new_workspace, pack_rack, unpack_rack
from pegray.preendgame.packed_moves import unpack_move
from tests.kernels.symbols import layout_of, name_of, squares_of, text_of, tiles_of, values_in, word_graph
from tests.reference.positions import RandomPosition
from tests.reference.reference import SCORELESS_TURNS, Play, Reference, State, transposed

NO_BOUND = 1 << 60
_FIRST_SLOTS = 16  # so that tables grow here too
LETTERS = "LDW"
ENGLISH = load_distribution("english")
TABLE_ENTRIES = 1 << 14
ARENA_WORDS = 1 << 20
# Longer words hardly fit on the small positions.
LONGEST_WORD = 8
# After so many scoreless turns one more ends the game.
LAST_SCORELESS = SCORELESS_TURNS - 1

Outcomes = dict[str, tuple[int, str]]


@dataclass(frozen=True)
class KernelPlay:
    """What the kernels say of one play: its score, draw -> (weight, outcome), draw -> final spread."""

    score: int
    outcomes: Outcomes
    spreads: dict[str, int] | None


@functools.cache
def enable_words(longest: int = LONGEST_WORD) -> tuple[str, ...]:
    """The words of the bundled lexicon of at most so many letters, in order."""
    packed = (resources.files("pegray.data.lexica") / "enable.txt.xz").read_bytes()
    words = lzma.decompress(packed).decode().upper().split()
    return tuple(sorted(word for word in words if 2 <= len(word) <= longest))


def parsed_board(board: Iterable[str]) -> npt.NDArray[np.uint8]:
    """The reference's board as uint8[225]."""
    return squares_of(tuple(board))


def position_of(board: Iterable[str], rack: str) -> Position:
    """A rack on the reference's board, of which nothing else is known."""
    return Position(parsed_board(board), ENGLISH.rack(rack), None, (0, 0), 0, ENGLISH, load_layout())


def lone_rack(position: Position, nodes: npt.NDArray[np.uint32]) -> Workspace:
    """A workspace with such a position at its root: our rack, and no other tile. nodes: the word graph"""
    workspace = new_workspace(ENGLISH, position.layout, position.rack, nodes, new_memory(0))
    set_root(workspace.record, position.board, np.uint64(pack_rack(workspace, position.rack)), np.uint64(0))
    return workspace


class KernelPosition:
    """One random position in a workspace of its own."""

    def __init__(
        self,
        position: RandomPosition,
        table_entries: int = TABLE_ENTRIES,
        arena_words: int = ARENA_WORDS,
        memory: Memory | None = None,
    ) -> None:
        self.position = position
        self.board = squares_of(position.board)
        self.distribution = load_distribution(position.language)
        rack, unseen, known = (
            self.distribution.count(tiles_of(text)) for text in (position.our_rack, position.unseen, position.known)
        )
        self.workspace = new_workspace(
            self.distribution,
            layout_of(position.premiums),
            (rack + unseen).astype(np.uint8),
            word_graph(position.words),
            memory_of(empty_table(table_entries, _FIRST_SLOTS)) if memory is None else memory,
            arena_words,
        )
        self.record = self.workspace.record
        self.opponent = "guaranteed"
        self.spread_guess = 0
        self.pass_ends = int(position.scoreless == LAST_SCORELESS)
        self.record["position"]["opponent_rack_size"] = position.opponent_rack_size
        self.known = pack_rack(self.workspace, known)
        self.pool = pack_rack(self.workspace, (unseen - known).astype(np.uint8))
        packed_rack, packed_unseen = pack_rack(self.workspace, rack), pack_rack(self.workspace, unseen)
        set_root(self.record, self.board, np.uint64(packed_rack), np.uint64(packed_unseen))

    def gains_alone(self) -> dict[str, int]:
        """Bounds on what our side gains alone, by the tiles that it still holds."""
        sets, gains = gains_alone(self.record, 0)
        return {
            text_of(unpack_rack(self.workspace, packed)): gain
            for packed, gain in zip(sets.tolist(), gains.tolist(), strict=True)
        }

    def plays(self, with_spreads: bool = True, part: int = 0, parts: int = 1) -> dict[str, KernelPlay]:
        """Every play and the pass, settled for every draw; or the ``part``-th of ``parts`` shares of them."""
        found = {}
        for number, (name, move, score) in enumerate(self._moves()):
            assert name not in found, f"{name} is there twice"
            if number % parts == part:
                found[name] = self._settle(move, score, with_spreads)
        return found

    def _moves(self) -> Iterator[tuple[str, int, int]]:
        """Every play and the pass, but for those that end the game (no kernel settles them): name, move, score."""
        moves, scores = root_plays(self.record, 0)
        for move, score in zip([*moves.tolist(), 0], [*scores.tolist(), 0], strict=True):
            if score or not self.pass_ends:
                yield name_of(unpack_move(move, self.board)), move, score

    def plays_with_cutoff(self) -> tuple[dict[str, Outcomes], dict[str, int]]:
        """Outcomes of the plays that lose no more than an earlier one, and what the others had lost when they were
        left, in half weights."""
        bag = self.position.bag_size
        finished: dict[str, Outcomes] = {}
        cut: dict[str, int] = {}
        fewest = NO_BOUND
        for name, move, score in self._moves():
            drawn = min(move & 7, bag)
            outcomes: Outcomes = {}
            lost = 0
            draws, choices = list_multisets(self.record, np.uint64(self.pool), drawn)
            for draw, ways in zip(draws, (choices * factorial(drawn)).tolist(), strict=True):
                names, weights = self._stays(int(draw), bag - drawn)
                allowed = NO_BOUND if fewest == NO_BOUND else (fewest - lost) // ways
                verdicts, complete = self._verdicts(move, draw, bag - drawn, score, allowed)
                # where the kernel stopped its verdicts are upper bounds: what they lose is lost
                lost += sum((2 - v) * w for v, w in zip(verdicts.tolist(), weights, strict=True)) * ways
                assert complete or lost > fewest
                if lost > fewest:
                    break
                text = self._text(unpack_rack(self.workspace, int(draw)))
                for stays, weight, verdict in zip(names, weights, verdicts.tolist(), strict=True):
                    outcomes[f"[{text}]{stays}"] = weight * ways, LETTERS[verdict]
            if lost > fewest:
                cut[name] = lost
            else:
                finished[name] = outcomes
                fewest = min(fewest, lost)
        return finished, cut

    def _settle(self, move: int, score: int, with_spreads: bool) -> KernelPlay:
        bag = self.position.bag_size
        drawn = min(move & 7, bag)
        outcomes, spreads = {}, {}
        draws, choices = list_multisets(self.record, np.uint64(self.pool), drawn)
        for draw, ways in zip(draws, choices.tolist(), strict=True):
            drawn_text = self._text(unpack_rack(self.workspace, int(draw)))
            names, weights = self._stays(int(draw), bag - drawn)
            verdicts, complete = self._verdicts(move, draw, bag - drawn, score, NO_BOUND)
            assert complete, f"stopped: {self.record['limits']['stop'][0]}, cut: {self.record['preendgame']['cut'][0]}"
            for stays, weight, verdict in zip(names, weights, verdicts.tolist(), strict=True):
                outcomes[f"[{drawn_text}]{stays}"] = weight * ways * factorial(drawn), LETTERS[verdict]
            if with_spreads and drawn == bag:
                spreads[f"[{drawn_text}]"] = self._spread(move, draw, score)
        return KernelPlay(score, outcomes, spreads if with_spreads and drawn == bag else None)

    def _verdicts(
        self, move: int, draw: np.uint64, stays: int, score: int, allowed: int
    ) -> tuple[npt.NDArray[np.int8], bool]:
        """Verdicts for each order of the tiles that stay, and whether all are settled."""
        units = np.array([(move, draw, self.position.spread + score, 0, 0, NO_BOUND)], UNIT)
        known = np.uint64(self.known)
        if self.opponent == "rational" and stays > 0:
            return settle_rational(self.record, units, stays, known, allowed)  # type: ignore[no-any-return]
        if stays == 0 or (stays == 1 and move == 0):
            verdicts, _, (end,) = settle_draws(self.record, units, stays, known, allowed)
        else:
            verdicts, _, end = settle_staying(self.record, units, stays, known, allowed)
        return verdicts, end[2] == 0

    def _spread(self, move: int, draw: np.uint64, score: int) -> int:
        after = self.position.spread + score
        asked = (np.uint64(move), draw, after, self.spread_guess)
        spread, at_most, found = settle_spread(self.record, *asked, -INFINITE, INFINITE, NO_BOUND)
        assert found and spread == at_most
        return int(spread)

    def _stays(self, draw: int, count: int) -> tuple[list[str], list[int]]:
        """The orders of the tiles that stay, as text, with their weights."""
        sequences, weights = list_sequences(self.record, np.uint64(self.pool - draw), count)
        kind_tile = self.record["game"]["kind_tile"][0]
        names = []
        for sequence in sequences.tolist():
            kinds = [(sequence >> (5 * (count - 1 - i))) & 31 for i in range(count)]
            names.append(text_of(kind_tile[kind] for kind in kinds))
        return names, weights.tolist()

    def _text(self, tiles: list[int]) -> str:
        """Tiles in the order of the reference's names."""
        return "".join(sorted(text_of(tiles)))

    def endgame_gain(self) -> int:
        """What we gain from here on, with the bag empty."""
        gain, found = root_spread(self.record, self.pass_ends, NO_BOUND)
        assert found
        return int(gain)

    def endgame_bound(self, target: int) -> int:
        """A bound on that, found from nothing: a lower one of at least ``target``, or an upper one below it."""
        self.workspace.arrays["table.entries"][HEADER_WORDS:] = 0
        return int(root_bound(self.record, self.pass_ends, target))

    def endgame_line(self, gain: int) -> list[str]:
        """Best play from here on; the position cannot be used after that."""
        board, names = self.board.copy(), []
        for packed in best_line(self.record, self.pass_ends, gain).tolist():
            move = unpack_move(packed, board)
            names.append(name_of(move))
            for square, tile in move.placed():
                board[square] = tile
        return names


def reference_plays(position: RandomPosition, opponent: str = "guaranteed") -> dict[str, Play]:
    """The reference's plays by name, but for those that end the game."""
    return settled_plays(reference_of(position), position, opponent)


def reference_of(position: RandomPosition) -> Reference:
    """The reference with the position's words, values and board."""
    return Reference(position.words, values_in(position.language), premiums=position.premiums)


def settled_plays(reference: Reference, position: RandomPosition, opponent: str) -> dict[str, Play]:
    """A reference's plays by name, but for those that end the game."""
    plays = reference.solve(*position.solve_arguments(), opponent=opponent)
    return {play.move: play for play in plays if play.score or position.scoreless < LAST_SCORELESS}


def check_endgame(position: RandomPosition) -> None:
    """The kernels' exact gain is the reference's, and their line of best play is legal and brings it."""
    kernels, reference = KernelPosition(position), reference_of(position)
    state = State(
        position.board, position.our_rack, position.unseen, "", 0, last_chance=position.scoreless == LAST_SCORELESS
    )
    gain = kernels.endgame_gain()
    assert gain == reference.endgame(state), str(position)
    line = kernels.endgame_line(gain)
    for name in line:
        assert reference.final_spread(state) is None, f"{line} in {position}"
        (move,) = [move for move in reference.moves(state.board, state.rack) if str(move) == name]
        state = reference.play(state, move)
    final = reference.final_spread(state)
    assert final is not None and (-final if len(line) % 2 else final) == gain, f"{line} in {position}"


def turned(position: RandomPosition) -> RandomPosition:
    """The position with rows and columns exchanged."""
    return replace(position, board=transposed(position.board))
