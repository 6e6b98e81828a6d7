"""Masks of the squares of all lanes of a direction, worked on at once by the machine.

A *mask* is a uint16 with a bit for each place in its lane, the first in the lowest. Those of a direction are
``AT_ONCE`` from its first lane on: one more than it has lanes, which is not looked at and comes out as 0 (or as it was,
where masks are added to). So the first direction is worked on before the second, whose first lane comes right after.

As with intrinsics.py, each of these has a twin in plain Python.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import types

from pegray.game.layout import DIMENSION
from pegray.kernels.intrinsics import Rows, with_twin

AT_ONCE = 16
_WHOLE = (1 << DIMENSION) - 1
_LANES = [_WHOLE] * DIMENSION + [0] * (AT_ONCE - DIMENSION)

Masks = npt.NDArray[np.uint16]


def _load(masks: Masks, at: int) -> Masks:
    return masks[at : at + AT_ONCE] & np.array(_LANES, np.uint16)


def _beside(masks: Masks) -> Masks:
    none = np.zeros(1, np.uint16)
    return np.concatenate([none, masks[:-1]]) | np.concatenate([masks[1:], none])


class _Masks(Rows):
    """Masks of a direction, for the code of an intrinsic."""

    def __init__(self, context: Any, builder: Any, signature: Any) -> None:
        super().__init__(context, builder, signature, types.literal(AT_ONCE))
        self.lanes = ir.Constant(self._type, _LANES)
        self._ones = ir.Constant(self._type, [1] * AT_ONCE)

    def load_masks(self, args: Any, place: int, index: int) -> Any:
        """Those of an array among the arguments."""
        return self._builder.and_(self.load(args, place, index), self.lanes)

    def store_masks(self, args: Any, place: int, index: int, masks: Any) -> None:
        """Put masks there."""
        self._builder.store(self._builder.and_(masks, self.lanes), self.pointer(args, place, index), align=2)

    def add_masks(self, args: Any, place: int, index: int, masks: Any) -> None:
        """Add to those that are there; what is no lane has none."""
        both = self._builder.or_(self.load(args, place, index), masks)
        self._builder.store(both, self.pointer(args, place, index), align=2)

    def along(self, masks: Any) -> Any:
        """The squares before and after those of each lane."""
        return self._builder.or_(self._builder.shl(masks, self._ones), self._builder.lshr(masks, self._ones))

    def beside(self, masks: Any) -> Any:
        """The squares of both lanes beside each."""
        none = ir.Constant(self._type, None)
        numbers = ir.VectorType(ir.IntType(32), AT_ONCE)
        before = self._builder.shuffle_vector(masks, none, ir.Constant(numbers, [AT_ONCE, *range(AT_ONCE - 1)]))
        after = self._builder.shuffle_vector(masks, none, ir.Constant(numbers, list(range(1, AT_ONCE + 1))))
        return self._builder.or_(before, after)


def _nonzero(items: Any, first: int) -> np.uint64:
    return np.uint64(sum(1 << i for i in range(AT_ONCE) if items[first + i]))


@with_twin(_nonzero)
def nonzero(typingctx: Any, items: Any, first: Any) -> Any:
    """A mask of those that are not 0 of ``AT_ONCE`` items of an array of integers from an index on."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        some = _load_items(context, builder, signature, args, 0, 1)
        return _mask_of(builder, builder.icmp_unsigned("!=", some, ir.Constant(some.type, None)))

    return types.uint64(items, first), codegen


def _differing(items: Any, others: Any, first: int) -> np.uint64:
    return np.uint64(sum(1 << i for i in range(AT_ONCE) if items[first + i] != others[first + i]))


@with_twin(_differing)
def differing(typingctx: Any, items: Any, others: Any, first: Any) -> Any:
    """A mask of the places, from an index on, where ``AT_ONCE`` items of two arrays of integers differ."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        one = _load_items(context, builder, signature, args, 0, 2)
        other = _load_items(context, builder, signature, args, 1, 2)
        return _mask_of(builder, builder.icmp_unsigned("!=", one, other))

    return types.uint64(items, others, first), codegen


def _load_items(context: Any, builder: Any, signature: Any, args: Any, place: int, index: int) -> Any:
    array = context.make_array(signature.args[place])(context, builder, args[place])
    row = ir.VectorType(array.data.type.pointee, AT_ONCE)
    begin = builder.bitcast(builder.gep(array.data, [args[index]]), row.as_pointer())
    return builder.load(begin, align=1)


def _mask_of(builder: Any, flags: Any) -> Any:
    return builder.zext(builder.bitcast(flags, ir.IntType(AT_ONCE)), ir.IntType(64))


def _mark_beside(tiles: Masks, along: Masks, across: Masks, empty: Masks, at: int) -> None:
    masks = _load(tiles, at)
    free = ~masks & np.array(_LANES, np.uint16)
    along[at : at + AT_ONCE] = (masks << 1 | masks >> 1) & free
    across[at : at + AT_ONCE] = _beside(masks) & free
    empty[at : at + AT_ONCE] = free


@with_twin(_mark_beside)
def mark_beside(typingctx: Any, tiles: Any, along: Any, across: Any, empty: Any, at: Any) -> Any:
    """Mark what is ``empty`` between ``tiles``, and what of it is beside one along its lane and across it."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        masks = _Masks(context, builder, signature)
        laid = masks.load_masks(args, 0, 4)
        free = builder.not_(laid)
        masks.store_masks(args, 1, 4, builder.and_(masks.along(laid), free))
        masks.store_masks(args, 2, 4, builder.and_(masks.beside(laid), free))
        masks.store_masks(args, 3, 4, free)
        return context.get_dummy_value()

    return types.void(tiles, along, across, empty, at), codegen


