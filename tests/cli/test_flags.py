"""An option that cannot be used: the library names it as Python does, the command line by its flag."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from pegray.cli import main
from pegray.commands.flags import in_flags
from pegray.errors import InputError, RunError
from pegray.preendgame.options import SolveOptions
from tests.game.positions import PUBLISHED

CGP = PUBLISHED["onyx"]


@pytest.mark.parametrize(
    ("error", "library", "command_line"),
    [
        (InputError("no such file"), "no such file", "no such file"),
        (InputError("too many", "known_rack", "QQ"), "known_rack='QQ': too many", "--known-rack QQ: too many"),
        (InputError("none given", "lexicon"), "lexicon: none given", "--lexicon: none given"),
        (InputError("not legal", "move", "1A QI"), "move='1A QI': not legal", "--play 1A QI: not legal"),
        (InputError("True or False", "tiebreak", 1), "tiebreak=1: True or False", "--no-tiebreak 1: True or False"),
        (RunError("nobody there", "address", "h:1"), "address='h:1': nobody there", "--address h:1: nobody there"),
    ],
)
def test_words(error: InputError, library: str, command_line: str) -> None:
    assert str(error) == library
    assert in_flags(error) == command_line
    # it may come from another process
    assert in_flags(pickle.loads(pickle.dumps(error))) == command_line


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["solve", CGP, "--only", "13L ONYXES"], "pegray: error: --only 13L ONYXES: "),
        (["solve", CGP, "--protect", "13L OXYN"], "pegray: error: --protect 13L OXYN: not a legal play here\n"),
        (["solve", CGP, "--known-rack", "QQ"], "pegray: error: --known-rack QQ: 2 x Q, but 0 unseen\n"),
        (["solve", CGP, "--known-rack", "4"], "pegray: error: --known-rack 4: unknown letter"),
        (["solve", CGP, "--top", "0"], "pegray: error: argument --top: '0': expected a whole number of at least 1 "),
        (["explain", CGP, "--play", "1A", "--draw", "Y"], "pegray: error: --play 1A: "),
        (["explain", CGP, "--play", "1A QI", "--draw", "Y"], "pegray: error: --play 1A QI: not a legal play here\n"),
        (["explain", CGP, "--play", "pass", "--draw", "%"], "pegray: error: --draw %: unknown letter"),
        (["explain", CGP, "--play", "pass", "--draw", "AE"], "pegray: error: --draw AE: 2 tiles, but 1 are in the bag"),
        (["apply", CGP, "13L ONYX", "--draw", "Q"], "pegray: error: --draw Q: Q cannot be in the bag so often\n"),
    ],
)
def test_the_command_line_says_flags(
    arguments: list[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Any,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main([word.replace("lex NWL20;", "") for word in arguments]) == 2
    error = capsys.readouterr().err
    assert error.startswith(message) and error.count("\n") == 1


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("top", 0, "top=0: expected a whole number of at least 1"),
        ("top", True, "top=True: expected a whole number of at least 1"),
        ("top", 2.5, "top=2.5: expected a whole number of at least 1"),
        ("top", None, "top: expected a whole number of at least 1"),
        ("max_tiles_left", -1, "max_tiles_left=-1: expected a whole number of at least 0"),
        ("endgame_plies", "4", "endgame_plies='4': expected a whole number of at least 1"),
        ("opponent", "x", "opponent='x': expected guaranteed or rational"),
        ("opponent", ["rational"], "opponent=['rational']: expected guaranteed or rational"),
        ("never_lose", 1, "never_lose=1: expected True or False"),
        ("early_cutoff", "no", "early_cutoff='no': expected True or False"),
        ("known_rack", 7, "known_rack=7: expected a text"),
        ("only", (13,), "only=(13,): expected a move such as '13L ONYX', or a list of moves"),
        ("protect", "pass", "protect='pass': expected a move such as '13L ONYX', or a list of moves"),
    ],
)
def test_a_value_that_an_option_cannot_have(name: str, value: Any, message: str) -> None:
    with pytest.raises(InputError) as error:
        SolveOptions(**{name: value})
    assert str(error.value) == message


def test_values_that_options_can_have() -> None:
    SolveOptions(
        only=("pass",), max_tiles_left=0, endgame_plies=1, known_rack="AB", opponent="rational", tiebreak=False
    )
    SolveOptions(max_tiles_left=None, endgame_plies=None)
