"""With ``NUMBA_DISABLE_JIT=1`` the kernels are plain Python, and answer as the compiled ones do."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import asdict, replace
from typing import Any

import numba
import numpy as np
import pytest

from pegray.kernels import intrinsics, lane_masks
from pegray.uncompiled import in_plain_python
from tests.kernels.adapter import KernelPosition
from tests.reference.positions import RandomPosition

WORDS = frozenset(["AT", "TA", "TAB", "BAT", "BATS", "CAB", "CABS", "AB"])
BOARD = tuple("......CAB......" if row == 7 else "." * 15 for row in range(15))
ENDGAME = RandomPosition("endgame", WORDS, BOARD, "TA", "S", 1, 0, 0, "")
PRE_ENDGAMES = (
    replace(ENDGAME, our_rack="S", unseen="TB", spread=1),
    replace(ENDGAME, our_rack="T", unseen="AVV", spread=-1),
)

PRINT = """
import json, numba
from {module} import answers
assert numba.config.DISABLE_JIT
print(json.dumps(answers()))
"""


def answers() -> Any:
    """Values, lines, outcomes and the nodes that they took."""
    endgame = KernelPosition(ENDGAME)
    gain = endgame.endgame_gain()
    found = [gain, endgame.endgame_line(gain), int(endgame.record["limits"]["nodes"][0])]
    for position in PRE_ENDGAMES:
        kernels = KernelPosition(position)
        plays = {name: asdict(play) for name, play in kernels.plays().items()}
        found += [plays, int(kernels.record["limits"]["nodes"][0]), int(kernels.record["decisions"]["made"][0])]
    return json.loads(json.dumps(found))


def answers_in_plain_python(module: str) -> Any:
    """What ``answers()`` of a module returns, as JSON has it, in a process whose kernels are plain Python."""
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    command = [sys.executable, "-W", "error", "-c", PRINT.format(module=module)]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)


def test_plain_python_finds_what_machine_code_finds() -> None:
    found = answers_in_plain_python("tests.kernels.test_plain_python")
    assert found == answers()
    assert found[-1] > 0, "one of the pre-endgames has a choice of ours with tiles in the bag"


@pytest.mark.parametrize("word", [1, 2, 12, 1 << 63, (1 << 64) - 1])
def test_twins_of_bit_counts(word: int) -> None:
    assert intrinsics._count_ones(np.uint64(word)) == f"{word:b}".count("1")
    assert intrinsics._trailing_zeros(np.uint64(word)) == len(f"{word:b}") - len(f"{word:b}".rstrip("0"))


def test_the_fields_of_a_record_are_read_and_written_where_they_are() -> None:
    part = np.dtype([("count", "i8"), ("byte", "u1", (2,))])
    records = np.zeros(2, [("number", "i8"), ("row", "u8", (3,)), ("part", part)])

    @in_plain_python
    def write(array: Any, number: int, factor: np.uint64) -> Any:
        record = array[1]
        record.number = number
        record.row[2] = factor * np.uint64(3)
        part = record.part
        part.count += number
        record.part.count += 1
        part.byte[1] = 9
        with pytest.raises(AttributeError, match="no field missing"):
            _ = record.missing
        return record.number + 1

    assert write(records, number=6, factor=np.uint64(1 << 63)) == 7
    assert records["number"].tolist() == [0, 6]
    assert records["row"][1].tolist() == [0, 0, 1 << 63]
    assert records["part"]["count"].tolist() == [0, 7]
    assert records["part"]["byte"].tolist() == [[0, 0], [0, 9]]


@numba.njit
def rows(to: Any, one: Any, other: Any) -> None:
    intrinsics.add_words(to, 3, one, 5, other, 7, 8)
    intrinsics.add_words(to, 20, one, 1, other, 2, 16)
    intrinsics.raise_words(to, 40, one, 9, -700, other, 11, 8)
    intrinsics.raise_words(to, 60, one, 13, 900, other, 17, 16)
    intrinsics.outdo_words(to, 4, one, 33, 8)
    intrinsics.outdo_words(to, 24, one, 50, 16)


def test_twins_of_rows() -> None:
    random = np.random.default_rng(5)
    for _ in range(20):
        to, one, other = (random.integers(-9000, 9000, 90).astype(np.int16) for _ in range(3))
        compiled = to.copy()
        rows(compiled, one, other)
        intrinsics._add_words(to, 3, one, 5, other, 7, 8)
        intrinsics._add_words(to, 20, one, 1, other, 2, 16)
        intrinsics._raise_words(to, 40, one, 9, -700, other, 11, 8)
        intrinsics._raise_words(to, 60, one, 13, 900, other, 17, 16)
        intrinsics._outdo_words(to, 4, one, 33, 8)
        intrinsics._outdo_words(to, 24, one, 50, 16)
        assert compiled.tolist() == to.tolist()


@numba.njit
def turned(to: Any, one: Any) -> None:
    lane_masks.turn_bits(to, 3, one, 7)


def test_twin_of_turned_bits() -> None:
    random = np.random.default_rng(6)
    to, one = (random.integers(0, 1 << 16, 30).astype(np.uint16) for _ in range(2))
    compiled = to.copy()
    turned(compiled, one)
    lane_masks._turn_bits(to, 3, one, 7)
    assert compiled.tolist() == to.tolist()
    assert all(to[3 + i] >> j & 1 == one[7 + j] >> i & 1 for i in range(16) for j in range(16))


@numba.njit
def masked(tiles: Any, along: Any, across: Any, live: Any, near: Any, board: Any) -> Any:
    lane_masks.mark_beside(tiles, along, across, live, 2)
    lane_masks.mark_live(live, along, across, 2, near, tiles, across, 20)
    lane_masks.spread(near, 40, 20, live, 2)
    lane_masks.mark_excess(tiles, along, 4, across, live, 21)
    lane_masks.mark_differing(along, live, 24, near, across, 30)
    return lane_masks.nonzero(board, 3), lane_masks.nonzero(tiles, 5), lane_masks.differing(live, across, 4)


def test_twins_of_masks() -> None:
    random = np.random.default_rng(7)
    board = random.integers(0, 2, 30).astype(np.uint8)
    plain = [(random.integers(0, 1 << 16, 60) & random.integers(0, 1 << 16, 60)).astype(np.uint16) for _ in range(5)]
    compiled = [masks.copy() for masks in plain]
    found = masked(*compiled, board)
    tiles, along, across, live, near = plain
    lane_masks._mark_beside(tiles, along, across, live, 2)
    lane_masks._mark_live(live, along, across, 2, near, tiles, across, 20)
    lane_masks._spread(near, 40, 20, live, 2)
    lane_masks._mark_excess(tiles, along, 4, across, live, 21)
    lane_masks._mark_differing(along, live, 24, near, across, 30)
    assert found[:2] == (lane_masks._nonzero(board, 3), lane_masks._nonzero(tiles, 5))
    assert found[2] == lane_masks._differing(live, across, 4)
    assert [masks.tolist() for masks in compiled] == [masks.tolist() for masks in plain]
