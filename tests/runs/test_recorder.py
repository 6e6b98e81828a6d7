"""When the tables of a position are written."""

from __future__ import annotations

from pegray.runs.recorder import WriteTimes


def test_tables_are_written_at_once_and_again_after_some_seconds() -> None:
    times = WriteTimes(10.0)
    assert times.due(3.0)
    times.wrote(3.0, 3.01, underway=1)
    assert not times.due(13.0)
    assert times.due(13.01)


def test_writing_takes_a_hundredth_of_the_time_of_all_positions_together() -> None:
    times = WriteTimes(10.0)
    times.wrote(0.0, 1.0, underway=3)
    assert not times.due(300.0)
    assert times.due(301.0)
