"""What a batch is likely to cost, and how long it takes on so many CPUs, from the guesses for its positions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pegray.preendgame.guess import Guess

# The share of the CPUs' time that is work, where most of it is not (docs/scaling.md).
_LEAST_EFFICIENCY = 0.5


@dataclass(frozen=True)
class Forecast:
    """A batch as it is likely to go.

    positions: CPU seconds of each; None where nothing is known
    work: CPU seconds of all of those that something is known of; None if that is none
    seconds: how long it takes; None if no number of CPUs is known either
    """

    positions: tuple[Guess | None, ...]
    work: Guess | None
    seconds: Guess | None


def forecast(
    guesses: Sequence[Guess | None], cpus: int | None, per_position: float | None = None, total: float | None = None
) -> Forecast:
    """The forecast for positions that are guessed to cost so much.

    cpus: of the cluster, if that is known
    per_position, total: limits in seconds; on so many CPUs a position, or all, cannot cost more
    """
    limits = [limit for limit in (per_position, total) if limit is not None]
    most = min(limits) * cpus if limits and cpus else None
    positions = tuple(None if guess is None else _capped(guess, most) for guess in guesses)
    known = [guess for guess in positions if guess is not None]
    if not known:
        return Forecast(positions, None, None)
    work = _capped(sum(known[1:], known[0]), total * cpus if total and cpus else None)
    seconds = None
    if cpus:
        seconds = _capped(Guess(work.low / cpus, work.high / (cpus * _LEAST_EFFICIENCY)), total)
    return Forecast(positions, work, seconds)


def _capped(guess: Guess, most: float | None) -> Guess:
    return guess if most is None else Guess(min(guess.low, most), min(guess.high, most))
