"""A batch as text: a line when a position has ended, and a closing table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich import box
from rich.table import Table

from pegray.display.numbers import count, number
from pegray.durations import format_duration

if TYPE_CHECKING:
    from pegray.cluster.batch import Ending
    from pegray.results.model import SolveResult


def ending_line(ending: Ending) -> str:
    """``first: finished, 13L ONYX 7.5 of 8, 6.17 s``"""
    text = f"{ending.position.name}: {ending.end.value}"
    if ending.fault:
        return f"{text}: {' '.join(ending.fault.split())}"
    if ending.answer is None:
        return text
    best = _best(ending.answer)
    return f"{text}, {best + ', ' if best else ''}{format_duration(ending.answer.stats.seconds)}"


def batch_table(endings: Sequence[Ending]) -> Table:
    """One row a position."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("#", justify="right")
    table.add_column("Position", no_wrap=True, max_width=28, overflow="ellipsis")
    for heading in ("Bag", "Plays", "Left"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("Best", no_wrap=True, max_width=32, overflow="ellipsis")
    table.add_column("State", no_wrap=True)
    for index, ending in enumerate(endings, start=1):
        answer = ending.answer
        bag, plays, left, best = ("", "", "", "")
        if answer is not None:
            bag, best = number(answer.bag), _best(answer)
            if answer.plays:
                open_plays = sum(play.status == "unfinished" for play in answer.plays)
                plays, left = number(len(answer.plays)), number(open_plays)
        table.add_row(str(index), ending.position.name, bag, plays, left, best, ending.end.value)
    return table


def summary_line(endings: Sequence[Ending], faults: Sequence[str]) -> str:
    """``3 positions: 2 finished, 1 left; 1 more left out as bad``"""
    finished = sum(ending.end.value.startswith("finished") for ending in endings)
    text = f"{count(len(endings), 'position')}: {finished} finished, {len(endings) - finished} left"
    return text + (f"; {len(faults)} more left out as bad" if faults else "")


def _best(answer: SolveResult) -> str:
    best = answer.best
    return "" if best is None else f"{best.move} {number(best.points)} of {number(answer.total)}"
