"""``pegray bench --whole``: which positions are measured, what is kept, what is printed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pegray.bench import whole
from pegray.bench.record import WholeMeasurement, read_run
from pegray.cli import main
from tests.bench.test_whole import measured

CGP = "/".join(["15"] * 7 + ["7CAT5"] + ["15"] * 7)
BOARD = (
    "15/3Q7U3/3U2TAURINE2/1CHANSONS2W3/2AI6JO3/DIRL1PO3IN3/E1D2EF3V4/F1I2p1TRAIK3/O1L2T4E4/ABy1PIT2BRIG2/"
    "ME1MOZELLE5/1GRADE1O1NOH3/WE3R1V7/AT5E7/G6D7"
)


@pytest.fixture
def positions(tmp_path: Path) -> Path:
    """Three positions with one in the bag, at lines 2, 3 and 5."""
    lines = ["# one in the bag", *(f"{BOARD} ENOSTXY/ 356/{score} 0" for score in (378, 379)), ""]
    path = tmp_path / "mine.cgp"
    path.write_text("\n".join([*lines, f"{BOARD} ENOSTXY/ 356/380 0"]))
    return path


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of what is measured, in place of measuring it: answered after 3 s, but mine-3 not."""
    names: list[str] = []

    def measure(name: str, position: Any, lexicon: Any, until: str, cap: float) -> WholeMeasurement:
        names.append(name)
        found = measured(name, position.bag_size, None if name == "mine-3" else 3.0)
        return found.model_copy(update={"cgp": position.to_cgp(), "lexicon": lexicon.name})

    monkeypatch.setattr(whole, "measure_whole", measure)
    return names


def test_a_table_and_a_summary(positions: Path, asked: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--whole", str(positions), "--cap", "60s"]) == 0
    assert asked == ["mine-2", "mine-3", "mine-5"]
    out, err = capsys.readouterr()
    rows = [line.split() for line in out.splitlines()]
    assert ["mine-2", "1", "625", "3", "100", "3", "13L", "ONYX", "7.5", "of", "8"] in rows
    assert ["mine-3", "1", "625", ">", "60", ">", "60", "open:", "7.5", "to", "8", "of", "8"] in rows
    assert ["1", "3", "2", "2", "2", "2", "3"] in rows
    assert "mine-2: answered after 3 CPU s, complete after 3, 100 nodes: 13L ONYX 7.5 of 8" in err


def test_some_by_line_and_by_name(positions: Path, asked: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--whole", str(positions), "--only", "5", "mine-2"]) == 0
    assert asked == ["mine-2", "mine-5"]
    assert main(["bench", "--whole", str(positions), "--only", "4"]) == 2
    assert "--only 4: no position of that name or line (there are mine-2, mine-3, mine-5)" in capsys.readouterr().err


def test_a_run_that_was_cut_off_goes_on(positions: Path, asked: list[str], tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    command = ["bench", "--whole", str(positions), "--out", str(out)]
    assert main([*command, "--only", "3"]) == 0
    assert main(command) == 0
    assert asked == ["mine-3", "mine-2", "mine-5"]
    run = read_run(out)
    assert [position.name for position in run.positions] == asked
    assert (run.until, run.cap_cpu_seconds) == ("level", 600)


def test_what_was_measured_otherwise_is_not_mixed(
    positions: Path, asked: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["bench", "--whole", str(positions), "--out", str(tmp_path / "out.json")]
    assert main(command) == 0
    assert main([*command, "--cap", "60s"]) == 2
    assert "measured with --until level --cap 600s: give these, or another file" in capsys.readouterr().err
    assert len(asked) == 3


def test_json_is_what_compare_reads(
    positions: Path, asked: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", "--whole", str(positions), "--json"]) == 0
    text = capsys.readouterr().out
    old = json.loads(text)
    assert (old["schema"], old["bench"], len(old["positions"])) == (1, "whole", 3)
    old["positions"][0] |= {"answered_cpu_seconds": 6.0, "answered_nodes": 400, "points": 8.0}
    (tmp_path / "old.json").write_text(json.dumps(old))
    assert main(["bench", "--whole", str(positions), "--compare", str(tmp_path / "old.json")]) == 1
    out, err = capsys.readouterr()
    assert next(line.split()[6:8] for line in out.splitlines() if "mine-2" in line) == ["0.50", "0.25"]
    assert "mine-2: 7.5 points, 8 before" in err


def test_nothing_of_the_rest_is_measured_without_its_lexicon(
    positions: Path, asked: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    positions.write_text(positions.read_text() + " lex NOSUCH;")
    assert main(["bench", "--whole", str(positions)]) == 2
    assert "mine.cgp:5: unknown lexicon 'NOSUCH'" in capsys.readouterr().err
    assert asked == []


@pytest.mark.parametrize(
    ("flags", "fault"),
    [
        (["--cap", "60s"], "--cap: only with --whole"),
        (["--until", "level"], "--until: only with --whole"),
        (["--out", "x.json"], "--out: only with --whole"),
        (["--whole", "--all"], "--all: not with --whole"),
        (["--whole", "--cap", "0s"], "must be more than 0"),
        (["--whole", f"{CGP} ABCDEFG/ 0/0 0"], "command line: 83 tiles in the bag: pre-endgames have 1 to 6"),
        (["--whole", "--compare", "nowhere.json"], "nowhere.json: No such file or directory"),
        (["--whole", "--out", "nowhere/x.json"], "nowhere/x.json: No such file or directory"),
    ],
)
def test_wrong_usage_is_one_line(
    flags: list[str], fault: str, asked: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", *flags]) == 2
    err = capsys.readouterr().err
    assert fault in err and err.count("\n") == 1 and err.startswith("pegray: error: ")
    assert asked == []


def test_the_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--whole", "--list"]) == 0
    out = capsys.readouterr().out
    assert "whole-4 " in out and "whole-50 " in out
