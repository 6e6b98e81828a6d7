"""The picture of whole positions, from the files of ``pegray bench --whole``."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.curve import draw
from pegray.bench.record import write_run
from pegray.errors import InputError
from tests.bench.test_whole import measured, new_run


def test_several_runs_in_one_picture(tmp_path: Path) -> None:
    paths = [str(tmp_path / "short.json"), str(tmp_path / "long.json")]
    write_run(new_run(measured("a", 1, 0.5), measured("b", 2, None), cap=60), paths[0])
    write_run(new_run(measured("c", 1, 300.0), cap=600), paths[1])
    draw(paths, str(tmp_path / "curve.png"))
    assert (tmp_path / "curve.png").stat().st_size > 1000
    with pytest.raises(InputError, match=r"nowhere/curve\.png: No such file or directory"):
        draw(paths, str(tmp_path / "nowhere" / "curve.png"))


def test_nothing_is_answered(tmp_path: Path) -> None:
    write_run(new_run(measured("a", 1, None)), tmp_path / "run.json")
    with pytest.raises(InputError, match="no position is answered"):
        draw([str(tmp_path / "run.json")], str(tmp_path / "curve.png"))
