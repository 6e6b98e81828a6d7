"""Compiled kernels are kept between processes.

numba crashes when it loads a cached kernel whose recursive callee was called with literal-typed constants
(numba issue 6061), so each recursive kernel has to have one signature, without a literal.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

COMPILE = """
from pegray.kernels import draws, endgame, generate, preendgame
from pegray.kernels.catalogue import warm_up

warm_up(("plays", "draws", "verdicts", "spreads", "staying"))
recursive = (
    endgame.search,
    preendgame.value,
    generate._extend_left,
    generate._extend_right,
    draws._walk_sequences,
    draws._walk_multisets,
)
for kernel in recursive:
    signatures = [str(signature) for signature in kernel.signatures]
    assert len(signatures) == 1, (kernel, signatures)
    assert "iteral" not in signatures[0], (kernel, signatures)
"""

SOLVE = """
import pegray
from pegray.kernels import entry

result = pegray.solve({cgp!r}, "ENABLE", only=["13L ONYX", "pass"])
assert {{play.move for play in result.plays}} == {{"13L ONYX", "pass"}}
assert not any(play.status == "unfinished" for play in result.plays)
for kernel in (entry.set_root, entry.settle_draws, entry.settle_spread):
    assert sum(kernel.stats.cache_hits.values()) == 1, (kernel, kernel.stats)
    assert not kernel.stats.cache_misses, (kernel, kernel.stats)
"""


def run(script: str, cache: Path) -> None:
    environment = os.environ | {
        "NUMBA_CACHE_DIR": str(cache),
        "PYTHONPATH": os.pathsep.join(p for p in sys.path if p),
    }
    subprocess.run([sys.executable, "-c", script], env=environment, cwd=cache, check=True)


@pytest.mark.slow
def test_a_second_process_loads_what_the_first_has_compiled(tmp_path: Path) -> None:
    run(COMPILE, tmp_path)
    lines = (ROOT / "jobs" / "first.cgp").read_text().splitlines()
    cgp = next(line for line in lines if line and not line.startswith("#"))
    run(SOLVE.format(cgp=cgp), tmp_path)
