"""A position's part of a report: its board, its plays, the draws of the first of them, and what is proven."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from pegray.display.tables import (
    cost_line,
    hidden_line,
    notes,
    outcomes_heading,
    question_line,
    state_lines,
    work_line,
)
from pegray.errors import InputError
from pegray.pages.board import board_svg, plies_data
from pegray.pages.render import render
from pegray.results.cells import outcome_label, status
from pegray.results.html import draws_lists, plays_table, points_text
from pegray.terms import Status
from pegray.text.numbers import number, signed

if TYPE_CHECKING:
    from markupsafe import Markup

    from pegray.game.line import Ply
    from pegray.game.position import Position
    from pegray.results.model import SolveResult
    from pegray.results.play import Outcome, PlayResult

# Draws listed of a position, unless the caller says of how many plays; of the first play all are.
_DRAWS = 2000


def position_section(row: Mapping[str, Any], result: SolveResult, rows: int, detailed: int | None) -> Markup:
    """The section of a row of positions.parquet with its result.

    rows: plays to list (0: all); detailed: so many of them with their draws, None: as many as have not too many
    """
    position = result.position
    listed = result.plays[:rows] if rows else result.plays
    in_detail = [play for play in listed[: _few(listed) if detailed is None else detailed] if play.outcomes]
    lines = {play.move: replayed(position, [play.move]) for play in listed}
    shown = result.best.move if result.best else None
    remarks = ["Nothing is settled yet."]
    if result.plays:
        remarks = [work_line(result), *notes(listed, in_detail), cost_line(result)]
    return render(
        "position.html",
        row=row,
        result=result,
        position=position,
        question=question_line(result),
        state_lines=state_lines(result) if result.plays else [],
        board=board_svg(position, lines[shown] if shown else ()),
        shown=shown,
        rack=position.distribution.format_rack(position.rack),
        plays=plays_table(listed, keys=True) if listed else "",
        hidden=hidden_line(result.plays[len(listed) :]) if len(listed) < len(result.plays) else "",
        details=[{"move": play.move, **_details(position, play)} for play in in_detail],
        moves={
            "plays": {play.move: _play_data(position, play, lines[play.move]) for play in listed},
            "replies": {play.move: _replies_data(position, play) for play in in_detail},
        },
        remarks=remarks,
    )


def replayed(position: Position, moves: Sequence[str], draw: str = "") -> list[Ply]:
    """The moves as a line from the position; nothing where what is stored does not fit it."""
    from pegray.game.line import play_line

    try:
        return play_line(position, moves, draw)
    except InputError:
        return []


def _few(plays: Sequence[PlayResult]) -> int:
    """How many of the plays have not too many draws together."""
    sums = accumulate(len(play.outcomes) for play in plays)
    return max(1, sum(draws <= _DRAWS for draws in sums))


def _details(position: Position, play: PlayResult) -> dict[str, Any]:
    """The draws of a play under their heading; each says what the racks are when its line is played."""

    def of_draw(outcome: Outcome) -> dict[str, str]:
        moves = [play.move, outcome.reply] if outcome.reply else [play.move]
        line = replayed(position, moves, outcome.draw)
        said = {"outcome": outcome_label(outcome), "racks": _racks(line) if line else ""}
        return said | ({"reply": outcome.reply} if outcome.reply else {})

    return {"heading": outcomes_heading(play), "draws": draws_lists(play, of_draw)}


def _racks(line: Sequence[Ply]) -> str:
    """Scores and racks of both at the end of a line, the draws taken."""
    after = line[-1].after
    theirs_on_turn = len(line) % 2 == 1
    racks = [after.distribution.format_rack(after.rack)]
    racks.append("" if after.opponent_rack is None else after.distribution.format_rack(after.opponent_rack))
    (ours, theirs), (score, their_score) = (
        (reversed(racks), reversed(after.scores)) if theirs_on_turn else (racks, after.scores)
    )
    return f"us {score}, rack {ours or 'empty'}; them {their_score}, rack {theirs or 'empty'}"


def _play_data(position: Position, play: PlayResult, line: Sequence[Ply]) -> dict[str, Any]:
    """A play for the page's script: its tiles, and what is said of it when it is chosen."""
    tiles = plies_data(position, line)[0]["tiles"] if line else []
    return {"by": "us", "move": play.move, "score": play.score, "tiles": tiles, "said": said_of(play)}


def said_of(play: PlayResult) -> str:
    """``scores 40, 7.5 of 8 points, spread +8.75, proven``"""
    parts = [f"scores {play.score}"]
    if play.status != Status.SKIPPED:
        points = points_text(play).replace("≤", "at most ")
        parts.append(f"{points} of {number(play.total)} points")
    if play.estimate is not None:
        parts.append(f"~{number(play.estimate)} estimated")
    if play.spread is not None:
        parts.append(f"spread {signed(play.spread)}")
    if play.tiles_left:
        parts.append(f"{number(play.tiles_left)} left in the bag")
    return ", ".join([*parts, status(play)])


def _replies_data(position: Position, play: PlayResult) -> dict[str, dict[str, Any]]:
    """The replies stored with the draws of a play, for the page's script."""
    replies = {outcome.reply: outcome.draw for outcome in play.outcomes if outcome.reply}
    lines = {reply: replayed(position, [play.move, reply], draw) for reply, draw in replies.items()}
    return {reply: plies_data(position, line)[1] for reply, line in lines.items() if line}
