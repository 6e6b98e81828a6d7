"""What the page is told, as JSON: positions, tables of plays, draws, comparisons, lines."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

import numpy as np

from pegray.display.explained_line import explained_line
from pegray.display.position_page import replayed, said_of
from pegray.display.tables import (
    cost_line,
    notes,
    outcomes_heading,
    question_line,
    state_lines,
    work_line,
)
from pegray.game.layout import SQUARES, load_layout
from pegray.game.notation import parse_draw
from pegray.game.position import Position
from pegray.game.svg import board_svg as draw_board
from pegray.game.tiles import BUNDLED, Distribution, load_distribution
from pegray.lexicon.files import list_lexica
from pegray.pages.board import board_svg, plies_data
from pegray.preendgame.explanation import Explanation
from pegray.preendgame.options import SOLVE_OPTIONS
from pegray.results.cells import outcome_label
from pegray.results.compare import compared
from pegray.results.html import draws_lists, plays_table
from pegray.results.model import position_of
from pegray.results.play import Outcome, PlayResult
from pegray.results.read import Run
from pegray.serve.folder import UnknownRun
from pegray.terms import Status
from pegray.version import __version__


def choices_json(folder: str) -> dict[str, Any]:
    """What there is to choose from, and what a board looks like. folder: where the runs are"""
    english, layout = load_distribution("english"), load_layout()
    nothing = np.zeros(SQUARES, np.uint8)
    return {
        "version": __version__,
        "folder": folder,
        "lexica": [name for name, _ in list_lexica()],
        "distributions": {name: tiles_json(load_distribution(name)) for name in BUNDLED},
        "board": draw_board(nothing, english, layout),
        "options": {name: option.words for name, option in SOLVE_OPTIONS.items() if option.choices},
    }


def tiles_json(distribution: Distribution) -> list[dict[str, Any]]:
    """Every tile: how it prints, as itself and as a blank, how many there are and its points; the blank first."""
    columns = (distribution.tiles, distribution.blank_forms, distribution.counts.tolist(), distribution.values.tolist())
    return [
        {"tile": tile, "blank": blank, "count": count, "points": points}
        for tile, blank, count, points in zip(*columns, strict=True)
    ]


def position_json(position: Position) -> dict[str, Any]:
    """A position, its board as the texts of 225 squares."""
    distribution = position.distribution
    return {
        "cgp": position.to_cgp(),
        "board": [distribution.board_form(int(tile)) if tile else "" for tile in position.board],
        "rack": distribution.format_rack(position.rack),
        "theirs": "" if position.opponent_rack is None else distribution.format_rack(position.opponent_rack),
        "scores": list(position.scores),
        "scoreless": position.scoreless,
        "unseen": distribution.format_rack(position.unseen),
        "bag": position.bag_size,
        "distribution": distribution.name,
        "lexicon": position.lexicon,
        "known": "" if position.known is None else distribution.format_rack(position.known),
    }


def run_json(stored: Run) -> dict[str, Any]:
    """A run: its positions, and what was asked."""
    manifest = stored.manifest
    names = ("position_id", "name", "source", "bag", "total", "state", "lexicon")
    return {
        "rows": [{name: row[name] for name in names} for row in stored.positions().to_pylist()],
        "options": manifest.get("options", {}),
        "can_resume": isinstance(manifest.get("job"), dict),
        "faults": manifest.get("faults", []),
    }


def stored_position(stored: Run, position_id: int) -> Position:
    """A position of a run. Raises UnknownRun."""
    for row in stored.positions().to_pylist():
        if row["position_id"] == position_id:
            return position_of(row["cgp"], stored.distribution)
    raise UnknownRun(f"{stored.uri}: no position {position_id}")


def table_json(stored: Run, position_id: int, rows: int, goes_on: bool) -> dict[str, Any]:
    """A position of a run with its plays, the first ``rows`` of them (0: all), and what is said of them.

    goes_on: the run is being worked on, so that what is not done is not what it was stopped at
    """
    position, answer = stored_position(stored, position_id), stored.overview(position_id)
    answer.stats.interrupted &= not goes_on
    listed = answer.plays[:rows] if rows else answer.plays
    counts = Counter(play.status for play in answer.plays)
    return {
        "position": position_json(position),
        "question": question_line(answer),
        "state": answer.state,
        "until": answer.stats.until,
        "opponent": answer.opponent,
        "svg": board_svg(position),
        "plays": [_play_json(play) for play in listed],
        "table": plays_table(listed, keys=True) if listed else "",
        "hidden": len(answer.plays) - len(listed),
        "counts": {status: counts[status] for status in Status},
        "total": answer.total,
        "standing": state_lines(answer) if answer.plays else [],
        "remarks": [work_line(answer), *notes(listed, []), cost_line(answer)] if answer.plays else [],
    }


def _play_json(play: PlayResult) -> dict[str, Any]:
    return {
        "move": play.move,
        "rank": play.rank,
        "status": play.status,
        "least": play.at_least,
        "most": play.at_most,
        "estimate": play.estimate,
        "total": play.total,
    }


def play_json(stored: Run, position_id: int, move: str) -> dict[str, Any]:
    """A play of a run: where its tiles go, and its draws by outcome. Raises UnknownRun."""
    position = stored_position(stored, position_id)
    play = _play_of(stored, position_id, move)
    play.outcomes = stored.outcomes_of(position_id, move)
    settled = sum(outcome.weight for outcome in play.outcomes)
    return {
        **_play_json(play),
        "heading": outcomes_heading(play),
        "plies": plies_data(position, replayed(position, [move])),
        "draws": [_outcome_json(outcome) for outcome in play.outcomes],
        "lists": draws_lists(play),
        "open": play.total - settled if play.status != Status.SKIPPED else 0,
        "said": said_of(play),
        "notes": notes([], [play]),
    }


def _play_of(stored: Run, position_id: int, move: str) -> PlayResult:
    for play in stored.overview(position_id).plays:
        if play.move == move:
            return play
    raise UnknownRun(f"{stored.uri}: no play {move!r}")


def _outcome_json(outcome: Outcome) -> dict[str, Any]:
    names = ("draw", "drawn", "stays", "weight", "proven", "reply")
    return {"label": outcome_label(outcome), **{name: getattr(outcome, name) for name in names}}


def comparison_json(stored: Run, position_id: int, one: str, two: str) -> dict[str, Any]:
    """The draws on which two plays differ, and how many there are of each kind."""
    distribution = stored_position(stored, position_id).distribution
    plays = [_play_of(stored, position_id, move) for move in (one, two)]
    first, second = (stored.outcomes_of(position_id, move) for move in (one, two))
    pairs = compared(first, second, distribution)
    sums: defaultdict[tuple[str, str], float] = defaultdict(float)
    for pair in pairs:
        sums[outcome_label(pair.one), outcome_label(pair.two)] += pair.weight
    return {
        "plays": [_play_json(play) for play in plays],
        "total": plays[0].total,
        "same": sum(weight for labels, weight in sums.items() if labels[0] == labels[1]),
        "open": plays[0].total - sum(sums.values()),
        "differ": [
            {"one": labels[0], "two": labels[1], "weight": weight}
            for labels, weight in sorted(sums.items(), key=lambda item: -item[1])
            if labels[0] != labels[1]
        ],
        "draws": [
            {
                "draw": pair.draw,
                "weight": pair.weight,
                "one": _outcome_json(pair.one),
                "two": _outcome_json(pair.two),
            }
            for pair in pairs
            if outcome_label(pair.one) != outcome_label(pair.two)
        ],
    }


def line_json(explanation: Explanation, distribution: Distribution) -> dict[str, Any]:
    """An explanation, and its line move by move with the board, racks, scores and bag after each."""
    bag = parse_draw(explanation.draw, distribution)
    before = Position.from_cgp(explanation.steps[0].cgp, distribution)
    plies: list[dict[str, Any]] = []
    line = explained_line(explanation, distribution)
    for number, (ply, data) in enumerate(zip(line, plies_data(before, line), strict=True), start=1):
        bag = bag[len(distribution.parse_tiles(ply.draw)) :]
        theirs_then_ours = [position_json(ply.after)[name] for name in ("rack", "theirs")]
        plies.append(
            {
                **data,
                "draw": ply.draw,
                "bag": distribution.format_tiles(bag),
                # who has moved is the second of a position
                "racks": theirs_then_ours[::-1] if number % 2 else theirs_then_ours,
                "scores": [*ply.after.scores][::-1] if number % 2 else [*ply.after.scores],
            }
        )
    return {**explanation.to_json(), "plies": plies}
