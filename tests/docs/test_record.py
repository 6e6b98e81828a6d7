"""The record: its page says what its tables say, and the tables are whole and agree with one another."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

from pegray.results.read import open_run

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "record.md"
MAKER = runpy.run_path(str(ROOT / "docs" / "make_record.py"))


def count(what: str) -> int:
    """The number that a query over the files of the record answers."""
    with MAKER["connection"]() as record:
        return int(record.sql(f"select count(*) from {what}").fetchall()[0][0])


def test_the_page_says_what_its_queries_answer() -> None:
    page = PAGE.read_text(encoding="utf-8")
    queries = re.findall(r"```sql\n", page)
    assert len(queries) >= 8
    assert len(re.findall(r"```\n\n\| ", page)) == len(queries)
    assert page == MAKER["filled"](page), "run python docs/make_record.py"
    assert not re.search(r"^\|.*\|\n[^|\n]", page, re.M), "a table ends with an empty line"


def test_the_query_of_the_card_can_be_asked() -> None:
    card = (ROOT / "record" / "README.md").read_text(encoding="utf-8")
    (query,) = re.findall(r'pegray query runs/record "([^"]+)"', card)
    assert open_run(str(ROOT / "tests" / "data" / "schema1")).sql(query).column_names == ["cgp"]


def test_it_is_small() -> None:
    assert sum(file.stat().st_size for file in (ROOT / "record").glob("*.parquet")) < 4_000_000


@pytest.mark.parametrize("table", ["positions", "plays", "outcomes"])
def test_every_column_is_described(table: str) -> None:
    card = (ROOT / "record" / "README.md").read_text(encoding="utf-8")
    section = card.split(f"**{table}.parquet**")[1].split("**")[0]
    with MAKER["connection"]() as record:
        columns = record.sql(f"from 'record/{table}.parquet' limit 0").columns
    assert sorted(columns) == sorted(re.findall(r"`(\w+)`", "\n".join(re.findall(r"^\| (`[^|]*) \|", section, re.M))))


def test_what_is_answered_is_proven() -> None:
    positions, plays = "'record/positions.parquet'", "'record/plays.parquet' plays"
    both = f"{positions} positions join {plays} using (position_id)"
    assert count(positions) == count(f"(select distinct cgp from {positions})")
    assert count(f"{positions} where (state = 'open') <> (best_points is null)") == 0
    assert count(f"{positions} where state = 'answered' and best_at_least < best_at_most") == 0
    assert count(f"{both} where move = best and points is distinct from best_points") == 0
    assert count(f"{both} where state = 'answered' and at_most > best_points") == 0
    assert count(f"{both} where at_most < at_least or (status = 'finished') <> (points is not null)") == 0


def test_outcomes_add_up_to_the_points() -> None:
    added = """
        (select position_id, move, sum(weight) as weight,
                sum(weight * case outcome when 'W' then 1 when 'D' then 0.5 else 0 end) as won
         from 'record/outcomes.parquet' group by all)
        join 'record/plays.parquet' using (position_id, move) join 'record/positions.parquet' using (position_id)"""
    assert count(added) > 0
    assert count(f"{added} where weight <> total or won <> points") == 0


def test_the_positions_are_those_of_the_generator(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(ROOT / "jobs" / "record.py"))["main"](1, 2)
    made = capsys.readouterr().out
    assert (ROOT / "jobs" / "record" / "bag1.cgp").read_text(encoding="utf-8").startswith(made)
    with MAKER["connection"]() as record:
        rows = record.sql("select cgp from 'record/positions.parquet' where bag = 1 limit 2").fetchall()
    assert [cgp for (cgp,) in rows] == [line for line in made.splitlines() if not line.startswith("#")]


@pytest.mark.parametrize("bag", [1, 2, 3])
def test_the_lists_say_what_is_in_it(bag: int) -> None:
    lines = (ROOT / "jobs" / "record" / f"bag{bag}.cgp").read_text(encoding="utf-8").splitlines()
    query = f"select cgp from 'record/positions.parquet' where bag = {bag} order by position_id"
    with MAKER["connection"]() as record:
        rows = record.sql(query).fetchall()
    assert [cgp for (cgp,) in rows] == [line for line in lines if not line.startswith("#")]
