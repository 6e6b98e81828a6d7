"""The options of a solve: what is asked of a position. Those of where and how long are in runs/options.py."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pegray.kinds import Kind, Options, declare, options_of
from pegray.terms import Opponent, Until


@dataclass(frozen=True)
class SolveOptions(Options):
    """What to solve, and how. The defaults prove the value of every play that could be best.

    Moves are in the notation of docs/semantics.md. Raises InputError for a value that an option cannot have.
    """

    only: tuple[str, ...] = declare(
        (), Kind.MOVES, "solve just these plays; highest: those of the highest score", shown="MOVE|highest"
    )
    protect: tuple[str, ...] = declare(
        (), Kind.MOVES, "plays that are never cut off; highest: those of the highest score", shown="MOVE|highest"
    )
    max_tiles_left: int | None = declare(
        None, Kind.NUMBER, "only plays that leave at most so many tiles in the bag", shown="K", unset="all", least=0
    )
    known_rack: str = declare(
        "",
        Kind.TEXT,
        "tiles that the opponent is known to hold, all or some; auto: those that the game has shown, of plays taken "
        "back",
        shown="TILES|auto",
    )
    opponent: str = declare(
        Opponent.GUARANTEED,
        Kind.CHOICE,
        "guaranteed: the worst over all its replies counts; rational: it is blind too, and chooses by points",
        choices=Opponent,
    )
    no_exchange: bool = declare(
        False,
        Kind.SWITCH,
        "under rules that allow exchanging with so few tiles in the bag (Spanish), solve as if nobody could",
    )
    top: int = declare(1, Kind.NUMBER, "keep so many best plays exact", shown="K", least=1)
    early_cutoff: bool = declare(
        True,
        Kind.SWITCH,
        "leave a play as soon as it has lost more than the top-th best can lose",
        off="finish every play, though it cannot be best",
    )
    never_lose: bool = declare(False, Kind.SWITCH, "leave a play as soon as it loses anything")
    tiebreak: bool = declare(
        True,
        Kind.SWITCH,
        "average the final spread of the plays that are level at the top",
        off="no average spread for plays that are level at the top",
    )
    exact_spreads: bool = declare(
        False,
        Kind.SWITCH,
        "work out the spreads of all plays that the tie-break compares, not only what decides between them",
    )
    until: str = declare(
        Until.SPREAD,
        Kind.CHOICE,
        "how far to go: answer until the best points are proven, level until every play that can be level with the "
        "best is finished too, spread through the tie-break",
        choices=Until,
    )
    endgame_plies: int | None = declare(
        None,
        Kind.NUMBER,
        "cut endgames after so many plies: estimates, marked as not proven",
        shown="N",
        unset="to the end of the game",
        least=1,
    )

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> SolveOptions:
        """The options that JSON, YAML or a command line gives, with lists of moves. Raises TypeError for a new name."""
        chosen: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in values.items()
        }
        return cls(**chosen)


SOLVE_OPTIONS = options_of(SolveOptions)
"""By name."""
