"""However the positions of the differential tests are solved, what is finished has the same outcomes."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from pegray.kernels.memory import memory_of
from pegray.kernels.table import empty_table
from tests.kernels.adapter import TABLE_ENTRIES, KernelPlay, KernelPosition
from tests.kernels.test_differential import BATCH, FAST, ORACLE, positions
from tests.reference.positions import RandomPosition

TINY_TABLE = 16


def check_ways(position: RandomPosition) -> None:
    """A tiny table, two threads, one that helps another, and plays left once they have lost more than the best."""
    plays = KernelPosition(position).plays()
    assert KernelPosition(position, table_entries=TINY_TABLE).plays() == plays, str(position)
    assert on_two_threads(position) == plays, str(position)
    assert all(found == plays for found in with_a_helper(position)), str(position)

    finished, cut = KernelPosition(position).plays_with_cutoff()
    assert set(finished) | set(cut) == set(plays) and not set(finished) & set(cut)
    lost = {
        name: sum(weight * {"W": 0, "D": 1, "L": 2}[outcome] for weight, outcome in play.outcomes.values())
        for name, play in plays.items()
    }
    fewest = min(lost.values(), default=0)
    for name, outcomes in finished.items():
        assert outcomes == plays[name].outcomes, f"{name} in {position}"
    for name, at_least in cut.items():
        assert lost[name] >= at_least > fewest, f"{name} in {position}"


def on_two_threads(position: RandomPosition) -> dict[str, KernelPlay]:
    """Each thread settles every other play, and both use one memory."""
    memory = memory_of(empty_table(TABLE_ENTRIES))
    kernels = [KernelPosition(position, memory=memory) for _ in range(2)]
    with ThreadPoolExecutor(2) as threads:
        shares = list(threads.map(lambda part: kernels[part].plays(part=part, parts=2), range(2)))
    return {**shares[0], **shares[1]}


def with_a_helper(position: RandomPosition) -> list[dict[str, KernelPlay]]:
    """Both threads settle all plays, one of them as a helper that leaves alone what the other is at."""
    memory = memory_of(empty_table(TABLE_ENTRIES))
    memory.count_helpers(+1)
    kernels = [KernelPosition(position, memory=memory) for _ in range(2)]
    kernels[1].record["taken"]["helps"] = 1
    with ThreadPoolExecutor(2) as threads:
        found = list(threads.map(KernelPosition.plays, kernels))
    assert not memory.taken[:-1].any(), "every play that was taken has been left"
    return found


def test_good_replies_that_are_known_beforehand_change_nothing() -> None:
    """Replies that brought something down are tried first wherever they can be made: of a whole solve, in another."""
    known = 0
    for position in positions(0, FAST, 5):
        first, second = KernelPosition(position), KernelPosition(position)
        plays = first.plays()
        known += int((first.record["replies"]["good"][0, :, 0] != 0).sum())
        second.record["replies"] = first.record["replies"]
        assert second.plays() == plays, str(position)
    assert known > FAST


@pytest.mark.parametrize("helpers", [0, 1])
def test_draws_that_were_found_before_change_nothing(helpers: int) -> None:
    recalled = 0
    for position in positions(0, FAST, 5):
        memory = memory_of(empty_table(TABLE_ENTRIES))
        plays = KernelPosition(position, memory=memory).plays()
        knowing = replace(memory_of(empty_table(TABLE_ENTRIES)), found=memory.found)
        knowing.count_helpers(helpers)
        told = KernelPosition(position, memory=knowing)
        assert told.plays() == plays, str(position)
        recalled += int(told.record["found"]["recalled"].sum())
    assert recalled > FAST


@pytest.mark.parametrize("start", range(0, FAST, BATCH))
def test_ways_to_solve(start: int) -> None:
    for position in positions(start, BATCH, 5):
        check_ways(position)


@pytest.mark.oracle
@pytest.mark.parametrize("start", ORACLE)
def test_more_ways_to_solve(start: int) -> None:
    for position in positions(start, BATCH, 8):
        check_ways(position)
