"""With ``NUMBA_BOUNDSCHECK=1`` kernels check every index, of a record and of arrays that they find by address."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pegray.kernels.position import MAX_PLIES

CHECK = """
import numpy as np
from pegray.kernels.bits import entry_kernel, kernel, words_of
from pegray.kernels.position import MAX_PLIES
from pegray.kernels.workspace import WORKSPACE

@kernel
def rack_of(position, ply):
    return position.rack[ply, 1]

@entry_kernel
def look(record, ply, word):
    workspace = record[0]
    return rack_of(workspace.position, ply) + words_of(workspace.arena.words)[word]

arena = np.arange(8, dtype=np.uint64)
record = np.zeros(1, WORKSPACE)
record["arena"]["words"] = (arena.ctypes.data, len(arena))
assert look(record, MAX_PLIES - 1, 7) == 7
for ply, word in ((MAX_PLIES, 0), (0, 8), (-1, 0), (0, -1)):
    try:
        look(record, ply, word)
    except IndexError:
        print("checked", ply, word)
"""
TOO_LARGE = [f"checked {MAX_PLIES} 0", "checked 0 8"]
NEGATIVE = ["checked -1 0", "checked 0 -1"]  # in plain Python these count from the end


@pytest.mark.parametrize(("plain", "raise_errors"), [(False, TOO_LARGE + NEGATIVE), (True, TOO_LARGE)])
def test_an_index_that_is_out_of_bounds_raises(plain: bool, raise_errors: list[str], tmp_path: Path) -> None:
    mode = {"NUMBA_DISABLE_JIT": "1"} if plain else {"NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(tmp_path)}
    environment = os.environ | mode | {"PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    script = tmp_path / "check.py"
    script.write_text(CHECK, encoding="utf-8")
    done = subprocess.run([sys.executable, script], env=environment, stdout=subprocess.PIPE, text=True, check=True)
    assert done.stdout.splitlines() == raise_errors
