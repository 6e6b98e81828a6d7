"""The functions of the Python interface: their keywords, what they refuse in which words, and what they return."""

from __future__ import annotations

import inspect
import logging
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

import pegray
from pegray.cli import build_parser
from pegray.commands.solve import solve_options
from pegray.preendgame.options import SolveOptions

CGP = (Path(__file__).parents[2] / "jobs" / "first.cgp").read_text(encoding="utf-8").splitlines()[-1]


@pytest.mark.parametrize("function", [pegray.solve, pegray.solve_many])
def test_every_option_is_a_keyword(function: Any) -> None:
    keywords = {
        name: keyword.default
        for name, keyword in inspect.signature(function).parameters.items()
        if keyword.kind is keyword.KEYWORD_ONLY
    }
    options = {option.name: option.default for option in fields(SolveOptions)}
    assert {name: keywords.get(name, "missing") for name in options} == options
    assert set(keywords) - set(options) == {"address", "workers", "time_limit", "table_gib", "on_progress"}
    # as on the command line
    assert solve_options(build_parser().parse_args(["solve", "x"])) == SolveOptions()
    documented = inspect.getdoc(pegray.solve) or ""
    assert all(f"\n{name}: " in documented for name in ("position", "lexicon", *keywords))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"top": 0}, "top=0: expected a whole number of at least 1"),
        ({"opponent": "x"}, "opponent='x': expected guaranteed or rational"),
        ({"until": "dawn"}, "until='dawn': expected answer or level or spread"),
        ({"max_tiles_left": -1}, "max_tiles_left=-1: expected a whole number of at least 0"),
        ({"known_rack": "QQ"}, "known_rack='QQ': 2 x Q, but 0 unseen"),
        ({"known_rack": None}, "known_rack: expected a text"),
        ({"only": "13L OXYN"}, "only='13L OXYN': not a legal play here"),
        ({"only": 13}, "only=13: expected a move such as '13L ONYX', or a list of moves"),
        ({"protect": ["pass", 13]}, "protect=('pass', 13): expected a move such as '13L ONYX', or a list of moves"),
        ({"tiebreak": "no"}, "tiebreak='no': expected True or False"),
        ({"time_limit": "10"}, "time_limit='10': expected seconds, more than 0, or a text such as 90s, 10m or 2h"),
        ({"time_limit": 0}, "time_limit=0: expected seconds, more than 0, or a text such as 90s, 10m or 2h"),
        ({"time_limit": True}, "time_limit=True: expected seconds, more than 0, or a text such as 90s, 10m or 2h"),
        ({"address": "nowhere"}, "address='nowhere': expected local, auto, none or HOST:PORT"),
        ({"address": None}, "address: expected local, auto, none or HOST:PORT"),
        ({"endgame_plies": 10**30}, f"endgame_plies={10**30}: expected at most 1,000,000,000"),
        ({"on_progress": 5}, "on_progress=5: expected a function"),
        ({"lexicon": ""}, "lexicon: empty, expected the name of a lexicon, or a path"),
        ({"workers": 1.5}, "workers=1.5: expected a whole number of at least 1"),
        ({"table_gib": 0}, "table_gib=0: expected a number of GiB, more than 0"),
        ({"lexicon": 3}, "lexicon=3: expected a Lexicon, a name or a path"),
        ({"position": 3}, "position=3: expected a Position or a CGP line"),
        ({"position": "nonsense"}, "CGP: 1 fields, expected BOARD RACKS SCORES SCORELESS"),
    ],
)
def test_what_cannot_be_solved_is_said_in_the_words_of_the_library(options: dict[str, Any], message: str) -> None:
    with pytest.raises(pegray.InputError) as error:
        pegray.solve(**{"position": CGP, **options})
    assert str(error.value) == message


def test_an_unknown_keyword_is_a_mistake_of_the_program() -> None:
    with pytest.raises(TypeError, match=r"solve\(\) got an unexpected keyword argument 'topp'"):
        pegray.solve(CGP, topp=3)  # type: ignore[call-arg]


def test_one_move_is_one_move() -> None:
    for only in ("13L ONYX", ["13L ONYX"], (move for move in ["13L ONYX"])):
        result = pegray.solve(CGP, only=only, time_limit="10m", tiebreak=False)
        assert [play.move for play in result.plays] == ["13L ONYX"]
    assert result.best is not None and result.best.points == 7.5


def test_a_lexicon_as_a_path_and_as_it_is(tmp_path: Path) -> None:
    words = tmp_path / "few.txt"
    words.write_text("ONYX\nWEEK\n", encoding="utf-8")
    for lexicon in (words, str(words), pegray.Lexicon.from_file(words)):
        with pytest.raises(pegray.InputError, match="13L ONYX"):
            pegray.solve(CGP, lexicon, only="13L ONYX")
    nodes = pegray.Lexicon.named("ENABLE").nodes.copy()
    nodes[5] |= 40 << 24
    with pytest.raises(pegray.InputError, match="^strange: a lexicon of "):
        pegray.solve(CGP, pegray.Lexicon.of_nodes("strange", nodes))


def test_progress_is_told() -> None:
    told: list[pegray.Progress] = []
    pegray.solve(CGP, only="13L ONYX", tiebreak=False, on_progress=told.append)
    assert told[-1].plays_total == 1


