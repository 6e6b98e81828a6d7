"""What a job is likely to cost, as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pegray.text.durations import format_about
from pegray.text.fitted import Column, FittedTable
from pegray.text.numbers import core_hours, count, number

if TYPE_CHECKING:
    from pegray.preendgame.forecast import Forecast
    from pegray.preendgame.guess import Guess, Size
    from pegray.runs.plan import PlannedPosition

COLUMNS = (
    Column("#", right=True),
    Column("Position", widest=28),
    Column("Bag", right=True),
    Column("Plays", right=True, leaves=1),
    Column("Core-hours"),
)


def estimate_table(positions: Sequence[PlannedPosition], sizes: Sequence[Size], likely: Forecast) -> FittedTable:
    """One row a position."""
    rows = [
        (str(index), position.name, number(size.bag), number(size.plays), _core_hours(guess))
        for index, (position, size, guess) in enumerate(zip(positions, sizes, likely.positions, strict=True), start=1)
    ]
    return FittedTable(COLUMNS, rows)


def estimate_lines(likely: Forecast, cpus: int | None) -> list[str]:
    """All positions together, how long they take, and how far to trust that."""
    if likely.work is None:
        return ["Nothing can be said: what this model of the opponent costs has not been measured."]
    lines = [f"In all {_core_hours(likely.work)} core-hours."]
    unknown = sum(guess is None for guess in likely.positions)
    if unknown:
        lines = [f"{lines[0][:-1]}, and {count(unknown, 'position')} of which nothing can be said."]
    if likely.seconds is not None and cpus is not None:
        times = f"{format_about(likely.seconds.low)} to {format_about(likely.seconds.high)}"
        lines.append(f"On {count(cpus, 'CPU')} {times}, limits of the job included.")
    else:
        lines.append("How long that takes: name the cluster (--address), or the CPUs (cluster: {cpus: N} in the job).")
    lines.append("Of ten positions that were solved seven cost 3 to 16 times the lower figure, the others more.")
    return lines


def _core_hours(guess: Guess | None) -> str:
    return "unknown" if guess is None else f"{core_hours(guess.low)} to {core_hours(guess.high)}"
