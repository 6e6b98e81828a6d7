"""One lane while its words are spelt, and the tiles that are left on the rack meanwhile."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from pegray.game.layout import DIMENSION
from pegray.game.tiles import MAX_LETTERS
from pegray.kernels.bits import ONE, ZERO, kernel
from pegray.kernels.game import count_of
from pegray.kernels.word_graph import child_letters, has_child

SPELLING = np.dtype(
    [
        # by place in the lane
        ("letter", "u1", (DIMENSION,)),  # on the board; 0 for an empty square
        ("cross_set", "u8", (DIMENSION,)),  # letters (a bit each) that may be laid on an empty square
        # points of a letter on the board, or of the tiles that an empty square touches across; -1 where it touches none
        ("cross_score", "i8", (DIMENSION,)),
        ("reach", "u8", (DIMENSION,)),  # other lanes (a bit each) that a tile on an empty square changes
        ("tile", "u1", (DIMENSION,)),  # the tiles that are laid, as in a packed move; else 0
        # the rack
        ("count", "i8", (MAX_LETTERS + 1,)),  # of each tile, what is left
        ("held", "u8"),  # a bit for each tile that is left
        ("most_tiles", "i8"),  # that may be laid
        # how far it is
        ("lane", "i8"),
        ("anchor", "i8"),  # every word that is spelt covers it
        # it covers none of these squares, or others beyond them
        ("barrier", "i8"),
        ("end", "i8"),
        ("first", "i8"),  # where the word begins that is being spelt
    ],
    align=True,
)


@kernel
def count_rack(spelling, game, rack):
    """Unpack a rack into ``count`` and ``held``; returns the number of its tiles."""
    tiles = 0
    held = ZERO
    for k in range(game.kinds):
        count = count_of(game, rack, k)
        spelling.count[game.kind_tile[k]] = count
        tiles += count
        if count > 0:
            held |= ONE << np.uint64(game.kind_tile[k])
    spelling.held = held
    return tiles


@kernel
def usable_letters(spelling):
    """The letters (a bit each) that tiles left on the rack can be laid for."""
    return ~ONE if spelling.held & ONE else spelling.held


@kernel
def fitting_letters(spelling, node, index):
    """The letters of a node's children that the rack has a tile for, and that may be laid on an empty square."""
    return child_letters(node) & spelling.cross_set[index] & usable_letters(spelling)


@kernel
def leads_on(spelling, node, index, tiles):
    """Whether a child of ``node`` may come to stand on ``index``, after so many tiles."""
    if spelling.letter[index] != 0:
        return has_child(node, np.int64(spelling.letter[index]))
    return tiles < spelling.most_tiles and fitting_letters(spelling, node, index) != ZERO


@kernel
def take_tile(spelling, tile):
    """Take a tile from the rack in ``count``."""
    spelling.count[tile] -= 1
    if spelling.count[tile] == 0:
        spelling.held ^= ONE << np.uint64(tile)


@kernel
def put_back_tile(spelling, tile):
    """Put a tile back on the rack in ``count``."""
    if spelling.count[tile] == 0:
        spelling.held ^= ONE << np.uint64(tile)
    spelling.count[tile] += 1
