"""Options: each is declared once, with what it means and which values it may have.

Python, job files and the command line take their names, defaults, checks and help from that. An option is declared as
a field of a dataclass (:class:`pegray.preendgame.options.SolveOptions`, :class:`pegray.runs.options.RunOptions`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import Enum, StrEnum, auto
from typing import Any

from pegray.addresses import EXPECTED, is_address
from pegray.errors import InputError
from pegray.text.durations import parse_duration

_MOST = 1_000_000_000  # of a number


class Kind(Enum):
    """What values an option may have."""

    SWITCH = auto()
    NUMBER = auto()
    CHOICE = auto()
    TEXT = auto()
    MOVES = auto()
    ADDRESS = auto()
    DURATION = auto()
    GIBIBYTES = auto()


@dataclass(frozen=True)
class Option:
    """An option and its values.

    name: in Python and in job files
    meaning: what is said of it in the help and on the page of the Python package
    shown: what stands for its value in the help
    unset: what it means not to give it, where its default is None
    least: of a number
    choices: of a choice
    off: of a switch that is on by default: what it means to put it off
    """

    name: str
    default: Any
    kind: Kind
    meaning: str
    shown: str = ""
    unset: str = ""
    least: int = 0
    choices: type[StrEnum] | None = None
    off: str = ""

    @property
    def flag(self) -> str:
        """``--max-tiles-left``; of a switch that is on by default the flag that puts it off, ``--no-tiebreak``."""
        return f"--{'no-' if self.default is True else ''}{self.name.replace('_', '-')}"

    @property
    def words(self) -> list[str]:
        """The values of a choice, as plain texts."""
        return [] if self.choices is None else [word.value for word in self.choices]

    def check(self, value: object) -> None:
        """Raise InputError for a value that the option cannot have."""
        is_default = value == self.default and type(value) is type(self.default)
        if not is_default and not self._accepts(value):
            raise InputError(f"expected {self._expected}", self.name, value)
        if self.kind is Kind.NUMBER and isinstance(value, int) and value > _MOST:
            raise InputError(f"expected at most {_MOST:,}", self.name, value)

    def _accepts(self, value: Any) -> bool:
        match self.kind:
            case Kind.SWITCH:
                return isinstance(value, bool)
            case Kind.NUMBER:
                return type(value) is int and value >= self.least
            case Kind.CHOICE:
                return value in self.words
            case Kind.TEXT:
                return isinstance(value, str)
            case Kind.MOVES:
                return isinstance(value, tuple) and all(isinstance(move, str) for move in value)
            case Kind.ADDRESS:
                return is_address(value)
            case Kind.DURATION:
                return _is_duration(value)
            case Kind.GIBIBYTES:
                return _is_positive(value)

    @property
    def _expected(self) -> str:
        match self.kind:
            case Kind.NUMBER:
                return f"a whole number of at least {self.least}"
            case Kind.CHOICE:
                return " or ".join(self.words)
        return {
            Kind.SWITCH: "True or False",
            Kind.TEXT: "a text",
            Kind.MOVES: "a move such as '13L ONYX', or a list of moves",
            Kind.ADDRESS: EXPECTED,
            Kind.DURATION: "seconds, more than 0, or a text such as 90s, 10m or 2h",
            Kind.GIBIBYTES: "a number of GiB, more than 0",
        }[self.kind]


def declare(default: Any, kind: Kind, meaning: str, **more: Any) -> Any:
    """A field of a dataclass that is an option; ``more``: further fields of :class:`Option`."""
    return field(default=default, metadata={"kind": kind, "meaning": meaning, **more})


def options_of(owner: type) -> Mapping[str, Option]:
    """The options that a dataclass declares, by name."""
    return {item.name: Option(item.name, item.default, **item.metadata) for item in fields(owner)}


class Options:
    """Base of dataclasses whose fields are options: each value is checked, InputError raised for the first bad one."""

    def __post_init__(self) -> None:
        for name, option in options_of(type(self)).items():
            option.check(getattr(self, name))


def _is_positive(value: object) -> bool:
    return isinstance(value, int | float) and type(value) is not bool and 0 < value < math.inf


def _is_duration(value: object) -> bool:
    if not isinstance(value, str):
        return _is_positive(value)
    try:
        parse_duration(value)
    except InputError:
        return False
    return True
