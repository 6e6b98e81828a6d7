"""Scoreless turns before the position, 0 to 5: the whole solve, and the endgame, against the slow reference."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import pegray
from pegray.display.explained_line import explained_line
from pegray.game.line import play_line
from pegray.game.notation import format_move, parse_move
from pegray.game.position import Position
from pegray.game.tiles import Distribution, load_distribution
from pegray.lexicon.build import build_kwg
from pegray.lexicon.find import lexicon_for
from pegray.lexicon.lexicon import Lexicon
from pegray.lexicon.words import encode_words
from pegray.preendgame.explain import explain
from pegray.preendgame.options import SolveOptions
from pegray.preendgame.problem import Problem
from pegray.preendgame.solve_endgame import solve_after, solve_endgame
from tests.game.positions import PUBLISHED
from tests.reference.reference import Board, Reference, State, format_cgp

VALUES = {"?": 0, "A": 1, "J": 8, "T": 2}
# To the blank on 8I another can be put, for no points: AA down.
BOARD: Board = tuple("." * 7 + "Ta" + "." * 6 if row == 7 else "." * 15 for row in range(15))
WORDS = ("AA", "TA", "TAA")
OUR_RACK = "?AJJJJJ"
BAGS = ["AAJJJJJT", "AAJJJJJTT"]


def distribution(tiles: str, folder: Path) -> Distribution:
    """One with just these tiles."""
    counts = Counter(tiles)
    rows = [f"{tile},{counts[tile]},{points},0" for tile, points in VALUES.items()]
    path = folder / "few.csv"
    path.write_text("\n".join(rows), encoding="utf-8")
    return load_distribution(str(path))


def position(unseen: str, scores: tuple[int, int], scoreless: int, folder: Path, rack: str = OUR_RACK) -> Position:
    cgp = format_cgp(BOARD, rack, "", scores, scoreless)
    return Position.from_cgp(cgp, distribution(f"T?{rack}{unseen}", folder))


def lexicon(tiles: Distribution) -> Lexicon:
    return Lexicon.of_nodes("few", build_kwg(*encode_words("\n".join(WORDS), tiles, "few")))


@pytest.fixture(scope="module")
def reference() -> Reference:
    return Reference(WORDS, VALUES)


@pytest.mark.parametrize("scoreless", range(6))
@pytest.mark.parametrize("opponent", ["guaranteed", "rational"])
@pytest.mark.parametrize("unseen", BAGS)
def test_a_solve(unseen: str, opponent: str, scoreless: int, reference: Reference, tmp_path: Path) -> None:
    for spread in (-9, -1, 0, 1, 6):
        asked = position(unseen, (spread, 0), scoreless, tmp_path)
        result = pegray.solve(asked, lexicon(asked.distribution), opponent=opponent, early_cutoff=False)
        found = {play.move: play for play in result.plays}
        expected = reference.solve(BOARD, OUR_RACK, unseen, 7, spread, scoreless, opponent=opponent)
        assert found.keys() == {play.move for play in expected}
        for play in expected:
            solved = found[play.move]
            assert {o.draw: (o.weight, o.outcome) for o in solved.outcomes} == play.outcomes, play.move
            assert {o.certain for o in solved.outcomes} == {play.certain}
            if play.spread is not None and solved.spread is not None:
                assert solved.spread == pytest.approx(play.spread)


@pytest.mark.parametrize("scoreless", range(6))
@pytest.mark.parametrize(("rack", "unseen"), [("?AJJ", "AJT"), ("?", "JT"), ("?J", "AJ"), ("?AJ", "?A")])
def test_an_endgame(rack: str, unseen: str, scoreless: int, reference: Reference, tmp_path: Path) -> None:
    asked = position(unseen, (0, 0), scoreless, tmp_path, rack)
    result = solve_endgame(asked, lexicon(asked.distribution))
    state = State(BOARD, rack, unseen, "", 0, last_chance=scoreless == 5)
    assert result.spread == reference.endgame(state)
    for move in result.moves:
        assert reference.final_spread(state) is None
        name = format_move(move, asked.distribution)
        (made,) = [found for found in reference.moves(state.board, state.rack) if str(found) == name]
        state = reference.play(state, made)
    final = reference.final_spread(state)
    assert final is not None and (-final if len(result.moves) % 2 else final) == result.spread


@pytest.mark.parametrize("scoreless", range(5))
def test_what_a_play_without_points_comes_to(scoreless: int, tmp_path: Path) -> None:
    """Scoreless turns before it count no more once it is made."""
    asked = position("JA", (0, 0), scoreless, tmp_path, "?AAT")
    made = parse_move("I8 .a", asked.board, asked.distribution)
    result = solve_after(asked, made, lexicon(asked.distribution))
    assert result.spread == 28
    assert len(play_line(asked, result.moves, is_solved=True)) == len(result.moves)


@pytest.mark.parametrize("scoreless", range(5))
def test_replies_to_a_play_without_points(scoreless: int, tmp_path: Path) -> None:
    asked = position(BAGS[0], (-1, 0), scoreless, tmp_path)
    words = lexicon(asked.distribution)
    (play,) = pegray.solve(asked, words, only=["I8 .a"]).plays
    found = {one.draw: one for one in pegray.chances(asked, "I8 .a", lexicon=words).draws}
    for outcome in play.outcomes:
        worst = min([refutation.outcome.points for refutation in found[outcome.draw].refutations], default=1.0)
        assert worst == outcome.outcome.points


def test_only_the_sixth_scoreless_turn_ends_the_game_at_once() -> None:
    """Our pass with five before: certain, decided by the racks alone. With fewer the opponent may go on."""
    asked = {n: Position.from_cgp(PUBLISHED["onyx"].replace(" 0 lex NWL20;", f" {n}")) for n in range(6)}
    solved = {n: pegray.solve(asked[n], only=["pass"]).plays[0] for n in (0, 1, 4, 5)}
    fresh = [(outcome.draw, outcome.outcome, outcome.certain, outcome.reply) for outcome in solved[0].outcomes]
    for n in (1, 4):
        assert [(o.draw, o.outcome, o.certain, o.reply) for o in solved[n].outcomes] == fresh
    assert all(o.certain and o.reply is None for o in solved[5].outcomes)
    # behind by 22, with 17 points on our rack
    expected = {
        f"[]{tile}": -22 - 17 + sum(map({"A": 1, "C": 3, "E": 1, "I": 1, "S": 1, "U": 1, "Y": 4}.get, rest))
        for tile, rest in ((tile, "AACEISUY".replace(tile, "", 1)) for tile in "ACEISUY")
    }
    assert {o.draw: o.outcome for o in solved[5].outcomes} == dict.fromkeys(expected, "L")
    explanation = explain(asked[5], lexicon_for(asked[5]), "pass", "[]E")
    assert [(step.reply, step.final_spread) for step in explanation.steps] == [(None, expected["[]E"])]


@pytest.mark.parametrize("scoreless", [0, 3, 4, 5])
@pytest.mark.parametrize("move", ["pass", "I8 .a"])
@pytest.mark.parametrize("unseen", BAGS)
def test_explanations(unseen: str, move: str, scoreless: int, tmp_path: Path) -> None:
    """They follow passes of both players, inside the solve and before it, to the outcomes of the solve."""
    asked = position(unseen, (0, 0), scoreless, tmp_path)
    words = lexicon(asked.distribution)
    for outcome in pegray.solve(asked, words, only=[move]).plays[0].outcomes:
        explanation = explain(asked, words, move, outcome.draw)
        assert explanation.outcome == outcome.outcome, outcome.draw
        assert len(explained_line(explanation, asked.distribution)) == len(explanation.moves)
        final = explanation.steps[-1].final_spread
        assert final is None or "DWL"[(final > 0) - (final < 0)] == outcome.outcome


def test_keys_of_runs_from_no_scoreless_turns_are_what_they_were() -> None:
    """What settled units of work are kept under, so that runs of earlier versions go on."""
    keys = []
    for n in range(6):
        asked = Position.from_cgp(PUBLISHED["onyx"].replace(" 0 lex", f" {n} lex"))
        keys.append(Problem.create(asked, lexicon_for(asked, "ENABLE"), SolveOptions()).key)
    assert len(set(keys)) == 6
    assert keys[0] == "84ad8a271e6ff1d722d1030070a6d15da332bbbe6971fb0f20f2b22eca2db72a"
