"""The unit of work: one play with one draw of ours, and what came of it.

Units are idempotent: the same unit gives the same outcomes wherever and however often it is worked on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pegray.kernels.table import INFINITE
from pegray.kernels.verdicts import DRAW, LOSS, WIN
from pegray.terms import WDL, UnitKind

STOP_NOW = -(1 << 62)
"""A bound that stops every running kernel at its next look, protected plays included."""

WDL_OF_VERDICT = {LOSS: WDL.LOSS, DRAW: WDL.TIE, WIN: WDL.WIN}


@dataclass(frozen=True)
class Unit:
    """One play (``candidate``) with one draw of ours (``draw``), as indices into the problem's arrays.

    budget: nodes that may be searched before the unit is handed back unfinished
    lost: half weights that the play has lost already when the unit is handed out (running kernels compare it with
    the bound)
    least, most: of a spread, which values to tell apart; of others it is enough to know that they lie below or above
    """

    candidate: int
    draw: int
    kind: UnitKind
    budget: int
    lost: int = 0
    least: int = -INFINITE
    most: int = INFINITE

    @property
    def key(self) -> str:
        """Stable name of the unit within its problem."""
        return f"{self.kind}-{self.candidate}-{self.draw}"


@dataclass
class Settled:
    """What a solver found for a unit.

    outcomes: one int8 for each order of the staying tiles: 0 loss, 1 draw, 2 win, -1 not settled
    replies: for each order a packed move that brings the tie or loss; -1 where there is none
    spread: final spread under best play for spread (of a unit of that kind only), where it was found exactly
    spread_at_least, spread_at_most: what was found of it
    estimate: points of the play (of a unit of that kind only)
    finished: all outcomes are settled; if not, a loss is final, a tie may still become a loss. Of a spread: what was
        asked is known
    out_of_budget: unfinished because the node budget ran out, not because of a bound
    """

    unit: Unit
    finished: bool
    outcomes: bytes
    replies: tuple[int, ...]
    spread: int | None
    proven: bool
    nodes: int
    endgames: int
    cpu_seconds: float
    seconds: float
    out_of_budget: bool = False
    spread_at_least: int | None = None
    spread_at_most: int | None = None
    estimate: float | None = None

    def to_row(self) -> dict[str, Any]:
        """Flat form for the journal, which keeps what was found of a spread, not what was asked."""
        row = {**vars(self), **vars(self.unit), "replies": list(self.replies)}
        del row["unit"]
        return row

    @classmethod
    def from_row(cls, row: dict[str, Any]) -> Settled:
        """Inverse of :meth:`to_row`."""
        unit = Unit(row["candidate"], row["draw"], UnitKind(row["kind"]), row["budget"], row["lost"])
        rest = {name: row[name] for name in cls.__dataclass_fields__ if name != "unit"}
        rest["replies"] = tuple(rest["replies"])
        return cls(unit=unit, **rest)
