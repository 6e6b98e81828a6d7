"""The words that options, files and outputs share are written once, and said to readers wherever they occur."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import Any, get_args

import pyarrow as pa
import pytest

from pegray import api
from pegray.results.model import SolveResult
from pegray.results.schema import OUTCOMES, PLAYS, POSITIONS, UNITS
from pegray.terms import WDL, Opponent, RunState, State, Status, UnitKind, Until

GLOSSARY = Path(__file__).parents[1] / "docs" / "glossary.md"


@pytest.mark.parametrize(
    ("field", "words"),
    [
        (POSITIONS.field("state"), State),
        (PLAYS.field("status"), Status),
        (OUTCOMES.field("outcome"), WDL),
        (UNITS.field("kind"), UnitKind),
    ],
)
def test_the_meaning_of_a_column_names_all_its_values(field: pa.Field, words: type[StrEnum]) -> None:
    meaning = field.metadata[b"meaning"].decode()
    assert all(word.value in meaning for word in words)


@pytest.mark.parametrize("words", [Opponent, State])
def test_the_glossary_has_them(words: type[StrEnum]) -> None:
    text = GLOSSARY.read_text(encoding="utf-8")
    assert all(f"**{word.value}**" in text for word in words)


@pytest.mark.parametrize(("written", "words"), [(api.Opponent, Opponent), (api.Until, Until)])
def test_the_types_of_keywords_have_all_values(written: Any, words: type[StrEnum]) -> None:
    assert get_args(written) == tuple(words)


def test_they_are_written_as_their_values() -> None:
    assert json.dumps({"state": RunState.RUNNING, Status.CUT_OFF: WDL.TIE}) == '{"state": "running", "cut_off": "D"}'
    assert pa.array([State.OPEN], pa.string()).to_pylist() == ["open"]
    assert f"{WDL.LOSS} {Until.ANSWER}" == "L answer"


def test_how_far_includes_what_comes_before() -> None:
    assert Until.SPREAD.includes("answer") and Until.LEVEL.includes(Until.LEVEL)
    assert not Until.ANSWER.includes("level")


def test_what_is_no_word_of_a_result_is_refused() -> None:
    outcome = {"draw": "[A]", "drawn": "A", "stays": "", "weight": 1, "outcome": "X", "certain": True, "proven": True}
    play = {"status": "finished", "outcomes": [{**outcome, "spread": None, "reply": None, "nodes": 0}]}
    with pytest.raises(api.InputError, match="not the JSON of a solve: 'X' is not a valid WDL"):
        SolveResult.from_json({"schema": 2, "plays": [play]})
