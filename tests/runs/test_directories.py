"""Run directories that pegray names itself: each is one run's, whoever begins one at the same time."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pegray.errors import InputError
from pegray.runs.directories import begin_with, new_directory, take_up
from pegray.runs.plan import Plan


def test_many_at_once(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: new_directory(tmp_path / "runs", "first"), range(24)))
    assert len(set(made)) == 24
    assert all(re.fullmatch(r"\d{8}-\d{6}-first(-\d+)?", Path(one).name) for one in made)
    assert not any(list(Path(one).iterdir()) for one in made)


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "runs").write_text("")
    with pytest.raises(InputError, match=r"^[^\n]*runs: not a directory$"):
        new_directory(tmp_path / "runs", "first")
    with pytest.raises(InputError, match=r"^[^\n]*: cannot be written: [^\n]*$"):
        new_directory(tmp_path / "runs" / "below", "first")


def test_a_run_is_not_begun_over_another(tmp_path: Path) -> None:
    directory = str(tmp_path / "run")
    begin_with(directory, Plan("first", ()), []).release()
    with pytest.raises(InputError, match=r"^[^\n]*run: holds a run already$"):
        begin_with(directory, Plan("second", ()), [])
    out, plan = take_up(directory)
    out.release()
    assert plan.name == "first"
