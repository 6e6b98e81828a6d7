"""The journal keeps what is settled, and survives what a crash leaves behind."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path

import pytest

from pegray.errors import InputError
from pegray.preendgame.work import Settled, Unit
from pegray.results.read import open_run
from pegray.results.write import RunWriter
from pegray.runs import journal as journal_module
from pegray.runs.journal import Journal

KEY = "0123abc"


def settled(draw: int, finished: bool = True) -> Settled:
    unit = Unit(candidate=3, draw=draw, kind="verdict", budget=500_000, lost=2)
    replies = (-1, 1 << 60)
    return Settled(unit, finished, b"\x02\x00", replies, None, True, 10, 2, 0.5, 0.25)


@pytest.fixture
def out(tmp_path: Path) -> RunWriter:
    return RunWriter(str(tmp_path / "run"))


def parts(out: RunWriter) -> list[Path]:
    return sorted(Path(out.path, "journal").iterdir())


def test_what_was_kept_is_loaded(out: RunWriter) -> None:
    spread = replace(settled(7), unit=Unit(3, 7, "spread", 1, 0), outcomes=b"", replies=(), spread=-12)
    kept = [settled(0), replace(settled(1, finished=False), out_of_budget=True, nodes_left=1 << 40, bounds=3), spread]
    journal = Journal(out, KEY)
    journal.append(kept[:1])
    journal.flush()
    journal.append(kept[1:])
    journal.flush()
    assert len(parts(out)) == 2
    assert Journal(out, KEY).load() == kept


def test_units_that_found_nothing_and_other_problems_are_left_out(out: RunWriter) -> None:
    nothing = replace(settled(0, finished=False), outcomes=b"\xff\xff")
    kept = [settled(1, finished=False), replace(nothing, out_of_budget=True), settled(2)]
    journal = Journal(out, KEY)
    journal.append([nothing, replace(nothing, outcomes=b""), *kept])
    journal.close()
    other = Journal(out, "another")
    other.append([settled(3)])
    other.close()
    assert Journal(out, KEY).load() == kept


def test_torn_and_foreign_parts_are_left_out_with_a_warning(out: RunWriter) -> None:
    journal = Journal(out, KEY)
    journal.append([settled(0)])
    journal.close()
    whole = parts(out)[0]
    whole.with_name("torn.parquet").write_bytes(whole.read_bytes()[:-100])
    whole.with_name("foreign.parquet").write_bytes(b"not a table")
    whole.with_name("half.parquet.123.tmp").write_bytes(b"")
    with pytest.warns(UserWarning, match="left out of the journal") as caught:
        results = Journal(out, KEY).load()
    assert results == [settled(0)]
    assert len(caught) == 2


def test_a_part_with_other_columns_is_left_out(out: RunWriter) -> None:
    import pyarrow as pa

    out.write_table("journal/other.parquet", pa.table({"problem": [KEY], "move": ["pass"]}))
    with pytest.warns(UserWarning, match="other.parquet"):
        assert Journal(out, KEY).load() == []


def test_results_reach_the_disk_in_bunches(out: RunWriter, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal_module, "_FLUSH_ROWS", 3)
    journal = Journal(out, KEY)
    for draw in range(7):
        journal.append([settled(draw)])
    assert len(parts(out)) == 2
    journal.flush()
    assert len(parts(out)) == 3


def test_results_reach_the_disk_after_a_while(out: RunWriter, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = Journal(out, KEY)
    journal.append([settled(0)])
    assert not parts(out)
    monkeypatch.setattr(journal_module, "_FLUSH_SECONDS", 0.0)
    journal.flush_when_due()
    assert len(parts(out)) == 1


def test_parts_of_other_problems_are_not_read(out: RunWriter) -> None:
    other = Journal(out, "f" * 64)
    other.append([settled(1)])
    other.close()
    parts(out)[0].write_bytes(b"would be warned of")
    journal = Journal(out, KEY)
    journal.append([settled(0)])
    journal.close()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Journal(out, KEY).load() == [settled(0)]


@pytest.mark.parametrize("column", ["candidate", "budget", "outcomes", "nodes", "cpu_seconds", "out_of_budget"])
def test_a_part_with_a_result_that_lacks_something_is_left_out(out: RunWriter, column: str) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    journal = Journal(out, KEY)
    journal.append([settled(0)])
    journal.close()
    part = parts(out)[0]
    table = pq.read_table(part)
    at = table.column_names.index(column)
    pq.write_table(table.set_column(at, table.schema.field(at), pa.nulls(1, table.schema.field(at).type)), part)
    with pytest.warns(UserWarning, match="left out of the journal"):
        assert Journal(out, KEY).load() == []


def test_parts_of_an_earlier_version_lack_what_was_added(out: RunWriter) -> None:
    import pyarrow.parquet as pq

    journal = Journal(out, KEY)
    journal.append([settled(0)])
    journal.close()
    part = parts(out)[0]
    pq.write_table(pq.read_table(part).drop_columns(["bounds", "checkpoints", "nodes_left", "portion"]), part)
    assert Journal(out, KEY).load() == [settled(0)]


@pytest.fixture
def short_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A part for each result, and one of three."""
    monkeypatch.setattr(journal_module, "_FLUSH_ROWS", 1)
    monkeypatch.setattr(journal_module, "_PARTS_JOINED", 3)


