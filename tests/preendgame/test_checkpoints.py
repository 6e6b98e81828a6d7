"""Checkpoints between the tries of a unit: kept, put together, handed on, and forgotten."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pegray.kernels.checkpoints import KIND_BITS, NODES_SHIFT
from pegray.preendgame import checkpoints
from pegray.preendgame.checkpoints import Checkpoints, merged, packed, unpacked
from pegray.preendgame.ledger import Ledger
from pegray.preendgame.work import Settled, Unit
from pegray.results.write import RunWriter
from pegray.runs.journal import Journal
from tests.preendgame.test_ledger import WIN, new_ledger, result

NOTHING = b""


def row(key: int, nodes: int, *words: int) -> list[int]:
    return [1 | len(words) << KIND_BITS | nodes << NODES_SHIFT, key, *words]


def of(*rows: list[int]) -> bytes:
    return packed(np.array(sum(rows, []), np.uint64))


def tried(unit: Unit, brought: bytes) -> Settled:
    """A try that ran out of its budget."""
    settled = result(unit, None, out_of_budget=True)
    settled.checkpoints = brought
    return settled


def test_they_are_read_as_they_were_written() -> None:
    assert unpacked(of(row(5, 100, 7), row(6, 200, 8, 9))).tolist() == row(5, 100, 7) + row(6, 200, 8, 9)
    assert of() == NOTHING and unpacked(NOTHING).tolist() == []


def test_those_of_other_kernels_are_not_read() -> None:
    assert unpacked(b"another!" + of(row(5, 100, 7))[8:]).tolist() == []
    assert merged(b"another!" + of(row(5, 100, 7))[8:], of(row(6, 200, 8))) == of(row(6, 200, 8))


def test_the_end_of_a_row_may_be_missing() -> None:
    assert unpacked(of(row(5, 100, 7))[:-3]).tolist() == row(5, 100, 7)[:-1]


def test_of_two_the_new_one_is_kept_and_of_many_the_dearest(monkeypatch: pytest.MonkeyPatch) -> None:
    both = merged(of(row(5, 100, 7), row(6, 200, 8)), of(row(5, 300, 9)))
    assert both == of(row(5, 300, 9), row(6, 200, 8))
    monkeypatch.setattr(checkpoints, "MOST_ROWS", 2)
    assert merged(both, of(row(4, 250, 1))) == of(row(5, 300, 9), row(4, 250, 1))


def test_each_unit_has_its_own() -> None:
    kept, mine, others = Checkpoints(), Unit(1, 2, "verdict", 9), Unit(1, 2, "verdict", 9, portion=(3,))
    kept.take(tried(mine, of(row(5, 100, 7))))
    assert kept.of(mine) == of(row(5, 100, 7)) and kept.of(others) == NOTHING
    kept.take(tried(others, of(row(6, 100, 7))))
    kept.take(tried(mine, NOTHING))
    assert (kept.of(mine), kept.of(others)) == (of(row(5, 100, 7)), of(row(6, 100, 7)))
    kept.forget(1, 2)
    assert kept.of(mine) == kept.of(others) == NOTHING


def first_unit(ledger: Ledger) -> Unit:
    """The one that is handed out next."""
    (unit,) = ledger.next_units(1)
    return unit


def test_the_next_try_is_told_of_the_tries_before_it() -> None:
    ledger = new_ledger()
    unit = first_unit(ledger)
    assert unit.checkpoints == NOTHING
    ledger.record(tried(unit, of(row(5, 100, 7))))
    while (again := first_unit(ledger))[:2] != unit[:2]:
        ledger.record(result(again, WIN))
    assert again.checkpoints == of(row(5, 100, 7))
    ledger.give_back(again)
    assert first_unit(ledger).checkpoints == of(row(5, 100, 7)), "also if the thread is lost that was at it"


def test_they_outlive_the_process(tmp_path: Path) -> None:
    ledger = new_ledger()
    unit = first_unit(ledger)
    journal = Journal(RunWriter(str(tmp_path)), "problem")
    journal.append([tried(unit, of(row(5, 100, 7)))])
    journal.close()
    (read,) = Journal(RunWriter(str(tmp_path)), "problem").load()
    assert read.checkpoints == of(row(5, 100, 7)) and read.unit == unit
