"""The answer to a pre-endgame as plain data: outcomes, plays, the whole result, and their JSON and Arrow forms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from pegray.errors import InputError, PegrayError
from pegray.results.schema import OUTCOMES, PLAYS, READABLE_VERSIONS, SCHEMA_VERSION
from pegray.results.upgrade import upgrade_document

if TYPE_CHECKING:
    import os

    import pandas
    import polars


@dataclass
class Outcome:
    """How a play fares in one eventuality class.

    draw: ``[AEG]I``: we draw A, E and G in any order, the I stays
    drawn, stays: its two parts
    weight: labelled draws that it covers
    outcome: ``W``, ``D`` or ``L``
    certain: nobody has to guess any more after the play
    proven: all endgames were searched to the end
    spread: final spread under best play for spread, where known
    reply: a reply that brings the tie or loss
    nodes: searched for the unit of work that the outcome came from
    """

    draw: str
    drawn: str
    stays: str
    weight: int
    outcome: str
    certain: bool
    proven: bool
    spread: int | None
    reply: str | None
    nodes: int

    def __repr__(self) -> str:
        reply = "" if self.reply is None else f" after {self.reply}"
        return f"<Outcome {self.draw} {self.outcome}{reply}, weight {self.weight}>"


@dataclass
class PlayResult:
    """What is known of one play. Points, wins, draws, losses and win_pct are None unless it is finished.

    rank: 1 for the best play; None while the position is open, and where a play that is not finished may have more
    move: in notation, ``13L ONYX``
    score, tiles, tiles_left: points on the board, tiles played, tiles in the bag afterwards
    status: ``finished``, ``cut_off``, ``unfinished`` or ``skipped``
    total: weight of all draws
    points: weight of the wins plus half that of the ties
    wins, draws, losses: weights; a draw here is a tie
    win_pct: points in percent of the total
    found_losses: weight of the losses found plus half that of the ties, a bound where the play is not finished
    at_least, at_most: points won for certain so far, and those that the play may still have
    estimate: points as estimated, None where no estimate was made
    spread: average final spread over all eventualities, where the tie-break worked it out
    proven: all endgames were searched to the end
    endgames, nodes, cpu_seconds: what it cost
    outcomes: of the draws that are settled, also of a play that is not finished
    """

    rank: int | None
    move: str
    score: int
    tiles: int
    tiles_left: int
    status: str
    total: int
    points: float | None
    wins: int | None
    draws: int | None
    losses: int | None
    win_pct: float | None
    found_losses: float
    at_least: float
    at_most: float
    spread: float | None
    proven: bool
    endgames: int
    nodes: int
    cpu_seconds: float
    estimate: float | None = None
    outcomes: list[Outcome] = field(default_factory=list)

    def __repr__(self) -> str:
        points = f"at most {self.at_most:g}" if self.points is None else f"{self.points:g}"
        return f"<PlayResult {self.move}, {self.status}, {points} of {self.total}>"


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
    until: str = "spread"


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
    state: ``open``, ``answered`` (the best points are proven) or ``complete`` (so is all that is level with them);
        while it is open no play is ranked, and those that have won most come first
    answered_seconds, complete_seconds: seconds of solving until it was, over all sessions; None until then
    """

    cgp: str
    lexicon: str
    bag: int
    unseen: str
    total: int
    opponent: str
    state: str
    plays: list[PlayResult]
    stats: SolveStats
    known_rack: str = ""
    no_exchange: bool = False
    answered_seconds: float | None = None
    complete_seconds: float | None = None

    @property
    def best(self) -> PlayResult | None:
        """The best play; None while the position is open, and where no play is what is asked for."""
        return self.plays[0] if self.plays and self.plays[0].rank == 1 else None

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
        except (AttributeError, TypeError) as error:
            raise InputError(f"not the JSON of a solve: {error}") from None

    def _repr_html_(self) -> str:
        from pegray.display.report import plays_table

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


def _table(schema: pa.Schema, rows: Sequence[object], columns: dict[str, list[Any]]) -> pa.Table:
    """The rows' attributes as an Arrow table; ``columns`` are those that are no attributes."""
    attributes = {name: [getattr(row, name) for row in rows] for name in schema.names if name not in columns}
    return pa.Table.from_pydict({**columns, **attributes}, schema=schema)


def _known_fields(kind: type, values: dict[str, Any]) -> dict[str, Any]:
    names = {item.name for item in fields(kind)}
    return {name: value for name, value in values.items() if name in names}
