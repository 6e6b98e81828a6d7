"""Chances, priors and games from Python: the same as on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

import pegray

ROOT = Path(__file__).parents[2]
CGP = (ROOT / "jobs" / "first.cgp").read_text(encoding="utf-8").splitlines()[-1]


def test_chances() -> None:
    found = pegray.chances(CGP, "13J EXON", "[U]")
    assert isinstance(found, pegray.Chances)
    assert (found.total, found.lost_to_any, found.lost_to_every) == (1, 0.5, 0)
    assert repr(found) == "<Chances 13J EXON: of 1 draws lost 0.5 to any, 0 to the top 5, 0 to every reply>"
    with pytest.raises(pegray.InputError, match="top=0: expected a whole number of at least 1"):
        pegray.chances(CGP, "13J EXON", top=0)


def test_a_prior() -> None:
    # a play that is cut off might be best with other weights
    result = pegray.solve(CGP, only=["13L ONYX", "13J EXON"], early_cutoff=False, tiebreak=False)
    weighed = pegray.with_prior(result, "select 'Y' as leave, 0.25 as weight")
    assert weighed.best is not None and result.best is not None
    assert weighed.best.move == result.best.move == "13L ONYX"
    # the Y is in the bag as often as before, where 13L ONYX ties; racks that hold it count a quarter
    assert (weighed.best.points, weighed.total) == (2.25, 2.75)
    with pytest.raises(pegray.InputError, match="expected the columns"):
        pegray.with_prior(result, "select 1 as weight")


def test_a_game() -> None:
    game = pegray.Game.from_gcg(ROOT / "jobs" / "games" / "close.gcg")
    turns = list(pegray.review(game, max_bag=0))
    assert turns
    for one in turns:
        assert one.judgement is None or (one.judgement.in_endgame and one.judgement.proven)
    assert any(one.judgement is not None and one.judgement.most is not None for one in turns)
    with pytest.raises(pegray.InputError, match="max_bag=7: expected a whole number from 0 to 6"):
        next(pegray.review(game, max_bag=7))
