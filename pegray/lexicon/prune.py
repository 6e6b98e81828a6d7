"""The words of a lexicon that a position can still use.

A word can still be formed only where it agrees with the tiles on the board, with an empty square or the
board's edge at both ends (tiles never leave, so a filled neighbour would be part of the word), and only if
its other letters can come from the tiles in play. No look is taken at how: plays could fill any empty
square on the way.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pegray.game.layout import DIMENSION
from pegray.game.tiles import LETTER_MASK
from pegray.lexicon.build import build_kwg
from pegray.lexicon.counts import checked_counts
from pegray.lexicon.decorators import word_kernel
from pegray.lexicon.kwg import ARC_MASK, END_FLAG, HIGHEST_TILE, LAST_FLAG, TILE_SHIFT
from pegray.lexicon.marks import marked_words
from pegray.lexicon.words import SHORTEST


def prune(
    nodes: npt.NDArray[np.uint32], board: npt.NDArray[np.uint8], tiles_in_play: npt.NDArray[np.uint8]
) -> npt.NDArray[np.uint32]:
    """uint32[m] nodes of a KWG with the words that can still be formed; with both roots 0 if there are none.

    nodes: uint32[n] KWG of the lexicon; board: uint8[225] tiles, blanks flagged, 0 for empty squares;
    tiles_in_play: uint8[size] counts of the tiles that are not on the board, blanks (index 0) for any letter
    """
    counts = checked_counts(nodes)
    marks = np.zeros(counts[int(nodes[0]) & ARC_MASK], np.bool_)
    pool = np.zeros(HIGHEST_TILE + 1, np.int64)
    pool[: len(tiles_in_play)] = tiles_in_play
    for place in _places(board):
        _mark(nodes, counts, place, pool, marks)
    return build_kwg(*marked_words(nodes, counts, marks))


def _places(board: npt.NDArray[np.uint8]) -> list[npt.NDArray[np.int64]]:
    """Each different run of squares for a word: from a start to the lane's end, letters or 0, int64[1 to 15].

    Words that touch no tile fit into the longest gap between tiles if anywhere: the only run without tiles.
    """
    letters = (board & LETTER_MASK).reshape(DIMENSION, DIMENSION).astype(np.int64)
    places = set()
    gap = 0
    for lane in (*letters.tolist(), *letters.T.tolist()):
        for start in range(DIMENSION):
            if start > 0 and lane[start - 1]:
                continue
            run = lane[start:]
            length = next((i for i, letter in enumerate(run) if letter), len(run) + 1)
            gap = max(gap, length - 1)
            if any(run):
                places.add(tuple(run))
    return [np.zeros(gap, np.int64), *(np.array(place, np.int64) for place in sorted(places))]


@word_kernel
def _mark(nodes, counts, place, pool, marks):
    """Mark the ranks of the words that fit a run of squares from its first square on and end before no tile.

    pool: tiles in play, changed on the way and restored. Words before the first tile are left to the gap.
    """
    squares = len(place)
    shortest = SHORTEST
    first_tile = 0
    while first_tile < squares and place[first_tile] == 0:
        first_tile += 1
    if first_tile < squares:
        shortest = max(shortest, first_tile + 1)
    path = np.zeros(squares + 1, np.int64)
    spent = np.full(squares + 1, -1, np.int64)  # the tile that each letter of the path took from the pool
    ranks = np.zeros(squares + 1, np.int64)
    path[0] = np.int64(nodes[0]) & ARC_MASK
    depth = 0 if path[0] and squares else -1
    while depth >= 0:
        index = path[depth]
        node = np.int64(nodes[index])
        letter = node >> TILE_SHIFT
        tile = np.int64(-1)
        if place[depth]:
            fits = place[depth] == letter
        elif pool[letter]:
            fits = True
            tile = letter
        else:
            fits = pool[0] > 0
            tile = np.int64(0)
        rank = ranks[depth]
        if fits:
            below = node & ARC_MASK
            if node & END_FLAG:
                if depth + 1 >= shortest and (depth + 1 == squares or place[depth + 1] == 0):
                    marks[rank] = True
                rank += 1
            if below != 0 and depth + 1 < squares:
                if tile >= 0:
                    pool[tile] -= 1
                spent[depth] = tile
                depth += 1
                path[depth] = below
                ranks[depth] = rank
                continue
        while depth >= 0:
            index = path[depth]
            node = np.int64(nodes[index])
            # Siblings come in the order of their tiles: none fits a tile on the board that has been passed.
            passed = place[depth] != 0 and node >> TILE_SHIFT >= place[depth]
            if not passed and not node & LAST_FLAG:
                ranks[depth] += counts[index] - counts[index + 1]
                path[depth] = index + 1
                break
            depth -= 1
            if depth >= 0 and spent[depth] >= 0:
                pool[spent[depth]] += 1
