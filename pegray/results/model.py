"""The answer to a pre-endgame as plain data, and its JSON and Arrow forms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from pegray.errors import InputError, PegrayError
from pegray.game.position import Position
from pegray.game.tiles import load_distribution
from pegray.results.html import plays_table
from pegray.results.play import Outcome, PlayResult
from pegray.results.schema import OUTCOMES, PLAYS, READABLE_VERSIONS, SCHEMA_VERSION
from pegray.results.upgrade import upgrade_document
from pegray.terms import State, Status, Until

if TYPE_CHECKING:
    import os

    import pandas
    import polars


@dataclass
class SolveStats:
    """What a solve cost.

    seconds: those of the last session
    cpu_seconds, endgames, nodes: over all sessions
    interrupted: it ended before everything was settled that was to be
    earlier_seconds: those of the sessions before the last
    until: how far it was to go
    """

    seconds: float
    cpu_seconds: float
    endgames: int
    nodes: int
    interrupted: bool
    earlier_seconds: float = 0.0
    until: str = Until.SPREAD


@dataclass
class SolveResult:
    """A solved (or partly solved) position: ranked plays first, then the others by their bound.

    cgp: the position
    lexicon: its name
    bag: tiles in the bag
    unseen: the tiles that we do not see: the bag and the opponent's rack
    total: weight of all draws
    opponent: the model, ``guaranteed`` or ``rational``
    plays: ranked plays first
    stats: what it cost, and whether it was interrupted
    known_rack: tiles that the opponent was known to hold
    no_exchange: solved as if nobody could exchange, whatever the rules
    never_lose: only plays that never lose were asked for
    opponent_prior: where the weights on the opponent's rack are from, if such were applied to what was solved
    state: ``open``, ``answered`` (the best points are proven) or ``complete`` (so is all that is level with them);
        while it is open no play is ranked, and those that have won most come first
    distribution: the file of the letter distribution, or its name; empty where the CGP line says all
    answered_seconds, complete_seconds: seconds of solving until it was, over all sessions; None until then
    """

    cgp: str
    lexicon: str
    bag: int
    unseen: str
    total: float
    opponent: str
    state: State
    plays: list[PlayResult]
    stats: SolveStats
    known_rack: str = ""
    no_exchange: bool = False
    never_lose: bool = False
    opponent_prior: str = ""
    answered_seconds: float | None = None
    complete_seconds: float | None = None
    distribution: str = ""

    def __post_init__(self) -> None:
        self.state = State(self.state)  # files have the plain text

    @property
    def best(self) -> PlayResult | None:
        """The best play; None while the position is open, and where no play is what is asked for."""
        return self.plays[0] if self.plays and self.plays[0].rank == 1 else None

    @property
    def position(self) -> Position:
        """The position. Raises InputError where the file of its letter distribution is gone."""
        return position_of(self.cgp, self.distribution)

    @property
    def is_estimated(self) -> bool:
        """Whether bounds or points of some play rest on endgames that were cut: then so does what the state says."""
        return not all(play.proven for play in self.plays)

    @property
    def bounds(self) -> tuple[float, float]:
        """Points at least, and at most, of the best play, whichever it is; the same where there is one."""
        if self.best is not None and self.best.points is not None:
            return self.best.points, self.best.points
        asked = [play for play in self.plays if play.status != Status.SKIPPED]
        least = max((play.at_least for play in asked), default=0.0)
        return least, max((play.at_most for play in asked), default=float(self.total))

    def __repr__(self) -> str:
        best = "" if self.best is None else f", best {self.best!r}"
        return f"<SolveResult {self.bag} in the bag, {len(self.plays)} plays, {self.state}{best}>"

    def to_json(self) -> dict[str, Any]:
        """The document of ``pegray solve --json``."""
        plays = []
        for play in self.plays:
            outcomes = [dict(vars(outcome)) for outcome in play.outcomes]
            plays.append({**vars(play), "outcomes": outcomes})
        return {"schema": SCHEMA_VERSION, **vars(self), "plays": plays, "stats": dict(vars(self.stats))}

    @classmethod
    def from_json(cls, document: dict[str, Any]) -> SolveResult:
        """Inverse of :meth:`to_json`, of schema 1 as well; fields that it does not know are ignored.

        Raises InputError for a document of another schema version or with something missing.
        """
        try:
            if document["schema"] not in READABLE_VERSIONS:
                raise InputError(f"result of schema version {document['schema']}, this program reads {SCHEMA_VERSION}")
            if document["schema"] == 1:
                document = upgrade_document(document)
            plays = []
            for play in document["plays"]:
                outcomes = [Outcome(**_known_fields(Outcome, outcome)) for outcome in play["outcomes"]]
                plays.append(PlayResult(**{**_known_fields(PlayResult, play), "outcomes": outcomes}))
            stats = SolveStats(**_known_fields(SolveStats, document["stats"]))
            return cls(**{**_known_fields(cls, document), "plays": plays, "stats": stats})
        except KeyError as error:
            raise InputError(f"not the JSON of a solve: no {error}") from None
        except (AttributeError, TypeError, ValueError) as error:
            raise InputError(f"not the JSON of a solve: {error}") from None

    def _repr_html_(self) -> str:
        return plays_table(self.plays)

    def to_arrow(self, position_id: int = 0) -> dict[str, pa.Table]:
        """Arrow tables ``plays`` and ``outcomes`` with the schemas of a run directory."""
        settled = [(play.move, outcome) for play in self.plays for outcome in play.outcomes]
        outcomes = [outcome for _, outcome in settled]
        moves = [move for move, _ in settled]
        return {
            "plays": _table(PLAYS, self.plays, {"position_id": [position_id] * len(self.plays)}),
            "outcomes": _table(OUTCOMES, outcomes, {"position_id": [position_id] * len(settled), "move": moves}),
        }

    def to_pandas(self) -> pandas.DataFrame:
        """The plays as a pandas data frame. Raises PegrayError if pandas is not installed."""
        plays = self.to_arrow()["plays"]
        try:
            return plays.to_pandas()
        except ImportError:
            raise PegrayError("to_pandas needs pandas: pip install pandas") from None

    def to_polars(self) -> polars.DataFrame:
        """The plays as a polars data frame. Raises PegrayError if polars is not installed."""
        try:
            import polars
        except ImportError:
            raise PegrayError("to_polars needs polars: pip install polars") from None
        return polars.DataFrame(self.to_arrow()["plays"])

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Write the plays to a CSV file, with a line of column names. Raises PegrayError if it cannot be written."""
        import pyarrow.csv as pacsv

        try:
            pacsv.write_csv(self.to_arrow()["plays"], path)
        except OSError as error:
            raise PegrayError(f"{path}: cannot be written: {error.strerror or error}") from None


def position_of(cgp: str, distribution: str) -> Position:
    """The position of a CGP line. distribution: a file or a name; empty: what the line says. Raises InputError."""
    return Position.from_cgp(cgp, load_distribution(distribution) if distribution else None)


def _table(schema: pa.Schema, rows: Sequence[object], columns: dict[str, list[Any]]) -> pa.Table:
    """The rows' attributes as an Arrow table; ``columns`` are those that are no attributes."""
    attributes = {name: [getattr(row, name) for row in rows] for name in schema.names if name not in columns}
    return pa.Table.from_pydict({**columns, **attributes}, schema=schema)


def _known_fields(kind: type, values: dict[str, Any]) -> dict[str, Any]:
    names = {item.name for item in fields(kind)}
    return {name: value for name, value in values.items() if name in names}
