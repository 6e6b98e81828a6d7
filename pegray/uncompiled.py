"""Kernels as plain Python, for debuggers and for reading along: what ``NUMBA_DISABLE_JIT=1`` makes of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np
import numpy.typing as npt


def in_plain_python(function: Callable[..., Any]) -> Callable[..., Any]:
    """``function`` with what machine code does otherwise than numpy: overflows wrap silently, records have fields."""

    @wraps(function)
    def run(*arguments: Any, **named: Any) -> Any:
        with np.errstate(over="ignore"):
            return function(*map(_with_fields, arguments), **named)

    return run


def _with_fields(value: Any) -> Any:
    """The argument; in place of a record array its records, each with its fields as attributes."""
    if isinstance(value, np.ndarray) and value.dtype.names:
        return [Fields(record) for record in value.reshape(-1, 1)]
    return value


class Fields:
    """The fields of a record, to be read and written as attributes (several times as fast as those of numpy.record).

    A field that is a record itself has fields in turn.
    """

    def __init__(self, record: npt.NDArray[np.void]) -> None:
        """record: shape (1,)"""
        views = {name: record[name] for name in record.dtype.names or ()}
        parts = {name: [Fields(view)] if view.dtype.names else view for name, view in views.items()}
        self.__dict__["_views"] = parts

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["_views"][name][0]
        except KeyError:
            raise AttributeError(f"the record has no field {name}") from None

    def __setattr__(self, name: str, value: Any) -> None:
        self._views[name][0] = value
