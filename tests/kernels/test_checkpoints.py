"""What a stopped search hands on: it leads to the same verdicts in other processes, and nothing else does any harm."""

from __future__ import annotations

import numpy as np
import pytest

from pegray.game.position import Position
from pegray.kernels.checkpoints import HEAD_WORDS, KIND_BITS, LEAST_NODES, NODES_SHIFT
from pegray.kernels.entry import restore_checkpoints
from pegray.kernels.memory import new_memory
from pegray.lexicon.find import find_lexicon
from pegray.preendgame import solver as solvers
from pegray.preendgame.checkpoints import merged, unpacked
from pegray.preendgame.options import SolveOptions
from pegray.preendgame.problem import Problem
from pegray.preendgame.solver import PositionSolver
from pegray.preendgame.work import Settled, Unit
from pegray.terms import UnitKind
from tests.preendgame.test_ledger import FIRST

# Five in the bag; these plays leave two, and take some thousand nodes for this draw.
PLAYS = (77, 105, 123, 148)
DRAW = 3
LEG = 3_000
HALF = 10_000  # of what the first of these plays takes


@pytest.fixture(scope="module")
def problem() -> Problem:
    lines = FIRST.with_name("five-and-six.cgp").read_text().splitlines()
    position = Position.from_cgp(next(line for line in lines if line and not line.startswith("#")))
    return Problem.create(position, find_lexicon("ENABLE", position.distribution), SolveOptions(early_cutoff=False))


@pytest.fixture(autouse=True)
def short_tries_bring_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solvers, "LEAST_BUDGET", 0)


def settle(problem: Problem, play: int, budget: int, checkpoints: bytes = b"") -> Settled:
    """A try in a process that knows nothing else."""
    solver = PositionSolver(problem, new_memory(0.01))
    (result,) = solver.settle([Unit(play, DRAW, UnitKind.VERDICT, budget, checkpoints=checkpoints)])
    return result


@pytest.mark.parametrize("play", PLAYS)
def test_a_unit_in_legs_comes_to_the_same(problem: Problem, play: int) -> None:
    whole = settle(problem, play, 1_000_000)
    assert whole.finished and whole.nodes > 2 * LEG and whole.checkpoints == b""
    checkpoints, legs = b"", 0
    leg = settle(problem, play, LEG)
    while not leg.finished:
        legs += 1
        checkpoints = merged(checkpoints, leg.checkpoints)
        # some of what is done within a leg is begun anew with each
        leg = settle(problem, play, LEG + 500 * legs, checkpoints)
    assert legs > 1 and leg.outcomes == whole.outcomes


def test_checkpoints_share_no_node_and_each_took_long(problem: Problem) -> None:
    leg = settle(problem, PLAYS[0], HALF)
    rows = unpacked(leg.checkpoints)
    nodes, at = [], 0
    while at < len(rows):
        nodes.append(int(rows[at]) >> NODES_SHIFT)
        at += HEAD_WORDS + ((int(rows[at]) & ((1 << NODES_SHIFT) - 1)) >> KIND_BITS)
    assert at == len(rows) and len(nodes) > 3
    assert min(nodes) >= LEAST_NODES and sum(nodes) <= leg.nodes


def test_a_unit_that_is_cut_off_at_once_does_not_bring_those_of_the_one_before(problem: Problem) -> None:
    solver = PositionSolver(problem, new_memory(0.01))
    unit = Unit(PLAYS[0], DRAW, UnitKind.VERDICT, HALF)
    (leg,) = solver.settle([unit])
    solver.memory.bound[0] = 5
    (cut,) = solver.settle([unit._replace(lost=6)])
    assert leg.checkpoints and not cut.finished and cut.checkpoints == b""


def test_what_finds_no_room_is_left_out(problem: Problem) -> None:
    solver = PositionSolver(problem, new_memory(0.01))
    solver._workspace.point("checkpoints", "rows", np.zeros(7, np.uint64))
    (leg,) = solver.settle([Unit(PLAYS[0], DRAW, UnitKind.VERDICT, HALF)])
    assert 0 < len(unpacked(leg.checkpoints)) <= 7


def test_rows_that_are_not_whole_are_left_out(problem: Problem) -> None:
    rows = unpacked(settle(problem, PLAYS[0], HALF).checkpoints)
    for end in range(len(rows)):
        solver = PositionSolver(problem, new_memory(0.01))
        restore_checkpoints(solver.record, rows[:end])
    rows[0] |= np.uint64(0xFFFFFF00)  # longer than all of them
    restore_checkpoints(solver.record, rows)
