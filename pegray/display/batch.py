"""A batch as text: a line when a position has ended, and a closing table."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pegray.display.fitted import Column, FittedTable
from pegray.display.numbers import count, number
from pegray.display.tables import NO_EXCHANGE
from pegray.durations import format_duration

if TYPE_CHECKING:
    from pegray.cluster.batch import Ending
    from pegray.cluster.plan import PlannedPosition
    from pegray.results.model import SolveResult

COLUMNS = (
    Column("#", right=True),
    Column("Position", widest=28),
    Column("Bag", right=True, leaves=1),
    Column("Plays", right=True, leaves=2),
    Column("Left", right=True, leaves=3),
    Column("Best", widest=32, leaves=4),
    Column("State"),
)


def ending_line(ending: Ending) -> str:
    """``first: finished, 13L ONYX 7.5 of 8, 6.17 s``"""
    text = f"{ending.position.name}: {ending.end.value}"
    if ending.fault:
        return f"{text}: {' '.join(ending.fault.split())}"
    if ending.answer is None:
        return text
    best = _best(ending.answer)
    return f"{text}, {best + ', ' if best else ''}{format_duration(ending.answer.stats.seconds)}"


def batch_table(endings: Sequence[Ending]) -> FittedTable:
    """One row a position."""
    rows = []
    for index, ending in enumerate(endings, start=1):
        answer = ending.answer
        bag, plays, left, best = ("", "", "", "")
        if answer is not None:
            bag, best = number(answer.bag), _best(answer)
            if answer.plays:
                open_plays = sum(play.status == "unfinished" for play in answer.plays)
                plays, left = number(len(answer.plays)), number(open_plays)
        rows.append((str(index), ending.position.name, bag, plays, left, best, ending.end.value))
    return FittedTable(COLUMNS, rows)


def summary_line(endings: Sequence[Ending], faults: Sequence[str]) -> str:
    """``3 positions: 2 finished, 1 left; 1 more left out as bad``"""
    finished = sum(ending.end.value.startswith("finished") for ending in endings)
    text = f"{count(len(endings), 'position')}: {finished} finished, {len(endings) - finished} left"
    if any(ending.answer is not None and ending.answer.no_exchange for ending in endings):
        text += f"; {NO_EXCHANGE}"
    return text + (f"; {len(faults)} more left out as bad" if faults else "")


def known_rack_lines(positions: Sequence[PlannedPosition]) -> list[str]:
    """What was found in the games of positions, one line each."""
    return [
        f"{position.name}: the opponent is known to hold {position.known_rack or 'nothing'} (from plays taken back)"
        for position in positions
        if position.known_rack is not None
    ]


def resume_line(directory: str) -> str:
    """How to go on with a run that has not finished."""
    return f"go on with: pegray resume {shlex.quote(directory)}"


def _best(answer: SolveResult) -> str:
    best = answer.best
    return "" if best is None else f"{best.move} {number(best.points)} of {number(answer.total)}"