def _mark_live(
    live: Masks, along: Masks, across: Masks, at: int, allowed: Masks, words_along: Masks, words_across: Masks, of: int
) -> None:
    lengthwise, crosswise = _load(words_along, of), _load(words_across, of)
    may_lie = (crosswise | ~_load(across, at)) & np.array(_LANES, np.uint16)
    allowed[of : of + AT_ONCE] = may_lie
    new = (lengthwise | crosswise) & (lengthwise | ~_load(along, at)) & may_lie
    live[at : at + AT_ONCE] |= new


@with_twin(_mark_live)
def mark_live(
    typingctx: Any,
    live: Any,
    along: Any,
    across: Any,
    at: Any,
    allowed: Any,
    words_along: Any,
    words_across: Any,
    of: Any,
) -> Any:
    """Mark where a kind of tile is ``allowed`` by words across, and add to ``live`` where it can come to lie at all.

    ``along`` and ``across`` are the squares beside tiles, from ``at`` on; ``words_along`` and ``words_across`` those
    where words have the kind, from ``of`` on.
    """

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        masks = _Masks(context, builder, signature)
        lengthwise, crosswise = masks.load_masks(args, 5, 7), masks.load_masks(args, 6, 7)
        may_lie = builder.or_(crosswise, builder.not_(masks.load_masks(args, 2, 3)))
        masks.store_masks(args, 4, 7, may_lie)
        joined = builder.or_(lengthwise, builder.not_(masks.load_masks(args, 1, 3)))
        new = builder.and_(builder.and_(builder.or_(lengthwise, crosswise), joined), may_lie)
        masks.add_masks(args, 0, 3, builder.and_(new, masks.lanes))
        return context.get_dummy_value()

    return types.void(live, along, across, at, allowed, words_along, words_across, of), codegen


def _mark_excess(spelt: Masks, excess: Masks, at: int, words: Masks, allowed: Masks, of: int) -> None:
    some = _load(words, of)
    spelt[at : at + AT_ONCE] |= some
    excess[at : at + AT_ONCE] |= some & ~allowed[of : of + AT_ONCE]


@with_twin(_mark_excess)
def mark_excess(typingctx: Any, spelt: Any, excess: Any, at: Any, words: Any, allowed: Any, of: Any) -> Any:
    """Add to ``spelt`` where words have a kind of tile, and to ``excess`` where it is not ``allowed``."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        masks = _Masks(context, builder, signature)
        some = masks.load_masks(args, 3, 5)
        masks.add_masks(args, 0, 2, some)
        masks.add_masks(args, 1, 2, builder.and_(some, builder.not_(masks.load(args, 4, 5))))
        return context.get_dummy_value()

    return types.void(spelt, excess, at, words, allowed, of), codegen


def _mark_differing(differing: Masks, within: Masks, at: int, masks: Masks, before: Masks, first: int) -> None:
    changed = _load(masks, first) ^ _load(before, first)
    differing[at : at + AT_ONCE] |= changed & within[at : at + AT_ONCE]


@with_twin(_mark_differing)
def mark_differing(typingctx: Any, differing: Any, within: Any, at: Any, masks: Any, before: Any, first: Any) -> Any:
    """Add where two arrays of masks differ from ``first`` on, ``within`` others."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        row = _Masks(context, builder, signature)
        changed = builder.xor(row.load_masks(args, 3, 5), row.load_masks(args, 4, 5))
        row.add_masks(args, 0, 2, builder.and_(changed, row.load(args, 1, 2)))
        return context.get_dummy_value()

    return types.void(differing, within, at, masks, before, first), codegen


def _spread(masks: Masks, to: int, first: int, live: Masks, at: int) -> None:
    here = _load(masks, first)
    masks[to : to + AT_ONCE] = here | (here << 1 | here >> 1 | _beside(here)) & _load(live, at)


@with_twin(_spread)
def spread(typingctx: Any, masks: Any, to: Any, first: Any, live: Any, at: Any) -> Any:
    """Write to ``to`` the masks from ``first`` on and all squares beside those that are ``live``, from ``at`` on."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        row = _Masks(context, builder, signature)
        here = row.load_masks(args, 0, 2)
        reached = builder.and_(builder.or_(row.along(here), row.beside(here)), row.load_masks(args, 3, 4))
        row.store_masks(args, 0, 1, builder.or_(here, reached))
        return context.get_dummy_value()

    return types.void(masks, to, first, live, at), codegen


def _turn_bits(to: Any, at: int, one: Any, first: int) -> None:
    bits = one[first : first + AT_ONCE, None] >> np.arange(AT_ONCE, dtype=np.uint16) & 1
    to[at : at + AT_ONCE] = (bits.T << np.arange(AT_ONCE)).sum(axis=1)


@with_twin(_turn_bits)
def turn_bits(typingctx: Any, to: Any, at: Any, one: Any, first: Any) -> Any:
    """Bit ``j`` of ``to[at + i]`` is bit ``i`` of ``one[first + j]``, for 16 items of uint16 arrays, as add_words."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        row = Rows(context, builder, signature, types.literal(AT_ONCE))
        bits = row.load(args, 2)
        for i in range(AT_ONCE):
            highest = builder.shl(bits, ir.Constant(bits.type, [AT_ONCE - 1 - i] * AT_ONCE))
            turned = builder.icmp_signed("<", highest, ir.Constant(bits.type, None))
            turned = builder.bitcast(turned, ir.IntType(AT_ONCE))
            args_of_item = [args[0], builder.add(args[1], args[1].type(i))]
            pointer = builder.bitcast(row.pointer(args_of_item, 0), turned.type.as_pointer())
            builder.store(turned, pointer, align=2)
        return context.get_dummy_value()

    return types.void(to, at, one, first), codegen
