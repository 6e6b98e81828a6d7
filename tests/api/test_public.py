"""What ``import pegray`` gives: every name there and cheap, typed, and showing itself in one line."""

from __future__ import annotations

import subprocess
import sys
from importlib import resources
from pathlib import Path

import pytest

import pegray
from pegray.game.tiles import load_distribution
from pegray.lexicon.build import build_kwg
from pegray.lexicon.kwg import write_kwg
from pegray.lexicon.words import encode_words
from pegray.preendgame.explanation import Explanation
from pegray.preendgame.solve_endgame import EndgameResult
from pegray.results.model import SolveResult, SolveStats
from pegray.results.play import Outcome, PlayResult
from tests.game.positions import PUBLISHED

GCG = "#player1 anna Anna\n#player2 ben Ben\n>anna: AEINRST 8D NASTIER +66 66\n>ben: BCDFGHO - +0 0\n"


def test_importing_it_costs_nothing() -> None:
    code = "import sys, pegray; print({'numpy', 'numba', 'pyarrow', 'rich', 'ray', 'pydantic'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "set()\n"


def test_every_name_is_there() -> None:
    assert dir(pegray) == sorted(pegray.__all__)
    for name in pegray.__all__:
        thing = getattr(pegray, name)
        assert name == "__version__" or thing.__doc__, name
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        pegray.nothing  # noqa: B018


def test_its_types_are_there_for_others() -> None:
    assert resources.files("pegray").joinpath("py.typed").is_file()


def outcome(reply: str | None = None) -> Outcome:
    return Outcome("[AEG]I", "AEG", "I", 6, "W" if reply is None else "L", False, True, None, reply, 5)


def test_one_line_each() -> None:
    onyx = pegray.Position.from_cgp(PUBLISHED["onyx"])
    assert repr(onyx) == "<Position ENOSTXY 356-378, 1 in the bag, unseen AACEISUY>"
    opening = pegray.Position.from_cgp("/".join(["15"] * 15) + " AEINRST/ 0/0 0")
    assert repr(opening) == "<Position AEINRST 0-0, 86 in the bag, unseen 93 tiles>"
    assert repr(pegray.Lexicon("X", pegray.Lexicon.named("ENABLE").nodes[:9], "0123456789abcdef")) == (
        "<Lexicon X, hash 0123456789ab>"
    )
    assert repr(pegray.Game.from_gcg(GCG)) == "<Game GCG: anna - ben, 2 turns>"
    assert repr(outcome()) == "<Outcome [AEG]I W, weight 6>"
    assert repr(outcome("1A QI")) == "<Outcome [AEG]I L after 1A QI, weight 6>"
    assert repr(Explanation("pass", "[]Y", "L", [])) == "<Explanation pass on []Y: L>"
    english = load_distribution("english")
    assert repr(EndgameResult(4, 9, [], False, 0, 0.0, english)) == "<EndgameResult spread +4, estimated: >"


def test_one_line_of_a_result(result: SolveResult) -> None:
    onyx, stey, _ = result.plays
    assert repr(onyx) == "<PlayResult 13L ONYX, finished, 7.5 of 8>"
    assert repr(stey) == "<PlayResult N3 STEY, cut_off, at most 6 of 8>"
    assert repr(result) == f"<SolveResult 1 in the bag, 3 plays, {result.state}, best {onyx!r}>"
    result.plays.remove(onyx)
    assert repr(result) == f"<SolveResult 1 in the bag, 2 plays, {result.state}>"


def test_types_can_be_named() -> None:
    assert (pegray.SolveResult, pegray.PlayResult, pegray.SolveStats) == (SolveResult, PlayResult, SolveStats)


@pytest.mark.parametrize("name", ["ENABLE", "enable"])
def test_a_lexicon_by_its_name(name: str) -> None:
    assert pegray.Lexicon.named(name).name == name or name == "enable"
    with pytest.raises(pegray.InputError, match="unknown lexicon 'enable.kwg'"):
        pegray.Lexicon.named("enable.kwg")


def test_a_lexicon_in_a_file(tmp_path: Path) -> None:
    words = tmp_path / "few.txt"
    words.write_text("CAT\nDOG\n", encoding="utf-8")
    few = pegray.Lexicon.from_file(words)
    assert (few.name, few.word_count) == ("few", 2)
    german = load_distribution("german")
    write_kwg(build_kwg(*encode_words("ZÜGE", german, "words")), tmp_path / "deutsch.kwg")
    assert pegray.Lexicon.from_file(str(tmp_path / "deutsch.kwg"), "german").word_count == 1
    for path, message in ((tmp_path / "deutsch.kwg", "letters"), ("few.csv", "expected"), ("no.txt", "No such")):
        with pytest.raises(pegray.InputError, match=message):
            pegray.Lexicon.from_file(path)


def test_a_game_from_its_text_or_a_file(tmp_path: Path) -> None:
    path = tmp_path / "game.gcg"
    path.write_text(GCG + "#rack1 AEINRST\n", encoding="utf-8")
    for game in (pegray.Game.from_gcg(str(path)), pegray.Game.from_gcg(path)):
        assert game.position() == game.position(turn=3)
        assert game.position(turn=1).scores == (0, 0)
        assert game.positions() == []
    with pytest.raises(pegray.InputError, match="^nothing.gcg: No such file"):
        pegray.Game.from_gcg("nothing.gcg")
    with pytest.raises(pegray.InputError, match="^GCG: line 5: expected an event"):
        pegray.Game.from_gcg(GCG + "nonsense\n")


def test_the_turns_of_a_game_that_can_be_solved() -> None:
    game = pegray.Game.from_gcg(Path(__file__).parents[1] / "docs" / "game.gcg")
    assert [position.bag_size for position in game.positions()] == [4, 1]
    assert game.positions() == [game.position(turn=turn) for turn in game.preendgame_turns()]
