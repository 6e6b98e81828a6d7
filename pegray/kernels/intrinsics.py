"""What kernels ask of the machine that Python has no words for, each with a twin that does the same in plain Python.

With ``NUMBA_DISABLE_JIT=1`` numba leaves all functions as they are, and the twins take the place of the intrinsics: so
the kernels run under a debugger, slowly.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils, errors
from numba.extending import intrinsic


def with_twin(twin: Callable[..., Any]) -> Callable[[Callable[..., Any]], Any]:
    """Decorator: a numba intrinsic, or ``twin`` where numba compiles nothing."""

    def choose(build: Callable[..., Any]) -> Any:
        return twin if numba.config.DISABLE_JIT else intrinsic(build)

    return choose


def _plain(value: Any) -> np.int64:
    return np.int64(value)


@with_twin(_plain)
def plain(typingctx: Any, value: Any) -> Any:
    """An integer constant typed as int64 and not as a literal."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return args[0]

    return types.int64(types.int64), codegen


def _as_pointer(address: np.uint64) -> ctypes.c_void_p:
    return ctypes.c_void_p(int(address))


@with_twin(_as_pointer)
def as_pointer(typingctx: Any, address: Any) -> Any:
    """A pointer for ``numba.carray`` from a uint64."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.inttoptr(args[0], cgutils.voidptr_t)

    return types.voidptr(types.uint64), codegen


def _count_ones(word: np.uint64) -> np.uint64:
    return np.uint64(int(word).bit_count())


@with_twin(_count_ones)
def count_ones(typingctx: Any, word: Any) -> Any:
    """How many bits of a uint64 are set."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.uint64(types.uint64), codegen


def _trailing_zeros(word: np.uint64) -> np.uint64:
    return np.uint64((int(word) & -int(word)).bit_length() - 1 if word else 64)


@with_twin(_trailing_zeros)
def trailing_zeros(typingctx: Any, word: Any) -> Any:
    """The place of the lowest bit of a uint64 that is set; 64 where none is."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], context.get_constant(types.boolean, False))

    return types.uint64(types.uint64), codegen


def _do_nothing(address: np.uint64) -> None:
    pass


@with_twin(_do_nothing)
def prefetch(typingctx: Any, address: Any) -> Any:
    """Begin to load what is at a uint64 address, which is read soon."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        flag = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, flag, flag, flag])
        fetch = builder.module.declare_intrinsic("llvm.prefetch", [cgutils.voidptr_t], kind)
        to_be_read, again_and_again, data = flag(0), flag(3), flag(1)
        builder.call(fetch, [builder.inttoptr(args[0], cgutils.voidptr_t), to_be_read, again_and_again, data])
        return context.get_dummy_value()

    return types.void(types.uint64), codegen


def _add_words(to: Any, at: int, one: Any, first: int, other: Any, second: int, width: int) -> None:
    to[at : at + width] = one[first : first + width] + other[second : second + width]


@with_twin(_add_words)
def add_words(typingctx: Any, to: Any, at: Any, one: Any, first: Any, other: Any, second: Any, width: Any) -> Any:
    """``to[at + i] = one[first + i] + other[second + i]`` for ``width`` (a constant) items of int16 arrays at once.

    numba's own loops are not made into such, since it cannot know that the arrays are apart.
    """

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        row = Rows(context, builder, signature, width)
        builder.store(builder.add(row.load(args, 2), row.load(args, 4)), row.pointer(args, 0), align=2)
        return context.get_dummy_value()

    _ask_for_constant(width)
    return types.void(to, at, one, first, other, second, width), codegen


def _raise_words(to: Any, at: int, one: Any, first: int, more: int, most: Any, second: int, width: int) -> None:
    raised = np.minimum(one[first : first + width] + np.int16(more), most[second : second + width])
    to[at : at + width] = np.maximum(to[at : at + width], raised)


@with_twin(_raise_words)
def raise_words(
    typingctx: Any, to: Any, at: Any, one: Any, first: Any, more: Any, most: Any, second: Any, width: Any
) -> Any:
    """``to[at + i] = max(to[at + i], min(one[first + i] + more, most[second + i]))``, as :func:`add_words`."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        row = Rows(context, builder, signature, width)
        raised = builder.add(row.load(args, 2), row.of(args[4]))
        limit, before = row.load(args, 5), row.load(args, 0)
        raised = builder.select(builder.icmp_signed("<", raised, limit), raised, limit)
        raised = builder.select(builder.icmp_signed(">", raised, before), raised, before)
        builder.store(raised, row.pointer(args, 0), align=2)
        return context.get_dummy_value()

    _ask_for_constant(width)
    return types.void(to, at, one, first, more, most, second, width), codegen


def _outdo_words(to: Any, at: int, one: Any, first: int, width: int) -> None:
    to[at : at + width] = np.maximum(to[at : at + width], one[first : first + width])


@with_twin(_outdo_words)
def outdo_words(typingctx: Any, to: Any, at: Any, one: Any, first: Any, width: Any) -> Any:
    """``to[at + i] = max(to[at + i], one[first + i])``, as :func:`add_words`."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        row = Rows(context, builder, signature, width)
        more, before = row.load(args, 2), row.load(args, 0)
        more = builder.select(builder.icmp_signed(">", more, before), more, before)
        builder.store(more, row.pointer(args, 0), align=2)
        return context.get_dummy_value()

    _ask_for_constant(width)
    return types.void(to, at, one, first, width), codegen


def _ask_for_constant(argument: Any) -> None:
    if not isinstance(argument, types.IntegerLiteral):
        raise errors.RequireLiteralValue(argument)


class Rows:
    """Machine words that hold several items of int16 arrays, for the code of an intrinsic."""

    def __init__(self, context: Any, builder: Any, signature: Any, width: Any) -> None:
        self._context, self._builder, self._signature = context, builder, signature
        self._type = ir.VectorType(ir.IntType(16), width.literal_value)

    def pointer(self, args: Any, place: int, index: int = 0) -> Any:
        """Where the items begin: of the array among the arguments at ``place``, from an index among them on.

        That at ``index``, or the one after the array.
        """
        array = self._context.make_array(self._signature.args[place])(self._context, self._builder, args[place])
        begin = self._builder.gep(array.data, [args[index or place + 1]])
        return self._builder.bitcast(begin, self._type.as_pointer())

    def load(self, args: Any, place: int, index: int = 0) -> Any:
        """The items there."""
        return self._builder.load(self.pointer(args, place, index), align=2)

    def of(self, number: Any) -> Any:
        """As often as there are items, an int64 as int16."""
        word = self._builder.trunc(number, ir.IntType(16))
        row = self._builder.insert_element(ir.Constant(self._type, ir.Undefined), word, ir.IntType(32)(0))
        zeros = ir.Constant(ir.VectorType(ir.IntType(32), self._type.count), None)
        return self._builder.shuffle_vector(row, ir.Constant(self._type, ir.Undefined), zeros)
