"""Terminal output of made-up results."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace

import pytest
from rich.console import Console

from pegray.display.progress import progress_line
from pegray.display.query import QueryRows
from pegray.display.status import status_table
from pegray.display.tables import (
    cost_line,
    hidden_line,
    notes,
    outcomes_table,
    points_text,
    print_solve,
    ranked_table,
    state_lines,
    work_line,
)
from pegray.game.position import Position
from pegray.results.model import SolveResult, SolveStats
from pegray.results.play import Outcome, PlayResult
from pegray.text.numbers import count, number, signed

WIDTH = 100
POSITION = Position.from_cgp("/".join(["15"] * 15) + " ENOSTXY/ 356/378 0")


def outcome(draw: str, weight: int, letter: str, reply: str | None = None, certain: bool = True) -> Outcome:
    return Outcome(
        draw=draw,
        drawn=draw[1 : draw.index("]")],
        stays=draw[draw.index("]") + 1 :],
        weight=weight,
        outcome=letter,
        certain=certain,
        proven=True,
        spread=None,
        reply=reply,
        nodes=1,
    )


def play(move: str, status: str = "finished", rank: int | None = None, **fields: object) -> PlayResult:
    empty = PlayResult(
        rank=rank,
        move=move,
        score=40,
        tiles=4,
        tiles_left=0,
        status=status,
        total=8,
        points=None,
        wins=None,
        draws=None,
        losses=None,
        win_pct=None,
        found_losses=0.0,
        at_least=0.0,
        at_most=8.0,
        spread=None,
        proven=True,
        endgames=1,
        nodes=1,
        cpu_seconds=0.1,
        outcomes=[],
    )
    filled = replace(empty, **fields)  # type: ignore[arg-type]
    least = filled.at_least if filled.points is None else filled.points
    return replace(filled, at_least=least, at_most=8 - filled.found_losses)


ONYX = play(
    "13L ONYX",
    rank=1,
    points=7.5,
    wins=7,
    draws=1,
    losses=0,
    win_pct=93.75,
    found_losses=0.5,
    spread=8.75,
    outcomes=[outcome("[Y]", 1, "D", "M3 CAUSEY"), outcome("[I]", 1, "W"), outcome("[A]", 2, "W")],
)
PASS = play(
    "pass",
    rank=2,
    points=6.0,
    wins=6,
    draws=0,
    losses=2,
    win_pct=75.0,
    found_losses=2.0,
    tiles_left=1,
    outcomes=[outcome("[]A", 2, "L", "1A SAUCY", certain=False), outcome("[]I", 1, "W", certain=False)],
)
CUT = play("N3 STEY", status="cut_off", found_losses=2.5)
OPEN = play("1A O", status="unfinished", found_losses=1.0)
SKIPPED = play("O1 XY", status="skipped")


def result(plays: Sequence[PlayResult], interrupted: bool = False, state: str = "complete") -> SolveResult:
    return SolveResult(
        cgp="",
        lexicon="NWL20",
        bag=1,
        unseen="AACEISUY",
        total=8,
        opponent="guaranteed",
        state=state,
        plays=list(plays),
        stats=SolveStats(seconds=0.7, cpu_seconds=1.25, endgames=636, nodes=2600, interrupted=interrupted),
    )


def printed(renderable: object) -> list[str]:
    """Lines of a renderable, as a pipe gets them."""
    console = Console(file=io.StringIO(), width=WIDTH, highlight=False, markup=False)
    console.print(renderable)
    assert isinstance(console.file, io.StringIO)
    return [line.rstrip() for line in console.file.getvalue().splitlines()]


def row_of(move: str, plays: Sequence[PlayResult]) -> list[str]:
    """The cells of the play in the ranked table."""
    line = next(line for line in printed(ranked_table(plays)) if move in line)
    return line.replace(move, move.replace(" ", "_")).split()


def test_finished_plays_show_what_they_are_worth() -> None:
    cells = row_of("13L ONYX", [ONYX, PASS])
    assert cells == ["1", "13L_ONYX", "40", "7.5", "93.75", "7", "1", "0", "+8.75", "0", "proven"]


def test_possible_losses_have_a_question_mark() -> None:
    assert row_of("pass", [ONYX, PASS]) == ["2", "pass", "40", "6", "75", "6", "0", "2?", "1", "proven"]


def test_a_play_cut_off_shows_its_bound_and_no_total() -> None:
    assert row_of("N3 STEY", [CUT]) == ["N3_STEY", "40", "<=5.5", "0", "cut", "off"]
    assert row_of("1A O", [OPEN]) == ["1A_O", "40", "<=7", "0", "unfinished"]
    assert row_of("O1 XY", [SKIPPED]) == ["O1_XY", "40", "0", "skipped"]


def test_an_estimate_is_called_one() -> None:
    estimated = replace(ONYX, proven=False)
    assert row_of("13L ONYX", [estimated])[-1] == "estimated"
    answer = result([replace(estimated, rank=1), PASS])
    assert work_line(answer).endswith("0 left.")
    assert state_lines(answer)[-1] == "That is estimated, not proven: endgames were cut at a limit."
    assert points_text(answer) == "~7.5 of 8"


def test_bounds_by_estimates_are_called_so() -> None:
    cut = replace(CUT, proven=False)
    assert row_of("N3 STEY", [cut])[-3:] == ["cut", "off", "~"]
    assert any(note.startswith("~") for note in notes([cut], []))
    assert not notes([CUT], [])
    assert state_lines(result([ONYX, cut]))[-1].startswith("That is estimated")


def test_the_cost_is_that_of_all_sessions() -> None:
    answer = result([ONYX])
    assert cost_line(answer) == "0.70 s, CPU 1.25 s, 2,600 nodes, 636 endgames."
    answer.stats.earlier_seconds = 60
    assert cost_line(answer).endswith("(0.70 s since it was taken up), CPU 1.25 s, 2,600 nodes, 636 endgames.")


def test_outcomes_are_grouped_and_the_heaviest_come_first() -> None:
    assert printed(outcomes_table(ONYX)) == ["W  3  [A]x2  [I]", "D  1  [Y] after M3 CAUSEY"]
    assert printed(outcomes_table(PASS)) == ["W   1  []I", "L?  2  []Ax2 after 1A SAUCY"]


def test_many_outcomes_are_counted() -> None:
    many = replace(ONYX, outcomes=[outcome(f"[{letter}]", 1, "W") for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"])
    text = " ".join(printed(outcomes_table(many)))
    assert text.startswith("W  26  [A]  [B]")
    assert text.endswith("[X]  and 2 more")


def test_the_closing_lines_say_what_was_proven_cut_and_left() -> None:
    console = Console(file=io.StringIO(), width=WIDTH)
    print_solve(console, POSITION, result([ONYX, CUT, CUT, OPEN, SKIPPED], interrupted=True))
    assert isinstance(console.file, io.StringIO)
    closing = " ".join(console.file.getvalue().split())
    assert "5 plays: 1 finished, 2 cut off, 1 left, 1 skipped." in closing
    assert "Everything finished is proven to the end of the game." in closing
    assert "Stopped before the end" in closing
    assert closing.endswith("0.70 s, CPU 1.25 s, 2,600 nodes, 636 endgames.")


def test_signs_are_explained_where_they_are_used() -> None:
    estimated = replace(ONYX, proven=False, outcomes=[replace(outcome("[I]", 1, "W"), proven=False)])
    assert notes([ONYX, CUT], [ONYX]) == []
    assert [line[0] for line in notes([ONYX, PASS], [ONYX])] == ["?"]
    assert [line[0] for line in notes([PASS], [PASS, estimated])] == ["?", "~"]
    assert notes([replace(CUT, outcomes=PASS.outcomes)], []) == [], "no sign is printed of a play cut off"


def test_nothing_is_proven_where_nothing_is_finished() -> None:
    assert "proven" not in work_line(result([CUT, OPEN]))


def test_plays_not_listed_are_counted_with_the_best_bound() -> None:
    assert hidden_line([CUT, OPEN]).startswith("... and 2 more plays, none with more than 7 points")


def test_everything_fits_100_columns() -> None:
    heavy = replace(
        ONYX,
        move="15A JUXTAPOSITIONS",
        score=1234,
        points=1234567.5,
        win_pct=99.99,
        wins=1234567,
        draws=1111,
        losses=1111,
        spread=-123.45,
        total=1235520,
        proven=False,
    )
    console = Console(file=io.StringIO(), width=WIDTH, highlight=False, markup=False)
    print_solve(console, POSITION, result([heavy, PASS, *[CUT] * 30]), rows=10, detailed=2)
    assert isinstance(console.file, io.StringIO)
    text = console.file.getvalue()
    assert max(map(len, text.splitlines())) <= WIDTH
    for piece in ("15A JUXTAPOSITIONS", "1,234,567.5", "99.99", "-123.45", "estimated", "and 22 more plays"):
        assert piece in text


def test_no_colour_off_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    from pegray.display.console import results

    print_solve(results(), POSITION, result([ONYX, PASS, CUT]))
    assert "\x1b" not in capsys.readouterr().out


def test_progress_line() -> None:
    progress = SimpleNamespace(plays_total=1625, finished=12, cut_off=1600, left=13, best_points=7.5, nodes=1234567)
    progress.state, progress.most_open = "open", 8
    left = "13 of 1,625 plays left, 12 finished, 1,600 cut"
    line = progress_line(progress, "13L ONYX")  # type: ignore[arg-type]
    assert line == f"{left}; 13L ONYX has 7.5, others up to 8; 1,234,567 nodes"
    progress.state = "answered"
    line = progress_line(progress, "13L ONYX")  # type: ignore[arg-type]
    assert line == f"{left}; answered: 13L ONYX 7.5; 1,234,567 nodes"
    progress.nodes = 1
    line = progress_line(progress, None)  # type: ignore[arg-type]
    assert line == "13 of 1,625 plays left, 12 finished, 1,600 cut; 1 node"


def test_status_table() -> None:
    row = {"position": "first", "bag": 1, "plays": 625, "finished": 1, "cut_off": 600, "unfinished": 24}
    row |= {"state": "answered", "best": "13L ONYX", "at_least": 7.5, "at_most": 7.5, "total": 8}
    lines = printed(status_table([row, {**row, "state": "open", "best": None, "at_most": 8.0}]))
    assert any(line.split() == "1 first 1 625 1 600 24 answered 13L ONYX 7.5 of 8".split() for line in lines)
    assert any(line.split() == "2 first 1 625 1 600 24 open 7.5..8 of 8".split() for line in lines)


def test_numbers() -> None:
    assert [number(value) for value in (7, 7.0, 7.5, 93.75, 7884, 0, None, 1 / 3)] == [
        "7", "7", "7.5", "93.75", "7,884", "0", "", "0.33",
    ]  # fmt: skip
    assert [signed(value) for value in (8.75, 0, -3, None)] == ["+8.75", "0", "-3", ""]
    assert [count(1, "play"), count(2, "play"), count(0, "reply", "replies")] == [
        "1 play",
        "2 plays",
        "0 replies",
    ]


def test_narrow_consoles_lose_columns_and_not_characters() -> None:
    plays = [ONYX, PASS, CUT, SKIPPED]
    headings = {}
    for width in (100, 60, 40):
        console = Console(file=io.StringIO(), width=width, highlight=False, markup=False)
        console.print(ranked_table(plays))
        assert isinstance(console.file, io.StringIO)
        text = console.file.getvalue()
        assert max(map(len, text.splitlines())) <= width
        assert "…" not in text and "13L ONYX" in text and "skipped" in text
        headings[width] = next(line.split() for line in text.splitlines() if "Play" in line)
    assert headings[100] == "# Play Score Points Win % W D L Spread Left Status".split()
    assert headings[60] == "# Play Score Points Win % W D L Status".split()
    assert headings[40] == "# Play Points Win % Status".split()


def test_the_board_fits_a_narrow_console(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from pegray.display.console import results

    monkeypatch.setenv("COLUMNS", "40")
    print_solve(results(), POSITION, result([ONYX, PASS, CUT]), detailed=2)
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == "  +-----------------------------+"
    assert max(map(len, lines)) <= 40


@pytest.mark.parametrize(("columns", "width"), [("60", 60), ("250", 100), ("", 100), ("wide", 100), ("²", 100)])
def test_a_hundred_columns_are_the_widest(columns: str, width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    from pegray.display.console import results

    monkeypatch.setenv("COLUMNS", columns)
    assert results().width == width


def test_rows_that_do_not_fit_come_one_below_the_other() -> None:
    rows = QueryRows(["position_id", "cgp"], [True, False], [["0", "x" * 120], ["1", "y"]])
    assert printed(rows) == [
        "row 1",
        " position_id  0",
        " cgp          " + "x" * 85,
        "              " + "x" * 35,
        "row 2",
        " position_id  1",
        " cgp          y",
    ]
    assert any(line.split() == ["position_id"] for line in printed(QueryRows(["position_id"], [True], [["7"]])))
    assert printed(QueryRows(["column"] * 40, [True] * 40, [])) == ["no rows"]
