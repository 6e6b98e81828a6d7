"""The bars of the leading plays: what they say, and that they keep within the window."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from pegray.display.bars import bars
from pegray.preendgame.standings import Standing

NAMES = ["13L ONYX", "N3 STEY", "pass", "15A JUXTAPOSITIONS"]
PLAYS = (
    Standing(0, 4, 8, 6.5, False),
    Standing(1, 5, 5, None, True),
    Standing(2, 0, 8, None, False),
    Standing(3, 0, 2.5, 1.5, False),
)


def progress(**changes: Any) -> Any:
    return SimpleNamespace(**{"state": "open", "total": 8, "at_least": 5, "at_most": 8, "leading": PLAYS, **changes})


def drawn(width: int, ascii_only: bool = False, **changes: Any) -> list[str]:
    return [row.plain for row in bars(progress(**changes), NAMES, width, ascii_only)]


def test_what_bars_say() -> None:
    assert drawn(60) == [
        "best play           ██████████████░░░░░░░░░▏ 5..8 of 8, open",
        "13L ONYX            ███████████░░░░░░░~░░░░▏ 4..8 ~6.5",
        "N3 STEY             ██████████████         ▏ 5",
        "pass                ░░░░░░░░░░░░░░░░░░░░░░░▏ <=8",
        "15A JUXTAPOSITIONS  ░░░░~░░░               ▏ <=2.5 ~1.5",
    ]


def test_without_signs_that_are_not_ascii() -> None:
    text = "\n".join(drawn(60, ascii_only=True))
    assert text.isascii()
    assert "13L ONYX            ###########-------~----| 4..8 ~6.5" in text


@pytest.mark.parametrize("width", [96, 76, 56, 36, 30])
@pytest.mark.parametrize("total", [8, 1_235_520])
def test_nothing_is_wider_than_the_window(width: int, total: int) -> None:
    scale = total // 8
    plays = tuple(
        Standing(*(play.candidate, play.at_least * scale, play.at_most * scale), (play.estimate or 1) * scale, False)
        for play in PLAYS
    )
    rows = drawn(width, total=total, at_least=5 * scale, at_most=8 * scale, leading=plays)
    # a window with no room for bars has the names and the numbers, as far as they go
    longest = max(len(row) for row in rows)
    assert longest <= width or "▏" not in "".join(rows)
    if width >= 56:
        assert all("▏" in row for row in rows)


def test_an_answer_is_said_to_be_one() -> None:
    rows = drawn(60, state="answered", at_most=5)
    assert rows[0].endswith("5 of 8, answered")
    assert rows[0].count("░") == 0


def test_the_best_is_bold_once_there_is_one() -> None:
    def bold(state: str) -> list[str]:
        rows = bars(progress(state=state), NAMES, 60, False)
        return [row.plain.split("  ")[0] for row in rows if any("bold" in str(span.style) for span in row.spans[:1])]

    assert bold("open") == ["best play"]
    assert bold("complete") == ["best play", "N3 STEY"]
