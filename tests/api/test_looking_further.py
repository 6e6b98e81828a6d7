"""Chances, priors and games from Python: the same as on the command line."""

from __future__ import annotations

from collections.abc import Callable
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


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: pegray.explain(CGP, 3, "Y"), "move=3: expected a text such as 13L ONYX"),
        (lambda: pegray.explain(CGP, "13L ONYX", 3), "draw=3: expected a text such as [AEG]I"),
        (lambda: pegray.explain(CGP, "pass", "[E]"), "draw='[E]': 1 tile in the brackets, but the play draws 0"),
        (lambda: pegray.chances(CGP, "13L ONYX", "[]Y"), "draw='[]Y': 0 tiles in the brackets, but the play draws 1"),
        (lambda: pegray.chances(CGP, "13L ONYX", 3), "draw=3: expected a text such as [AEG]I"),
        (lambda: pegray.chances(CGP, "13L ONYX", top=True), "top=True: expected a whole number of at least 1"),
        (lambda: pegray.Position.from_cgp(None), "None: expected a CGP line"),
        (lambda: pegray.Position.from_cgp(CGP).after(5), "move=5: expected a Move or its text"),
        (lambda: pegray.Game.from_gcg(5), "5: expected a path"),
        (lambda: pegray.Lexicon.named(None), "None: expected the name of a lexicon"),
        (lambda: pegray.open_run(5), "5: expected the path of a run directory, or its URI"),
    ],
)
def test_values_that_are_no_texts(ask: Callable[[], object], message: str) -> None:
    with pytest.raises(pegray.InputError) as error:
        ask()
    assert str(error.value) == message
