"""A small problem for the tests of sessions and clusters."""

from __future__ import annotations

from pathlib import Path

import pytest

from pegray.game.position import Position
from pegray.lexicon.find import find_lexicon
from pegray.preendgame.options import SolveOptions
from pegray.preendgame.problem import Problem

FIRST = Path(__file__).parents[2] / "jobs" / "first.cgp"
PLAYS = ("13L ONYX", "13J EXON", "N1 XYST", "pass")


@pytest.fixture(scope="session")
def problem() -> Problem:
    """Four plays of the position that ships with the project: one tile in the bag, seven kinds unseen."""
    lines = [line for line in FIRST.read_text().splitlines() if line and not line.startswith("#")]
    position = Position.from_cgp(lines[0])
    return Problem.create(position, find_lexicon("ENABLE", position.distribution), SolveOptions(only=PLAYS))
