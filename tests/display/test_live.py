"""Every live display on a pseudo-terminal: what is left on the screen, and what was written to get there."""

from __future__ import annotations

import re
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest

from tests.display.programs import NO_PROBLEM, POSITIONS, progress
from tests.display.terminal import Terminal, rows_of

PROGRAMS = str(Path(__file__).parent / "programs.py")
ENDED = [f"[{number}/{POSITIONS}] thirty:{number}: finished" for number in range(1, POSITIONS + 1)]


@pytest.mark.parametrize(("columns", "rows"), [(100, 30), (200, 50), (40, 30), (100, 3), (12, 2)])
def test_many_short_positions_at_once(columns: int, rows: int) -> None:
    terminal = Terminal(PROGRAMS, "batch", columns=columns, rows=rows)
    assert terminal.read_all() == 0
    said = ["results in runs/x", *ENDED, "the closing table"]
    if columns >= 40:
        assert terminal.lines() == said
    assert "".join(terminal.lines()).replace(" ", "") == "".join(said).replace(" ", "")
    assert not terminal.cursor_is_hidden


def test_lines_of_a_batch() -> None:
    terminal = Terminal(PROGRAMS, "batch")
    terminal.read_until("3 of 7")
    assert re.fullmatch(r". all 0:\d\d  compiling, once: 3 of 7", terminal.lines()[-1])
    terminal.read_all()
    drawn = [row.strip() for row in rows_of(terminal.written) if row not in ENDED and len(row) > 1]
    shown = r"(all|\d+/35 thirty:\d+) +0:\d\d  (starting|compiling, once: 3 of 7|\d+ of 35 positions|\d+ of 625 .*)"
    others = {row for row in drawn if not re.fullmatch(shown, row)}
    assert others == {"results in runs/x", "the closing table"}
    assert any("thirty:2" in row and "of 625 plays left" in row for row in drawn)


def test_a_narrow_window_shows_what_matters_most() -> None:
    terminal = Terminal(PROGRAMS, "solve", columns=40)
    terminal.read_until("613 of 625[^\r\x1b]*")
    assert re.fullmatch(r". first \[2J p… 0:\d\d  613 of 625 pla…", terminal.lines()[-1])
    terminal.interrupt()
    assert terminal.read_all() == 130
    shown = rows_of(terminal.written)
    assert max(len(row.removesuffix("^C")) for row in shown) <= 36
    assert terminal.lines() == ["results in runs/x", "stopped"]


def test_threads_that_all_print() -> None:
    terminal = Terminal(PROGRAMS, "chatter", rows=400)
    assert terminal.read_all() == 0
    lines = terminal.lines()
    assert [line for line in lines if line.startswith("a ") and line.endswith("said")] == [
        f"a {count} said" for count in range(100)
    ]
    said = [line for line in lines if re.fullmatch(r"[abc] \d+ said", line)]
    assert len(said) == 300
    rest = " ".join(line for line in lines if line not in said)
    assert "a journal is damaged" in rest
    assert "printed printed to stderr" in rest
    assert "starting" not in rest


def test_what_a_solve_shows() -> None:
    terminal = Terminal(PROGRAMS, "solve")
    terminal.read_until("3 of 7")
    assert re.fullmatch(r". first \[2J position 0:\d\d  compiling, once: 3 of 7", terminal.lines()[-1])
    terminal.read_until("nodes")
    expected = r". first \[2J position 0:\d\d  613 of 625 plays left, 12 finished, 0 cut; 1,234,567 nodes"
    assert re.fullmatch(expected, terminal.lines()[-1])
    terminal.interrupt()
    assert terminal.read_all() == 130
    assert terminal.lines() == ["results in runs/x", "stopped"]
    assert b"^C" in terminal.written
    assert not terminal.cursor_is_hidden


@pytest.mark.parametrize(
    ("columns", "rows", "plays"), [(100, 30, 12), (80, 24, 12), (60, 12, 7), (60, 5, 1), (30, 30, 12)]
)
@pytest.mark.parametrize("environment", [{}, {"NO_COLOR": "1"}])
def test_leading_plays_have_bars(columns: int, rows: int, plays: int, environment: dict[str, str]) -> None:
    terminal = Terminal(PROGRAMS, "bars", columns=columns, rows=rows, environment=environment)
    terminal.read_until(r"13A ONYX .*~59[^\r]*" if plays > 1 else "0..72 of 72, open")
    terminal.read_until(r"613 of [^\r\x1b]*")
    lines = terminal.lines()
    assert lines[0] == "results in runs/x"
    assert len(lines) == plays + 3
    assert lines[1].startswith("best play ")
    assert re.match(r". first 0:\d\d  613 of", lines[-1])
    if columns >= 60 and plays > 1:
        assert re.fullmatch(r"13A ONYX   ░+~░+▏ <=72 ~59", lines[2])
    assert b"\x1b[32m" not in terminal.written or not environment
    terminal.interrupt()
    assert terminal.read_all() == 130
    assert max(len(row.removesuffix("^C")) for row in rows_of(terminal.written)) <= columns - 4
    assert terminal.lines() == ["results in runs/x", "stopped"]


