"""What is asked of each way to solve a position, and how: units of one play and one draw, with growing budgets."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pegray.game.position import Position
from pegray.kernels.entry import UNIT, settle_draws, settle_staying
from pegray.kernels.limits import NO_LIMIT
from pegray.kernels.memory import new_memory
from pegray.kernels.workspace import Workspace
from pegray.preendgame.engine import root_workspace

_FIRST_BUDGET = 1_000  # nodes
_GROWTH = 4
_TABLE_GIB = 1 / 16
_ARENA_WORDS = 1 << 23
_LOOK_SECONDS = 0.02


class Unit(NamedTuple):
    """A play with one draw.

    move, draw: packed
    stays: tiles left in the bag
    spread: ours after the play
    """

    move: int
    draw: int
    stays: int
    spread: int


@dataclass(frozen=True)
class Asked:
    """Units of one position, with the words that fit it and all words there are (word graphs, uint32[])."""

    name: str
    position: Position
    fitting: npt.NDArray[np.uint32]
    words: npt.NDArray[np.uint32]
    units: tuple[Unit, ...]


@dataclass(frozen=True)
class Answers:
    """What was found in time: a verdict for each order of the tiles that stay, by unit; and the nodes of it all."""

    verdicts: dict[Unit, tuple[int, ...]]
    nodes: int


def answer(asked: Asked, words: npt.NDArray[np.uint32], seconds: float) -> tuple[Answers, Workspace]:
    """Settle as many units as CPU time allows, with these words: the cheapest first, since budgets begin small."""
    workspace = root_workspace(asked.position, words, new_memory(_TABLE_GIB), _ARENA_WORDS)
    verdicts: dict[Unit, tuple[int, ...]] = {}
    left = list(asked.units)
    budget = _FIRST_BUDGET
    with _halted_after(seconds, workspace) as halt:
        while left and not halt[0]:
            for unit in left:
                if halt[0]:
                    break
                found = _settle(workspace, unit, budget)
                if found is not None:
                    verdicts[unit] = found
            left = [unit for unit in left if unit not in verdicts]
            budget *= _GROWTH
    return Answers(verdicts, int(workspace.part("limits")["nodes"][0])), workspace


def _settle(workspace: Workspace, unit: Unit, budget: int) -> tuple[int, ...] | None:
    """The verdicts of a unit, or None where that takes more nodes or time."""
    units = np.array([(unit.move, unit.draw, unit.spread, 1, 0, budget)], UNIT)
    asked = (workspace.record, units, unit.stays, np.uint64(0), NO_LIMIT)
    end: Any
    if unit.stays == 0 or (unit.stays == 1 and unit.move == 0):
        verdicts, _, (end,) = settle_draws(*asked)
    else:
        verdicts, _, end = settle_staying(*asked)
    return None if end[2] else tuple(verdicts.tolist())


@contextmanager
def _halted_after(seconds: float, workspace: Workspace) -> Iterator[npt.NDArray[np.uint64]]:
    """A context in which the workspace's kernels are stopped after so many CPU seconds; yields what tells them so."""
    halt = workspace.arrays["limits.halt"]
    until = time.process_time() + seconds
    over = threading.Event()

    def watch() -> None:
        while not over.wait(_LOOK_SECONDS):
            if time.process_time() >= until:
                halt[0] = 1

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield halt
    finally:
        over.set()
        watcher.join()
