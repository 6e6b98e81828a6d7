"""The pages of the project: their links lead somewhere, their lines can be read, and the lists of pages are whole."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "benchmarks").rglob("*.md")), *sorted(DOCS.rglob("*.md"))]
LINE_LENGTH = 120


def name(page: Path) -> str:
    """How a page is called in the tests."""
    return str(page.relative_to(ROOT))


def prose(page: Path) -> list[tuple[int, str]]:
    """The numbered lines of a page that are not in a fenced block."""
    fenced = False
    lines = []
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), start=1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced:
            lines.append((number, line))
    return lines


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings."""
    headings = (line.lstrip("#").strip() for _, line in prose(page) if line.startswith("#"))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_somewhere(page: Path) -> None:
    dead = []
    for number, line in prose(page):
        for target in re.findall(r"\]\(([^)\s]+)\)", line):
            if re.match(r"https?:", target):
                continue
            path, _, anchor = target.partition("#")
            file = (page.parent / path).resolve() if path else page
            if not file.exists() or (anchor and anchor not in anchors(file)):
                dead.append(f"line {number}: {target}")
    assert dead == []


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_pictures_have_a_text(page: Path) -> None:
    assert [number for number, line in prose(page) if "![](" in line] == []


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_lines_are_wrapped(page: Path) -> None:
    """Rows of tables cannot be, nor a line that is one long word."""
    lines = [(number, line) for number, line in prose(page) if len(line) > LINE_LENGTH and " " in line.strip("- ")]
    assert [number for number, line in lines if not line.startswith("|")] == []


def test_the_log_lists_its_pages() -> None:
    index = (DOCS / "log" / "README.md").read_text(encoding="utf-8")
    pages = sorted(page.name for page in (DOCS / "log").glob("2*.md"))
    assert sorted(re.findall(r"\((2[^)]+\.md)\)", index)) == pages
    for page in pages:
        date = page[:10]
        assert f"- {date}: " in index
        assert (DOCS / "log" / page).read_text(encoding="utf-8").startswith(f"# {date}: ")


def test_every_page_is_in_the_list_of_the_readme() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    pages = {f"docs/{page.name}" for page in DOCS.glob("*.md")}
    assert pages - set(re.findall(r"\((docs/[^)#]+)", readme)) == set()


def test_the_index_of_rules_names_what_is_there() -> None:
    """Each file by its own name; behind it, in type, what it defines."""
    index = DOCS / "rules-index.md"
    text = index.read_text(encoding="utf-8")
    links = re.findall(r"\[`([\w.-]+)`\]\(([^)]+)\)((?:,? `\w+`)*)", text)
    assert len(links) >= text.count("](../") > 50
    for shown, target, names in links:
        file = index.parent / target
        assert file.name == shown
        source = file.read_text(encoding="utf-8")
        for defined in re.findall(r"`(\w+)`", names):
            assert re.search(rf"^ *(def|class) {defined}\b|^{defined} = ", source, re.MULTILINE), f"{shown}: {defined}"
