"""SQL over runs: the ready views, several runs together, and everything that docs/results.md says."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pegray.cli import main
from pegray.errors import InputError
from pegray.results.model import SolveResult
from pegray.results.play import Outcome
from pegray.results.read import open_run
from pegray.results.schema import PLAYS
from pegray.results.views import VIEWS, query_runs, run_names
from pegray.results.write import RunWriter

DOCUMENT = (Path(__file__).parents[2] / "docs" / "results.md").read_text(encoding="utf-8")
BASE = {"cgp": "c", "lexicon": "ENABLE", "bag": 1, "unseen": "AACEISUY", "total": 8, "source": "f:1"}


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", DOCUMENT, re.M | re.S)


@pytest.fixture
def run(tmp_path: Path, result: SolveResult) -> Path:
    """Positions: plain, one won by a play that leaves a tile, one where the top score is cut off.

    One of which a little is known, and one not begun: both are open.
    """
    onyx, stey, nothing = result.plays
    guess = Outcome("[]Y", "", "Y", 1, "L", False, True, None, "2A CAI.UE", 9)
    leaving = replace(onyx, move="pass", score=0, tiles=0, tiles_left=1, nodes=500, outcomes=[guess])
    second = replace(onyx, rank=2, points=6.0, at_least=6.0, at_most=6.0, outcomes=[])
    out = RunWriter(tmp_path / "run")
    plays = [[onyx, stey, nothing], [leaving, second], [onyx, replace(stey, score=60)]]
    for name, rows in zip(("plain", "leaving", "greedy"), plays, strict=True):
        out.write_solve(out.add_position({**BASE, "name": name}), replace(result, plays=rows))
    losing = replace(leaving, move="1A O", rank=None, points=0.0, at_least=0.0, at_most=0.0)
    out.write_solve(
        out.add_position({**BASE, "name": "open"}),
        replace(result, state="open", plays=[losing, replace(nothing, at_most=8.0), stey]),
    )
    out.add_position({**BASE, "name": "later"})
    out.write_manifest({})
    return tmp_path / "run"


def rows(run: Path, sql: str) -> list[dict[str, Any]]:
    return open_run(run).sql(sql).to_pylist()


def test_best_plays(run: Path) -> None:
    found = rows(run, "select run, name, move from best_plays")
    assert [(row["run"], row["name"], row["move"]) for row in found] == [
        ("run", "plain", "13L ONYX"),
        ("run", "leaving", "pass"),
        ("run", "greedy", "13L ONYX"),
    ]


def test_non_emptying_wins(run: Path) -> None:
    (row,) = rows(run, "from non_emptying_wins")
    assert (row["name"], row["move"], row["emptying_move"], row["emptying_points"]) == (
        "leaving",
        "pass",
        "13L ONYX",
        6,
    )


def test_top_score_not_best(run: Path) -> None:
    found = rows(run, "select name, top_move, top_score, top_status, top_at_most from top_score_not_best order by name")
    assert [tuple(row.values()) for row in found] == [
        ("greedy", "N3 STEY", 60, "cut_off", 6.0),
        ("leaving", "13L ONYX", 40, "finished", 6.0),
    ]


def test_hardest_positions(run: Path) -> None:
    found = rows(run, "select name, plays, finished, nodes from hardest_positions")
    assert [tuple(row.values()) for row in found] == [
        ("open", 3, 1, 524),
        ("leaving", 2, 2, 512),
        ("plain", 3, 1, 36),
        ("greedy", 2, 1, 24),
    ]


def test_losing_draws(run: Path) -> None:
    found = rows(run, "select name, move, draw, outcome, reply from losing_draws")
    assert [tuple(row.values()) for row in found] == [
        ("plain", "N3 STEY", "[A]", "L", "M4 SAUCY"),
        ("leaving", "pass", "[]Y", "L?", "2A CAI.UE"),
        ("greedy", "N3 STEY", "[A]", "L", "M4 SAUCY"),
        ("open", "1A O", "[]Y", "L?", "2A CAI.UE"),
        ("open", "N3 STEY", "[A]", "L", "M4 SAUCY"),
    ]


@pytest.mark.parametrize("view", ["best_plays", "non_emptying_wins", "top_score_not_best"])
def test_nothing_is_best_in_a_position_that_is_open(run: Path, view: str) -> None:
    """Even where a file says so: an older one may lie beside the row that says that it is open."""
    plays = pq.read_table(run / "plays" / "000003.parquet")
    ranked = plays.set_column(
        plays.schema.get_field_index("rank"), PLAYS.field("rank"), pa.array([1, None, None], "int32")
    )
    for table in (plays, ranked):
        pq.write_table(table, run / "plays" / "000003.parquet")
        assert rows(run, f"from {view} where name = 'open'") == []


def test_a_play_that_leaves_tiles_has_to_be_better_than_what_others_may_have(
    tmp_path: Path, result: SolveResult
) -> None:
    onyx, stey, _ = result.plays
    leaving = replace(onyx, move="pass", tiles_left=1)
    level = replace(stey, status="unfinished", at_most=7.5)
    for other, shown in ((level, 0), (stey, 1)):
        out = RunWriter(tmp_path / other.status)
        out.write_solve(out.add_position({**BASE, "name": "a"}), replace(result, plays=[leaving, other]))
        out.write_manifest({})
        found = rows(
            tmp_path / other.status, "select emptying_move, emptying_points, emptying_at_most from non_emptying_wins"
        )
        assert [tuple(row.values()) for row in found] == [("N3 STEY", None, 6.0)] * shown


def test_sure_and_probable_points_side_by_side(tmp_path: Path, result: SolveResult) -> None:
    """The same plays, solved under both models; the rational run left one out and cut another off."""
    onyx, stey, nothing = result.plays
    pass_wins = replace(nothing, status="finished", rank=1, points=7.75, at_most=7.75)
    cut = replace(onyx, status="cut_off", rank=None, points=None, at_most=7.0)
    models = {"guaranteed": [onyx, stey, nothing], "rational": [pass_wins, cut]}
    for model, plays in models.items():
        out = RunWriter(tmp_path / model)
        out.write_solve(out.add_position({**BASE, "name": "first", "source": model}), replace(result, plays=plays))
        out.write_manifest({"options": {"opponent": model}})
    sql = "select name, move, sure, sure_at_most, probable, probable_at_most from sure_and_probable"
    found = query_runs([open_run(tmp_path / "guaranteed"), open_run(tmp_path / "rational")], sql).to_pylist()
    assert [tuple(row.values()) for row in found] == [
        ("first", "13L ONYX", 7.5, 7.5, None, 7.0),
        ("first", "pass", None, 7.5, 7.75, 7.75),
        ("first", "N3 STEY", None, 6.0, None, None),
    ]
    (alone,) = rows(tmp_path / "rational", f"{sql} where move = 'pass'")
    assert (alone["sure"], alone["probable"]) == (None, 7.75)
    assert rows(tmp_path / "rational", "select distinct opponent from positions") == [{"opponent": "rational"}]


def test_several_runs_are_told_apart(run: Path, result: SolveResult) -> None:
    other = RunWriter(run.parent / "other")
    other.write_solve(other.add_position({**BASE, "name": "plain"}), result)
    other.write_manifest({})
    both = [open_run(run), open_run(other.uri)]
    counted = query_runs(both, "select run, count(*) as n from best_plays group by run order by run").to_pylist()
    assert counted == [{"run": "other", "n": 1}, {"run": "run", "n": 3}]


def test_names_of_runs() -> None:
    assert run_names(["a/x/", "b/y"]) == ["x", "y"]
    assert run_names(["a/x", "b/x", "c"]) == ["a/x", "b/x", "c"]
    with pytest.raises(InputError, match="named twice"):
        run_names(["a", "a"])


def test_views_of_a_run_that_has_just_begun(tmp_path: Path) -> None:
    RunWriter(tmp_path / "run").write_manifest({})
    for view in VIEWS:
        assert open_run(tmp_path / "run").sql(f"from {view}").num_rows == 0


@pytest.mark.parametrize("sql", ["", " ", ";", "-- which play is best?"])
def test_a_query_that_asks_for_nothing(run: Path, sql: str) -> None:
    with pytest.raises(InputError, match="query: it asks for nothing"):
        open_run(run).sql(sql)


@pytest.mark.parametrize("sql", blocks("sql"))
def test_sql_of_the_document(run: Path, sql: str) -> None:
    assert open_run(run).sql(sql).num_columns > 0


def answer(run: Path, question: int) -> list[dict[str, Any]]:
    """What the first SQL of a question of the document finds."""
    text = re.search(rf"\*\*{question}\. .*?```sql\n(.*?)```", DOCUMENT, re.S)
    assert text is not None
    return rows(run, text[1])


def test_questions_about_what_is_best_leave_out_what_is_open(run: Path) -> None:
    assert {row["name"] for row in answer(run, 1)} == {"plain", "leaving", "greedy"}
    assert {row["name"] for row in answer(run, 3)} == {"plain", "leaving", "greedy"}
    assert [row["name"] for row in answer(run, 4)] == ["leaving"]
    assert {row["name"] for row in answer(run, 5)} == {"greedy", "leaving"}
    assert sum(row["plays"] for row in answer(run, 7)) == 3 + 2 + 2
    assert sorted((row["position_id"], row["ahead_at_least"]) for row in answer(run, 10)) == [
        (0, 0),
        (1, 1.5),
        (2, 1.5),
    ]
    assert [row["name"] for row in answer(run, 12)] == ["open", "later"]


def test_a_tile_is_weighed_over_finished_plays(run: Path, result: SolveResult) -> None:
    """A play cut off shows its losses alone; of two finished ones each counts as much as the other."""
    guesses = [Outcome("[]A", "", "A", 2, "W", False, True, None, None, 1)]
    guesses.append(Outcome("[]Y", "", "Y", 1, "L", False, True, None, "2A CAI.UE", 1))
    one = replace(result.plays[0], move="pass", tiles_left=1, total=3, outcomes=guesses)
    two = replace(one, move="1A O", outcomes=[replace(guesses[0], outcome="L"), replace(guesses[1], outcome="W")])
    cut = replace(one, move="2A O", status="cut_off", outcomes=guesses[1:])
    out = RunWriter(run.parent / "weighed")
    out.write_solve(out.add_position({**BASE, "name": "a"}), replace(result, plays=[one, two, cut]))
    out.write_manifest({})
    assert [(row["stays"], row["plays"], row["lost_pct"]) for row in answer(Path(out.uri), 9)] in (
        [("A", 2, 50.0), ("Y", 2, 50.0)],
        [("Y", 2, 50.0), ("A", 2, 50.0)],
    )


@pytest.mark.parametrize("code", blocks("python"))
def test_python_of_the_document(run: Path, code: str) -> None:
    pytest.importorskip("polars" if "polars" in code else "pandas")
    names: dict[str, Any] = {"run": str(run)}
    exec(code, names)
    assert len(names[re.findall(r"^(\w+) =", code, re.M)[-1]])


def test_the_document_has_a_dozen_questions() -> None:
    assert len(blocks("sql")) - 1 == DOCUMENT.count("\n**") == 13
    assert len(blocks("python")) == 8


def test_formats(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sql = "select name, 1.5::decimal(3, 1) as x from best_plays limit 1"
    assert main(["query", str(run), sql, "--format", "csv"]) == 0
    assert capsys.readouterr().out == "name,x\nplain,1.5\n"
    assert main(["query", str(run), sql, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == [{"name": "plain", "x": 1.5}]
    target = run.parent / "best.parquet"
    assert main(["query", str(run), sql, "-o", str(target)]) == 0
    assert pq.read_table(target).column("name").to_pylist() == ["plain"]
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    "options",
    [["--format", "parquet"], ["-o", "x.txt"], ["--json", "--format", "csv"], ["-o", "x", "--format", "table"]],
)
def test_formats_that_do_not_go_together(run: Path, options: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["query", str(run), "from plays", *options]) == 2
    assert capsys.readouterr().err.count("\n") == 1
