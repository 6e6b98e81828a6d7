"""Options of the library in the words of the command line."""

from __future__ import annotations

from pegray.errors import PegrayError
from pegray.preendgame.options import SOLVE_OPTIONS

# Where the flag is not the option's own name.
_FLAGS = {"move": "--play", **{name: option.flag for name, option in SOLVE_OPTIONS.items()}}


def in_flags(error: PegrayError) -> str:
    """The message of an error, with the flag where it names an option."""
    if error.option is None:
        return str(error)
    flag = _FLAGS.get(error.option) or "--" + error.option.replace("_", "-")
    given = "" if error.value is None else f" {error.value}"
    return f"{flag}{given}: {error.fault}"
