"""A result small enough to check by eye."""

from __future__ import annotations

import pytest

from pegray.results.model import SolveResult, SolveStats
from pegray.results.play import Outcome, PlayResult


def play(move: str, rank: int | None, status: str, found_losses: float, outcomes: list[Outcome]) -> PlayResult:
    finished = status == "finished"
    return PlayResult(
        rank=rank,
        move=move,
        score=40,
        tiles=4,
        tiles_left=0,
        status=status,
        total=8,
        points=8 - found_losses if finished else None,
        wins=7 if finished else None,
        draws=1 if finished else None,
        losses=0 if finished else None,
        win_pct=12.5 * (8 - found_losses) if finished else None,
        found_losses=found_losses,
        at_least=8 - found_losses if finished else float(sum(o.weight for o in outcomes if o.outcome == "W")),
        at_most=8 - found_losses,
        spread=8.75 if finished else None,
        proven=True,
        endgames=3,
        nodes=12,
        cpu_seconds=0.5,
        outcomes=outcomes,
    )


@pytest.fixture
def result() -> SolveResult:
    """One play finished, one cut off, one not worked on since it is at most level; stopped when it was answered."""
    won = Outcome("[A]", "A", "", 7, "W", True, True, 12, None, 5)
    drawn = Outcome("[Y]", "Y", "", 1, "D", True, True, 0, "M3 CAUSEY", 7)
    lost = Outcome("[A]", "A", "", 2, "L", True, True, None, "M4 SAUCY", 3)
    return SolveResult(
        cgp="cgp of the position",
        lexicon="ENABLE",
        bag=1,
        unseen="AACEISUY",
        total=8,
        opponent="guaranteed",
        state="answered",
        plays=[
            play("13L ONYX", 1, "finished", 0.5, [won, drawn]),
            play("N3 STEY", None, "cut_off", 2.0, [lost]),
            play("pass", None, "unfinished", 0.5, []),
        ],
        stats=SolveStats(seconds=1.5, cpu_seconds=2.5, endgames=9, nodes=36, interrupted=True),
        answered_seconds=1.25,
    )
