"""The options of how a solve is carried out: where, and for how long. What is found does not depend on them."""

from __future__ import annotations

from dataclasses import dataclass

from pegray.addresses import is_here
from pegray.errors import InputError
from pegray.kinds import Kind, Options, declare, options_of
from pegray.text.durations import parse_duration

_MOST_GIB = 1 << 20


@dataclass(frozen=True)
class RunOptions(Options):
    """Where positions are solved, and how long each may take. Raises InputError for a value that cannot be."""

    address: str = declare(
        "local",
        Kind.ADDRESS,
        "none solves in this process, local on a private Ray once that is worth its start, auto or HOST:PORT on a "
        "running cluster",
        shown="local|auto|HOST:PORT|none",
    )
    workers: int | None = declare(None, Kind.NUMBER, "cores to use of a private Ray", shown="N", unset="all", least=1)
    time_limit: float | str | None = declare(
        None,
        Kind.DURATION,
        "such as 90s, 10m or 2h, for each position: what is settled then is the result",
        shown="TIME",
        unset="none",
    )
    table_gib: float | None = declare(
        None,
        Kind.GIBIBYTES,
        "size of each node's transposition table in GiB; old entries make room",
        shown="GIB",
        unset="an eighth of memory, at most 4",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        check_table(self.address, self.table_gib)

    @property
    def seconds(self) -> float | None:
        """The time limit in seconds."""
        return in_seconds(self.time_limit)


def in_seconds(time_limit: float | str | None) -> float | None:
    """A time limit in seconds, None where there is none. Raises InputError for a text that is no duration."""
    return parse_duration(time_limit) if isinstance(time_limit, str) else time_limit


def check_table(address: str, table_gib: float | None) -> None:
    """Raise InputError for a table that this machine has no memory for, if it is to be here, or any machine."""
    if table_gib is None:
        return
    from pegray.preendgame.engine import machine_gib  # imports numba, which takes long

    if table_gib > _MOST_GIB:
        raise InputError(f"expected at most {_MOST_GIB:,} GiB", "table_gib", table_gib)
    if is_here(address) and table_gib > machine_gib():
        raise InputError(f"this machine has {machine_gib():.1f} GiB of memory", "table_gib", table_gib)


RUN_OPTIONS = options_of(RunOptions)
"""By name."""
