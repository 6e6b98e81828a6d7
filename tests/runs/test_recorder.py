"""When the tables of a position are written."""

from __future__ import annotations

from pegray.runs.recorder import WriteTimes
from pegray.terms import State


def test_tables_are_written_at_once_and_again_after_some_seconds() -> None:
    times = WriteTimes(State.OPEN, 10.0)
    assert times.due(State.OPEN, 3.0)
    times.wrote(State.OPEN, 3.0, 3.01, underway=1)
    assert not times.due(State.OPEN, 13.0)
    assert times.due(State.OPEN, 13.01)


def test_writing_takes_a_hundredth_of_the_time_of_all_positions_together() -> None:
    times = WriteTimes(State.OPEN, 10.0)
    times.wrote(State.OPEN, 0.0, 1.0, underway=3)
    assert not times.due(State.OPEN, 300.0)
    assert times.due(State.OPEN, 301.0)


def test_tables_are_written_when_the_state_has_changed() -> None:
    times = WriteTimes(State.OPEN, 10.0)
    times.wrote(State.OPEN, 3.0, 3.01, underway=1)
    assert times.is_new(State.ANSWERED) and times.due(State.ANSWERED, 4.0)
    times.wrote(State.ANSWERED, 4.0, 4.01, underway=1)
    assert not times.is_new(State.ANSWERED) and not times.due(State.ANSWERED, 5.0)
