"""Puzzles from the stored run of tests/data, whose first position has one."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path

import pytest

from pegray.cli import main
from pegray.game.position import Position
from pegray.results.puzzles import find_puzzles
from pegray.results.read import open_run

RUN = str(Path(__file__).parents[1] / "data" / "schema1")


def test_a_best_play_that_scores_less_than_others() -> None:
    (puzzle,) = find_puzzles(open_run(RUN).results(), margin=10, higher_scores=5)
    assert (puzzle.best.move, puzzle.margin) == ("13L ONYX", 37.5)
    assert puzzle.next_best is not None
    assert puzzle.next_best.at_most == 4.5
    assert puzzle.higher_scores >= 5


@pytest.mark.parametrize(("margin", "higher_scores"), [(37.6, 0), (10, 1000)])
def test_what_is_no_puzzle(margin: float, higher_scores: int) -> None:
    """Too small a margin, or too easily found; the second position is open, and never one."""
    assert not list(find_puzzles(open_run(RUN).results(), margin, higher_scores))


def test_what_is_estimated_is_no_puzzle() -> None:
    answers = list(open_run(RUN).results())
    answers[0][1].plays[-1].proven = False  # what excludes another play counts as well
    assert not list(find_puzzles(answers, margin=10, higher_scores=5))


def test_a_best_play_that_leaves_a_tile_is_hidden() -> None:
    answers = list(open_run(RUN).results())
    assert answers[0][1].best is not None
    answers[0][1].best.tiles_left = 1
    assert len(list(find_puzzles(answers, 10, 1000))) == 1


def test_the_command_writes_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "puzzles"
    assert main(["puzzles", RUN, "--out", str(out)]) == 0
    assert "13L ONYX" in capsys.readouterr().out
    comment, cgp = (out / "puzzles.cgp").read_text().splitlines()
    assert comment == ("# 1. first: 1 in the bag, 8 draws: one play wins 93.75% of them, no other more than 56.25%")
    assert Position.from_cgp(cgp).bag_size == 1
    page = (out / "puzzles.html").read_text()
    assert page.count("<svg") == 2
    before, answer = page[page.index("<body>") :].split("<summary>Answer</summary>")
    assert "ONYX" not in before
    assert "13L ONYX" in answer
    assert not _Links.of(page)


def test_json_and_no_puzzles(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["puzzles", RUN, "--json"]) == 0
    (puzzle,) = json.loads(capsys.readouterr().out)["puzzles"]
    assert (puzzle["move"], puzzle["margin_pct"]) == ("13L ONYX", 37.5)
    assert main(["puzzles", RUN, "--margin", "90"]) == 0
    assert capsys.readouterr().out.startswith("No puzzles: ")
    assert main(["puzzles", RUN, "--margin", "101"]) == 2
    assert "'101': expected a number from 0 to 100" in capsys.readouterr().err


class _Links(HTMLParser):
    """Whatever a page loads from elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value or "" for name, value in attrs if name in ("src", "href")]

    @classmethod
    def of(cls, page: str) -> list[str]:
        parser = cls()
        parser.feed(page)
        return parser.found
