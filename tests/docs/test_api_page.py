"""docs/api.md is what the docstrings say, and everything public is on it."""

from __future__ import annotations

import runpy
from pathlib import Path

import pegray

DOCS = Path(__file__).parents[2] / "docs"


def test_the_page_is_up_to_date() -> None:
    made = runpy.run_path(str(DOCS / "make_api.py"))["page"]()
    assert (DOCS / "api.md").read_text(encoding="utf-8") == made, "run python docs/make_api.py"


def test_every_public_name_is_on_the_page() -> None:
    sections = runpy.run_path(str(DOCS / "make_api.py"))["SECTIONS"]
    described = [name for names in sections.values() for name in names]
    assert sorted([*described, "__version__", "plots"]) == sorted(pegray.__all__)


def test_it_is_in_the_list_of_the_readme() -> None:
    assert "(docs/api.md)" in (DOCS.parent / "README.md").read_text(encoding="utf-8")
