"""Draws from the bag: the multisets and the orders in which tiles of a pool can come out, with their weights.

A *sequence* is a draw order packed into a uint64, five bits a tile (the kind's index), first tile in the highest
place. A weight counts labelled draws: copies of a tile are told apart.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from pegray.kernels.bits import ONE, ZERO, kernel, plain
from pegray.kernels.game import kind_counts

KIND_BITS = np.uint64(5)
KIND_MASK = np.uint64(31)


def pack_sequence(kinds: Iterable[int]) -> int:
    """The sequence of tiles of these kinds."""
    sequence = 0
    for kind in kinds:
        sequence = sequence << int(KIND_BITS) | kind
    return sequence


def unpack_sequence(sequence: int, count: int) -> list[int]:
    """The kinds of the ``count`` tiles of a sequence, in order."""
    return [sequence >> int(KIND_BITS) * place & int(KIND_MASK) for place in reversed(range(count))]


@kernel
def _walk_sequences(counts, left, code, weight, sequences, weights, at):
    """Append each order of ``left`` more tiles; with empty arrays, only count them."""
    if left == 0:
        if sequences.shape[0] > 0:
            sequences[at] = code
            weights[at] = weight
        return at + 1
    for k in range(counts.shape[0]):
        available = counts[k]
        if available > 0:
            counts[k] = available - 1
            at = _walk_sequences(
                counts,
                left - 1,
                (code << KIND_BITS) | np.uint64(k),
                weight * available,
                sequences,
                weights,
                at,
            )
            counts[k] = available
    return at


@kernel
def draw_sequences(game, pool, count):
    """All orders of ``count`` tiles of a packed pool: uint64[n] sequences (ascending) and int64[n] weights."""
    counts = kind_counts(game, pool)
    number = _walk_sequences(counts, count, ZERO, plain(1), np.empty(0, np.uint64), np.empty(0, np.int64), plain(0))
    sequences = np.empty(number, np.uint64)
    weights = np.empty(number, np.int64)
    _walk_sequences(counts, count, ZERO, plain(1), sequences, weights, plain(0))
    return sequences, weights


@kernel
def _walk_multisets(game, counts, kind, left, code, weight, multisets, weights, at):
    if left == 0:
        if multisets.shape[0] > 0:
            multisets[at] = code
            weights[at] = weight
        return at + 1
    if kind == counts.shape[0]:
        return at
    unit = game.tile_unit[game.kind_tile[kind]]
    ways = 1
    for taken in range(min(left, counts[kind]) + 1):
        if taken > 0:
            ways = ways * (counts[kind] - taken + 1) // taken
        at = _walk_multisets(
            game,
            counts,
            kind + 1,
            left - taken,
            code + unit * np.uint64(taken),
            weight * ways,
            multisets,
            weights,
            at,
        )
    return at


@kernel
def draw_multisets(game, pool, count):
    """All multisets of ``count`` tiles of a packed pool: uint64[n] packed racks (ascending), int64[n] choices."""
    counts = kind_counts(game, pool)
    number = _walk_multisets(
        game,
        counts,
        plain(0),
        count,
        ZERO,
        plain(1),
        np.empty(0, np.uint64),
        np.empty(0, np.int64),
        plain(0),
    )
    multisets = np.empty(number, np.uint64)
    weights = np.empty(number, np.int64)
    _walk_multisets(game, counts, plain(0), count, ZERO, plain(1), multisets, weights, plain(0))
    order = np.argsort(multisets)
    return multisets[order], weights[order]


@kernel
def sequence_multiset(game, sequence, count):
    """Packed rack of the last ``count`` tiles of a sequence."""
    packed = ZERO
    for _ in range(count):
        packed += game.tile_unit[game.kind_tile[np.int64(sequence & KIND_MASK)]]
        sequence >>= KIND_BITS
    return packed


@kernel
def head_multiset(game, sequence, count, drawn):
    """Packed rack of the first ``drawn`` of a sequence of ``count`` tiles."""
    return sequence_multiset(game, sequence >> (KIND_BITS * np.uint64(count - drawn)), drawn)


@kernel
def tail(sequence, left):
    """The last ``left`` tiles of a sequence, a sequence themselves."""
    return sequence & ((ONE << (KIND_BITS * np.uint64(left))) - ONE)
