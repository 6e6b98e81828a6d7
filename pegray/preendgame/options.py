"""The options of a solve, each with its meaning."""

from __future__ import annotations

from dataclasses import dataclass, fields

from pegray.errors import InputError
from pegray.terms import Opponent, Until

# What an option may be, where its kind does not say it.
CHOICES = {"opponent": tuple(Opponent), "until": tuple(Until)}
LEAST = {"max_tiles_left": 0, "top": 1, "endgame_plies": 1}


@dataclass(frozen=True)
class SolveOptions:
    """What to solve, and how. The defaults prove the value of every play that could be best.

    only: solve just these plays (notation of docs/semantics.md); empty for all legal plays
    protect: plays that are never cut off
    max_tiles_left: only plays that leave at most so many tiles in the bag
    known_rack: tiles that the opponent is known to hold (may be part of the rack); ``auto``: those that the game of the
        position has shown
    opponent: ``guaranteed`` (the opponent may stumble into the worst reply for us) or ``rational`` (it is blind too
        while tiles are in the bag, and chooses by points)
    no_exchange: under rules that allow exchanging with so few tiles in the bag, solve as if nobody could
    top: keep so many best plays exact
    early_cutoff: leave a play as soon as it has lost more than the ``top``-th best finished play
    never_lose: leave a play as soon as it loses anything
    tiebreak: average the final spread of the plays that are level at the top
    until: how far to go: ``answer`` (the best points are proven), ``level`` (what can be level with the best is
        finished too, and whatever else is to be) or ``spread`` (and the tie-break); what is found is the same
    endgame_plies: cut endgames after so many plies (estimates, marked as not proven); None: to the end of the game

    Raises InputError for a value that an option cannot have.
    """

    only: tuple[str, ...] = ()
    protect: tuple[str, ...] = ()
    max_tiles_left: int | None = None
    known_rack: str = ""
    opponent: str = Opponent.GUARANTEED
    no_exchange: bool = False
    top: int = 1
    early_cutoff: bool = True
    never_lose: bool = False
    tiebreak: bool = True
    until: str = Until.SPREAD
    endgame_plies: int | None = None

    def __post_init__(self) -> None:
        for option in fields(self):
            value = getattr(self, option.name)
            if value == option.default and type(value) is type(option.default):
                continue
            expected = _expected(option.name, option.default, value)
            if expected:
                raise InputError(f"expected {expected}", option.name, value)


def _expected(name: str, default: object, value: object) -> str:
    """What the option is to be, if it cannot be ``value``; else empty."""
    if name in CHOICES:
        return "" if value in CHOICES[name] else " or ".join(CHOICES[name])
    if name in LEAST:
        return "" if type(value) is int and value >= LEAST[name] else f"a whole number of at least {LEAST[name]}"
    if isinstance(default, bool):
        return "" if isinstance(value, bool) else "True or False"
    if isinstance(default, tuple):
        is_moves = isinstance(value, tuple) and all(isinstance(move, str) for move in value)
        return "" if is_moves else "a move such as '13L ONYX', or a list of moves"
    return "" if isinstance(value, str) else "a text"
