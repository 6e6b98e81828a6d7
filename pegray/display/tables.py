"""The answer to a pre-endgame as text: ranked plays, outcomes of the best of them, and what was proven."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text

from pegray.game.rules import exchange_note
from pegray.results.cells import LABELS, PLAY_COLUMNS, outcome_label, play_row, possible, status
from pegray.terms import WDL, Opponent, State, Status
from pegray.text.durations import format_duration
from pegray.text.fitted import Column, FittedTable
from pegray.text.numbers import count, number, signed

if TYPE_CHECKING:
    from pegray.game.position import Position
    from pegray.results.model import SolveResult
    from pegray.results.play import Outcome, PlayResult

# Draws listed in one group of outcomes; the rest is only counted.
WINS_LISTED = 24
OTHERS_LISTED = 60
_MOVES_NAMED = 5
_PRIOR_ROWS = 10
PRIOR_COLUMNS = (
    Column("Play", widest=24),
    Column("# before", right=True),
    Column("Win % before", right=True),
    Column("# with prior", right=True),
    Column("Win % with prior", right=True),
)
STYLES = {"W": "green", "D": "yellow", "L": "red"}


def print_solve(console: Console, position: Position, result: SolveResult, rows: int = 20, detailed: int = 1) -> None:
    """Print the board, the best `rows` plays (0: all), outcomes of the best `detailed`, what was proven."""
    listed = result.plays[:rows] if rows else result.plays
    in_detail = [play for play in result.plays[:detailed] if play.outcomes]
    console.print(str(position))
    console.print()
    console.print(question_line(result))
    if not result.plays:
        console.print("Nothing is settled yet.")
        return
    console.print(ranked_table(listed))
    if len(listed) < len(result.plays):
        console.print(hidden_line(result.plays[len(listed) :]))
    console.print()
    for play in in_detail:
        console.print(outcomes_heading(play), style="bold")
        console.print(outcomes_table(play))
        console.print()
    console.print(work_line(result))
    for line in state_lines(result):
        console.print(line)
    for note in notes(listed, in_detail):
        console.print(note)
    console.print(cost_line(result))


def question_line(result: SolveResult) -> str:
    """``8 draws, lexicon NWL20, guaranteed wins``, and what is known of the opponent's rack"""
    model = "guaranteed wins" if result.opponent == Opponent.GUARANTEED else f"{result.opponent} opponent"
    known = f", opponent holds {result.known_rack}" if result.known_rack else ""
    prior = f", racks weighed by {result.opponent_prior}" if result.opponent_prior else ""
    asked = f"{count(result.total, 'draw')}, lexicon {result.lexicon}, {model}{known}{prior}"
    return asked + exchange_note(result.no_exchange)


def ranked_table(plays: Sequence[PlayResult]) -> FittedTable:
    """One row a play; no column of ranks where none has one."""
    best = next((index for index, play in enumerate(plays) if play.rank == 1), None)
    rows = [play_row(play) for play in plays]
    if not any(play.rank for play in plays):
        return FittedTable(PLAY_COLUMNS[1:], [row[1:] for row in rows], None)
    return FittedTable(PLAY_COLUMNS, rows, best)


def prior_table(before: SolveResult, after: SolveResult) -> FittedTable:
    """What a prior changes: the first plays with it, with rank and win percentage without and with it."""
    old = {play.move: play for play in before.plays}
    rows = []
    for play in after.plays[:_PRIOR_ROWS]:
        cells = play_row(old[play.move]), play_row(play)
        ranks, points = [row[0] for row in cells], [row[4] or "not finished" for row in cells]
        rows.append((play.move, ranks[0], points[0], ranks[1], points[1]))
    return FittedTable(PRIOR_COLUMNS, rows, 0 if after.best else None)


def hidden_line(plays: Sequence[PlayResult]) -> str:
    """What the table does not list, and how good the best of it may still be."""
    bounds = [play.at_most for play in plays if play.status != Status.SKIPPED]
    bound = f", none with more than {count(max(bounds), 'point')}" if bounds else ""
    return f"... and {count(len(plays), 'more play')}{bound} (--rows 0 lists all)"


def outcomes_heading(play: PlayResult) -> str:
    """``13L ONYX: 7 won, 1 tied, 0 lost``, or what was found of a play that is not finished."""
    if play.status == Status.FINISHED:
        return f"{play.move}: {number(play.wins)} won, {number(play.draws)} tied, {number(play.losses)} lost"
    return f"{play.move}: {status(play)}, {number(play.found_losses)} of {number(play.total)} found lost"


def outcomes_table(play: PlayResult) -> Table:
    """The draws of one play in groups W, D, D?, L, L?, each with its weight and the reply that brings it."""
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(overflow="fold")
    for label in LABELS:
        group = [outcome for outcome in play.outcomes if outcome_label(outcome) == label]
        if group:
            table.add_row(*group_row(label, group))
    return table


def group_row(label: str, group: Sequence[Outcome]) -> tuple[Text, str, str]:
    """Cells of one group: its label, its weight and its draws, the heaviest first."""
    listed = WINS_LISTED if label == "W" else OTHERS_LISTED
    ordered = sorted(group, key=lambda outcome: -outcome.weight)
    draws = [draw_text(outcome) for outcome in ordered[:listed]]
    if len(ordered) > listed:
        draws.append(f"and {len(ordered) - listed} more")
    separator = ", " if any(outcome.reply for outcome in group) else "  "
    weight = number(sum(outcome.weight for outcome in group))
    return Text(label, style=STYLES[label[0]]), weight, separator.join(draws)


