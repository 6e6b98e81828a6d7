"""What a solve uses, has used and may still need, in words: for the live line and for ``pegray status``."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from pegray.terms import RunState, State
from pegray.text.durations import format_about, format_clock
from pegray.text.numbers import core_hours, count, number, span

if TYPE_CHECKING:
    from pegray.preendgame.ledger import Progress

_SILENT_SECONDS = 60.0
_MOST_STEPS = 6


def effort_line(progress: Progress) -> str:
    """``3 nodes, 24 threads; 48 units in flight; 1,234,567 nodes/s; 0.42 core-hours; left 0.1 to 3``"""
    effort = progress.effort
    if effort is None:
        return ""
    parts = [
        work_text(effort.machines, effort.threads, progress.units_in_flight, effort.nodes_per_second),
        f"{core_hours(effort.cpu_seconds)} core-hours",
    ]
    if progress.state == State.OPEN:
        parts.append(f"left {'unknown' if effort.left is None else _range(effort.left.low, effort.left.high)}")
    return "; ".join(parts)


def batch_text(live: Sequence[Progress], ended_cpu_seconds: float) -> str:
    """``3 nodes, 24 threads; 96 units in flight; 1,234,567 nodes/s; 0.42 core-hours`` of all positions of a batch.

    live: the positions that are being solved; the text is empty while none has been measured
    """
    efforts = [progress.effort for progress in live if progress.effort is not None]
    if not efforts:
        return ""
    work = work_text(
        max(effort.machines for effort in efforts),
        max(effort.threads for effort in efforts),
        sum(progress.units_in_flight for progress in live),
        sum(effort.nodes_per_second for effort in efforts),
    )
    return f"{work}; {core_hours(ended_cpu_seconds + sum(effort.cpu_seconds for effort in efforts))} core-hours"


def work_text(machines: int, threads: int, units_in_flight: int, nodes_per_second: float) -> str:
    """``3 nodes, 24 threads; 48 units in flight; 1,234,567 nodes/s``"""
    who = f"{count(machines, 'node')}, {count(threads, 'thread')}"
    return f"{who}; {count(units_in_flight, 'unit')} in flight; {number(nodes_per_second, 0)} nodes/s"


def cost_text(cpu_seconds: float) -> str:
    """``, 0.42 core-hours so far``; nothing before anything is done."""
    return f", {core_hours(cpu_seconds)} core-hours so far" if cpu_seconds else ""


def effort_lines(document: dict[str, Any], now: float) -> list[str]:
    """Of each position that is begun and not complete, as ``pegray status --json`` has it.

    now: seconds since 1970
    """
    lines = []
    for place, row in enumerate(document["positions"], start=1):
        effort = row.get("effort")
        if effort is None or row["complete_seconds"] is not None:
            continue
        lines.append(f"{place} {row['position']}:")
        if document["state"] == RunState.RUNNING:
            names = ("machines", "threads", "units_in_flight", "nodes_per_second")
            lines.append(f"  {work_text(*(effort[name] for name in names))}{_age_text(effort, now)}")
        lines.append(f"  {core_hours(effort['cpu_seconds'])} core-hours so far; {_left_text(row, effort)}")
        lines.append(f"  {_bounds_text(row['bounds'], row['total'])}")
    return lines


def _age_text(effort: dict[str, Any], now: float) -> str:
    """A run that was killed cannot say so itself."""
    age = now - datetime.fromisoformat(effort["time"]).timestamp()
    return f"; nothing was heard of it for {format_about(age)}" if age > _SILENT_SECONDS else ""


def _left_text(row: dict[str, Any], effort: dict[str, Any]) -> str:
    if row["state"] != State.OPEN:
        return "answered; how much more it takes to tell level plays apart is unknown"
    least, most, threads = effort["left_at_least"], effort["left_at_most"], effort["threads"]
    if most is None:
        return "until the answer unknown"
    about = f"{format_about(least / threads)} to {format_about(most / threads)} with {count(threads, 'thread')}"
    return f"until the answer {_range(least, most)} more ({about})"


def _range(least: float, most: float) -> str:
    return f"{core_hours(least)} to {core_hours(most)}"


def _bounds_text(bounds: Sequence[Sequence[float]], total: float) -> str:
    """``best play of 72: 0..72 after 0:10, 12..71 after 1:00``: some of the steps, the first and the last too."""
    last = len(bounds) - 1
    if last >= _MOST_STEPS:
        bounds = [bounds[round(step * last / (_MOST_STEPS - 1))] for step in range(_MOST_STEPS)]
    steps = [f"{span(least, most)} after {format_clock(seconds)}" for seconds, least, most in bounds]
    return f"best play of {number(total)}: {', '.join(steps)}"