def test_an_explanation_prints_as_the_command_does(capsys: pytest.CaptureFixture[str]) -> None:
    explanation = pegray.explain(CGP, move="13L ONYX", draw="[Y]")
    assert explanation.outcome == "D"
    text = str(explanation)
    assert text.startswith("13L ONYX ties on [Y].\n\nWe play 13L ONYX")
    assert text.endswith("\n  final spread 0")
    assert all(line == line.rstrip() for line in text.splitlines())
    with pytest.raises(pegray.InputError, match=r"^draw='\[Z\]': Z cannot be in the bag so often$"):
        pegray.explain(CGP, "13L ONYX", "[Z]")
    with pytest.raises(pegray.InputError, match="^move='1A QI': not a legal play here$"):
        pegray.explain(CGP, "1A QI", "[Y]")


def test_an_endgame() -> None:
    position = pegray.Position.from_cgp(CGP).after("13L ONYX", draw="Y")
    answer = pegray.endgame(position)
    assert (answer.spread, answer.pv, answer.proven) == (0, ["2A CAI.UE", "1F TYES"], True)
    assert not pegray.endgame(position, endgame_plies=1).proven
    with pytest.raises(pegray.InputError, match="^endgame_plies=0: expected a whole number of at least 1$"):
        pegray.endgame(position, endgame_plies=0)
    with pytest.raises(pegray.InputError, match="this is a pre-endgame"):
        pegray.endgame(CGP)


def test_many_positions_one_after_another() -> None:
    passed = pegray.Position.from_cgp(CGP.replace(" 356/378 ", " 356/379 "))
    told: set[int] = set()
    results = pegray.solve_many(
        [CGP, passed], only="13L ONYX", tiebreak=False, on_progress=lambda number, progress: told.add(number)
    )
    assert [result.cgp for result in results] == [pegray.Position.from_cgp(CGP).to_cgp(), passed.to_cgp()]
    assert told == {0, 1}
    assert list(pegray.solve_many([])) == []


def test_many_positions_are_checked_before_the_first_is_solved() -> None:
    with pytest.raises(pegray.InputError, match=r"^positions\[1\]: CGP: "):
        pegray.solve_many([CGP, "nonsense"])
    with pytest.raises(pegray.InputError, match=r"^positions\[0\]: only='13L OXYN': not a legal play here$"):
        pegray.solve_many([CGP], only="13L OXYN")
    with pytest.raises(pegray.InputError, match=r"^top=0: "):
        pegray.solve_many([CGP], top=0)
    for wrong in (CGP, 3):
        with pytest.raises(pegray.InputError, match="^positions: expected several positions"):
            pegray.solve_many(wrong)  # type: ignore[arg-type]


def test_leaving_the_loop_ends_the_work() -> None:
    before = set(threading.enumerate())
    results = pegray.solve_many([CGP] * 50, only="13L ONYX", tiebreak=False)
    assert next(results).best is not None
    results.close()  # type: ignore[attr-defined]
    assert set(threading.enumerate()) <= before


def test_ctrl_c_ends_with_what_is_being_solved() -> None:
    def interrupt(number: int, progress: pegray.Progress) -> None:
        if number == 1 and not interrupted:
            interrupted.append(number)
            os.kill(os.getpid(), signal.SIGINT)

    interrupted: list[int] = []
    results = list(pegray.solve_many([CGP] * 50, tiebreak=False, on_progress=interrupt))
    assert [result.stats.interrupted for result in results] == [False, True]


def test_compiling_is_said_once_by_the_logger(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    asked: list[str] = []

    @contextmanager
    def compiled_beside(purposes: Iterable[str]) -> Iterator[Callable[[Callable[[int, int], None]], int]]:
        asked.extend(purposes)

        def wait(on_step: Callable[[int, int], None]) -> int:
            for done in (0, 0, 1, 2):
                on_step(done, 2)
            return 0

        yield wait

    monkeypatch.setattr("pegray.kernels.beside.compiled_beside", compiled_beside)
    assert pegray.solve(CGP, only="13L ONYX", tiebreak=False).best is not None
    assert asked == ["words", "plays", "draws", "verdicts"]
    assert caplog.record_tuples == [
        ("pegray", logging.WARNING, "compiling 2 kernels, once on this machine: half a minute or more")
    ]
    asked.clear()
    with pytest.raises(pegray.InputError):  # what can be known before is said before
        pegray.endgame(CGP)
    with pytest.raises(pegray.InputError):
        pegray.explain(CGP, move="13L ONYX", draw="[Z]")
    assert asked == []


def test_plays_cost_together_what_the_solve_does() -> None:
    """Tries that ran out of nodes, and those of draws that were left, are part of it."""
    result = pegray.solve(CGP, tiebreak=False)
    assert sum(play.nodes for play in result.plays) == result.stats.nodes
    assert sum(play.endgames for play in result.plays) == result.stats.endgames
    assert sum(play.cpu_seconds for play in result.plays) == pytest.approx(result.stats.cpu_seconds)


@pytest.mark.parametrize("plies", [1, 3])
def test_the_replies_of_estimates_are_the_plays_that_bring_them(plies: int) -> None:
    position = pegray.Position.from_cgp(CGP)
    result = pegray.solve(position, only="13J EXON", endgame_plies=plies, tiebreak=False)
    (play,) = result.plays
    bad = [outcome for outcome in play.outcomes if outcome.outcome != "W"]
    assert bad and not play.proven
    for outcome in bad:
        after = position.after(play.move, draw=outcome.draw)
        assert outcome.reply is not None and outcome.reply != "pass"
        after.after(outcome.reply)  # the opponent's rack allows it
