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
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic


def _with_twin(twin: Callable[..., Any]) -> Callable[[Callable[..., Any]], Any]:
    """Decorator: a numba intrinsic, or ``twin`` where numba compiles nothing."""

    def choose(build: Callable[..., Any]) -> Any:
        return twin if numba.config.DISABLE_JIT else intrinsic(build)

    return choose


def _plain(value: Any) -> np.int64:
    return np.int64(value)


@_with_twin(_plain)
def plain(typingctx: Any, value: Any) -> Any:
    """An integer constant typed as int64 and not as a literal."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return args[0]

    return types.int64(types.int64), codegen


def _as_pointer(address: np.uint64) -> ctypes.c_void_p:
    return ctypes.c_void_p(int(address))


@_with_twin(_as_pointer)
def as_pointer(typingctx: Any, address: Any) -> Any:
    """A pointer for ``numba.carray`` from a uint64."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.inttoptr(args[0], cgutils.voidptr_t)

    return types.voidptr(types.uint64), codegen


def _count_ones(word: np.uint64) -> np.uint64:
    return np.uint64(int(word).bit_count())


@_with_twin(_count_ones)
def count_ones(typingctx: Any, word: Any) -> Any:
    """How many bits of a uint64 are set."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.uint64(types.uint64), codegen


def _trailing_zeros(word: np.uint64) -> np.uint64:
    return np.uint64((int(word) & -int(word)).bit_length() - 1 if word else 64)


@_with_twin(_trailing_zeros)
def trailing_zeros(typingctx: Any, word: Any) -> Any:
    """The place of the lowest bit of a uint64 that is set; 64 where none is."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], context.get_constant(types.boolean, False))

    return types.uint64(types.uint64), codegen
