"""The tie-break stops when it is decided, and decides as exact spreads would."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest

from pegray.game.position import Position
from pegray.game.rules import MOST_SCORE
from pegray.kernels.table import INFINITE
from pegray.lexicon.find import find_lexicon
from pegray.preendgame.ledger import Ledger
from pegray.preendgame.options import SolveOptions
from pegray.preendgame.problem import Problem
from pegray.preendgame.ranking import build_result
from pegray.preendgame.session import solve_in_process
from pegray.preendgame.work import Settled, Unit
from pegray.results.model import SolveResult, SolveStats
from pegray.results.state import MAX_TIEBREAKS
from tests.game.positions import PUBLISHED
from tests.preendgame.test_ledger import FIRST, WIN, new_ledger, result

PLAYS, DRAWS = 4, 7
DEAR = 50_000  # nodes that the last proof may take

Finals = npt.NDArray[np.int64]


def verdict_of(final: int) -> int:
    return int(np.sign(final)) + 1


def answer(unit: Unit, final: int, price: int) -> Settled:
    """What a search may find of a made-up final spread: the whole only if its budget is no less than the price."""
    empty = result(unit, None)
    if unit.budget < price:
        # the side that is cheap to see: it is no less than somewhat below
        return replace(empty, out_of_budget=True, spread_at_least=final - price % 5, spread_at_most=None)
    if final <= unit.least:
        return replace(empty, finished=True, spread_at_most=max(final, unit.least - price % 3))
    if final >= unit.most:
        return replace(empty, finished=True, spread_at_least=min(final, unit.most + price % 3))
    return replace(empty, finished=True, spread=final, spread_at_least=final, spread_at_most=final)


def solve(ledger: Ledger, finals: Finals, prices: Finals, random: np.random.Generator) -> list[Unit]:
    """Work through a ledger with made-up final spreads, a few units at once, some of them lost; returns the units."""
    asked: list[Unit] = []
    flying: list[Unit] = []
    while not ledger.done:
        flying += ledger.next_units(int(random.integers(1, 4)))
        assert flying, "not done, and nothing to work on"
        unit = flying.pop(int(random.integers(len(flying))))
        if random.random() < 0.1:
            ledger.give_back(unit)
            continue
        where = (unit.candidate, unit.draw)
        if unit.kind == "verdict":
            ledger.record(result(unit, verdict_of(finals[where])))
        else:
            asked.append(unit)
            ledger.record(answer(unit, int(finals[where]), int(prices[where])))
    return asked


def built(ledger: Ledger) -> SolveResult:
    return build_result(ledger, SolveStats(0.0, 0.0, 0, 0, False))


@pytest.mark.parametrize("top", [1, 2, 4])
def test_the_first_places_are_those_of_exact_spreads(top: int) -> None:
    random = np.random.default_rng(top)
    saved = 0
    for _ in range(60):
        # wins alone, so that all are level; often close, and often equal
        finals = random.integers(1, random.choice([3, 10, 60]), (PLAYS, DRAWS))
        prices = random.choice([1, 100, DEAR], (PLAYS, DRAWS))
        exact, decided = new_ledger(top=top, exact_spreads=True), new_ledger(top=top)
        every, asked = (solve(ledger, finals, prices, random) for ledger in (exact, decided))
        saved += len(every) > len({(unit.candidate, unit.draw) for unit in asked if unit.budget >= DEAR})
        right, found = built(exact), built(decided)
        assert right.state == found.state == "complete"
        assert [play.move for play in found.plays[:top]] == [play.move for play in right.plays[:top]]
        spreads = {play.move: play.spread for play in right.plays}
        for play in found.plays:
            spread = spreads[play.move]
            assert spread is not None
            assert play.spread in (None, spread)
            assert play.spread_at_least is None or play.spread_at_least <= spread
            assert play.spread_at_most is None or play.spread_at_most >= spread
    assert saved > 30


def test_no_draw_is_worked_out_that_decides_nothing() -> None:
    """One play ends far ahead of the others, and that shows before the dear last proofs."""
    finals = np.full((PLAYS, DRAWS), 5)
    finals[2] = 60
    prices = np.full((PLAYS, DRAWS), DEAR)
    prices[:, :4] = 1
    random = np.random.default_rng(1)
    ledger = new_ledger()
    asked = solve(ledger, finals, prices, random)
    assert built(ledger).plays[0].move == built_move(ledger, 2)
    in_full = [unit for unit in asked if unit.budget >= DEAR and (unit.least, unit.most) == (-INFINITE, INFINITE)]
    assert in_full == []


def built_move(ledger: Ledger, candidate: int) -> str:
    scores = ledger.problem.candidates.scores
    return next(play.move for play in built(ledger).plays if play.score == scores[candidate])


@pytest.mark.parametrize("known", ["AACEIS", "CEISUY", "AACISU"])
def test_real_searches_decide_as_exact_spreads_do(known: str) -> None:
    """So far behind that every play loses every draw: all are level, and some averages are equal."""
    line = next(line for line in FIRST.read_text().splitlines() if line and not line.startswith("#"))
    fields = line.split()
    fields[2] = "100/378"
    position = Position.from_cgp(" ".join(fields))
    lexicon = find_lexicon("ENABLE", position.distribution)
    results, nodes = [], []
    for exact in (True, False):
        options = SolveOptions(exact_spreads=exact, max_tiles_left=0, known_rack=known)
        ledger = solve_in_process(Problem.create(position, lexicon, options), table_gib=1 / 16)
        results.append(built(ledger))
        nodes.append(ledger.book.nodes)
    right, found = results
    assert right.state == found.state == "complete"
    assert right.plays[0].move == found.plays[0].move
    assert nodes[1] < nodes[0]
    spreads = {play.move: play.spread for play in right.plays[:MAX_TIEBREAKS]}
    compared = {play.move: play for play in found.plays if play.move in spreads}
    assert len(compared) == MAX_TIEBREAKS
    for move, spread in spreads.items():
        least, most = compared[move].spread_at_least, compared[move].spread_at_most
        assert spread is not None
        assert (least is None or least <= spread) and (most is None or spread <= most)
    outcomes = [{play.move: [(o.draw, o.outcome) for o in play.outcomes] for play in one.plays} for one in results]
    assert outcomes[0] == outcomes[1]


def test_a_tie_has_spread_0_without_being_asked() -> None:
    finals = np.array([[0, 3, 4, 5, 6, 7, 8]] * PLAYS)
    ledger = new_ledger(exact_spreads=True)
    asked = solve(ledger, finals, np.ones((PLAYS, DRAWS)), np.random.default_rng(2))
    assert 0 not in {unit.draw for unit in asked}
    assert ledger.tiebreak.spread(0, 0) == 0


def test_bounds_of_an_earlier_session_are_taken_up() -> None:
    finals = np.random.default_rng(3).integers(1, 30, (PLAYS, DRAWS))
    prices = np.full((PLAYS, DRAWS), 100)
    first = new_ledger(exact_spreads=True)
    solve(first, finals, prices, np.random.default_rng(4))
    again = new_ledger()
    for settled in [*first.book.settled.values(), *first.tiebreak.results.values()]:
        row = settled.to_row()
        again.record(Settled.from_row(row))
    assert again.done and built(again).state == "complete"
    assert [play.spread for play in built(again).plays] == [play.spread for play in built(first).plays]


def test_rows_of_a_journal_that_knows_no_bounds() -> None:
    ledger = new_ledger()
    row = result(Unit(0, 3, "spread", 100), WIN).to_row() | {"spread_at_least": None, "spread_at_most": None}
    ledger.record(Settled.from_row(row))
    assert ledger.tiebreak.spread(0, 3) == 5


def test_a_lead_of_any_size_moves_spreads_by_as_much() -> None:
    """From the least to the most that scores allow; none of it is beyond what a search takes for infinite."""
    assert 3 * MOST_SCORE < INFINITE
    position = Position.from_cgp(PUBLISHED["onyx"])
    lexicon = find_lexicon("ENABLE", position.distribution)
    options = SolveOptions(exact_spreads=True, only=("13L ONYX",))

    def spread(ours: int, theirs: int) -> float:
        problem = Problem.create(replace(position, scores=(ours, theirs)), lexicon, options)
        (play,) = built(solve_in_process(problem, table_gib=1 / 16)).plays
        assert play.spread is not None
        return play.spread

    level = spread(0, 0)
    assert spread(MOST_SCORE, -MOST_SCORE) == level + 2 * MOST_SCORE
    assert spread(-MOST_SCORE, MOST_SCORE) == level - 2 * MOST_SCORE
