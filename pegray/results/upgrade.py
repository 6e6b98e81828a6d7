"""Results of schema 1 as schema 2 has them: with the state of the position, and bounds of every play.

Schema 1 ranked whatever was finished, and did not say whether another play could still have more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pegray.results.state import MAX_TIEBREAKS, listing_key
from pegray.terms import WDL, State, Status

ADDED = ({"state", "answered_seconds", "complete_seconds"}, {"at_least", "at_most", "estimate"})
"""The columns that schema 1 did not have, of positions and of plays."""

SPREAD_BOUNDS = ("spread_at_least", "spread_at_most")
"""Columns of plays that came later: where they are missing, a spread that is there is exact."""

Row = dict[str, Any]


def upgraded_plays(plays: Iterable[Row], won: Mapping[str, float], options: Mapping[str, Any]) -> list[Row]:
    """The plays of one position with their bounds, ranked only where that is proven.

    won: points won so far by the outcomes that are settled, of each move; options: those of the solve
    """
    rows = [
        {
            **play,
            "at_least": won.get(play["move"], 0.0) if play["points"] is None else play["points"],
            "at_most": play["total"] - play["found_losses"],
            "estimate": None,
        }
        for play in plays
    ]
    state = state_of(rows, options)
    most_open = max((row["at_most"] for row in _unfinished(rows, options)), default=0.0)
    rank = 0
    for row in sorted((row for row in rows if row["rank"] is not None), key=lambda row: row["rank"]):
        is_proven = state != State.OPEN and row["points"] >= most_open and _contends(row, options)
        rank += is_proven
        row["rank"] = rank if is_proven else None
    return sorted(rows, key=lambda row: _place(row, state))


def state_of(rows: list[Row], options: Mapping[str, Any]) -> State:
    """Where a position stood, by its plays (with their bounds) alone."""
    finished = [row for row in rows if row["status"] == Status.FINISHED and _contends(row, options)]
    unfinished = _unfinished(rows, options)
    points = max((row["points"] for row in finished), default=-1.0)
    if not rows or any(row["at_most"] > points for row in unfinished):
        return State.OPEN
    level = [row for row in finished if row["points"] == points]
    emptying = sorted((row for row in level if row["tiles_left"] == 0), key=lambda row: -row["score"])
    tied = len(level) > 1 and any(row["spread"] is None for row in emptying[:MAX_TIEBREAKS])
    if any(row["at_most"] == points for row in unfinished) or (tied and options.get("tiebreak", True)):
        return State.ANSWERED
    return State.COMPLETE


def upgrade_document(document: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON document of a solve, which did not say what its options were: the usual ones are assumed."""
    won = {play["move"]: points_won(play["outcomes"]) for play in document["plays"]}
    plays = upgraded_plays(document["plays"], won, {})
    return {**document, "state": state_of(plays, {}), "plays": plays}


def points_won(outcomes: Iterable[Mapping[str, Any]]) -> float:
    """Points of the outcomes that are settled."""
    return float(sum(row["weight"] * WDL(row["outcome"]).points for row in outcomes))


def _place(row: Row, state: State) -> Any:
    bounds = row["at_least"], row["at_most"]
    return listing_key(state, row["rank"], row["status"] == Status.SKIPPED, bounds, row["score"], row["move"])


def _contends(row: Row, options: Mapping[str, Any]) -> bool:
    """Whether a finished play is what was asked for."""
    return not (options.get("never_lose", False) and row["losses"])


def _unfinished(rows: list[Row], options: Mapping[str, Any]) -> list[Row]:
    """Plays that may have been best: one that was cut off while none may lose was not."""
    left = {Status.UNFINISHED} if options.get("never_lose", False) else {Status.UNFINISHED, Status.CUT_OFF}
    return [row for row in rows if row["status"] in left]