@pytest.mark.usefixtures("short_parts")
def test_many_parts_become_few(out: RunWriter) -> None:
    kept = [settled(draw) for draw in range(8)]
    journal = Journal(out, KEY)
    for number, result in enumerate(kept, 1):
        journal.append([result])
        assert len(parts(out)) == number // 3 + number % 3
        assert Journal(out, KEY).load() == kept[:number]
    journal.close()
    assert len(parts(out)) == 3
    later = Journal(out, KEY)
    later.append([settled(8)])
    later.close()
    assert len(parts(out)) == 4
    assert Journal(out, KEY).load() == [*kept, settled(8)]


@pytest.mark.usefixtures("short_parts")
@pytest.mark.parametrize("removed", range(3))
def test_killed_while_parts_become_one(out: RunWriter, monkeypatch: pytest.MonkeyPatch, removed: int) -> None:
    """What the process had not removed yet counts once."""
    kept = [settled(draw) for draw in range(3)]
    left = iter(range(removed))
    remove = out.remove

    def remove_or_die(name: str) -> None:
        if next(left, None) is None:
            raise KeyboardInterrupt
        remove(name)

    monkeypatch.setattr(out, "remove", remove_or_die)
    with pytest.raises(KeyboardInterrupt):
        Journal(out, KEY).append(kept[:1])
        journal = Journal(out, KEY)
        for result in kept:
            journal.append([result])
    assert len(parts(out)) == 1 + 4 - removed
    assert Journal(out, KEY).load() == [kept[0], *kept]
    out.write_manifest({"state": "running"})
    assert open_run(out.path).units().num_rows == 4
    assert open_run(out.path).sql("from units").num_rows == 4


def test_large_parts_are_not_kept_in_memory(out: RunWriter, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal_module, "_FLUSH_ROWS", 1)
    monkeypatch.setattr(journal_module, "_BYTES_JOINED", 1)
    journal = Journal(out, KEY)
    for draw in range(3):
        journal.append([settled(draw)])
    journal.close()
    assert len(parts(out)) == 3


@pytest.mark.usefixtures("short_parts")
def test_parts_that_become_one_while_they_are_read(out: RunWriter, monkeypatch: pytest.MonkeyPatch) -> None:
    out.write_manifest({"state": "running"})
    journal = Journal(out, KEY)
    for draw in range(2):
        journal.append([settled(draw)])
    run = open_run(out.path)
    listed = type(run)._parts

    def list_then_join(self: object, *of: object) -> list[str]:
        names: list[str] = listed(run, *of)
        journal.close()
        return names

    monkeypatch.setattr(type(run), "_parts", list_then_join)
    assert run.units().num_rows == 2


def test_a_part_that_is_gone_for_good(out: RunWriter) -> None:
    out.write_manifest({"state": "running"})
    journal = Journal(out, KEY)
    journal.append([settled(0)])
    journal.close()
    parts(out)[0].write_bytes(b"")
    with pytest.raises(InputError, match="is missing or corrupted"):
        open_run(out.path).units()
