"""The words that options, files and outputs share, each kind with the values that it may have.

All are texts: a member equals its value, and is written as it to JSON, Parquet and a terminal.
"""

from __future__ import annotations

from enum import StrEnum


class Opponent(StrEnum):
    """How the opponent chooses while tiles are in the bag."""

    GUARANTEED = "guaranteed"
    """It may make every legal reply, and the worst for us counts."""

    RATIONAL = "rational"
    """It does not see the bag either, and chooses by points."""


class Until(StrEnum):
    """How far a solve goes; each includes those before it."""

    ANSWER = "answer"
    """The best points are proven."""

    LEVEL = "level"
    """What can be level with the best is finished too."""

    SPREAD = "spread"
    """And so is the tie-break."""

    def includes(self, other: str) -> bool:
        """Whether whoever goes so far has done all that ``other`` asks for."""
        order = list(Until)
        return order.index(self) >= order.index(Until(other))


class State(StrEnum):
    """How far the question of a position is answered."""

    OPEN = "open"
    """Some play may still have more points than every finished one: there is no best play yet."""

    ANSWERED = "answered"
    """The best points are proven; plays that are not finished may at most be level with them."""

    COMPLETE = "complete"
    """They are finished as well, and told apart by the tie-break, if it is wanted."""


class Status(StrEnum):
    """How far a play is settled."""

    FINISHED = "finished"
    """All its outcomes are."""

    CUT_OFF = "cut_off"
    """It was left, since it has lost more than the best may."""

    UNFINISHED = "unfinished"
    """Not all its outcomes are."""

    SKIPPED = "skipped"
    """It is not asked for."""


class WDL(StrEnum):
    """What an eventuality comes to after a play, for us; from bad to good."""

    LOSS = "L"
    TIE = "D"
    WIN = "W"

    @classmethod
    def of_spread(cls, spread: float) -> WDL:
        """What a final spread comes to."""
        return cls.WIN if spread > 0 else cls.TIE if spread == 0 else cls.LOSS

    @property
    def points(self) -> float:
        """Points for a weight of 1."""
        return {WDL.LOSS: 0.0, WDL.TIE: 0.5, WDL.WIN: 1.0}[self]


class UnitKind(StrEnum):
    """What a unit of work is to find."""

    VERDICT = "verdict"
    """The outcomes of one play with one draw."""

    SPREAD = "spread"
    """The final spread under best play for spread, for the tie-break."""

    ESTIMATE = "estimate"
    """The points of one play, from a quick look: nothing that is proven rests on it."""


class RunState(StrEnum):
    """What the manifest says of a run."""

    RUNNING = "running"
    INTERRUPTED = "interrupted"
    FINISHED = "finished"
