"""Results as plain data, JSON and Arrow tables."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import pytest

from pegray.errors import InputError, PegrayError
from pegray.results.model import SolveResult
from pegray.results.schema import OUTCOMES, PLAYS


def test_json_and_back(result: SolveResult) -> None:
    document = json.loads(json.dumps(result.to_json(), allow_nan=False))
    assert document["schema"] == 2
    assert SolveResult.from_json(document) == result


def test_json_has_the_fields_that_others_read(result: SolveResult) -> None:
    document = result.to_json()
    assert set(document) >= {"schema", "cgp", "lexicon", "bag", "unseen", "total", "opponent", "plays", "stats"}
    play = document["plays"][0]
    assert set(play) >= {"rank", "move", "score", "tiles", "status", "points", "win_pct", "wins", "draws", "losses"}
    assert set(play) >= {"found_losses", "spread", "proven", "outcomes"}
    assert set(play["outcomes"][0]) >= {"draw", "weight", "outcome", "certain", "proven", "reply"}
    assert set(document["stats"]) >= {"seconds", "cpu_seconds", "endgames", "nodes", "interrupted"}
    assert [document["plays"][1][name] for name in ("points", "win_pct", "wins", "spread")] == [None] * 4


def test_fields_of_a_later_version_are_passed_over(result: SolveResult) -> None:
    document = result.to_json()
    document["later"] = document["plays"][0]["later"] = document["plays"][0]["outcomes"][0]["later"] = 1
    document["stats"]["later"] = 1
    assert SolveResult.from_json(document) == result


def test_something_else_is_refused_in_one_line(result: SolveResult) -> None:
    document = result.to_json()
    for wrong in ({**document, "schema": 3}, {**document, "plays": [{}]}, {"schema": 1}, {"schema": 2}, {}):
        with pytest.raises(InputError, match=r"^[^\n]+$"):
            SolveResult.from_json(wrong)


def test_arrow_tables(result: SolveResult) -> None:
    tables = result.to_arrow(position_id=3)
    assert tables["plays"].schema.equals(PLAYS, check_metadata=True)
    assert tables["outcomes"].schema.equals(OUTCOMES, check_metadata=True)
    assert tables["plays"]["position_id"].to_pylist() == [3, 3, 3]
    assert tables["plays"]["points"].to_pylist() == [7.5, None, None]
    rows = tables["outcomes"].select(["position_id", "move", "draw", "outcome", "reply"]).to_pylist()
    assert [tuple(row.values()) for row in rows] == [
        (3, "13L ONYX", "[A]", "W", None),
        (3, "13L ONYX", "[Y]", "D", "M3 CAUSEY"),
        (3, "N3 STEY", "[A]", "L", "M4 SAUCY"),
    ]
    for table in tables.values():
        table.validate(full=True)


def test_arrow_tables_of_nothing(result: SolveResult) -> None:
    result.plays = []
    assert [table.num_rows for table in result.to_arrow().values()] == [0, 0]


def test_every_column_says_what_it_means() -> None:
    for schema in (PLAYS, OUTCOMES):
        assert schema.metadata[b"schema_version"] == b"2"
        assert all(column.metadata[b"meaning"] for column in schema)


def test_the_best_play(result: SolveResult) -> None:
    assert result.best is result.plays[0]


@pytest.mark.parametrize("kept", [0, 2])
def test_no_best_play_while_none_is_finished(result: SolveResult, kept: int) -> None:
    result.plays = result.plays[1:][:kept]
    assert result.best is None


@pytest.mark.skipif(find_spec("pandas") is not None, reason="pandas is installed")
def test_pandas_is_asked_for_in_one_line(result: SolveResult) -> None:
    with pytest.raises(PegrayError, match=r"^to_pandas needs pandas: pip install [^\n]+$"):
        result.to_pandas()


def test_plays_as_a_data_frame(result: SolveResult) -> None:
    pytest.importorskip("pandas")
    assert result.to_pandas()["move"].tolist() == ["13L ONYX", "N3 STEY", "pass"]


@pytest.mark.skipif(find_spec("polars") is not None, reason="polars is installed")
def test_polars_is_asked_for_in_one_line(result: SolveResult) -> None:
    with pytest.raises(PegrayError, match=r"^to_polars needs polars: pip install [^\n]+$"):
        result.to_polars()


def test_plays_as_a_polars_frame(result: SolveResult) -> None:
    pytest.importorskip("polars")
    assert result.to_polars()["move"].to_list() == ["13L ONYX", "N3 STEY", "pass"]


def test_plays_as_csv(result: SolveResult, tmp_path: Path) -> None:
    result.to_csv(tmp_path / "plays.csv")
    header, first, *rest = (tmp_path / "plays.csv").read_text().splitlines()
    assert header.replace('"', "").split(",") == PLAYS.names
    assert "13L ONYX" in first
    assert len(rest) == 2


def test_csv_that_cannot_be_written_is_named_in_one_line(result: SolveResult, tmp_path: Path) -> None:
    with pytest.raises(PegrayError, match=r"^\S+plays.csv: cannot be written: [^\n]+$"):
        result.to_csv(tmp_path / "missing" / "plays.csv")
