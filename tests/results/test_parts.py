"""Names of the parts of a journal."""

from __future__ import annotations

import random

from pegray.results.parts import is_anothers, part_name, parts_that_count

ONE, OTHER = "0123abcd", "89efabcd"


def test_a_part_counts_unless_another_is_made_of_it() -> None:
    plain = [part_name("a", ONE, time) for time in (10, 20, 30, 40)]
    joined = part_name("a", ONE, 30, 20)
    others = [part_name("a", OTHER, 25), part_name("b", ONE, 25)]
    foreign = ["000000.parquet", "notes.txt"]
    names = [*plain, joined, *others, *foreign]
    random.Random(1).shuffle(names)
    counting = parts_that_count(names)
    assert set(counting) == {*names} - {plain[1], plain[2]}
    assert [name for name in counting if name.startswith("a")] == [plain[0], others[0], joined, plain[3]]


def test_a_part_that_is_made_of_joined_ones() -> None:
    names = [part_name("a", ONE, 20, 10), part_name("a", ONE, 40, 30), part_name("a", ONE, 40, 10)]
    assert parts_that_count(names) == names[2:]


def test_whose_part_it_is() -> None:
    assert not is_anothers(part_name("a", ONE, 10), "a")
    assert not is_anothers(part_name("a", ONE, 10, 5), "a")
    assert is_anothers(part_name("ab", ONE, 10), "a")
    assert is_anothers(part_name("ab", ONE, 10, 5), "a")
    assert not is_anothers("a.parquet", "a")
