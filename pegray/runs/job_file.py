"""The job file itself: which keys it may have, and which values; faults with their line and key."""

from __future__ import annotations

import re
from collections.abc import Hashable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import yaml
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, create_model

from pegray.addresses import EXPECTED, is_address
from pegray.errors import InputError, why_unreadable
from pegray.game.quoting import quoted
from pegray.kinds import Kind, Option
from pegray.preendgame.options import SOLVE_OPTIONS
from pegray.runs.options import RUN_OPTIONS
from pegray.text.durations import parse_duration

_NAME = re.compile(r"[^\s/\\.][^/\\\x00-\x1f]*")
_TOO_MANY_NODES = 1_000_000


def _duration(text: str) -> str:
    try:
        parse_duration(text)
    except InputError as error:
        raise ValueError(str(error)) from None
    return text


def _address(text: str) -> str:
    if not is_address(text):
        raise ValueError(f"{quoted(text)}: expected {EXPECTED}")
    return text


def _name(text: str) -> str:
    if not _NAME.fullmatch(text):
        raise ValueError(f"{quoted(text)}: expected a name that a file may have")
    return text


_Text = Annotated[str, Field(min_length=1)]
_Duration = Annotated[str, AfterValidator(_duration)]
_Turns = Annotated[list[Annotated[int, Field(ge=1)]], Field(min_length=1)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Games(_Part):
    """Files, and of games the turns that are wanted."""

    file: _Text
    turns: _Turns | None = None


def _entry(value: object) -> object:
    if isinstance(value, str):
        return {"file": value}
    if not isinstance(value, dict):
        raise ValueError(f"{quoted(str(value))}: expected a file name, or file: and turns:")
    return value


def _type_of(option: Option) -> Any:
    """The type of an option's values in YAML, for pydantic."""
    match option.kind:
        case Kind.NUMBER:
            kind: Any = Annotated[int, Field(ge=option.least)]
        case Kind.CHOICE:
            kind = Literal[tuple(option.words)]
        case _:
            kind = _TYPES[option.kind]
    return kind | None if option.default is None else kind


_TYPES = {
    Kind.SWITCH: bool,
    Kind.TEXT: str,
    Kind.MOVES: list[_Text],
    Kind.ADDRESS: Annotated[str, AfterValidator(_address)],
    Kind.DURATION: _Duration,
    Kind.GIBIBYTES: Annotated[float, Field(gt=0, allow_inf_nan=False)],
}


def _fields_of(*options: Option) -> dict[str, Any]:
    """The options as fields of a pydantic model."""
    return {option.name: (_type_of(option), [] if option.kind is Kind.MOVES else option.default) for option in options}


if TYPE_CHECKING:

    class _Options(_Part): ...

    class _Cluster(_Part): ...

else:
    _Options = create_model("_Options", __base__=_Part, **_fields_of(*SOLVE_OPTIONS.values()))
    _Cluster = create_model(
        "_Cluster",
        __base__=_Part,
        **_fields_of(*(RUN_OPTIONS[name] for name in ("address", "workers", "table_gib"))),
        cpus=(Annotated[int, Field(ge=1)] | None, None),
    )


class _Limits(_Part):
    per_position: _Duration | None = None
    total: _Duration | None = None


class JobFile(_Part):
    """A job file as it is written: what its keys are and which values they take."""

    name: Annotated[str, AfterValidator(_name)]
    positions: Annotated[list[Annotated[_Games, BeforeValidator(_entry)]], Field(min_length=1)]
    turns: _Turns | None = None
    lexicon: _Text | None = None
    distribution: _Text | None = None
    options: _Options = _Options()
    limits: _Limits = _Limits()
    cluster: _Cluster = _Cluster()
    out: _Text | None = None


class _Loader(yaml.SafeLoader):
    """Plain YAML in which a key may stand only once."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen: set[str] = set()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise yaml.MarkedYAMLError(problem="a key that is no plain text", problem_mark=key.start_mark)
            if key.value in seen:
                raise yaml.MarkedYAMLError(problem=f"{key.value}: given twice", problem_mark=key.start_mark)
            seen.add(key.value)
        return super().construct_mapping(node, deep)


def parse_job(path: Path) -> JobFile:
    """The job file as it is written. Raises InputError with every fault in it."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: {why_unreadable(error)}") from None
    try:
        root = yaml.compose(text, yaml.SafeLoader)
        if _nodes(root, {}) >= _TOO_MANY_NODES:
            raise ValueError("what it refers to is too much, or itself")
        document = yaml.load(text, _Loader)
    except yaml.MarkedYAMLError as error:
        line = f":{error.problem_mark.line + 1}" if error.problem_mark else ""
        raise InputError(f"{path}{line}: {error.problem}") from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise InputError(f"{path}: not YAML: {' '.join(str(error).split())}") from None
    if not isinstance(document, dict):
        raise InputError(f"{path}: expected keys with values, such as `name: overnight`")
    try:
        return JobFile.model_validate(document)
    except ValidationError as error:
        faults: dict[str, str] = {}
        for fault in error.errors():
            where, number = _place(root, fault["loc"])
            faults.setdefault(where, f"{path}:{number}: {where}: {_message(fault)}")
        raise InputError("; ".join(faults.values())) from None


def _nodes(node: yaml.Node | None, counted: dict[int, int]) -> int:
    """How many nodes there are with every alias written out, at most _TOO_MANY_NODES: a few lines can stand for any."""
    if not isinstance(node, yaml.CollectionNode):
        return 1
    if id(node) not in counted:
        counted[id(node)] = _TOO_MANY_NODES  # if it comes to itself again
        parts = [part for value in node.value for part in (value if isinstance(value, tuple) else (value,))]
        counted[id(node)] = min(_TOO_MANY_NODES, 1 + sum(_nodes(part, counted) for part in parts))
    return counted[id(node)]


def _place(root: yaml.Node | None, location: tuple[int | str, ...]) -> tuple[str, int]:
    """``positions[2].file`` and the line that it stands on, of a location of pydantic's."""
    text = ""
    node, line = root, 1
    for step in location:
        if isinstance(node, yaml.MappingNode):
            text += f".{step}" if text else str(step)
            pairs = [(key, value) for key, value in node.value if key.value == str(step)]
            if not pairs:
                break
            line, node = pairs[0][0].start_mark.line + 1, pairs[0][1]
        elif isinstance(node, yaml.SequenceNode) and isinstance(step, int):
            text += f"[{step + 1}]"
            node = node.value[step]
            line = node.start_mark.line + 1
        else:
            break
    return text, line


def _message(fault: Any) -> str:
    match fault["type"]:
        case "extra_forbidden":
            return "unknown key"
        case "missing":
            return "missing"
        case "value_error":
            return str(fault["ctx"]["error"])
        case "model_type":
            return "expected keys with values"
    message = str(fault["msg"])
    return f"{message[:1].lower()}{message[1:]}, not {quoted(str(fault['input']))}"
