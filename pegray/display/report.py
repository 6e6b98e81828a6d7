"""A run as one HTML file that needs nothing else: boards, ranked plays, outcomes, what was proven."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from pegray.display.tables import (
    GROUPS,
    cost_line,
    hidden_line,
    notes,
    outcomes_heading,
    points_text,
    question_line,
    state_lines,
    work_line,
)
from pegray.results.cells import outcome_label
from pegray.results.html import plays_table
from pegray.text.numbers import count, number

if TYPE_CHECKING:
    from pegray.game.position import Position
    from pegray.results.model import SolveResult
    from pegray.results.play import Outcome, PlayResult

_STYLE = """
body{font:15px/1.45 Helvetica,Arial,sans-serif;color:#222;max-width:1180px;margin:1.5em auto;padding:0 1em}
h1{font-size:1.6em;margin:0 0 .2em}h2{font-size:1.25em;margin:0}h3{font-size:1em;margin:1em 0 .3em}
.muted{color:#666}.sub{color:#666;margin:.1em 0 .8em;overflow-wrap:anywhere}
section{border-top:2px solid #ddd;margin-top:2em;padding-top:1.2em;
content-visibility:auto;contain-intrinsic-size:auto 800px}
.pair{display:flex;flex-wrap:wrap;gap:1.6em;align-items:flex-start}.pair>div{flex:1 1 420px;min-width:0}
.pair>div.board{flex:0 1 504px}svg{max-width:100%;height:auto}
.rack{font-family:monospace}.scroll{max-height:540px;overflow:auto;border:1px solid #ddd}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{padding:.2em .5em;text-align:right;white-space:nowrap;border-bottom:1px solid #eee}
th{position:sticky;top:0;background:#f4f4f4;cursor:pointer}th:hover{background:#e6e6e6}
th[data-up="1"]::after{content:" \\25b4"}th[data-up="0"]::after{content:" \\25be"}
.text{text-align:left}tr.best{background:#e9f6ec;font-weight:bold}
.group{display:flex;gap:.6em;margin:.35em 0}.group>b{flex:0 0 5.5em}
.chips{display:flex;flex-wrap:wrap;gap:.3em}.chip{padding:.05em .45em;border-radius:.3em;border:1px solid}
.W{background:#e3f4e7;border-color:#9ccfa9}.D{background:#fdf3d3;border-color:#dec473}
.L{background:#fbe2df;border-color:#dd9b93}.after{color:#555;font-size:.9em}
"""
_SCRIPT = """
document.querySelectorAll("table.sortable").forEach(table => {
  table.querySelectorAll("th").forEach((head, column) => head.addEventListener("click", () => {
    const up = head.dataset.up !== "1";
    table.querySelectorAll("th").forEach(other => delete other.dataset.up);
    head.dataset.up = up ? "1" : "0";
    const body = table.tBodies[0];
    const key = row => row.cells[column].dataset.v ?? row.cells[column].textContent;
    const order = (one, two) => {
      const a = key(one), b = key(two);
      if (a === "" || b === "") return (a === "") - (b === "");
      const by = isNaN(a) || isNaN(b) ? a.localeCompare(b) : a - b;
      return up ? by : -by;
    };
    [...body.rows].sort(order).forEach(row => body.append(row));
  }));
});
"""


def report_html(title: str, answers: Sequence[tuple[dict[str, Any], SolveResult]], rows: int, detailed: int) -> str:
    """The document. answers: rows of positions.parquet with results; rows: plays to list (0: all)."""
    from pegray.game.position import Position

    sections = [position_section(row, Position.from_cgp(row["cgp"]), result, rows, detailed) for row, result in answers]
    summary = summary_table(answers) if len(answers) > 1 else ""
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"/>'
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body>"
        f'<h1>{escape(title)}</h1><p class="sub">{count(len(answers), "position")}, solved by pegray</p>'
        f"{summary}{''.join(sections)}<script>{_SCRIPT}</script></body></html>\n"
    )


def summary_table(answers: Iterable[tuple[dict[str, Any], SolveResult]]) -> str:
    """One line a position, linked to its section."""
    lines = []
    for row, result in answers:
        best = result.best
        link = f'<a href="#p{row["position_id"]}">{escape(row["name"])}</a>'
        cells = [
            str(row["bag"]),
            points_text(result),
            number(best.win_pct) if best else "",
            number(result.stats.nodes),
        ]
        values: list[object] = [
            row["bag"],
            best.points if best else "",
            best.win_pct if best else "",
            result.stats.nodes,
        ]
        numbers = "".join(f'<td data-v="{value}">{cell}</td>' for cell, value in zip(cells, values, strict=True))
        play = escape(best.move) if best else ""
        texts = "".join(f'<td class="text">{text}</td>' for text in (link, result.state, play))
        lines.append(f"<tr>{texts}{numbers}</tr>")
    heads = '<th class="text">Position</th><th class="text">State</th><th class="text">Best play</th>'
    heads += "".join(f"<th>{name}</th>" for name in ("Bag", "Points", "Win %", "Nodes"))
    return f'<table class="sortable"><thead><tr>{heads}</tr></thead><tbody>{"".join(lines)}</tbody></table>'


def position_section(row: dict[str, Any], position: Position, result: SolveResult, rows: int, detailed: int) -> str:
    """Board, plays and outcomes of one position."""
    listed = result.plays[:rows] if rows else result.plays
    in_detail = [play for play in result.plays[:detailed] if play.outcomes]
    hidden = ""
    if len(listed) < len(result.plays):
        hidden = f'<p class="muted">{escape(hidden_line(result.plays[len(listed) :]))}</p>'
    remarks = ["Nothing is settled yet."]
    if result.plays:
        remarks = [work_line(result), *state_lines(result), *notes(listed, in_detail), cost_line(result)]
    rack = position.distribution.format_rack(position.rack)
    caption = f"with {escape(result.best.move)} played; before it:" if result.best else "before the play:"
    return (
        f'<section id="p{row["position_id"]}"><h2>{escape(row["name"])}</h2>'
        f'<p class="sub">{escape(row["source"])}. {escape(question_line(result))}.</p>'
        f'<div class="pair"><div class="board">{drawn_board(position, result)}'
        f'<p><span class="muted">Board {caption}</span><br/>'
        f'us {position.scores[0]}, rack <b class="rack">{escape(rack)}</b><br/>'
        f'them {position.scores[1]}, unseen <b class="rack">{escape(result.unseen)}</b>, {result.bag} in the bag</p>'
        f'</div><div><div class="scroll">{plays_table(listed)}</div>{hidden}</div></div>'
        f"{''.join(map(outcome_grid, in_detail))}"
        f"<p>{'<br/>'.join(map(escape, remarks))}</p>"
        f'<p class="sub"><code>{escape(result.cgp)}</code></p></section>'
    )


def drawn_board(position: Position, result: SolveResult) -> str:
    """The board as SVG, the best play on it if there is one."""
    from pegray.game.notation import parse_move
    from pegray.game.svg import board_svg

    board = position.board
    highlight: list[int] = []
    if result.best:
        move = parse_move(result.best.move, board, position.distribution)
        board = position.apply(move, result.best.score).board
        highlight = [square for square, _ in move.placed()]
    return board_svg(board, position.distribution, position.layout, highlight)


def outcome_grid(play: PlayResult) -> str:
    """The draws of one play, by outcome."""
    groups = []
    for label in GROUPS:
        group = sorted((o for o in play.outcomes if outcome_label(o) == label), key=lambda outcome: -outcome.weight)
        if group:
            weight = number(sum(outcome.weight for outcome in group))
            chips = "".join(map(chip, group))
            groups.append(f'<div class="group"><b>{label} {weight}</b><div class="chips">{chips}</div></div>')
    return f"<h3>{escape(outcomes_heading(play))}</h3>{''.join(groups)}"


def chip(outcome: Outcome) -> str:
    """One draw with its weight and the reply that brings it."""
    text = escape(outcome.draw) + (f" ×{number(outcome.weight)}" if outcome.weight > 1 else "")
    text += "" if outcome.proven else " ~"
    after = f' <span class="after">after {escape(outcome.reply)}</span>' if outcome.reply else ""
    return f'<span class="chip {outcome.outcome}">{text}{after}</span>'
