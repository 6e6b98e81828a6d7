"""One process at a time works on a run; whoever looks whether one does is in nobody's way."""

from __future__ import annotations

import fcntl
import threading
from pathlib import Path

import pytest

from pegray.errors import RunError
from pegray.results import lock
from pegray.results.lock import LOCK, is_left, is_locked, lock_folder


def test_the_first_has_it(tmp_path: Path) -> None:
    held = lock_folder(str(tmp_path))
    assert held is not None and is_locked(str(tmp_path))
    with pytest.raises(RunError, match=r"another process works on this run \(process \d+ on "):
        lock_folder(str(tmp_path))
    held.close()
    assert not is_locked(str(tmp_path)) and is_left(str(tmp_path))
    again = lock_folder(str(tmp_path))
    assert again is not None
    again.close()


def test_who_only_looks_does_not_keep_others_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A look shares the lock for a moment, here until the first try has failed."""
    (tmp_path / LOCK).write_text("")
    with open(tmp_path / LOCK, encoding="utf-8") as looking:
        fcntl.flock(looking, fcntl.LOCK_SH)
        monkeypatch.setattr(lock.time, "sleep", lambda seconds: looking.close())
        held = lock_folder(str(tmp_path))
        assert held is not None and looking.closed
        held.close()


def test_many_that_look(tmp_path: Path) -> None:
    (tmp_path / LOCK).write_text("")
    over = threading.Event()

    def look() -> None:
        while not over.is_set():
            is_locked(str(tmp_path))

    lookers = [threading.Thread(target=look) for _ in range(4)]
    for looker in lookers:
        looker.start()
    try:
        for _ in range(20):
            held = lock_folder(str(tmp_path))
            assert held is not None
            held.close()
    finally:
        over.set()
        for looker in lookers:
            looker.join()
