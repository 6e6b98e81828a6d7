"""A position, and what solves of it come to, small enough to check by eye; no kernels."""

from __future__ import annotations

from pathlib import Path

from pegray.results.model import SolveResult, SolveStats
from pegray.results.play import Outcome, PlayResult
from pegray.results.write import RunWriter

FIRST = Path(__file__).parents[2] / "jobs" / "first.cgp"
CGP = FIRST.read_text(encoding="utf-8").splitlines()[-1]
WON = Outcome("[A]", "A", "", 2, "W", True, True, 12, None, 5)
TIED = Outcome("[Y]", "Y", "", 1, "D", True, True, 0, "2A CAI.UE", 7)
LOST = Outcome("[A]", "A", "", 2, "L", True, True, None, "O5 SAUCY", 3)
POSSIBLE = Outcome("[]Y", "", "Y", 1, "L", False, True, None, "2A CAI.UE", 3)


def play(move: str, rank: int | None, status: str, least: float, most: float, outcomes: list[Outcome]) -> PlayResult:
    finished = status == "finished"
    return PlayResult(
        rank=rank,
        move=move,
        score=33,
        tiles=0 if move == "pass" else 4,
        tiles_left=1 if move == "pass" else 0,
        status=status,
        total=8,
        points=least if finished else None,
        wins=7 if finished else None,
        draws=1 if finished else None,
        losses=0 if finished else None,
        win_pct=12.5 * least if finished else None,
        found_losses=8 - most,
        at_least=least,
        at_most=most,
        spread=8.75 if rank == 1 else None,
        proven=True,
        endgames=3,
        nodes=12,
        cpu_seconds=0.5,
        outcomes=outcomes,
    )


def answer(state: str) -> SolveResult:
    """An open position, or one that is complete."""
    done = state == "complete"
    best = play("13L ONYX", 1 if done else None, "finished" if done else "unfinished", 7.5 if done else 2, 7.5, [])
    best.outcomes = [WON, TIED] if done else [WON]
    others = [
        play("N3 STEY", None, "cut_off" if done else "unfinished", 0, 6, [LOST]),
        play("pass", None, "cut_off" if done else "unfinished", 0, 7, [POSSIBLE]),
    ]
    stats = SolveStats(seconds=1.5, cpu_seconds=2.5, endgames=9, nodes=36, interrupted=not done)
    return SolveResult(
        cgp=CGP,
        lexicon="ENABLE",
        bag=1,
        unseen="AACEISUY",
        total=8,
        opponent="guaranteed",
        state=state,
        plays=[best, *others],
        stats=stats,
        answered_seconds=1.25 if done else None,
        complete_seconds=1.5 if done else None,
    )


def write_answer(out: RunWriter, state: str) -> None:
    """What a solve of the run's first position has come to so far."""
    found = answer(state)
    out.write_solve(0, found)
    out.write_manifest(
        {"stats": {"0": dict(vars(found.stats))}, "state": "finished" if state == "complete" else "running"}
    )
