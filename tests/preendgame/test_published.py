"""Published results (docs and tests of other solvers, and analyses by players), reproduced exactly."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import pegray
from pegray.lexicon.lexicon import Lexicon
from pegray.preendgame.solve_endgame import solve_endgame
from pegray.results.model import SolveResult
from pegray.results.play import PlayResult
from tests.game.positions import PUBLISHED

Solve = Callable[..., SolveResult]


@pytest.fixture
def solve(tournament_lexicon: Callable[..., Lexicon]) -> Solve:
    """``solve("onyx", "NWL20")``: a published position, in this process."""

    def run(name: str, lexicon: str, distribution: str = "english", **options: Any) -> SolveResult:
        return pegray.solve(PUBLISHED[name], tournament_lexicon(lexicon, distribution), **options)

    return run


def play(result: SolveResult, move: str) -> PlayResult:
    (found,) = [play for play in result.plays if play.move == move]
    assert found.status == "finished" and found.proven
    return found


def drawn(play: PlayResult, letter: str) -> set[str]:
    """The eventualities in which a play wins, draws or loses."""
    return {outcome.draw for outcome in play.outcomes if outcome.outcome == letter}


@pytest.mark.oracle
def test_vivons(solve: Solve) -> None:
    result = solve("vivons", "FRA20", "french")
    best = result.best
    assert best is not None and best.move == "pass" and best.points == 5.5 and best.total == 8
    assert drawn(best, "W") == {"[]?", "[]A", "[]I", "[]N", "[]U"}
    assert drawn(best, "D") == {"[]B"}
    assert drawn(best, "L") == {"[]E"}
    (on_e,) = [outcome for outcome in best.outcomes if outcome.stays == "E"]
    assert on_e.weight == 2


@pytest.mark.oracle
def test_onyx(solve: Solve) -> None:
    best = solve("onyx", "NWL20").best
    assert best is not None and best.move == "13L ONYX" and best.points == 7.5 and best.total == 8
    assert drawn(best, "D") == {"[Y]"} and not drawn(best, "L")


def test_onyx_alone(solve: Solve) -> None:
    onyx = play(solve("onyx", "NWL20", only=["13L ONYX"]), "13L ONYX")
    assert onyx.points == 7.5 and drawn(onyx, "D") == {"[Y]"}


def test_onyx_with_a_known_rack(solve: Solve) -> None:
    result = solve("onyx", "NWL20", known_rack="AACEISU", only=["N3 STEY", "N3 STYE", "13L OXY"])
    assert result.total == 1
    assert [(play.move, play.spread, play.points) for play in result.plays] == [
        ("N3 STEY", 10, 1),
        ("N3 STYE", 9, 1),
        ("13L OXY", 1, 1),
    ]


@pytest.mark.oracle
def test_eeiloss(solve: Solve) -> None:
    """A Q-stick endgame: seven plays win all, and searches of few plies get it wrong."""
    result = solve("eeiloss", "NWL20", top=8)
    ranked = [play for play in result.plays if play.status == "finished"]
    assert [play.points for play in ranked[:8]] == [8] * 7 + [7]
    assert "pass" in {play.move for play in ranked[:7]}


@pytest.mark.oracle
@pytest.mark.timeout(1800)
def test_labour(solve: Solve) -> None:
    o = play(solve("labour", "NWL20", only=["14M .O"], tiebreak=False), "14M .O")
    assert o.points == 7 and o.total == 8


@pytest.mark.oracle
def test_notarize(solve: Solve) -> None:
    x = play(solve("notarize", "CSW21", only=["6F .X."]), "6F .X.")
    assert x.points == 70 and x.total == 72
    assert drawn(x, "L") == {"[I]E"} and not drawn(x, "D")


@pytest.mark.oracle
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(
    ("move", "points", "draws", "losses"),
    [
        ("2L P.ND", 7884, set(), {"[III]A", "[III]E", "[III]G", "[III]S", "[III]T"}),
        ("I1 DEF.T", 7872, set(), {"[IIIT]", "[IIIU]"}),
        ("E9 P.NET.", 7692, {"[IIIU]"}, {"[AIII]", "[AIIT]", "[IIIT]"}),
        ("E5 FET", 7914, {"[III]A"}, set()),
        ("I3 P.NT", 7902, {"[AII]I"}, set()),
    ],
)
def test_kanjis(solve: Solve, move: str, points: float, draws: set[str], losses: set[str]) -> None:
    """Four in the bag, 7920 draws."""
    found = play(solve("kanjis", "NWL20", only=[move]), move)
    assert found.points == points and found.total == 7920
    assert drawn(found, "D") == draws and drawn(found, "L") == losses


@pytest.mark.oracle
def test_martens(solve: Solve) -> None:
    """Two in the bag: the ties are those where the opponent finds CE.E, with the H still in the bag."""
    d = play(solve("martens", "CSW21", only=["11D ...D"]), "11D ...D")
    assert (d.wins, d.draws, d.losses, d.total) == (27, 3, 42, 72)
    assert drawn(d, "D") == {"[E]H"}


@pytest.mark.parametrize(
    ("move", "points", "spread", "wins", "ties"),
    [
        ("2A A.GUSTER", 2, 0.125, {"[F]", "[T]"}, set()),
        # published: 2 of 8, -16.38
        ("15H ....TER", 0.5, -18.875, set(), {"[E]"}),
        ("15H ....URA", 1, -16.625, {"[A]"}, set()),
    ],
)
def test_after_pond(solve: Solve, move: str, points: float, spread: float, wins: set[str], ties: set[str]) -> None:
    """One in the bag, behind by 43."""
    found = play(solve("after-pond", "NWL20", only=[move]), move)
    assert (found.points, found.spread, found.total) == (points, spread, 8)
    assert drawn(found, "W") == wins and drawn(found, "D") == ties


@pytest.mark.parametrize(
    ("draw", "reply", "spread"),
    [
        ("E", "14N AI", 0),
        ("F", "14N AI", -9),
        ("N", "14N EF", -19),
        ("I", "E5 FIT", -23),
        ("T", "14N EF", -26),
        ("A", "14N EF", -28),
    ],
)
def test_the_replies_that_refute_a_published_result(
    draw: str, reply: str, spread: int, tournament_lexicon: Callable[..., Lexicon]
) -> None:
    """15H ....TER was published to win 2 of 8. After these replies it wins none (docs/findings.md)."""
    before = pegray.Position.from_cgp(PUBLISHED["after-pond"])
    after = before.after("15H ....TER", draw).after(reply)
    assert solve_endgame(after, tournament_lexicon("NWL20")).spread == spread
