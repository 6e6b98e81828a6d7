"""The facts of a solve: what follows from results, whatever their order."""

from __future__ import annotations

import numpy as np
import pytest

from pegray.preendgame.book import Book
from pegray.preendgame.work import Unit
from tests.preendgame.test_ledger import DRAW, LOSS, WIN, problem, result

PLAYS, DRAWS = 4, 7


def units() -> list[Unit]:
    return [Unit(play, draw, "verdict", 100) for play in range(PLAYS) for draw in range(DRAWS)]


def said(book: Book) -> tuple[object, ...]:
    masks = (book.finished_mask(), book.cut_mask(), book.ranked_mask(), book.contending_mask())
    return (
        [array.tolist() for array in (book.lost, book.won, book.loses, *masks)],
        (book.fewest, book.bound, book.state, book.level_at_top(), book.partial),
        {where: unit.outcomes for where, unit in book.settled.items()},
    )


@pytest.mark.parametrize("options", [{}, {"top": 2}, {"never_lose": True}, {"early_cutoff": False}], ids=str)
def test_the_order_of_results_does_not_matter(options: dict[str, object]) -> None:
    random = np.random.default_rng(3)
    verdicts = random.choice([LOSS, DRAW, WIN], (PLAYS, DRAWS), p=[0.1, 0.1, 0.8])
    seen = []
    for _ in range(5):
        book = Book(problem(**options))
        for number in random.permutation(PLAYS * DRAWS):
            unit = units()[number]
            if random.random() < 0.3:
                book.record(result(unit, None, out_of_budget=True))
            book.record(result(unit, int(verdicts[unit.candidate, unit.draw])))
        seen.append(said(book))
    assert all(one == seen[0] for one in seen)


def test_what_is_settled_stays_settled() -> None:
    book = Book(problem())
    for unit in units():
        assert book.record(result(unit, WIN)) is False
    before = said(book)
    for unit in units():
        assert book.record(result(unit, LOSS)) is None
    assert said(book) == before


def test_a_result_says_whether_it_lost_more_than_was_known() -> None:
    book = Book(problem())
    unit = units()[0]
    tied = result(unit, DRAW)
    tied.finished = False
    assert book.record(tied) is True
    assert book.record(tied) is False
    assert book.record(result(unit, LOSS)) is True
    assert not book.is_finished(0) and book.lost[0] == 2 * int(book.eventualities.draws(1).weights[0])
