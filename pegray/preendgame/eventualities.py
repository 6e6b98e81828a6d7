"""Eventualities: the orders in which the bag may be drawn, by class, with their weights and names.

A play of t tiles draws the multiset of the first t tiles; the rest stay, in order. A class is such a multiset (a
*draw*) with one order of the staying tiles; it weighs the labelled draws that it covers, copies of a tile told apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import factorial

import numpy as np
import numpy.typing as npt

from pegray.game.position import Position
from pegray.game.tiles import letters_first
from pegray.kernels.draws import pack_sequence, unpack_sequence
from pegray.kernels.entry import list_multisets, list_sequences
from pegray.kernels.verdicts import DRAW, LOSS
from pegray.kernels.workspace import bare_workspace, pack_rack, unpack_rack
from pegray.preendgame.engine import tiles_in_play

# half weights that an outcome loses, by its byte; what is not settled (255) loses nothing
_HALF_WEIGHTS = [{LOSS: 2, DRAW: 1}.get(outcome, 0) for outcome in range(256)]
_HALF_WEIGHTS_OF = np.array(_HALF_WEIGHTS, np.int64)


@dataclass(frozen=True, eq=False)
class Draws:
    """What we may draw: packed uint64[g] multisets, and int64[g] labelled orders of each."""

    packed: npt.NDArray[np.uint64]
    weights: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.packed)


class Eventualities:
    """The draws of a bag whose tiles come from ``position.unseen`` less the ``known`` tiles of the opponent."""

    def __init__(self, position: Position, known: npt.NDArray[np.uint8]) -> None:
        self._distribution = position.distribution
        self._workspace = bare_workspace(position.distribution, position.layout, tiles_in_play(position))
        self._pool = pack_rack(self._workspace, (position.unseen - known).astype(np.uint8))
        self.bag = position.bag_size
        self.known = pack_rack(self._workspace, known)
        self.draws = cache(self._draws)
        self.stays = cache(self._stays)
        self.stays_text = cache(self._stays_text)

    def drawn(self, tiles: int) -> int:
        """How many tiles a play of ``tiles`` tiles draws."""
        return min(tiles, self.bag)

    def _draws(self, drawn: int) -> Draws:
        packed, ways = list_multisets(self._workspace.record, np.uint64(self._pool), drawn)
        return Draws(packed, ways * factorial(drawn))

    def _stays(self, drawn: int, draw: int) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int64]]:
        """Orders of the staying tiles after the ``draw``-th draw: uint64[n] sequences (ascending), int64[n] weights."""
        rest = self._pool - int(self.draws(drawn).packed[draw])
        sequences, weights = list_sequences(self._workspace.record, np.uint64(rest), self.bag - drawn)
        return sequences, weights

    def half_weights_lost(self, drawn: int, draw: int, outcomes: bytes) -> int:
        """What the settled among the ``outcomes`` of a draw lose, one int8 for each order of the staying tiles or none.

        A lost eventuality counts twice its weight, a tied one its weight.
        """
        if not outcomes:
            return 0
        weight = int(self.draws(drawn).weights[draw])
        _, weights = self.stays(drawn, draw)
        if len(outcomes) == 1:  # most draws have one: numpy would take longer, and let go of Python's lock
            return _HALF_WEIGHTS[outcomes[0]] * int(weights[0]) * weight
        return int(_HALF_WEIGHTS_OF[np.frombuffer(outcomes, np.uint8)] @ weights) * weight

    def index_of_draw(self, drawn: int, tiles: list[int]) -> int:
        """Index of the draw of these tiles, in any order."""
        packed = sum(int(self._workspace.part("game")["tile_unit"][0, tile]) for tile in tiles)
        return int(np.flatnonzero(self.draws(drawn).packed == np.uint64(packed))[0])

    def index_of_stays(self, drawn: int, draw: int, tiles: list[int]) -> int:
        """Index of the order of the staying tiles."""
        kinds = self._workspace.part("game")["kind_tile"][0].tolist()
        sequence = pack_sequence(kinds.index(tile) for tile in tiles)
        return int(np.searchsorted(self.stays(drawn, draw)[0], np.uint64(sequence)))

    def tiles_drawn(self, drawn: int, draw: int) -> list[int]:
        """The tiles drawn, letters in order, blanks last."""
        return letters_first(unpack_rack(self._workspace, int(self.draws(drawn).packed[draw])))

    def drawn_text(self, drawn: int, draw: int) -> str:
        """The tiles drawn: ``AEG``."""
        return self._distribution.format_tiles(self.tiles_drawn(drawn, draw))

    def tiles_staying(self, drawn: int, sequence: int) -> list[int]:
        """The tiles that stay, in draw order."""
        kind_tile = self._workspace.part("game")["kind_tile"][0]
        return [int(kind_tile[kind]) for kind in unpack_sequence(sequence, self.bag - drawn)]

    def _stays_text(self, drawn: int, sequence: int) -> str:
        """The tiles that stay, in draw order, as text."""
        return self._distribution.format_tiles(self.tiles_staying(drawn, sequence))
