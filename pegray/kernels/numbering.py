"""The sets of tiles of a rack, by number.

A set is a number in mixed radix, with a digit for each kind of tile on the rack: the number of a union is the sum of
the numbers, that of no tiles is 0 and that of the whole rack is ``sets - 1``. The *parts* of a set are the sets within
it. The kinds of the rack are numbered too, from 0.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from pegray.game.tiles import MAX_LETTERS
from pegray.kernels.bits import ZERO, kernel, plain
from pegray.kernels.game import blanks_in, count_of, fits, rack_size

MOST_TILES = 6  # of a rack that is numbered
SETS = 1 << MOST_TILES
_TILES_WITH_BLANK = 4

NUMBERING = np.dtype(
    [
        ("numbered", "u8"),  # the rack
        ("tiles", "i8"),  # how many it has; 0 where it is out of scope
        # by kind
        ("kinds", "i8"),
        ("tile", "u1", (MOST_TILES,)),
        ("weight", "i8", (MOST_TILES,)),  # what each tile adds to the number of a set
        ("shift", "u8", (MOST_TILES,)),  # where a packed rack has their number, and
        ("mask", "u8", (MOST_TILES,)),  # in how many bits
        ("kind", "u1", (MAX_LETTERS + 1,)),  # by tile
        # sets by number, and the parts of each, ascending
        ("sets", "i8"),
        ("rack", "u8", (SETS,)),  # packed
        ("size", "i8", (SETS,)),
        ("value", "i8", (SETS,)),  # points of the tiles
        ("parts_at", "i8", (SETS + 1,)),  # where the parts of a set begin in ``part``
        ("part", "i8", (SETS * SETS,)),
    ],
    align=True,
)


@kernel
def set_number(numbering, need):
    """Number of a packed set of tiles, part of the rack that was numbered last."""
    number = 0
    for kind in range(numbering.kinds):
        number += np.int64((need >> numbering.shift[kind]) & numbering.mask[kind]) * numbering.weight[kind]
    return number


@kernel
def number_sets(numbering, game, rack):
    """Number the sets of tiles of a rack and list their parts; returns how many tiles it has.

    Returns 0 for a rack that is out of scope: one tile, more than MOST_TILES (or 4 with a blank), or two blanks.
    """
    numbering.numbered = rack
    numbering.tiles = 0
    tiles = rack_size(game, rack)
    blanks = blanks_in(game, rack)
    if tiles < 2 or tiles > (_TILES_WITH_BLANK if blanks else MOST_TILES) or blanks > 1:
        return plain(0)
    sets = 1
    kinds = 0
    numbering.rack[0] = ZERO
    numbering.size[0] = 0
    numbering.value[0] = 0
    for kind in range(game.kinds):
        count = count_of(game, rack, kind)
        if count == 0:
            continue
        tile = game.kind_tile[kind]
        numbering.kind[tile] = kinds
        numbering.tile[kinds] = tile
        numbering.weight[kinds] = sets
        numbering.shift[kinds] = game.kind_shift[kind]
        numbering.mask[kinds] = game.kind_mask[kind]
        kinds += 1
        for number in range(sets, sets * (count + 1)):
            numbering.rack[number] = numbering.rack[number - sets] + game.tile_unit[tile]
            numbering.size[number] = numbering.size[number - sets] + 1
            numbering.value[number] = numbering.value[number - sets] + game.tile_value[tile]
        sets *= count + 1
    numbering.kinds = kinds
    numbering.sets = sets
    at = 0
    for whole in range(sets):
        numbering.parts_at[whole] = at
        for part in range(whole + 1):
            if fits(game, numbering.rack[part], numbering.rack[whole]):
                numbering.part[at] = part
                at += 1
    numbering.parts_at[sets] = at
    numbering.tiles = tiles
    return tiles
