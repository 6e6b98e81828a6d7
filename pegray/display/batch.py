"""A batch as text: a line when a position has ended, and a closing table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pegray.display.tables import points_text
from pegray.game.rules import NO_EXCHANGE
from pegray.terms import State, Status
from pegray.text.durations import format_about, format_duration
from pegray.text.fitted import Column, FittedTable
from pegray.text.numbers import count, number

if TYPE_CHECKING:
    from pegray.preendgame.guess import Guess, Size
    from pegray.runs.batch import Ending
    from pegray.runs.plan import PlannedPosition

COLUMNS = (
    Column("#", right=True),
    Column("Position", widest=28),
    Column("Bag", right=True, leaves=1),
    Column("Plays", right=True, leaves=2),
    Column("Left", right=True, leaves=3),
    Column("Best", widest=32, leaves=4),
    Column("Points", leaves=5),
    Column("Answer"),
    Column("State", leaves=6),
)


CHECK_COLUMNS = (
    Column("#", right=True),
    Column("Position", widest=28),
    Column("From", widest=32, leaves=1),
    Column("Bag", right=True),
    Column("Plays", right=True),
    Column("Empty it", right=True, leaves=2),
    Column("Guess, CPU time"),
)


def check_table(
    positions: Sequence[PlannedPosition], sizes: Sequence[Size], guesses: Sequence[Guess | None]
) -> FittedTable:
    """One row a position that is to be solved: its size, and what it may cost."""
    rows = [
        (
            str(index),
            position.name,
            position.source,
            number(size.bag),
            number(size.plays),
            number(size.left[0]),
            guess_text(guess),
        )
        for index, (position, size, guess) in enumerate(zip(positions, sizes, guesses, strict=True), start=1)
    ]
    return FittedTable(CHECK_COLUMNS, rows)


def check_line(guesses: Sequence[Guess | None]) -> str:
    """What all positions may cost, and how far to trust that."""
    known = [guess for guess in guesses if guess is not None]
    if not known:
        return "No guess: what this model of the opponent costs has not been measured."
    return (
        f"In all {guess_text(sum(known[1:], known[0]))} on one core: a guess from the few positions of "
        "docs/performance.md, by tiles in the bag and plays. Where somebody is stuck with a tile it can be ten times "
        "as much."
    )


def guess_text(guess: Guess | None) -> str:
    """``2 s to 11 min``"""
    return "none" if guess is None else f"{format_about(guess.low)} to {format_about(guess.high)}"


def ending_line(ending: Ending) -> str:
    """``first: finished, 13L ONYX 7.5 of 8, complete, 6.17 s``; ``last: out of time, 3..8 of 8, open, 10.0 s``"""
    text = f"{ending.position.name}: {ending.end.value}"
    if ending.fault:
        return f"{text}: {' '.join(ending.fault.split())}"
    if ending.answer is None:
        return text
    answer = ending.answer
    points = " ".join(filter(None, [answer.best.move if answer.best else "", points_text(answer)]))
    parts = [text, points, answer.state, format_duration(answer.stats.seconds)]
    return ", ".join(filter(None, parts))


def batch_table(endings: Sequence[Ending]) -> FittedTable:
    """One row a position."""
    rows = []
    for index, ending in enumerate(endings, start=1):
        answer = ending.answer
        bag, plays, left, best, points, state = ("", "", "", "", "", "")
        if answer is not None:
            bag, best = number(answer.bag), answer.best.move if answer.best else ""
            points, state = points_text(answer), answer.state
            if answer.plays:
                open_plays = sum(play.status == Status.UNFINISHED for play in answer.plays)
                plays, left = number(len(answer.plays)), number(open_plays)
        rows.append((str(index), ending.position.name, bag, plays, left, best, points, state, ending.end.value))
    return FittedTable(COLUMNS, rows)


def summary_line(endings: Sequence[Ending], faults: Sequence[str]) -> str:
    """``3 positions: 2 finished, 1 left, 1 of them answered; 1 more left out as bad``"""
    unfinished = [ending for ending in endings if not ending.end.value.startswith("finished")]
    text = f"{count(len(endings), 'position')}: {len(endings) - len(unfinished)} finished, {len(unfinished)} left"
    answered = sum(ending.answer is not None and ending.answer.state != State.OPEN for ending in unfinished)
    if answered:
        text += f", {answered} of them answered"
    if any(ending.answer is not None and ending.answer.no_exchange for ending in endings):
        text += f"; {NO_EXCHANGE}"
    return text + (f"; {len(faults)} more left out as bad" if faults else "")


def known_rack_lines(positions: Sequence[PlannedPosition]) -> list[str]:
    """What was found in the games of positions, one line each."""
    known = [(position.name, position.known_rack) for position in positions if position.known_rack is not None]
    return [f"{name}: {known_rack_text(tiles)}" for name, tiles in known]


def known_rack_text(tiles: str) -> str:
    """What a game has shown of the opponent's rack."""
    return f"the opponent is known to hold {tiles or 'nothing'} (from plays taken back)"
