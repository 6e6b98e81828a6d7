"""Events of a run as lines of JSON."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path

import pytest

from pegray.errors import RunError
from pegray.files import open_inside
from pegray.results import events
from pegray.results.events import FILE, events_of, log_event
from pegray.results.write import RunWriter


def test_events_are_added_to_the_run_s_file(tmp_path: Path) -> None:
    for session in range(2):
        with events_of(RunWriter(tmp_path)):
            log_event("position finished", position="first", session=session)
    lines = [json.loads(line) for line in (tmp_path / FILE).read_text().splitlines()]
    assert [(line["event"], line["position"], line["session"]) for line in lines] == [
        ("position finished", "first", 0),
        ("position finished", "first", 1),
    ]
    assert all(datetime.fromisoformat(line["time"]).tzinfo is not None for line in lines)


def test_events_outside_a_run_are_lost_quietly(tmp_path: Path, capfd) -> None:  # type: ignore[no-untyped-def]
    log_event("node lost", node="a")
    with events_of(RunWriter(tmp_path)):
        pass
    assert not (tmp_path / FILE).exists()
    assert capfd.readouterr() == ("", "")


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "events.jsonl").symlink_to(tmp_path / "elsewhere")
    with events_of(RunWriter(tmp_path)), pytest.raises(RunError, match=r"events\.jsonl: cannot be written"):
        log_event("node lost", node="a")
    assert not (tmp_path / "elsewhere").exists()


def test_on_a_full_disk_that_is_said_once_and_the_run_goes_on(
    tmp_path: Path, capfd, monkeypatch: pytest.MonkeyPatch
) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(events, "open_inside", lambda path, mode: open_inside("/dev/full", mode))
    with (
        pytest.warns(UserWarning, match=r"events\.jsonl: cannot be written: .*No space left on device") as caught,
        events_of(RunWriter(tmp_path)),
    ):
        log_event("node lost", node="a")
        log_event("node lost", node="b")
    assert len(caught) == 1
    assert capfd.readouterr() == ("", "")
