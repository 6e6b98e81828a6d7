"""Errors that a user can do something about: their message is one line that says what and where."""

from __future__ import annotations


class PegrayError(Exception):
    """A run could not finish; the message is one line for the user.

    fault: what is wrong
    option: the option at fault, as in :func:`pegray.solve`; None where none is
    value: what it was given; None where that says nothing

    The message names the option as Python does (``top=0: ...``); the command line says it with its own flags.
    """

    def __init__(self, fault: str, option: str | None = None, value: object = None) -> None:
        super().__init__(fault)
        self.fault = fault
        self.option = option
        self.value = value

    def __str__(self) -> str:
        if self.option is None:
            return self.fault
        given = "" if self.value is None else f"={self.value!r}"
        return f"{self.option}{given}: {self.fault}"


def check_kind(value: object, kinds: type | tuple[type, ...], expected: str, option: str | None = None) -> None:
    """Raise InputError unless a value, which a Python program has given, is of these kinds."""
    if not isinstance(value, kinds):
        raise InputError(f"expected {expected}" if option else f"{value!r}: expected {expected}", option, value)


def first_line(error: BaseException) -> str:
    """The first line of another library's error that says anything, else the kind of error."""
    return next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)


def why_unreadable(error: OSError | ValueError) -> str:
    """Why a file cannot be opened or is no text: a name with a NUL in it is a ValueError."""
    if isinstance(error, UnicodeDecodeError):
        return "not a text file in UTF-8"
    return getattr(error, "strerror", None) or str(error)


class RunError(PegrayError):
    """Nothing of a run can go on, whatever the position: a disk that is full, a cluster that is gone."""


class InputError(PegrayError):
    """Bad usage or bad input: a position, a file, a play or an option that cannot be used."""
