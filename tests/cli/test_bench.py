"""The benchmark positions and what is said of a measurement."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from rich.console import Console

from pegray.bench.measure import Measurement, differences, read_measurements
from pegray.bench.positions import Expectation, bench_positions, choose
from pegray.display.bench import answer, measurements_table, per_endgame, positions_table, ratio
from pegray.errors import InputError
from pegray.preendgame.options import SolveOptions

MEASUREMENT = Measurement(
    name="onyx",
    lexicon="NWL20",
    best="13L ONYX",
    points=7.5,
    total=8,
    plays=625,
    finished=1,
    proven=True,
    cpu_seconds=0.5,
    seconds=0.6,
    nodes=2600,
    endgames=636,
)


def test_every_position_can_be_read_and_solved() -> None:
    from pegray.game.position import Position

    positions = bench_positions()
    assert len({position.name for position in positions}) == len(positions)
    for position in positions:
        assert 1 <= Position.from_cgp(position.cgp).bag_size <= 6
        assert isinstance(position.options, SolveOptions)
    assert any(position.lexicon == "ENABLE" for position in positions)


def test_slow_positions_only_when_asked_for() -> None:
    positions = bench_positions()
    assert all(not position.slow for position in choose(positions, None, slow=False))
    assert choose(positions, None, slow=True) == positions
    slow = next(position for position in positions if position.slow)
    assert choose(positions, [slow.name], slow=False) == [slow]
    with pytest.raises(InputError, match="no position 'nowhere'"):
        choose(positions, ["nowhere"], slow=False)


def test_an_answer_that_is_not_as_expected_is_named() -> None:
    plays = [
        SimpleNamespace(move="13L ONYX", points=7.5, spread=8.75),
        SimpleNamespace(move="pass", points=7.5, spread=None),
        SimpleNamespace(move="N3 STEY", points=None, spread=None),
    ]
    result = SimpleNamespace(best=plays[0], plays=plays)

    def found(**expected: object) -> list[str]:
        return differences(Expectation(**expected), result)  # type: ignore[arg-type]

    assert found(best="pass", level=2, points={"pass": 7.5}, spread={"13L ONYX": 8.75}) == []
    assert found(best="N3 STEY") == ["best is 13L ONYX, pass, expected N3 STEY"]
    assert found(level=1) == ["2 plays level at the top, expected 1"]
    assert found(points={"N3 STEY": 7, "1A X": 1}) == [
        "N3 STEY: points None, expected 7",
        "1A X: points None, expected 1",
    ]


def test_measurements_come_back_from_json(tmp_path: Path) -> None:
    path = tmp_path / "old.json"
    path.write_text(json.dumps({"schema": 1, "positions": [asdict(replace(MEASUREMENT, differs=("x",)))]}))
    assert read_measurements(str(path)) == {"onyx": replace(MEASUREMENT, differs=("x",))}


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"positions": [{"name": "x"}]}', '{"positions": 3}', "\x00"])
def test_a_file_that_holds_no_measurements(text: str, tmp_path: Path) -> None:
    path = tmp_path / "old.json"
    path.write_text(text)
    with pytest.raises(InputError, match=r"old\.json: not the output of pegray bench"):
        read_measurements(str(path))


def test_answers() -> None:
    assert answer(MEASUREMENT) == "13L ONYX 7.5 of 8, proven"
    assert answer(replace(MEASUREMENT, proven=False, differs=("x",))).endswith("estimated, NOT as expected")
    assert answer(Measurement("onyx", "NWL20", skipped="no lexicon")) == "skipped: no lexicon"
    assert per_endgame(replace(MEASUREMENT, median_nodes=3, high_nodes=120.4, most_nodes=4000)) == "3 / 120 / 4,000"
    assert [ratio(1, 2), ratio(0, 2), ratio(1, 0)] == ["0.50", "", ""]


def test_tables() -> None:
    console = Console(width=160, color_system=None)
    skipped = Measurement("q-stick", "NWL20", skipped="no lexicon")
    with console.capture() as captured:
        console.print(measurements_table([MEASUREMENT, skipped], {"onyx": replace(MEASUREMENT, nodes=5200)}))
    heading, onyx, other = (
        line.split() for line in captured.get().splitlines() if "onyx" in line or "q-stick" in line or "Answer" in line
    )
    assert heading[-5:] == ["CPU", "ratio", "Node", "ratio", "Answer"]
    assert onyx[:4] == ["onyx", "0.5", "2,600", "636"]
    assert " ".join(onyx).endswith("1.00 0.50 13L ONYX 7.5 of 8, proven")
    assert other == ["q-stick", "skipped:", "no", "lexicon"]
    with console.capture() as captured:
        console.print(positions_table(bench_positions()))
    assert "onyx" in captured.get()
