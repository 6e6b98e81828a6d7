"""Positions of a stored run, as several commands ask for them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from pegray.errors import InputError
from pegray.terms import Status

if TYPE_CHECKING:
    from pegray.results.read import Run


def numbered_row(stored: Run, number: int) -> dict[str, Any]:
    """The row of a position, counted from 1. Raises InputError if the run has fewer."""
    rows: list[dict[str, Any]] = stored.positions().to_pylist()
    if number > len(rows):
        raise InputError(f"--position {number}: the run has {len(rows)}")
    return rows[number - 1]


def position_rows(positions: list[dict[str, Any]], plays: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """For every position its state, its plays by status, and the best of them (None while it is open).

    at_least, at_most: bounds on the points of the best play, whichever it is
    """
    plays_of: dict[int, list[dict[str, Any]]] = {}
    for play in plays:
        plays_of.setdefault(play["position_id"], []).append(play)
    rows = []
    for position in positions:
        own = plays_of.get(position["position_id"], [])
        counts = Counter(play["status"] for play in own)
        best = next((play for play in own if play["rank"] == 1), None)
        if best is None:
            asked = [play for play in own if play["status"] != Status.SKIPPED]
            least = max((play["at_least"] for play in asked), default=0.0)
            most = max((play["at_most"] for play in asked), default=float(position["total"]))
        else:
            least = most = best["points"]
        rows.append(
            {
                "position": position["name"],
                "bag": position["bag"],
                "plays": len(own),
                **{status.value: counts[status] for status in Status},
                "state": position["state"],
                "answered_seconds": position["answered_seconds"],
                "complete_seconds": position["complete_seconds"],
                "best": best["move"] if best else None,
                "points": best["points"] if best else None,
                "at_least": least,
                "at_most": most,
                "total": position["total"],
            }
        )
    return rows
