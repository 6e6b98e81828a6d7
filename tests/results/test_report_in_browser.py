"""The report as a browser sees it: boards follow plays and draws, by mouse and keys, on a phone and in the dark."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from pegray.cli import main
from pegray.results.model import SolveResult
from pegray.results.play import Outcome
from pegray.results.write import RunWriter
from tests.browsers import BROWSERS, find_browser

FIRST = Path(__file__).parents[2] / "jobs" / "first.cgp"
QUIET = "--disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync"
# The page in a frame as wide as the screen would be, since no window is as narrow as a phone. What the steps find out
# is left in the text of the page around it.
WATCH = """<script>
const found = {errors: []};
onerror = text => { found.errors.push(text); };
// A busy machine may not draw before the steps are over: columns fit without. What a browser that draws would call:
const drawn = [], watched = [];
let resized;
requestAnimationFrame = draw => drawn.push(draw);
ResizeObserver = class {
  constructor(tell) { resized = tell; }
  observe(target) { watched.push(target); }
};
</script>"""
STEPS = """<script>
const wait = () => new Promise(done => setTimeout(done, 60));
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const press = key => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
const laid = () => all("section:first-of-type svg .plies text.letter").map(one => one.textContent).join("");
const line = () => document.querySelector(".line").textContent;
const column = (table, index) => [...table.tBodies[0].rows].map(row => row.cells[index].textContent);
const wideTables = () => all(".table").filter(frame => frame.scrollWidth > frame.clientWidth).length;
(async () => {
  await wait();
  const [overview, first, second] = all("table");
  found.wide = document.documentElement.scrollWidth > innerWidth;
  found.wideTables = wideTables();
  found.overviewHidden = all("th[hidden]", overview).map(head => head.textContent);
  found.hidden = all("th[hidden]", first).map(head => head.textContent);
  const box = document.querySelector("svg").getBoundingClientRect();
  found.board = [Math.round(box.width), Math.round(box.height)];
  found.ground = getComputedStyle(document.body).backgroundColor;
  found.ink = getComputedStyle(document.body).color;
  found.start = [laid(), line()];
  all("tr[data-key]", first)[1].click();
  found.clicked = [laid(), line(), all("tr[aria-current]", first).map(row => row.dataset.key)];
  found.panels = all("section:first-of-type details.play").filter(panel => panel.checkVisibility())
    .map(panel => panel.dataset.play);
  all("tr[data-key]", first)[1].focus();
  press("ArrowUp");
  found.up = [laid(), document.activeElement.dataset.key];
  press("Enter");
  found.draw = [document.activeElement.dataset.draw, line()];
  press("ArrowRight");
  found.next = [laid(), all(".plies .them").length, line(), document.querySelector(".racks").textContent];
  press("Escape");
  found.back = document.activeElement.dataset.key;
  const score = first.tHead.rows[0].cells[2];
  score.querySelector("button").click();
  found.sorts = [score.getAttribute("aria-sort")];
  score.querySelector("button").click();
  found.sorts.push(score.getAttribute("aria-sort"));
  found.scores = column(first, 2);
  found.plays = column(first, 1);
  second.tHead.rows[0].cells[1].click();
  found.second = column(second, 1);
  found.overview = column(overview, 0);
  parent.document.querySelector("iframe").width = 340;
  resized(watched.map(target => ({target})));
  drawn.forEach(draw => draw());
  found.wideWhenNarrowed = wideTables();
  parent.document.body.textContent = JSON.stringify(found);
})();
</script>"""


class Body(HTMLParser):
    """The text of the body."""

    def __init__(self) -> None:
        super().__init__()
        self.text = ""
        self._inside = False

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self._inside = self._inside or tag == "body"

    def handle_data(self, data: str) -> None:
        self.text += data if self._inside else ""


@pytest.fixture
def report(tmp_path: Path, result: SolveResult) -> str:
    """Two positions with three plays each; a draw of the first is tied after a reply that its board allows."""
    tied = Outcome("[Y]", "Y", "", 1, "D", True, True, 0, "2A CAI.UE", 7)
    plays = [replace(play, score=score) for play, score in zip(result.plays, (9, 33, 100), strict=True)]
    plays[0] = replace(plays[0], outcomes=[result.plays[0].outcomes[0], tied])
    cgp = FIRST.read_text(encoding="utf-8").splitlines()[-1]
    row = {"cgp": cgp, "lexicon": "ENABLE", "bag": 1, "unseen": "AACEISUY", "total": 8, "source": "f:1"}
    out = RunWriter(tmp_path / "run")
    for name in ("first", "second"):
        out.write_solve(out.add_position({**row, "name": name}), replace(result, cgp=cgp, plays=plays))
    out.write_manifest({})
    page = tmp_path / "report.html"
    assert main(["report", out.uri, "-o", str(page)]) == 0
    html = page.read_text(encoding="utf-8")
    return html.replace("<head>", f"<head>{WATCH}").replace("</body>", f"{STEPS}</body>")


def seen(html: str, folder: Path, width: int, *options: str) -> Any:
    """What the steps have found out on a screen of this width."""
    browser = find_browser()
    if browser is None:
        pytest.skip(f"no browser: none of {', '.join(BROWSERS)} is installed")
    host = folder / "host.html"
    frame = f'<iframe width="{width}" height="800" style="border:0" srcdoc="{escape(html)}"></iframe>'
    host.write_text(f'<!DOCTYPE html><meta charset="utf-8"><body>{frame}</body>', encoding="utf-8")
    arguments = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        *QUIET.split(),
        f"--user-data-dir={folder}/browser",
    ]
    arguments += ["--virtual-time-budget=5000", "--window-size=1400,900", *options, "--dump-dom", host.as_uri()]
    answer = subprocess.run([browser, *arguments], capture_output=True, text=True, check=True, timeout=60)
    body = Body()
    body.feed(answer.stdout)
    assert body.text.startswith("{"), answer.stdout[-2000:]
    return json.loads(body.text)


@pytest.mark.parametrize("width", [1200, 360])
def test_plays_and_draws(report: str, tmp_path: Path, width: int) -> None:
    page = seen(report, tmp_path, width)
    assert page["errors"] == []

    # the width
    assert (page["wide"], page["wideTables"]) == (False, 0), "nothing scrolls sideways"
    board_width, board_height = page["board"]
    assert board_width == board_height and 300 <= board_width <= width
    assert "Left" in page["hidden"] if width == 360 else set(page["hidden"]) <= {"Left", "Spread"}, "in any font"
    assert {"Play", "Points"}.isdisjoint(page["hidden"])
    assert {"Position", "State", "Best play", "Points"}.isdisjoint(page["overviewHidden"])
    assert brightness(page["ground"]) > 700 > 150 > brightness(page["ink"]), "light, unless dark is asked for"

    # the board follows a click
    assert page["start"][0] == "ONYX" and page["start"][1].startswith("13L ONYX, scores 9, 7.5 of 8 points")
    laid, line, current = page["clicked"]
    assert (laid, current) == ("STEY", ["N3 STEY"]) and line.startswith("N3 STEY, scores 33, at most 6 of 8 points")
    assert page["panels"] == ["N3 STEY"], "only the draws of the chosen play"

    # and the keys
    assert page["up"] == ["ONYX", "13L ONYX"]
    assert page["draw"] == ["[A]", "13L ONYX, draw [A]: W"]
    laid, theirs, line, racks = page["next"]
    assert (laid, theirs) == ("ONYXCAIUE", 5)
    assert line == "13L ONYX, draw [Y]: D, reply 2A CAI.UE"
    assert "rack ESTY" in racks
    assert page["back"] == "13L ONYX"

    # headings sort
    assert page["sorts"] == ["ascending", "descending"]
    assert page["scores"] == ["100", "33", "9"], "as numbers"
    assert page["plays"][0] == "pass", "rows move as a whole"
    assert page["second"] == ["13L ONYX", "N3 STEY", "pass"]
    assert page["overview"] == ["first", "second"]

    # a window that is made narrow
    assert page["wideWhenNarrowed"] == 0


def test_dark(report: str, tmp_path: Path) -> None:
    page = seen(report, tmp_path, 500, "--blink-settings=preferredColorScheme=0")
    assert brightness(page["ground"]) < 150 and brightness(page["ink"]) > 600


def brightness(colour: str) -> int:
    """Of ``rgb(1, 2, 3)`` the sum."""
    return sum(int(part) for part in colour.strip("rgb()").split(","))
