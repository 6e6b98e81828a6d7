"""Where the results of a run come from: version, options, lexicon, dates and cost, as a report states them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from pegray.terms import Opponent, State
from pegray.text.durations import format_duration
from pegray.text.numbers import count, number

if TYPE_CHECKING:
    from pegray.results.model import SolveResult


def facts(manifest: Mapping[str, Any], results: Sequence[SolveResult]) -> list[tuple[str, str]]:
    """What is known of the run, as names with values."""
    states = Counter(result.state for result in results)
    known = [
        ("Positions", f"{count(len(results), 'position')}: {_counts(states)}" if results else "0 positions"),
        ("Run", " ".join(filter(None, [manifest.get("state"), _dates(manifest)]))),
        ("Program", manifest.get("program", "")),
        *(("Lexicon", f"{name}, SHA-256 {digest[:16]}…") for name, digest in sorted(_hashes(manifest).items())),
        ("Distribution, layout", ", ".join(filter(None, [manifest.get("distribution"), manifest.get("layout")]))),
        ("Options", options_text(manifest.get("options", {}))),
        ("Cost", _cost(results)),
    ]
    return [(name, value) for name, value in known if value]


def options_text(options: Mapping[str, Any]) -> str:
    """``top 3, no early cutoff``: the options that are not as they are by default, and the model of the opponent."""
    from pegray.preendgame.options import SolveOptions

    parts = [f"{options.get('opponent', Opponent.GUARANTEED)} opponent model"]
    for option in fields(SolveOptions):
        value = options.get(option.name, option.default)
        if option.name == "opponent" or value == option.default or value == []:
            continue
        name = option.name.replace("_", " ")
        if isinstance(value, bool):
            parts.append(name if value else f"no {name}")
        else:
            parts.append(f"{name} {', '.join(value) if isinstance(value, list) else value}")
    return "; ".join(parts)


def _counts(states: Counter[State]) -> str:
    return ", ".join(f"{number(states[state])} {state}" for state in reversed(State) if states[state])


def _dates(manifest: Mapping[str, Any]) -> str:
    """``2026-11-23 09:40 to 10:20 UTC``; nothing for runs of versions that did not write it down."""
    begun, written = manifest.get("begun"), manifest.get("written")
    if begun is None or written is None:
        return ""
    begun_day, _, begun_time = begun.partition("T")
    day, _, time = written.partition("T")
    to = time[:5] if day == begun_day else f"{day} {time[:5]}"
    return f"{begun_day} {begun_time[:5]} to {to} UTC"


def _hashes(manifest: Mapping[str, Any]) -> dict[str, str]:
    """The lexica of the run with their hashes."""
    lexicon = manifest.get("lexicon")
    last = {lexicon["name"]: lexicon["hash"]} if lexicon else {}
    return last | dict(manifest.get("job", {}).get("hashes", {}))


def _cost(results: Sequence[SolveResult]) -> str:
    stats = [result.stats for result in results]
    cpu, nodes = sum(one.cpu_seconds for one in stats), sum(one.nodes for one in stats)
    return f"CPU {format_duration(cpu)}, {count(nodes, 'node')}"
