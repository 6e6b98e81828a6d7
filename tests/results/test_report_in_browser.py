"""The report as a browser sees it: boards drawn, tables sorted by a click, no error in the scripts."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from pegray.cli import main
from pegray.results.model import SolveResult
from pegray.results.write import RunWriter

FIRST = Path(__file__).parents[2] / "jobs" / "first.cgp"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
WATCH = "<script>onerror = text => { document.documentElement.dataset.error = text; };</script>"
# A click on Score in the table of the first position, one on it again, and one on Play in that of the second.
CLICKS = """<script>
const heads = section => [...document.querySelectorAll("section")[section].querySelectorAll("th")];
heads(0)[2].click(); heads(0)[2].click(); heads(1)[1].click();
const box = document.querySelector("svg").getBoundingClientRect();
document.documentElement.dataset.board = `${Math.round(box.width)}x${Math.round(box.height)}`;
document.documentElement.dataset.wide = document.documentElement.scrollWidth > innerWidth;
</script>"""


class Page(HTMLParser):
    """The attributes of the root, how often each tag is there, and the cells of every table."""

    def __init__(self) -> None:
        super().__init__()
        self.root: dict[str, str | None] = {}
        self.tags: dict[str, int] = {}
        self.tables: list[list[list[str]]] = []
        self._in_cell = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] = self.tags.get(tag, 0) + 1
        if tag == "html":
            self.root = dict(attrs)
        elif tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag == "td":
            self.tables[-1][-1].append("")
        self._in_cell = tag == "td" or (self._in_cell and tag == "a")

    def handle_endtag(self, tag: str) -> None:
        self._in_cell = self._in_cell and tag != "td"

    def handle_data(self, data: str) -> None:
        if self._in_cell:
            self.tables[-1][-1][-1] += data

    def column(self, table: int, index: int) -> list[str]:
        """The cells of one column, without its heading."""
        return [row[index] for row in self.tables[table] if row]


@pytest.fixture
def report(tmp_path: Path, result: SolveResult) -> Path:
    """Two positions, with scripts that click and watch for errors."""
    plays = [replace(play, score=score) for play, score in zip(result.plays, (9, 33, 100), strict=True)]
    cgp = FIRST.read_text(encoding="utf-8").splitlines()[-1]
    row = {"cgp": cgp, "lexicon": "ENABLE", "bag": 1, "unseen": "AACEISUY", "total": 8, "source": "f:1"}
    out = RunWriter(tmp_path / "run")
    for name in ("first", "second"):
        out.write_solve(out.add_position({**row, "name": name}), replace(result, cgp=cgp, plays=plays))
    out.write_manifest({})
    page = tmp_path / "report.html"
    assert main(["report", out.uri, "-o", str(page)]) == 0
    html = page.read_text(encoding="utf-8")
    page.write_text(html.replace("<head>", f"<head>{WATCH}").replace("</body>", f"{CLICKS}</body>"), encoding="utf-8")
    return page


@pytest.mark.parametrize("width", [1200, 500])
def test_in_a_browser(report: Path, width: int) -> None:
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        pytest.skip(f"no browser: none of {', '.join(BROWSERS)} is installed")
    arguments = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={report.parent}/browser"]
    arguments += [f"--window-size={width},900", "--dump-dom", report.as_uri()]
    answer = subprocess.run([browser, *arguments], capture_output=True, text=True, check=True, timeout=60)
    page = Page()
    page.feed(answer.stdout)
    assert "data-error" not in page.root, page.root
    assert page.root["data-wide"] == "false", "the page scrolls sideways"
    board_width, _, board_height = str(page.root["data-board"]).partition("x")
    assert board_width == board_height and 300 <= int(board_width) <= width
    assert (page.tags["svg"], page.tags["section"]) == (2, 2)
    assert page.column(0, 0) == ["first", "second"]
    assert page.column(1, 2) == ["100", "33", "9"], "as numbers, the highest first after two clicks"
    assert page.column(2, 1) == ["13L ONYX", "N3 STEY", "pass"]
    assert page.column(1, 1)[0] == "pass", "rows move as a whole"