def test_a_cluster_at_work() -> None:
    terminal = Terminal(PROGRAMS, "cluster")
    terminal.read_until(r"613 of [^\r\x1b]*")
    expected = "3 nodes, 24 threads; 48 units in flight; 1,234,567 nodes/s; 0.42 core-hours; left 0.1 to 3"
    assert terminal.lines()[-2] == expected
    terminal.interrupt()
    terminal.read_until("0.84 core-hours")
    terminal.read_until("0 of 3 positions")
    expected = "3 nodes, 24 threads; 96 units in flight; 2,469,134 nodes/s; 0.84 core-hours"
    assert terminal.lines()[-4] == expected and terminal.lines()[-1].endswith("0 of 3 positions")
    terminal.interrupt()
    terminal.read_all()


def test_ctrl_c_loses_nothing_that_is_not_read_yet(tmp_path: Path) -> None:
    """Without care the terminal throws it away; what moves the cursor after that starts from the wrong row."""
    written = tmp_path / "written"
    terminal = Terminal(PROGRAMS, "interrupted_batch", str(written))
    while not written.exists():
        time.sleep(0.01)
    terminal.interrupt()
    assert terminal.read_all() == 0
    assert terminal.lines() == [*(f"message {count}" for count in range(100)), "stopped"]
    assert terminal.flags & termios.ECHO
    assert not terminal.flags & termios.NOFLSH


def test_breaking_off() -> None:
    terminal = Terminal(PROGRAMS, "breaks_off")
    terminal.read_until("nodes")
    terminal.interrupt()
    assert terminal.read_all() == 130
    assert terminal.lines() == ["pegray: interrupted"]
    assert not terminal.cursor_is_hidden


def test_an_error_comes_below_what_was_said() -> None:
    terminal = Terminal(PROGRAMS, "fails")
    assert terminal.read_all() == 1
    assert terminal.lines()[0] == "Traceback (most recent call last):"
    assert terminal.lines()[-1] == "ValueError: broken"
    assert not terminal.cursor_is_hidden


@pytest.mark.parametrize("sizes", [((100, 30), (40, 20)), ((30, 10), (100, 30)), ((50, 30), (23, 30))])
def test_a_window_of_another_size(sizes: tuple[tuple[int, int], tuple[int, int]]) -> None:
    terminal = Terminal(PROGRAMS, "resized", columns=110)
    terminal.read_until(r"before\r\n[^\r]*\r\n[^\r]*positions[^\r\x1b]*")
    terminal.resize(*sizes[0])
    terminal.read_until(r"one change\r\n[^\r]*\r\n[^\r]*positi[^\r\x1b]*")
    assert terminal.lines()[:2] == ["before", "after one change"]
    assert len(terminal.lines()) == 4
    terminal.resize(*sizes[1])
    assert terminal.read_all() == 0
    assert terminal.lines() == ["before", "after one change", "after two changes"]


def test_nothing_is_shown_off_a_terminal() -> None:
    answer = subprocess.run([sys.executable, PROGRAMS, "batch"], capture_output=True, text=True, check=True)
    assert answer.stderr.splitlines() == ["results in runs/x", *ENDED]
    assert answer.stdout == "the closing table\n"


def test_a_terminal_that_cannot_move_its_cursor() -> None:
    terminal = Terminal(PROGRAMS, "batch", environment={"TERM": "dumb"})
    assert terminal.read_all() == 0
    assert terminal.written.decode().splitlines() == ["results in runs/x", *ENDED, "the closing table"]


def test_a_position_that_fails_is_no_longer_counted() -> None:
    from pegray.display.batch_progress import BatchProgress

    batch = BatchProgress(2, 0)
    with pytest.raises(RuntimeError), batch.position("first", NO_PROBLEM) as update:
        update(progress(3))
        raise RuntimeError
    assert not batch._live