def draw_text(outcome: Outcome) -> str:
    """``[A]x2``, ``[I]~`` (estimated), ``[Y] after M3 CAUSEY``."""
    text = outcome.draw + (f"x{number(outcome.weight)}" if outcome.weight > 1 else "")
    text += "" if outcome.proven else "~"
    return f"{text} after {outcome.reply}" if outcome.reply else text


def work_line(result: SolveResult) -> str:
    """How many plays are finished, cut off and left, and whether what is finished is proven."""
    counts = Counter(play.status for play in result.plays)
    line = (
        f"{count(len(result.plays), 'play')}: {number(counts[Status.FINISHED])} finished, "
        f"{number(counts[Status.CUT_OFF])} cut off, {number(counts[Status.UNFINISHED])} left"
    )
    if counts[Status.SKIPPED]:
        line += f", {number(counts[Status.SKIPPED])} skipped"
    finished = [play for play in result.plays if play.status == Status.FINISHED]
    if finished and all(play.proven for play in finished):
        line += ". Everything finished is proven to the end of the game"
    return line + "."


def points_text(result: SolveResult) -> str:
    """``7.5 of 8``, what the best play has; ``3..8 of 8``, what it has at least and at most, while that is open.

    Of an endgame its final spread: ``+12``. ``~`` in front of it if it is estimated.
    """
    best = result.best
    sign = "~" if result.is_estimated else ""
    if best is not None and result.bag == 0:
        return sign + signed(best.spread)
    if best is not None:
        return f"{sign}{number(best.points)} of {number(result.total)}"
    if result.state != State.OPEN or all(play.status == Status.SKIPPED for play in result.plays):
        return ""
    least, most = result.bounds
    return f"{sign}{number(least)}..{number(most)} of {number(result.total)}"


def state_lines(result: SolveResult) -> list[str]:
    """What is proven of the position, and what is not: open, answered or complete."""
    best = result.best
    if result.state == State.OPEN:
        lines = [_open_line(result)]
    elif best is None:
        lines = [f"{result.state.capitalize()}: no play is what is asked for."]
    elif result.state == State.ANSWERED:
        level = [play.move for play in result.plays if play.status == Status.UNFINISHED and play.at_most == best.points]
        lines = [f"{_reached(result)}: no play has more than {count(best.points or 0, 'point')}."]
        ranked = [play for play in result.plays if play.points == best.points]
        if level:
            lines.append(f"{_named(level)} could be level with {best.move}.")
        elif len(ranked) > 1:
            lines.append(f"{_named([play.move for play in ranked])} are level; the tie-break has not told them apart.")
    else:
        lines = [f"{_reached(result)}: no play that could be as good is left open."]
    if result.is_estimated:
        lines.append("That is estimated, not proven: endgames were cut at a limit.")
    if result.stats.interrupted:
        lines.append("Stopped before the end.")
    return lines


def _open_line(result: SolveResult) -> str:
    """The bounds of what the best play has, and how many plays may be it."""
    least = max(result.plays, key=lambda play: play.at_least)
    rivals = [play for play in result.plays if play.status == Status.UNFINISHED and play.at_most > least.at_least]
    line = "Open: there is no best play yet. "
    if least.at_least:
        line += f"{least.move} has at least {count(least.at_least, 'point')}; "
    most = number(max((play.at_most for play in rivals), default=0))
    return line + f"{count(len(rivals), 'play')} may have up to {most}."


def _reached(result: SolveResult) -> str:
    """``Answered after 41 s, complete after 43 s``, as far as it is known when."""
    parts = []
    for word, seconds in (("answered", result.answered_seconds), ("complete", result.complete_seconds)):
        if seconds is not None:
            parts.append(f"{word} after {format_duration(seconds)}")
    return (", ".join(parts) or result.state).capitalize()


def _named(moves: Sequence[str]) -> str:
    """``A, B and C``; of many the first few."""
    if len(moves) > _MOVES_NAMED + 1:
        return f"{', '.join(moves[:_MOVES_NAMED])} and {count(len(moves) - _MOVES_NAMED, 'other play')}"
    return " and ".join(filter(None, [", ".join(moves[:-1]), moves[-1]]))


def notes(listed: Sequence[PlayResult], in_detail: Sequence[PlayResult]) -> list[str]:
    """A line for every sign used of the plays in the table and of those whose outcomes are shown."""
    lines = []
    finished = [play for play in listed if play.status == Status.FINISHED]
    if any(possible(play, letter) for play in [*finished, *in_detail] for letter in (WDL.TIE, WDL.LOSS)):
        lines.append("? a possible tie or loss: the opponent must find, or stumble into, the reply.")
    if any(not play.proven for play in [*listed, *in_detail]):
        lines.append("~ after a draw, or cut off: estimated, rests on an endgame that was cut at a ply or node limit.")
    if any(play.status == Status.UNFINISHED and play.estimate is not None for play in listed):
        lines.append("~ behind bounds: an estimate of the points, from a quick look at a few draws.")
    return lines


def cost_line(result: SolveResult) -> str:
    """Wall time, CPU time, nodes and endgames, of all sessions."""
    stats = result.stats
    seconds = format_duration(stats.earlier_seconds + stats.seconds)
    sessions = f" ({format_duration(stats.seconds)} since it was taken up)" if stats.earlier_seconds else ""
    return (
        f"{seconds}{sessions}, CPU {format_duration(stats.cpu_seconds)}, "
        f"{count(stats.nodes, 'node')}, {count(stats.endgames, 'endgame')}."
    )
