"""Writes docs/api.md, the page of the Python package, from its docstrings: ``python docs/make_api.py``."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from dataclasses import MISSING, fields, is_dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, get_args

import pegray
from pegray import api, terms

PAGE = Path(__file__).with_name("api.md")
INTRODUCTION = """\
# The Python package

Made by `python docs/make_api.py` from the docstrings. What the words mean is in [semantics.md](semantics.md), what the
columns of a run mean in [schema.md](schema.md), and the plots (`pegray.plots`) are in [notebooks.md](notebooks.md).

```python
import pegray

position = pegray.Position.from_cgp(open("jobs/first.cgp").read().splitlines()[-1])
result = pegray.solve(position, top=3, time_limit="10m")
for play in result.plays[:3]:
    print(play.rank, play.move, play.points, [outcome.draw for outcome in play.outcomes if outcome.outcome != "W"])
print(pegray.explain(position, move="13L ONYX", draw="[Y]"))
```

The package has types (`py.typed`). `import pegray` is quick: what a name needs is imported when it is first used. The
first solve on a machine compiles for half a minute or more, and says so with a warning of the logger `pegray`, which
the module `logging` sends to stderr unless told otherwise. All that a user can do something about is raised as
`pegray.InputError` (a position, play, option or file that cannot be used), or as `pegray.PegrayError`, of which that
is a kind, where work cannot go on; with a message of one line.
"""
SECTIONS = {
    "Solving": ("solve", "solve_many", "explain", "endgame", "Progress", "Effort"),
    "Looking further": ("chances", "with_prior", "review", "Chances", "DrawChances", "ReviewedTurn", "Judgement"),
    "Positions, games, lexica": ("Position", "Game", "Lexicon"),
    "Results": ("SolveResult", "PlayResult", "Outcome", "SolveStats", "EndgameResult", "Explanation"),
    "Runs": ("open_run", "Run"),
    "Errors": ("InputError", "PegrayError"),
}
# Inner parts of a few classes that the rest of the program needs.
INNER = {
    "Game.lexicon",
    "Lexicon.dawg_root",
    "Lexicon.of_nodes",
    "Position.apply",
    "Position.check",
    "Position.ends_if_scoreless",
    "Position.rules",
    "Position.transpose",
    "Run.local_files",
}
_ITEM = re.compile(r"[a-z]\w*(?:, [a-z]\w*)*: ")
_LINE = 100


def page() -> str:
    """The text of the page."""
    parts = [INTRODUCTION]
    for heading, names in SECTIONS.items():
        parts.append(f"\n## {heading}\n")
        for name in names:
            parts += _class(name) if inspect.isclass(getattr(pegray, name)) else _function(name, getattr(pegray, name))
    return "\n".join(parts)


def _function(name: str, function: Any, level: str = "###") -> Iterator[str]:
    yield f"{level} {name}\n\n```python\n{_signature(name, function)}\n```\n\n{_prose(function)}\n"


def _class(name: str) -> Iterator[str]:
    kind = getattr(pegray, name)
    yield f"### {name}\n\n{_prose(kind)}\n"
    if is_dataclass(kind):
        lines = [
            f"{item.name}: {_type(item.type)}{_default(item.default)}"
            for item in fields(kind)
            if not item.name.startswith("_")
        ]
        yield "```python\n" + "\n".join(lines) + "\n```\n"
    for member, value in vars(kind).items():
        full = f"{name}.{member}"
        if member.startswith("_") or full in INNER:
            continue
        if isinstance(value, property | cached_property):
            getter = value.func if isinstance(value, cached_property) else value.fget
            yield f"#### {full}\n\n`{getter.__annotations__['return']}`: {_prose(getter)}\n"
        elif isinstance(value, classmethod) or inspect.isfunction(value):
            yield from _function(full, getattr(kind, member), "####")


def _type(annotation: str) -> str:
    """An annotation as it is written, the values of a choice in full."""
    words = getattr(terms, annotation, None)
    choices = get_args(getattr(api, annotation, None)) if words is None else tuple(words)
    return " | ".join(map(_literal, choices)) or annotation


def _default(default: object) -> str:
    return "" if default in (MISSING, inspect.Parameter.empty) else f" = {_literal(default)}"


def _literal(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else repr(value)


def _signature(name: str, function: Any) -> str:
    """The call, over several lines if it is long."""
    signature = inspect.signature(function)
    keywords = [keyword for keyword in signature.parameters.values() if keyword.name != "self"]
    texts = [f"{keyword.name}: {_type(keyword.annotation)}{_default(keyword.default)}" for keyword in keywords]
    star = next((i for i, keyword in enumerate(keywords) if keyword.kind is keyword.KEYWORD_ONLY), None)
    if star is not None:
        texts.insert(star, "*")
    line = f"{name}({', '.join(texts)}) -> {signature.return_annotation}"
    if len(line) <= _LINE:
        return line
    return f"{name}(\n" + "".join(f"    {text},\n" for text in texts) + f") -> {signature.return_annotation}"


def _prose(thing: Any) -> str:
    """The docstring in Markdown: what it says of one name after another becomes a list."""
    text = inspect.cleandoc(thing.__doc__)
    text = re.sub(r":(?:func|meth|class|mod):`~?([^`]+)`", r"`\1`", text)
    text = re.sub(r"`pegray\.(\w+)`", r"`\1`", text).replace("``", "`")
    paragraphs = []
    for paragraph in text.split("\n\n"):
        lines = paragraph.splitlines()
        if not any(_ITEM.match(line) for line in lines):
            paragraphs.append(paragraph)
            continue
        items: list[str] = []
        for line in lines:
            found = _ITEM.match(line)
            if found:
                names = ", ".join(f"`{name}`" for name in found[0].removesuffix(": ").split(", "))
                items.append(f"- {names}: {line[found.end() :]}")
            else:
                items[-1] += f"\n  {line.strip()}"
        paragraphs.append("\n".join(items))
    return "\n\n".join(paragraphs)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
