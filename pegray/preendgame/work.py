"""The unit of work: one play with one draw of ours, or a portion of the replies to it, and what came of it.

Units are idempotent: the same unit gives the same outcomes wherever and however often it is worked on.
"""

from __future__ import annotations

import zlib
from dataclasses import MISSING, dataclass, fields
from typing import Any, NamedTuple

from pegray.kernels.table import INFINITE
from pegray.kernels.verdicts import DRAW, LOSS, WIN
from pegray.terms import WDL, UnitKind

STOP_NOW = -(1 << 62)
"""A bound that stops every running kernel at its next look, protected plays included."""

BUDGET_GROWTH = 4
"""What has run out of its nodes comes again with so many times as many."""

QUICK_BUDGET = 2_000
"""Nodes: units with no more, of plays that empty the bag, take some hundredths of a second, and most far less."""

WDL_OF_VERDICT = {LOSS: WDL.LOSS, DRAW: WDL.TIE, WIN: WDL.WIN}


class Unit(NamedTuple):
    """One play (``candidate``) with one draw of ours (``draw``), as indices into the problem's arrays.

    budget: nodes that may be searched before the unit is handed back unfinished
    lost: half weights that the play has lost already when the unit is handed out (running kernels compare it with
    the bound)
    least, most: of a spread, which values to tell apart; of others it is enough to know that they lie below or above
    portion: packed moves of the replies to look into; empty: all
    known: of a portion, what other replies have brought, as the outcomes and replies of a Settled that is not finished
    names_left: whether to name the replies that are left if the unit comes back unfinished
    tried: nodes that it has run out of before, so that it is likely to take more
    checkpoints: what these have settled on the way, see checkpoints.py
    company: (place, others): of so many that are at the unit beside the first, which this one is; in each decision it
        begins with plays of ours of its own. (0, 0) for the first
    """

    candidate: int
    draw: int
    kind: UnitKind
    budget: int
    lost: int = 0
    least: int = -INFINITE
    most: int = INFINITE
    portion: tuple[int, ...] = ()
    known: tuple[bytes, tuple[int, ...]] = (b"", ())
    names_left: bool = False
    tried: int = 0
    checkpoints: bytes = b""
    company: tuple[int, int] = (0, 0)

    @property
    def key(self) -> str:
        """Stable name of the unit within its problem."""
        name = f"{self.kind}-{self.candidate}-{self.draw}"
        if self.portion:
            name += f"-{zlib.crc32(repr(self.portion).encode()):08x}"
        return f"{name}-{self.company[0]}" if self.company[0] else name


@dataclass(slots=True)
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
    replies_left: packed moves of the replies that may still lower an outcome, those that seem cheapest first; all
        others of the unit's portion cannot. None where they are not named
    untried: how many of them, the last, were not looked into at all
    checkpoints: of what is not finished, what was settled on the way: see checkpoints.py
    nodes_left: of a play that empties the bag, if its budget ran out: how many nodes it seems to need yet; 0 where
        nothing tells
    bounds: on a player alone (kernels/alone.py), after a play that empties the bag
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
    replies_left: tuple[int, ...] | None = None
    untried: int = 0
    checkpoints: bytes = b""
    nodes_left: int = 0
    bounds: int = 0

    def to_row(self) -> dict[str, Any]:
        """Flat form for the journal, which keeps what was found of a spread, not what was asked."""
        row = self.unit._asdict() | {name: getattr(self, name) for name in self.__slots__}
        del row["unit"], row["known"]
        return row

    @classmethod
    def from_row(cls, row: dict[str, Any]) -> Settled:
        """Inverse of :meth:`to_row`."""
        unit = Unit(
            row["candidate"],
            row["draw"],
            UnitKind(row["kind"]),
            row["budget"],
            row["lost"],
            portion=tuple(row["portion"] or ()),
        )
        rest = {name: row[name] for name in cls.__slots__ if name != "unit"}
        rest |= {name: default for name, default in _DEFAULTS.items() if rest[name] is None}
        rest["replies"] = tuple(rest["replies"])
        rest["replies_left"] = None if rest["replies_left"] is None else tuple(rest["replies_left"])
        return cls(unit=unit, **rest)


# of what an earlier version may not have written
_DEFAULTS = {field.name: field.default for field in fields(Settled) if field.default is not MISSING}
