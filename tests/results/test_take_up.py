"""Going on with a run that is there, damaged JSON, and the moments before anything is settled."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from pegray.errors import InputError
from pegray.results.model import SolveResult
from pegray.results.read import open_run
from pegray.results.schema import OUTCOMES, PLAYS
from pegray.results.write import RunWriter


def row(name: str) -> dict[str, Any]:
    base = {"cgp": "", "lexicon": "ENABLE", "bag": 1, "unseen": "AACEISUY", "total": 8, "source": "f:1"}
    return {"name": name, **base}


@pytest.fixture
def earlier(tmp_path: Path, result: SolveResult) -> Path:
    """A run of two positions that was stopped."""
    out = RunWriter(tmp_path / "run")
    for name in ("first", "second"):
        out.write_solve(out.add_position(row(name)), result)
    out.write_manifest({"state": "interrupted", "positions": 2, "stats": {"1": asdict(result.stats)}})
    return tmp_path / "run"


def test_positions_keep_their_ids_and_statistics(earlier: Path, result: SolveResult) -> None:
    out = RunWriter(earlier)
    assert out.stats == {"1": asdict(result.stats)}
    assert [out.add_position(row(name)) for name in ("second", "first", "third")] == [1, 0, 2]
    run = open_run(earlier)
    assert run.positions()["name"].to_pylist() == ["first", "second", "third"]
    assert run.result(1).plays == result.plays


def test_what_was_written_before_it_is_claimed_stays(earlier: Path, result: SolveResult) -> None:
    """Another process that is just ending writes between our opening the run and our claiming it."""
    other = RunWriter(earlier)
    other.claim()
    out = RunWriter(earlier)
    other.write_solve(other.add_position(row("third")), result)
    other.write_manifest({"stats": {"1": asdict(result.stats), "2": asdict(result.stats)}})
    other.release()
    out.claim()
    out.write_manifest({"stats": out.stats})
    assert out.add_position(row("third")) == 2
    assert open_run(earlier).positions().num_rows == 3
    assert open_run(earlier).manifest["stats"].keys() == {"1", "2"}


def test_a_position_twice_in_a_run_is_two(earlier: Path) -> None:
    out = RunWriter(earlier)
    assert [out.add_position(row("first")), out.add_position(row("first"))] == [0, 2]


@pytest.mark.parametrize("manifest", ['{"schema": 99}', "{"])
def test_a_run_that_cannot_be_taken_up_is_left_alone(earlier: Path, manifest: str) -> None:
    (earlier / "manifest.json").write_text(manifest)
    with pytest.raises(InputError, match=r"^[^\n]*(schema version 99|is corrupted)[^\n]*$"):
        RunWriter(earlier)
    assert (earlier / "manifest.json").read_text() == manifest


def test_positions_before_the_first_and_after_a_loss(earlier: Path) -> None:
    begun = RunWriter(earlier.parent / "begun")
    begun.write_manifest({"state": "running"})
    assert open_run(begun.uri).positions().num_rows == 0
    (earlier / "positions.parquet").unlink()
    with pytest.raises(InputError, match="positions.parquet is missing"):
        open_run(earlier).positions()


def test_units_are_told() -> None:
    assert PLAYS.field("spread").metadata[b"unit"] == b"points"
    assert OUTCOMES.field("weight").metadata[b"unit"] == b"labelled draws"


@pytest.mark.parametrize(
    "change", [{"schema": 3}, {"plays": None}, {"plays": [{}]}, {"plays": [{"outcomes": [3]}]}, {"stats": {}}]
)
def test_json_of_something_else_is_told_in_one_line(result: SolveResult, change: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=r"^[^\n]+$"):
        SolveResult.from_json({**result.to_json(), **change})
    with pytest.raises(InputError, match="no 'schema'"):
        SolveResult.from_json({})


def test_json_does_not_share_lists_with_the_result(result: SolveResult) -> None:
    document = result.to_json()
    document["plays"][0]["outcomes"][0]["weight"] = -1
    document["plays"][0]["outcomes"].clear()
    assert result.plays[0].outcomes[0].weight == 7
