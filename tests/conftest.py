"""What tests of several packages share."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pegray.lexicon.lexicon import Lexicon
    from pegray.preendgame.problem import Problem

FIRST = Path(__file__).parents[1] / "jobs" / "first.cgp"
FEW_PLAYS = ("13L ONYX", "13J EXON", "N1 XYST", "pass")
MOST_PROCESSES = 4
MANY_TESTS = 1000
STARTED = time.monotonic()


def pytest_addoption(parser: pytest.Parser) -> None:
    """What ``.ci/run`` uses to run as many of the slower tests as there is time for."""
    parser.addoption("--begin-none-after", type=float, metavar="SECONDS", help="skip the tests that come later")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Processes for ``-n auto``: one for each core, but each compiles for itself, so more than four gain little."""
    return min(MOST_PROCESSES, os.cpu_count() or 1)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Before many tests two processes compile the kernels, from either end: else one would wait for the other."""
    worker = getattr(session.config, "workerinput", None)
    if worker is None or len(session.items) < MANY_TESTS:
        return
    from pegray.kernels.catalogue import CATALOGUE, warm_up

    is_odd = int(worker["workerid"].removeprefix("gw")) % 2
    warm_up(reversed(CATALOGUE) if is_odd else CATALOGUE)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip what would begin too late."""
    seconds = item.config.getoption("--begin-none-after")
    if seconds is not None and time.monotonic() - STARTED > seconds:
        pytest.skip("no time left")


@pytest.fixture(autouse=True)
def commands_compile_when_they_must(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a command says must not depend on what is compiled; and a process compiles for all tests that it runs."""
    monkeypatch.setattr("pegray.display.compiling.compiling", lambda *purposes: nullcontext(lambda: None))


@pytest.fixture(autouse=True)
def width_is_not_told_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a command prints must not depend on the terminal of the tests: its width is told to their processes."""
    monkeypatch.delenv("COLUMNS", raising=False)


@pytest.fixture(scope="session")
def tournament_lexicon() -> Callable[..., Lexicon]:
    """``tournament_lexicon("NWL20")``: one that does not ship with pegray; without it the test is skipped."""

    def find(name: str, distribution: str = "english") -> Lexicon:
        from pegray.game.tiles import load_distribution
        from pegray.lexicon.find import find_lexicon

        folder = os.environ.get("PEGRAY_LEXICA")
        if not folder:
            pytest.skip(f"needs {name}.kwg: PEGRAY_LEXICA names no folder")
        if not Path(folder, f"{name}.kwg").is_file():
            pytest.skip(f"needs {name}.kwg: there is none in {folder}")
        return find_lexicon(name, load_distribution(distribution))

    return find


@pytest.fixture(scope="session")
def problem() -> Problem:
    """Four plays of the position that ships with the project: one tile in the bag, seven kinds unseen."""
    from pegray.game.position import Position
    from pegray.lexicon.find import find_lexicon
    from pegray.preendgame.options import SolveOptions
    from pegray.preendgame.problem import Problem

    lines = [line for line in FIRST.read_text().splitlines() if line and not line.startswith("#")]
    position = Position.from_cgp(lines[0])
    return Problem.create(position, find_lexicon("ENABLE", position.distribution), SolveOptions(only=FEW_PLAYS))
