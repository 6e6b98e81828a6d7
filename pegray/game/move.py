"""Moves: a tile play or the pass."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pegray.game.layout import DIMENSION
from pegray.game.tiles import BLANK, BLANK_FLAG


@dataclass(frozen=True)
class Move:
    """A play of tiles, given by its whole main word, or the pass (no squares).

    row, column: the first square of the word; across: its direction
    squares: for each square of the word the tile placed there (blanks flagged), or 0 where one lies already

    A one-tile play is given across if it makes an across word of two letters or more, else down.
    """

    row: int
    column: int
    across: bool
    squares: tuple[int, ...]

    @property
    def is_pass(self) -> bool:
        """Whether this is the pass."""
        return not self.squares

    def positions(self) -> list[int]:
        """Board squares of the word (row * 15 + column)."""
        start = self.row * DIMENSION + self.column
        step = 1 if self.across else DIMENSION
        return [start + i * step for i in range(len(self.squares))]

    def placed(self) -> list[tuple[int, int]]:
        """The tiles placed, as (square, tile)."""
        return [(square, tile) for square, tile in zip(self.positions(), self.squares, strict=True) if tile]

    @property
    def tiles_played(self) -> int:
        """Number of tiles placed."""
        return sum(1 for tile in self.squares if tile)

    def rack_tiles(self) -> list[int]:
        """The tiles taken from the rack, blanks as blanks."""
        return [BLANK if tile & BLANK_FLAG else tile for tile in self.squares if tile]

    def on(self, board: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
        """uint8[225]: a board with the tiles placed on it."""
        after = board.copy()
        for square, tile in self.placed():
            after[square] = tile
        return after


PASS = Move(0, 0, True, ())
