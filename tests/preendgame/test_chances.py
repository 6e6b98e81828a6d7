"""How many replies refute a play, held against the exact worth of each reply."""

from __future__ import annotations

from pathlib import Path

import pytest

from pegray.cli import main
from pegray.errors import InputError
from pegray.game.notation import parse_move
from pegray.game.position import Position
from pegray.lexicon.find import lexicon_for
from pegray.preendgame.candidates import legal_moves
from pegray.preendgame.chances import Chances, find_chances
from pegray.preendgame.solve_endgame import solve_after
from pegray.terms import WDL

FIRST = (Path(__file__).parents[2] / "jobs" / "first.cgp").read_text(encoding="utf-8").splitlines()[-1]
POSITION = Position.from_cgp(FIRST)
LEXICON = lexicon_for(POSITION, None)


def chances(play: str, draw: str | None = None, **options: object) -> Chances:
    return find_chances(POSITION, LEXICON, play, draw, **options)  # type: ignore[arg-type]


def test_what_a_play_loses_to_whom() -> None:
    found = chances("13J EXON")
    assert (found.total, found.lost_to_any, found.lost_to_top, found.lost_to_every) == (8, 3.5, 2.0, 0.0)
    refuted = {draw.draw: draw for draw in found.draws if draw.refutations}
    assert {name: draw.outcome for name, draw in refuted.items()} == {
        "[I]": WDL.LOSS,
        "[S]": WDL.LOSS,
        "[U]": WDL.TIE,
        "[Y]": WDL.LOSS,
    }
    easiest = refuted["[I]"].refutations[0]
    assert (easiest.move, easiest.score, easiest.place) == ("14L YA", 16, 77)
    assert refuted["[I]"].line[0] == ("14L YA", 16)


def test_each_reply_has_its_exact_outcome() -> None:
    (draw,) = chances("13J EXON", "[U]").draws
    after = POSITION.after("13J EXON", "U")
    replies = legal_moves(after, LEXICON)
    assert draw.replies == len(replies)
    refuting = {one.move for one in draw.refutations}
    for text in refuting:
        assert solve_after(after, parse_move(text, after.board, after.distribution), LEXICON).spread >= 0
    for move, _ in [*replies[:8], replies[-1]]:
        worth = solve_after(after, move, LEXICON)
        assert (worth.spread >= 0) == (worth.pv[0] in refuting)
    assert draw.final_spread == 0


def test_with_every_reply_looked_at_the_top_is_all() -> None:
    assert chances("13J EXON", "[U]", top=10_000).lost_to_top == 0.5


@pytest.mark.parametrize(
    ("play", "draw", "message"),
    [
        ("pass", None, "leaves 1 in the bag"),
        ("13J EXONN", None, "move='13J EXONN'"),
        ("13J EXON", "AA", "expected 1 of the tiles"),
        ("13J EXON", "Q", "expected 1 of the tiles"),
    ],
)
def test_what_cannot_be_asked(play: str, draw: str | None, message: str) -> None:
    with pytest.raises(InputError, match=message):
        chances(play, draw)


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chances", FIRST, "--play", "13L ONYX", "--draw", "Y"]) == 0
    out = capsys.readouterr().out
    assert "3 of 337" in out
    assert "final spread 0" in out
    assert main(["chances", FIRST, "--play", "pass"]) == 2
    assert capsys.readouterr().err.startswith("pegray: error: --play pass: leaves 1 in the bag")
