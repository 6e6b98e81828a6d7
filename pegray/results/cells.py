"""What the tables say of a play and of an outcome, cell by cell: on a terminal, in a report, in a notebook."""

from __future__ import annotations

from pegray.results.play import Outcome, PlayResult
from pegray.terms import WDL, Status
from pegray.text.fitted import Column
from pegray.text.numbers import number, rough, signed

PLAY_COLUMNS = (
    Column("#", right=True, leaves=6),
    Column("Play", widest=24),
    Column("Score", right=True, leaves=3),
    Column("Points", right=True),
    Column("Win %", right=True, leaves=5),
    Column("W", right=True, leaves=4),
    Column("D", right=True, leaves=4),
    Column("L", right=True, leaves=4),
    Column("Spread", right=True, leaves=2),
    Column("Left", right=True, leaves=1),
    Column("Status"),
)
HEADINGS = tuple(column.heading for column in PLAY_COLUMNS)

LABELS = ("W", "D", "D?", "L", "L?")
"""Of outcomes (see :func:`outcome_label`), in the order in which they are listed."""


def play_row(play: PlayResult) -> tuple[str, ...]:
    """The cells of a play; points of a play that is not finished are bounds."""
    finished = play.status == Status.FINISHED
    points = number(play.points) if finished else bounds_text(play)
    return (
        "" if play.rank is None else str(play.rank),
        play.move,
        str(play.score),
        points if play.status != Status.SKIPPED else "",
        number(play.win_pct) if finished else "",
        number(play.wins) if finished else "",
        number(play.draws) + possible(play, WDL.TIE) if finished else "",
        number(play.losses) + possible(play, WDL.LOSS) if finished else "",
        spread_text(play),
        str(play.tiles_left),
        status(play),
    )


def bounds_text(play: PlayResult) -> str:
    """``<=4``, or ``3..4`` where 3 points are won for certain already and the play may still matter.

    With an estimate, if there is one, no further off than they are: ``3..6 ~4.5``.
    """
    if play.status != Status.UNFINISHED:
        return f"<={number(play.at_most)}"
    return interval_text(play.at_least, play.at_most, play.estimate)


def interval_text(at_least: float, at_most: float, estimate: float | None) -> str:
    """The same of any bounds."""
    bounds = f"{number(at_least)}..{number(at_most)}" if at_least else f"<={number(at_most)}"
    if estimate is None:
        return bounds
    return f"{bounds} ~{rough(min(max(estimate, at_least), at_most))}"


def spread_text(play: PlayResult) -> str:
    """``+8.75``; ``>=+12.5`` or ``<=+3`` where the tie-break was decided before it was known exactly.

    Of the best play the least is shown, of the others the most: what has decided.
    """
    least, most = play.spread_at_least, play.spread_at_most
    if play.spread is not None or (least is None and most is None):
        return signed(play.spread)
    if most is None or (play.rank == 1 and least is not None):
        return f">={signed(least)}"
    return f"<={signed(most)}"


def possible(play: PlayResult, letter: WDL) -> str:
    """``?`` if one of the play's ties or losses is only a possible one."""
    return "?" if any(outcome.outcome == letter and outcome.is_possible for outcome in play.outcomes) else ""


def status(play: PlayResult) -> str:
    """``proven``, ``estimated``, ``cut off``, ``unfinished`` or ``skipped``; with ``~`` where bounds are estimates."""
    if play.status == Status.FINISHED:
        return "proven" if play.proven else "estimated"
    return play.status.replace("_", " ") + ("" if play.proven else " ~")


def outcome_label(outcome: Outcome) -> str:
    """``W``, ``D``, ``L``, or ``D?`` and ``L?`` where the opponent has to guess."""
    return f"{outcome.outcome}?" if outcome.is_possible else f"{outcome.outcome}"
