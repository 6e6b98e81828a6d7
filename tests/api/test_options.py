"""Options are declared once: Python, job files, the command line and the pages know the same ones, and say the same."""

from __future__ import annotations

import argparse
import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import pegray
from pegray.commands.arguments import OneLineParser, add_option
from pegray.commands.solve import GROUPS, add_parser
from pegray.errors import InputError
from pegray.game.tiles import BUNDLED
from pegray.kinds import Option
from pegray.preendgame.options import SOLVE_OPTIONS, SolveOptions
from pegray.runs.job_file import JobFile
from pegray.runs.options import RUN_OPTIONS, RunOptions

DOCS = Path(__file__).parents[2] / "docs"
ALL = {**SOLVE_OPTIONS, **RUN_OPTIONS}
# Others than options: what is solved, and who is told of it.
OTHER_KEYWORDS = {"position", "positions", "lexicon", "on_progress"}


def plain(text: str) -> str:
    """Without marks and line ends."""
    return " ".join(re.sub(r'[`"]', "", text).split())


@pytest.mark.parametrize("function", [pegray.solve, pegray.solve_many])
def test_the_keywords_are_the_options(function: Callable[..., Any]) -> None:
    keywords = inspect.signature(function).parameters
    assert keywords.keys() - OTHER_KEYWORDS == ALL.keys()
    for name, option in ALL.items():
        assert keywords[name].default == ("none" if name == "address" else option.default), name


@pytest.mark.parametrize("option", ALL.values(), ids=lambda option: option.name)
def test_what_is_said_of_a_keyword(option: Option) -> None:
    default = f" (default: {option.unset})" if option.unset and option.name != "time_limit" else ""
    assert f"{option.name}: {option.meaning}{default}" in plain(pegray.solve.__doc__ or "")


def test_a_job_file_has_the_options() -> None:
    fields = JobFile.model_fields
    assert SolveOptions.of(fields["options"].default.model_dump()) == SolveOptions()
    assert fields["cluster"].default.model_dump().keys() - {"cpus"} == RUN_OPTIONS.keys() - {"time_limit"}
    page = (DOCS / "batch.md").read_text(encoding="utf-8")
    row = next(line for line in page.splitlines() if line.startswith("| `options`"))
    assert re.findall(r"`(\w+)`", row.partition(": as the options")[0])[1:] == list(SOLVE_OPTIONS)


@pytest.fixture
def help_of_solve() -> str:
    commands = argparse.ArgumentParser().add_subparsers()
    add_parser(commands)
    return plain(commands.choices["solve"].format_help())


def test_the_command_line_has_the_options(help_of_solve: str) -> None:
    assert sorted(name for names in GROUPS.values() for name in names) == sorted(SOLVE_OPTIONS)
    for option in ALL.values():
        assert option.flag in help_of_solve
        assert plain(option.off or option.meaning) in help_of_solve
    assert ", ".join(BUNDLED) in help_of_solve


def test_what_the_command_line_does_not_say_is_as_declared() -> None:
    parser = OneLineParser()
    for option in ALL.values():
        add_option(parser, option)
    given = vars(parser.parse_args([]))
    assert SolveOptions.of({name: given[name] for name in SOLVE_OPTIONS}) == SolveOptions()
    assert {name: given[name] for name in RUN_OPTIONS} == vars(RunOptions())
    given = vars(parser.parse_args(["--no-tiebreak", "--never-lose", "--only", "pass", "1A QI", "--workers", "3"]))
    assert (given["tiebreak"], given["never_lose"], given["only"]) == (False, True, ["pass", "1A QI"])
    assert given["workers"] == 3


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("address", "nowhere", "address='nowhere': expected local, auto, none or HOST:PORT"),
        ("workers", True, "workers=True: expected a whole number of at least 1"),
        ("time_limit", "10", "time_limit='10': expected seconds, more than 0, or a text such as 90s, 10m or 2h"),
        ("time_limit", float("inf"), "time_limit=inf: expected seconds, more than 0, or a text"),
        ("table_gib", True, "table_gib=True: expected a number of GiB, more than 0"),
    ],
)
def test_a_run_is_not_carried_out_otherwise(name: str, value: object, message: str) -> None:
    with pytest.raises(InputError) as error:
        RunOptions(**{name: value})  # type: ignore[arg-type]
    assert str(error.value).startswith(message)


def test_a_time_limit_in_seconds() -> None:
    assert [RunOptions(time_limit=limit).seconds for limit in (None, 2.5, "10m")] == [None, 2.5, 600.0]
