"""A batch whose processes are killed ends as one that nobody disturbs."""

from __future__ import annotations

from pathlib import Path

import pytest

from .chaos import chaos


@pytest.mark.ray
@pytest.mark.slow
@pytest.mark.timeout(900)
def test_killed_at_random(tmp_path: Path) -> None:
    report = chaos(tmp_path, positions=6, kills=6, seed=2)
    assert report.kills.total() == 6
    assert report.rows_compared > 6 * 40
    assert not report.differences
