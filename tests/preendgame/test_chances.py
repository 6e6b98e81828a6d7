"""How many replies refute a play, held against the exact worth of each reply."""

from __future__ import annotations

from pathlib import Path

import pytest

from pegray.cli import main
from pegray.errors import InputError
from pegray.game.notation import format_move, parse_move
from pegray.game.position import Position
from pegray.lexicon.find import lexicon_for
from pegray.preendgame.candidates import legal_moves
from pegray.preendgame.chances import Chances, find_chances
from pegray.preendgame.solve_endgame import solve_after, solve_endgame
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


# The same with one tile less on the board, so that two are in the bag.
TWO = Position.from_cgp(FIRST.replace("/G6D7 ", "/7D7 "))


def test_after_a_pass_every_reply_is_held_against_its_endgame() -> None:
    (draw,) = chances("pass", "[]Y").draws
    after = POSITION.after("pass", "Y")
    replies = legal_moves(after, LEXICON)
    assert (draw.draw, draw.outcome, draw.replies) == ("[]Y", WDL.LOSS, len(replies))
    refuting = {one.move: one.outcome for one in draw.refutations}
    for move, _ in [*replies[:6], replies[len(replies) // 2]]:
        again = after.after(move, "Y")
        spread = solve_endgame(again, LEXICON).spread
        expected = WDL.WIN if spread > 0 else WDL.TIE if spread == 0 else WDL.LOSS
        assert refuting.get(format_move(move, after.distribution), WDL.WIN) == expected
    # both pass: each loses the rack, and 22 points behind that is a loss
    assert refuting["pass"] == WDL.LOSS
    assert draw.final_spread is not None and draw.final_spread < 0


def test_ties_and_losses_agree_with_the_solve() -> None:
    found = chances("pass")
    assert found.tiles_left == 1
    assert found.total == 8
    for draw in found.draws:
        assert bool(draw.refutations) == (draw.outcome is not WDL.WIN)
        if draw.refutations:
            assert draw.line[0][0] == draw.refutations[0].move
    agrees_with_the_solve(found)


def agrees_with_the_solve(found: Chances) -> None:
    """The solver walks through all replies by itself, our choices among them."""
    for draw in found.draws:
        worst = min((one.outcome.points for one in draw.refutations), default=1.0)
        assert worst == draw.outcome.points
        assert draw.final_spread is None or (draw.final_spread < 0) == (draw.refutations[0].outcome is WDL.LOSS)


def test_replies_that_leave_a_tile_meet_our_blind_choice() -> None:
    found = find_chances(TWO, lexicon_for(TWO, None), "A13 ..X", known_rack="ACEISU")
    assert (found.tiles_left, found.total, found.lost_to_any, found.lost_to_top) == (1, 6, 4.5, 4)
    assert {draw.draw: draw.outcome.value for draw in found.draws if draw.refutations} == {
        "[A]G": "D",
        "[G]A": "L",
        "[G]Y": "L",
        "[Y]A": "L",
        "[Y]G": "L",
    }
    agrees_with_the_solve(found)


@pytest.mark.slow
def test_with_two_tiles_left() -> None:
    found = find_chances(TWO, lexicon_for(TWO, None), "pass", "[]AG", known_rack="ACEISUY")
    assert (found.tiles_left, found.total) == (2, 1)
    assert len(found.draws[0].refutations) == 38
    agrees_with_the_solve(found)


def test_more_than_two_left_is_refused() -> None:
    three = Position.from_cgp(FIRST.replace("/G6D7 ", "/15 "))
    with pytest.raises(InputError, match="leaves 3 in the bag: chances are counted for plays that leave 2 at the most"):
        find_chances(three, lexicon_for(three, None), "pass")


def test_the_command_for_a_play_that_leaves_a_tile(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chances", FIRST, "--play", "pass", "--draw", "[]Y"]) == 0
    out = capsys.readouterr().out
    assert "L?" in out and "36 of 361" in out
    assert "? a possible tie or loss" in out
