"""``pegray batch`` and ``solve`` on a pseudo-terminal: what a user sees."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.display.terminal import Terminal, rows_of

ROOT = Path(__file__).parents[2]
FIRST = ROOT / "jobs" / "first.cgp"
CGP = FIRST.read_text().splitlines()[-1]


@pytest.fixture
def in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


def write_job(address: str, positions: int, options: str) -> None:
    lines = [CGP.replace("356/378", f"{score}/378") for score in range(356, 356 + positions)]
    Path("many.cgp").write_text("\n".join(lines) + "\n")
    cluster = f"cluster: {{address: {address}, table_gib: 0.01}}"
    Path("job.yaml").write_text(f"name: n\npositions: [many.cgp]\noptions: {options}\n{cluster}\nout: run\n")


@pytest.mark.parametrize(
    ("address", "positions", "columns"), [("none", 8, 40), pytest.param("local", 20, 100, marks=pytest.mark.ray)]
)
@pytest.mark.usefixtures("in_an_empty_folder")
def test_many_short_positions(address: str, positions: int, columns: int) -> None:
    write_job(address, positions, '{only: ["13L ONYX"]}')
    terminal = Terminal("-m", "pegray", "batch", "job.yaml", columns=columns)
    assert terminal.read_all() == 0
    drawn = rows_of(terminal.written)
    assert any(re.fullmatch(r" all .* of \d+ pos.*", row) for row in drawn)
    text = "".join(terminal.lines())
    assert text.startswith("results in run[")
    assert "starting" not in text
    assert "plays left" not in text
    numbers = re.findall(rf"\[(\d+)/{positions}\] many-\d+: finished, 13L ONYX", text)
    assert sorted(map(int, numbers)) == list(range(1, positions + 1))
    assert terminal.lines()[-1] == f"{positions} positions: {positions} finished, 0 left"


@pytest.mark.usefixtures("in_an_empty_folder")
def test_ctrl_c() -> None:
    write_job("none", 3, "{early_cutoff: false}")
    terminal = Terminal("-m", "pegray", "batch", "job.yaml")
    terminal.read_until(r"plays left")
    terminal.interrupt()
    assert terminal.read_all() == 130
    lines = terminal.lines()
    assert lines[0] == "results in run"
    assert lines[1].startswith("[1/3] many-1: interrupted")
    assert lines[-1] == "go on with: pegray resume run"
    assert not terminal.cursor_is_hidden


@pytest.mark.usefixtures("in_an_empty_folder")
def test_solve() -> None:
    options = ["--only", "13L ONYX", "--address", "none", "--table-gib", "0.01"]
    terminal = Terminal("-m", "pegray", "solve", str(FIRST), *options)
    assert terminal.read_all() == 0
    assert any(re.fullmatch(r" first 0:\d\d  [01] of 1 play left, .*", row) for row in rows_of(terminal.written))
