"""The manifest of a run as it is read: plain data, whoever wrote it, and of the kinds that its readers count on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

_Kinds = Mapping[str, type | tuple[type, ...]]

_NUMBER = (int, float)
# of the parts that are read by name; others may hold anything
_KINDS: _Kinds = {
    "state": str,
    "begun": str,
    "written": str,
    "program": str,
    "distribution": str,
    "layout": str,
    "opponent_prior": str,
    "options": dict,
    "lexicon": dict,
    "faults": list,
    "job": dict,
    "stats": dict,
}
_LEXICON: _Kinds = {"name": str, "hash": str}
_OPTIONS: _Kinds = {"opponent": str, "known_rack": str, "no_exchange": bool, "tiebreak": bool, "never_lose": bool}
_TEXT = (str, type(None))
_JOB: _Kinds = {
    "name": str,
    "positions": list,
    "options": dict,
    "hashes": dict,
    "lexicon": _TEXT,
    "distribution": _TEXT,
    "address": str,
}
_POSITION: _Kinds = {"name": str, "source": str, "cgp": str, "known_rack": _TEXT}
_STATS: _Kinds = {
    "seconds": _NUMBER,
    "cpu_seconds": _NUMBER,
    "endgames": int,
    "nodes": int,
    "interrupted": bool,
    "earlier_seconds": _NUMBER,
    "until": str,
}
_LATER = {"earlier_seconds", "until"}  # statistics that earlier versions did not write


def parse_manifest(text: bytes) -> dict[str, Any]:
    """The manifest that a file holds, without its null parts. Raises ValueError if it is none."""
    try:
        manifest = json.loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    _check("manifest", manifest, {})
    # what was not known yet when it was written may be null: to readers it is not there
    manifest = {name: value for name, value in manifest.items() if value is not None}
    _check("manifest", manifest, _KINDS)
    for name in ("begun", "written"):
        datetime.fromisoformat(manifest.get(name, datetime.min.isoformat()))
    _check("options", manifest.get("options", {}), _OPTIONS)
    if "lexicon" in manifest:
        _check("lexicon", manifest["lexicon"], _LEXICON, set(_LEXICON))
    job = manifest.get("job", {})
    _check("job", job, _JOB)
    _check("job.options", job.get("options", {}), _OPTIONS)
    for position in job.get("positions", []):
        _check("job.positions", position, _POSITION, {"name", "source", "cgp"})
    _check("job.hashes", job.get("hashes", {}), {})
    _check("job.hashes", job.get("hashes", {}), dict.fromkeys(job.get("hashes", {}), str))
    for number, stats in manifest.get("stats", {}).items():
        if not number.isdecimal():
            raise ValueError("stats")
        _check("stats", stats, _STATS, set(_STATS) - _LATER)
        if not set(stats) <= set(_STATS):
            raise ValueError(f"stats: {min(set(stats) - set(_STATS))}")
    return manifest


def _check(name: str, value: object, kinds: _Kinds, needed: set[str] | None = None) -> None:
    """Raise ValueError unless a value is an object whose parts, where they are there, are of these kinds."""
    if not isinstance(value, dict) or not (needed or set()) <= value.keys():
        raise ValueError(name)
    for part, kind in kinds.items():
        if part in value and not isinstance(value[part], kind):
            raise ValueError(f"{name}.{part}")
