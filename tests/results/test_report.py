"""The report: one HTML file with every board, play and outcome, and objects that show themselves in notebooks."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from pegray.cli import main
from pegray.game.line import play_line
from pegray.game.position import Position
from pegray.game.svg import board_svg
from pegray.pages.board import board_svg as pages_board
from pegray.pages.board import plies_data
from pegray.pages.render import page
from pegray.pages.table import Cell, Row, table
from pegray.results.html import draws_lists, plays_table
from pegray.results.model import SolveResult
from pegray.results.play import Outcome
from pegray.results.write import RunWriter
from pegray.text.fitted import Column

ROOT = Path(__file__).parents[2]
CGP = (ROOT / "jobs" / "first.cgp").read_text(encoding="utf-8").splitlines()[-1]
VOID = {"meta", "br"}


class Checker(HTMLParser):
    """Fails on tags that do not nest; keeps the text, and the tags that were opened."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert tag in VOID or self.open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def checked(html: str) -> Checker:
    checker = Checker()
    checker.feed(html)
    checker.close()
    assert not checker.open
    return checker


@pytest.fixture
def run(tmp_path: Path, result: SolveResult) -> Path:
    """Two positions with results, one of them with a name that is markup, and one not begun."""
    guess = Outcome("[]Y", "", "Y", 3, "L", False, False, None, "2A CAI.UE", 9)
    plays = [replace(result.plays[0], outcomes=[*result.plays[0].outcomes, guess]), *result.plays[1:]]
    row = {"lexicon": "ENABLE", "bag": 1, "unseen": "AACEISUY", "total": 8, "cgp": CGP}
    out = RunWriter(tmp_path / "run")
    for name in ("first", "<script>alert(1)</script>"):
        position_id = out.add_position({**row, "name": name, "source": "a&b.cgp:1"})
        out.write_solve(position_id, replace(result, cgp=CGP, plays=plays))
    out.add_position({**row, "name": "later", "source": "f:1"})
    out.write_manifest({})
    return tmp_path / "run"


def report(run: Path, *options: str) -> str:
    target = run.parent / "report.html"
    assert main(["report", str(run), "-o", str(target), *options]) == 0
    return target.read_text(encoding="utf-8")


def test_report(run: Path) -> None:
    html = report(run)
    page = checked(html)
    text = "\n".join(page.words)
    assert page.tags.count("svg") == page.tags.count("section") == 3
    assert page.tags.count("table") == 1 + 2, "the overview, and one for each position that is begun"
    for words in (
        "13L ONYX",
        "N3 STEY",
        "cut off",
        "unfinished",
        "M3 CAUSEY",
        "L? 3",
        "[]Y ×3 ~",
        "Nothing is settled",
    ):
        assert words in text
    assert "http" not in html.replace("http://www.w3.org/2000/svg", "")


def test_provenance(run: Path) -> None:
    RunWriter(run).write_manifest(
        {
            "program": "pegray 1.2.3",
            "state": "interrupted",
            "options": {"top": 3, "early_cutoff": False, "only": ["pass", "13L ONYX"], "until": "answer"},
            "lexicon": {"name": "ENABLE", "hash": "ab" * 32},
        }
    )
    text = " ".join(" ".join(checked(report(run)).words).split())
    for words in (
        "3 positions: 2 answered, 1 open",
        "Program pegray 1.2.3",
        "ENABLE, SHA-256 abababababababab…",
        "guaranteed opponent model; only pass, 13L ONYX; top 3; no early cutoff; until answer",
        "CPU 3.00 s, 72 nodes",
    ):
        assert words in text
    assert re.search(r"interrupted 20\d\d-\d\d-\d\d \d\d:\d\d to (20\S+ )?\d\d:\d\d UTC", text)


def test_parts_that_are_read_aloud(run: Path) -> None:
    html = report(run)
    assert html.count('aria-sort="none"') == html.count('<th scope="col"') == html.count('<button type="button">') > 0
    assert html.count('aria-label="Board"') == 3
    assert 'aria-live="polite"' in html
    for feature in ("prefers-color-scheme: dark", "@media print", 'name="viewport"'):
        assert feature in html


def test_bounds_estimates_and_many_draws(tmp_path: Path, result: SolveResult) -> None:
    draws = [Outcome(f"[A]{n}", "A", f"{n}", 1, "L", False, True, None, None, 1) for n in range(300)]
    unfinished = replace(result.plays[2], at_least=1.0, estimate=5.25, outcomes=draws)
    page = checked(plays_table([unfinished]) + draws_lists(unfinished))
    text = "".join(page.words)
    assert "1..7.5" in text and "~5.25" in text
    assert "L? 300" in text and "and 260 more" in text and page.tags.count("details") == 1
    assert "#" not in text, "no column of ranks where there are none"
    assert "~" not in "".join(checked(plays_table(result.plays)).words)


def test_a_page_of_parts() -> None:
    body = table([Column("Name"), Column("Size", right=True)], [Row(["<b>", Cell("1,000", 1000)], key="k")], "Sizes")
    html = page("A & B", body, styles=["report.css"])
    assert "<h1>A &amp; B</h1>" in html and "&lt;b&gt;" in html
    assert 'data-key="k" tabindex="0"' in html and 'data-v="1000"' in html
    checked(html)


def test_a_line_on_the_board() -> None:
    position = Position.from_cgp(CGP)
    plies = play_line(position, ["13L ONYX", "2A CAI.UE"], "[Y]")
    ours, theirs = plies_data(position, plies)
    assert (ours["by"], theirs["by"], theirs["move"]) == ("us", "them", "2A CAI.UE")
    assert ours["tiles"] == [[12 * 15 + 11, "O", 1], [12 * 15 + 12, "N", 1], [12 * 15 + 13, "Y", 4], [194, "X", 8]]
    drawing = ElementTree.fromstring(pages_board(position, plies))
    laid = next(group for group in drawing if group.get("class") == "plies")
    assert [path.get("class") for path in laid if path.tag.endswith("path")] == ["tile us", "tile them"]


def test_text_is_escaped(run: Path) -> None:
    html = report(run)
    assert "<script>alert" not in html
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html
    assert "a&amp;b.cgp" in html


def test_fewer_rows(run: Path) -> None:
    html = report(run, "--rows", "1", "--outcomes", "0")
    assert "N3 STEY" not in html
    assert "2 more plays" in html
    assert 'class="chip' not in html


def test_report_of_an_empty_run(tmp_path: Path) -> None:
    RunWriter(tmp_path / "run").write_manifest({})
    assert "0 positions" in "".join(checked(report(tmp_path / "run")).words)


def test_what_is_no_run_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(tmp_path), "-o", str(tmp_path / "r.html")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert not (tmp_path / "r.html").exists()


def test_board_as_svg() -> None:
    position = Position.from_cgp(CGP)
    drawing = ElementTree.fromstring(position._repr_svg_())
    labels = [element.text for element in drawing.iter("{http://www.w3.org/2000/svg}text")]
    assert labels[:4] == ["A", "1", "B", "2"]
    assert labels.count("Q") == 1
    assert "p" in labels  # a blank
    square = int(position.board.nonzero()[0][0])
    lit = board_svg(position.board, position.distribution, position.layout, [square])
    ours = 'class="tile us"'
    assert (position._repr_svg_().count(ours), lit.count(ours)) == (0, 1)


def test_a_result_shows_its_table(result: SolveResult) -> None:
    text = "".join(checked(result._repr_html_()).words)
    assert "13L ONYX" in text and "pass" in text
