"""What the page asks for, and the run that is to answer it; checked without a kernel."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from pegray.errors import InputError
from pegray.game.notation import parse_move
from pegray.game.position import Position
from pegray.game.tiles import Distribution, is_distribution_file, load_distribution
from pegray.lexicon.files import is_file_name
from pegray.lexicon.find import lexicon_for
from pegray.preendgame.options import SolveOptions
from pegray.preendgame.problem import HIGHEST, checked, total_weight
from pegray.runs.directories import begin_with
from pegray.runs.options import RunOptions
from pegray.runs.plan import Plan, PlannedPosition
from pegray.runs.recorder import row_of

_SOURCE = "page"


class Limits(BaseModel):
    """How far a run is to go on, and for how long; None: as it was begun."""

    model_config = ConfigDict(extra="forbid", strict=True)

    until: str | None = None
    time_limit: str | None = None


class Question(BaseModel):
    """A position and how to solve it; what is None is what the position asks for.

    options: of the solve, as job files name them
    """

    model_config = ConfigDict(extra="forbid", strict=True)

    cgp: str
    name: str = "position"
    lexicon: str | None = None
    distribution: str | None = None
    options: dict[str, Any] = {}
    time_limit: str | None = None


Asked = TypeVar("Asked", bound=BaseModel)


def read_json(kind: type[Asked], body: bytes) -> Asked:
    """What the page has sent. Raises InputError naming what it cannot be."""
    try:
        return kind.model_validate_json(body or b"{}")
    except ValidationError as error:
        first = error.errors()[0]
        option = ".".join(map(str, first["loc"])) or None
        raise InputError(first["msg"], option, None if option is None else first["input"]) from None


def solve_options(values: Mapping[str, Any]) -> SolveOptions:
    """The options of a solve. Raises InputError."""
    try:
        return SolveOptions.of(values)
    except TypeError as error:
        raise InputError(str(error)) from None


def distribution_named(name: str | None) -> Distribution | None:
    """A distribution that ships with pegray; None for what the position asks for. Raises InputError."""
    if name and is_distribution_file(name):
        raise InputError("expected the name of a distribution", "distribution", name)
    return load_distribution(name) if name else None


def begin_run(directory: str, question: Question, place: RunOptions) -> None:
    """Make the run directory of a question. Raises InputError, RunError if it cannot be asked or written."""
    position = Position.from_cgp(question.cgp, distribution_named(question.distribution))
    options, known = checked(position, solve_options(question.options))
    for move in (only for only in options.only if only != HIGHEST):
        try:
            parse_move(move, position.board, position.distribution)
        except InputError as error:
            raise InputError(str(error), "only", move) from None
    if question.lexicon and is_file_name(question.lexicon):
        raise InputError("expected the name of a lexicon", "lexicon", question.lexicon)
    lexicon = lexicon_for(position, question.lexicon)
    plan = Plan(
        name=question.name,
        positions=(PlannedPosition(question.name, _SOURCE, position.to_cgp()),),
        options=options,
        lexicon=lexicon.name,
        distribution=question.distribution,
        hashes={lexicon.name: lexicon.hash},
        per_position=RunOptions(time_limit=question.time_limit).seconds,
        address=place.address,
        workers=place.workers,
    )
    row = row_of(position, lexicon.name, total_weight(position, known), question.name, _SOURCE)
    begin_with(directory, plan, [row]).release()
