"""A run that schema 1 wrote: one position finished, one stopped with plays open, where it ranked what was finished."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from pegray.cli import main
from pegray.results.model import SolveResult
from pegray.results.read import open_run
from pegray.results.schema import PLAYS, POSITIONS
from pegray.results.upgrade import state_of, upgraded_plays
from pegray.results.views import VIEWS
from pegray.runs.directories import take_up

STORED = Path(__file__).parents[1] / "data" / "schema1"


@pytest.fixture
def old(tmp_path: Path) -> Path:
    shutil.copytree(STORED, tmp_path / "old")
    return tmp_path / "old"


def test_states_and_ranks() -> None:
    first, second = (result for _, result in open_run(STORED).results())
    assert (first.state, second.state) == ("complete", "open")
    assert first.best is not None and (first.best.move, first.best.points) == ("13L ONYX", 7.5)
    assert [play.rank for play in first.plays][:3] == [1, 2, None]
    assert second.best is None and not any(play.rank for play in second.plays)
    assert pq.read_table(STORED / "plays" / "000001.parquet")["rank"].drop_null().to_pylist(), "it had ranks"
    assert (first.answered_seconds, first.complete_seconds) == (None, None), "nobody wrote down when"


def test_bounds() -> None:
    _, second = (result for _, result in open_run(STORED).results())
    for play in second.plays:
        assert play.estimate is None
        if play.status != "skipped":
            assert 0 <= play.at_least <= play.at_most == play.total - play.found_losses
            assert (play.at_least == play.at_most) == (play.points is not None)
    leader = second.plays[0]
    assert leader.at_least == max(play.at_least for play in second.plays if play.status != "skipped") > 0


def test_every_command_reads_it(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["show", str(STORED)]) == 0
    assert "Open: there is no best play yet." in capsys.readouterr().out
    assert main(["status", str(STORED), "--json"]) == 0
    assert [row["state"] for row in json.loads(capsys.readouterr().out)["positions"]] == ["complete", "open"]
    assert main(["report", str(STORED), "-o", str(tmp_path / "r.html")]) == 0
    capsys.readouterr()
    for view in VIEWS:
        assert main(["query", str(STORED), f"from {view}"]) == 0
    assert main(["query", str(STORED), "select name, move from best_plays", "--plain"]) == 0
    assert capsys.readouterr().out.endswith("name\tmove\nfirst\t13L ONYX\n")


def test_a_document_of_schema_1_is_read() -> None:
    document = next(iter(open_run(STORED).results()))[1].to_json()
    for name in ("state", "answered_seconds", "complete_seconds"):
        del document[name]
    for play in document["plays"]:
        for name in ("at_least", "at_most", "estimate"):
            del play[name]
    result = SolveResult.from_json({**document, "schema": 1})
    assert (result.state, result.best and result.best.move) == ("complete", "13L ONYX")


def test_it_is_taken_up_as_a_run_of_today(old: Path) -> None:
    before = [result for _, result in open_run(old).results()]
    out, plan = take_up(str(old))
    out.release()
    assert json.loads((old / "manifest.json").read_text())["schema"] == 2
    assert pq.read_schema(old / "positions.parquet").equals(POSITIONS)
    for position_id in (0, 1):
        assert pq.read_schema(old / "plays" / f"{position_id:06d}.parquet").equals(PLAYS)
    assert [result for _, result in open_run(old).results()] == before
    assert plan.options.until == "spread"


def row(move: str, status: str, found_losses: float, rank: int | None = None, losses: int = 0) -> dict[str, object]:
    points = 8 - found_losses if status == "finished" else None
    return {
        "move": move, "status": status, "found_losses": found_losses, "rank": rank, "points": points, "total": 8,
        "losses": losses, "score": 10, "tiles_left": 0, "spread": 1.0,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("other", "options", "state"),
    [
        (row("B", "unfinished", 0.0), {}, "open"),
        (row("B", "unfinished", 0.5), {}, "answered"),
        (row("B", "cut_off", 1.0), {}, "complete"),
        (row("B", "cut_off", 0.0), {"never_lose": True}, "complete"),
        ({**row("B", "finished", 0.5, 2), "spread": None}, {}, "answered"),
        ({**row("B", "finished", 0.5, 2), "spread": None}, {"tiebreak": False}, "complete"),
        (row("B", "skipped", 0.0), {}, "complete"),
    ],
)
def test_where_a_position_stood(other: dict[str, object], options: dict[str, object], state: str) -> None:
    plays = upgraded_plays([row("A", "finished", 0.5, 1), other], {}, options)
    assert state_of(plays, options) == state
    assert (plays[0]["rank"] == 1) == (state != "open")
