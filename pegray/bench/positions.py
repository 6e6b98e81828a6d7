"""The named positions of ``pegray bench``, which ship with the package."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import resources

from pegray.errors import InputError
from pegray.preendgame.options import SolveOptions


@dataclass(frozen=True)
class Expectation:
    """What is known of an answer: a play at the top, how many are there, points and spreads of plays."""

    best: str | None = None
    level: int | None = None
    points: dict[str, float] = field(default_factory=dict)
    spread: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class BenchPosition:
    """A position of data/bench/positions.toml."""

    name: str
    question: str
    cgp: str
    lexicon: str
    slow: bool = False
    options: SolveOptions = field(default_factory=SolveOptions)
    expect: Expectation = field(default_factory=Expectation)
    source: str = ""


def bench_positions() -> list[BenchPosition]:
    """The positions that ship with the package, in order."""
    text = (resources.files("pegray") / "data" / "bench" / "positions.toml").read_text(encoding="utf-8")
    positions: dict[str, BenchPosition] = {}
    for entry in tomllib.loads(text)["position"]:
        same_as = entry.pop("same_as", None)
        if same_as is not None:
            entry["cgp"] = positions[same_as].cgp
        entry["options"] = SolveOptions.of(entry.get("options", {}))
        entry["expect"] = Expectation(**entry.get("expect", {}))
        positions[entry["name"]] = BenchPosition(**entry)
    return list(positions.values())


def choose(positions: Sequence[BenchPosition], only: Sequence[str] | None, slow: bool) -> list[BenchPosition]:
    """The positions named, else those that are not slow, or all. Raises InputError on an unknown name."""
    if not only:
        return [position for position in positions if slow or not position.slow]
    named = {position.name: position for position in positions}
    for name in only:
        if name not in named:
            raise InputError(f"bench: no position {name!r} (there are {', '.join(named)})")
    return [named[name] for name in only]
