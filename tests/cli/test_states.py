"""What the terminal says of a position that is open, answered or complete."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pegray.display.batch import batch_table, ending_line, summary_line
from pegray.display.tables import points_text, ranked_table, state_lines
from pegray.results.model import SolveResult
from pegray.runs.batch import End, Ending
from pegray.runs.plan import PlannedPosition
from tests.cli.test_display import CUT, ONYX, SKIPPED, play, printed, result

LOST = play("pass", points=0.0, wins=0, draws=0, losses=8, win_pct=0.0, found_losses=8.0)
AHEAD = replace(play("2A D.P", status="unfinished", found_losses=1.0), at_least=3.0)
UNKNOWN = play("1A O", status="unfinished")
LEVEL = play("N1 XYST", status="unfinished", found_losses=0.5)
TIED = replace(ONYX, move="N1 XYST", rank=2, spread=None)
UNFINISHED = result([AHEAD, UNKNOWN, LOST], interrupted=True, state="open")


def at(answer: SolveResult, answered: float | None, complete: float | None = None) -> SolveResult:
    return replace(answer, answered_seconds=answered, complete_seconds=complete)


@pytest.mark.parametrize(
    ("answer", "lines"),
    [
        (
            UNFINISHED,
            [
                "Open: there is no best play yet. 2A D.P has at least 3 points; 2 plays may have up to 8.",
                "Stopped before the end.",
            ],
        ),
        (
            result([UNKNOWN, LOST], state="open"),
            ["Open: there is no best play yet. 1 play may have up to 8."],
        ),
        (
            at(result([ONYX, LEVEL, CUT, SKIPPED], interrupted=True, state="answered"), 41.0),
            [
                "Answered after 41.0 s: no play has more than 7.5 points.",
                "N1 XYST could be level with 13L ONYX.",
                "Stopped before the end.",
            ],
        ),
        (
            at(result([ONYX, TIED], state="answered"), 41.0),
            [
                "Answered after 41.0 s: no play has more than 7.5 points.",
                "13L ONYX and N1 XYST are level; the tie-break has not told them apart.",
            ],
        ),
        (
            at(result([ONYX, CUT]), 41.0, 43.0),
            ["Answered after 41.0 s, complete after 43.0 s: no play that could be as good is left open."],
        ),
        (result([ONYX, CUT]), ["Complete: no play that could be as good is left open."]),  # of schema 1
        (result([CUT]), ["Complete: no play is what is asked for."]),
    ],
)
def test_the_state_in_words(answer: SolveResult, lines: list[str]) -> None:
    assert state_lines(answer) == lines


def test_many_plays_that_could_be_level_are_counted() -> None:
    many = [replace(LEVEL, move=f"{row}A O") for row in range(1, 10)]
    line = state_lines(result([ONYX, *many], state="answered"))[1]
    assert line == "1A O, 2A O, 3A O, 4A O, 5A O and 4 other plays could be level with 13L ONYX."


def test_an_open_position_has_no_column_of_ranks() -> None:
    lines = [line for line in printed(ranked_table(UNFINISHED.plays)) if line]
    assert lines[0].split()[0] == "Play"
    assert any(line.split()[:5] == ["2A", "D.P", "40", "3..7", "0"] for line in lines)
    assert "#" in " ".join(printed(ranked_table([ONYX])))


def test_points_of_the_best_play_or_their_bounds() -> None:
    assert [points_text(answer) for answer in (UNFINISHED, result([ONYX, CUT]), result([CUT]), result([]))] == [
        "3..8 of 8", "7.5 of 8", "", "",
    ]  # fmt: skip


def test_a_batch_says_what_is_answered() -> None:
    position = PlannedPosition("first", "first.cgp:1", "")
    endings = [
        Ending(position, End.FINISHED, result([ONYX, CUT])),
        Ending(position, End.OUT_OF_TIME, result([ONYX, LEVEL], interrupted=True, state="answered")),
        Ending(position, End.OUT_OF_TIME, UNFINISHED),
    ]
    assert [ending_line(ending) for ending in endings] == [
        "first: finished, 13L ONYX 7.5 of 8, complete, 0.70 s",
        "first: out of time, 13L ONYX 7.5 of 8, answered, 0.70 s",
        "first: out of time, 3..8 of 8, open, 0.70 s",
    ]
    text = " ".join(printed(batch_table(endings)))
    assert "13L ONYX 7.5 of 8" in " ".join(text.split()) and "3..8 of 8 open out of time" in " ".join(text.split())
    assert summary_line(endings, []) == "3 positions: 1 finished, 2 left, 1 of them answered"
