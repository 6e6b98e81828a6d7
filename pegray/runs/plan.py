"""What a run is to do, in full: kept in the manifest of its directory, so that it can go on from that alone."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

from pegray.errors import InputError
from pegray.game.position import Position
from pegray.game.tiles import is_distribution_file, load_distribution
from pegray.lexicon.files import is_file_name
from pegray.lexicon.find import lexicon_for
from pegray.preendgame.options import SolveOptions
from pegray.preendgame.problem import FROM_THE_GAME, Problem
from pegray.preendgame.solve_endgame import EndgameProblem, check_is_endgame
from pegray.runs.options import RUN_OPTIONS, in_seconds

if TYPE_CHECKING:
    from pegray.lexicon.lexicon import Lexicon

# fields of a plan, and the options that they are values of
_LIMITS = {
    "address": "address",
    "workers": "workers",
    "cpus": "workers",
    "per_position": "time_limit",
    "total": "time_limit",
    "table_gib": "table_gib",
}


@dataclass(frozen=True)
class PlannedPosition:
    """A position with a short name and the place that it was read from.

    known_rack: the tiles that its game has shown of the opponent's rack, where the options ask for that; else None
    protect: plays that are never cut off, beside those of the options
    """

    name: str
    source: str
    cgp: str
    known_rack: str | None = None
    protect: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        name: str,
        source: str,
        problem: Problem | EndgameProblem,
        asked: SolveOptions,
        protect: tuple[str, ...] = (),
    ) -> PlannedPosition:
        """What a plan with the options ``asked`` for keeps of a position's problem."""
        known_rack = problem.options.known_rack if asked.known_rack == FROM_THE_GAME else None
        return cls(name, source, problem.position.to_cgp(), known_rack, protect)


@dataclass(frozen=True)
class Plan:
    """Positions, how to solve them, and for how long and where.

    lexicon, distribution: a name, an absolute path, or None for what each position asks for
    hashes: lexicon name -> hash of the word graph that the run began with
    per_position, total: seconds, or None; they count anew each time that the run is taken up
    address, workers, table_gib: as in :func:`pegray.runs.driver.solve`
    cpus: to ask a cluster's autoscaler for while the run goes on, or None
    """

    name: str
    positions: tuple[PlannedPosition, ...]
    options: SolveOptions = field(default_factory=SolveOptions)
    lexicon: str | None = None
    distribution: str | None = None
    hashes: Mapping[str, str] = field(default_factory=dict)
    per_position: float | None = None
    total: float | None = None
    address: str = RUN_OPTIONS["address"].default
    workers: int | None = None
    table_gib: float | None = None
    cpus: int | None = None

    def to_manifest(self) -> dict[str, Any]:
        """As JSON for the manifest."""
        return asdict(self)

    @classmethod
    def from_manifest(cls, manifest: Mapping[str, Any], uri: str) -> Plan:
        """The plan of a run directory. Raises InputError if the manifest has none, or one that nobody can ask for."""
        stored = manifest.get("job")
        if not isinstance(stored, dict):
            raise InputError(f"{uri}: the manifest names no job, so the run cannot be taken up")
        try:
            options = SolveOptions.of(stored["options"])
            positions = tuple(
                PlannedPosition(**{**position, "protect": tuple(position.get("protect", ()))})
                for position in stored["positions"]
            )
            return cls(**{**stored, "positions": positions, "options": options})._checked()
        except (AttributeError, KeyError, TypeError, InputError) as error:
            raise InputError(f"{uri}: the job in the manifest cannot be read ({error})") from None

    def _checked(self) -> Plan:
        """The plan with its time limits in seconds. Raises InputError for an address or a limit that no run has."""
        for name, option in _LIMITS.items():
            replace(RUN_OPTIONS[option], name=name).check(getattr(self, name))
        return replace(self, per_position=in_seconds(self.per_position), total=in_seconds(self.total))

    def maker(self) -> ProblemMaker:
        """Makes the problems of its positions."""
        return ProblemMaker(self.lexicon, self.distribution, self.options)

    def continues(self, other: Plan) -> bool:
        """Whether the results of ``other`` are results of this too.

        Limits may differ, and how far to go; positions may be added.
        """
        changed = any(self.hashes.get(name) != value for name, value in other.hashes.items())
        options = replace(self.options, until=other.options.until)
        return (
            not changed
            and (options, self.lexicon, self.distribution) == (other.options, other.lexicon, other.distribution)
            and set(self.positions) >= set(other.positions)
        )


class ProblemMaker:
    """Makes problems that are asked alike; a lexicon is read once for all of them.

    lexicon, distribution: as asked for; None for what each position asks for
    """

    def __init__(
        self, lexicon: Lexicon | str | os.PathLike[str] | None, distribution: str | None, options: SolveOptions
    ) -> None:
        self._lexicon = lexicon
        self._options = options
        self.distribution = None if distribution is None else load_distribution(distribution)
        self._lexica: dict[tuple[object, str], Lexicon] = {}

    def make(self, position: Position, known_rack: str | None = None, protect: tuple[str, ...] = ()) -> Problem:
        """The problem of a position, with a known rack and protected plays of its own if given.

        Raises InputError if it cannot be solved.
        """
        return Problem.create(position, self.lexicon_of(position), self._options_with(known_rack, protect))

    def make_endgame(self, position: Position, protect: tuple[str, ...] = ()) -> EndgameProblem:
        """The same of an endgame."""
        check_is_endgame(position)
        return EndgameProblem(position, self.lexicon_of(position), self._options_with(None, protect))

    def of(self, planned: PlannedPosition) -> Problem | EndgameProblem:
        """The problem of a planned position."""
        try:
            position = Position.from_cgp(planned.cgp, distribution=self.distribution)
            if position.bag_size == 0:
                return self.make_endgame(position, planned.protect)
            return self.make(position, planned.known_rack, planned.protect)
        except InputError as error:
            raise InputError(f"{planned.source}: {error}") from None

    def lexicon_of(self, position: Position) -> Lexicon:
        """The lexicon of a position. Raises InputError if there is none."""
        key = (self._lexicon or position.lexicon, position.distribution.name)
        if key not in self._lexica:
            self._lexica[key] = lexicon_for(position, self._lexicon)
        return self._lexica[key]

    def _options_with(self, known_rack: str | None, protect: tuple[str, ...]) -> SolveOptions:
        options = self._options if known_rack is None else replace(self._options, known_rack=known_rack)
        return replace(options, protect=(*options.protect, *protect)) if protect else options


def absolute_lexicon(name_or_path: str | None, folder: str | os.PathLike[str] = "") -> str | None:
    """A lexicon as it can be found from any working directory; a path is taken relative to ``folder``."""
    return _absolute(name_or_path, folder, is_file_name)


def absolute_distribution(name_or_path: str | None, folder: str | os.PathLike[str] = "") -> str | None:
    """A distribution as it can be found from any working directory; a path is taken relative to ``folder``."""
    return _absolute(name_or_path, folder, is_distribution_file)


def _absolute(name_or_path: str | None, folder: str | os.PathLike[str], is_file: Callable[[str], bool]) -> str | None:
    if name_or_path is None or not is_file(name_or_path):
        return name_or_path
    return os.path.abspath(os.path.join(folder, os.path.expanduser(name_or_path)))
