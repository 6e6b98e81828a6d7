"""The file of ``pegray bench --whole``: what positions cost, kept after each so that a run can go on."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pegray.errors import InputError
from pegray.files import write_atomically
from pegray.terms import State, Until

WITHIN = (10, 60, 600)
"""CPU seconds for which a summary says how many positions were answered."""


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class WholeMeasurement(_Record):
    """What one position cost.

    plays: that are compared; total: weight of all draws
    state: ``open``, ``answered`` or ``complete`` (docs/semantics.md) where it ended
    best: the best play, None while the position is open; points: those of a finished play with the most, None if none
    is finished; at_most: points that any play may have
    answered_*, complete_*: what had been spent when the state was reached, None if it was not
    cpu_seconds, nodes, endgames: spent in all; seconds: by the clock on the wall
    peak_mib: the most memory that the process has held so far, in MiB
    """

    name: str
    cgp: str
    lexicon: str
    bag: int
    plays: int
    total: float
    state: State
    best: str | None
    points: float | None
    at_most: float
    answered_cpu_seconds: float | None
    answered_nodes: int | None
    complete_cpu_seconds: float | None
    complete_nodes: int | None
    cpu_seconds: float
    seconds: float
    nodes: int
    endgames: int
    peak_mib: float


class Summary(_Record):
    """The positions of one bag size together.

    answered_within: how many were answered within so many CPU seconds, for those limits that the cap let be seen
    median_cpu_seconds: to the answer; None if so many were open at the cap that it cannot be told
    """

    bag: int
    positions: int
    answered: int
    complete: int
    answered_within: dict[int, int]
    median_cpu_seconds: float | None


class WholeRun(_Record):
    """Positions measured alike: with one program, for so long (``cap_cpu_seconds`` each) and so far (``until``)."""

    schema_version: Literal[1] = Field(default=1, alias="schema")
    bench: Literal["whole"] = "whole"
    version: str
    date: str
    until: Until
    cap_cpu_seconds: float = Field(gt=0)
    positions: tuple[WholeMeasurement, ...] = ()
    summary: tuple[Summary, ...] = ()

    def by_position(self) -> dict[tuple[str, str], WholeMeasurement]:
        """The measurements by position (CGP) and lexicon; names are only what a file calls them."""
        return {(m.cgp, m.lexicon): m for m in self.positions}

    def adding(self, measurement: WholeMeasurement) -> WholeRun:
        """The same with one more position."""
        positions = (*self.positions, measurement)
        summary = tuple(summarize(positions, self.cap_cpu_seconds))
        return self.model_copy(update={"positions": positions, "summary": summary})

    def to_json(self) -> str:
        """A document that :func:`read_run` reads."""
        return self.model_dump_json(by_alias=True, indent=1) + "\n"


def summarize(measurements: Iterable[WholeMeasurement], cap: float) -> list[Summary]:
    """One summary for each bag size, the smallest first. cap: CPU seconds after which positions were left."""
    of_size: dict[int, list[WholeMeasurement]] = {}
    for measurement in measurements:
        of_size.setdefault(measurement.bag, []).append(measurement)
    return [_summary(bag, of_size[bag], cap) for bag in sorted(of_size)]


def _summary(bag: int, measurements: list[WholeMeasurement], cap: float) -> Summary:
    times = [m.answered_cpu_seconds if m.answered_cpu_seconds is not None else math.inf for m in measurements]
    median = statistics.median(times)
    return Summary(
        bag=bag,
        positions=len(measurements),
        answered=sum(m.state != State.OPEN for m in measurements),
        complete=sum(m.state == State.COMPLETE for m in measurements),
        answered_within={limit: sum(t <= limit for t in times) for limit in WITHIN if limit <= cap},
        median_cpu_seconds=None if math.isinf(median) else median,
    )


def read_run(path: str | Path) -> WholeRun:
    """What ``pegray bench --whole`` wrote into a file; InputError if it is not that."""
    try:
        return WholeRun.model_validate_json(Path(path).read_bytes())
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        fault = f"{where}: {first['msg']}" if where else first["msg"]
        raise InputError(f"{path}: not the output of pegray bench --whole: {fault}") from None


def write_run(run: WholeRun, path: str | Path) -> None:
    """Put a run in place of what the file held, in one step: a process that is killed leaves the old one or the new."""
    try:
        write_atomically(path, run.to_json().encode())
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None


def differences(run: WholeRun, old: WholeRun) -> list[str]:
    """One line for each position whose best points are proven in both, and not the same."""
    before = old.by_position()
    lines = []
    for key, now in run.by_position().items():
        then = before.get(key)
        if then is not None and State.OPEN not in (now.state, then.state) and now.points != then.points:
            lines.append(f"{now.name}: {now.points:g} points, {then.points:g} before")
    return lines
