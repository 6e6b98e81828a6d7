"""The tables of a run directory: Arrow schemas with the meaning of every field in its metadata."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from pegray.terms import WDL, State, Status

SCHEMA_VERSION = 2
READABLE_VERSIONS = (1, 2)
"""Of schema 1 see upgrade.py."""


def _field(name: str, kind: pa.DataType, meaning: str, unit: str = "", nullable: bool = False) -> pa.Field:
    metadata = {"meaning": meaning, "unit": unit} if unit else {"meaning": meaning}
    return pa.field(name, kind, nullable=nullable, metadata=metadata)


def _schema(*fields: pa.Field) -> pa.Schema:
    return pa.schema(fields, metadata={"schema_version": str(SCHEMA_VERSION)})


_POSITION_ID = _field("position_id", pa.int32(), "number of the position in the run, from 0")
_MOVE = _field("move", pa.string(), "the play: 13L ONYX across, N3 STEY down, . filled, lower case blank, pass")

POSITIONS = _schema(
    _POSITION_ID,
    _field("name", pa.string(), "short name"),
    _field("cgp", pa.string(), "the position as a CGP line"),
    _field("lexicon", pa.string(), "name of the lexicon"),
    _field("bag", pa.int8(), "tiles in the bag", "tiles"),
    _field("unseen", pa.string(), "tiles neither on the board nor on our rack"),
    _field("total", pa.int64(), "weight of all eventualities: labelled draws of the bag", "labelled draws"),
    _field("source", pa.string(), "where the position came from"),
    _field(
        "state",
        pa.string(),
        "open: no best play yet; answered: the best points are proven; complete: and all plays level with them, and "
        "the tie-break, are done",
    ),
    _field("answered_seconds", pa.float64(), "seconds of solving until the answer; null before", "seconds", True),
    _field("complete_seconds", pa.float64(), "seconds of solving until it was complete; null before", "seconds", True),
)

PLAYS = _schema(
    _POSITION_ID,
    _MOVE,
    _field("score", pa.int32(), "points scored by the play", "points"),
    _field("tiles", pa.int8(), "tiles played", "tiles"),
    _field("tiles_left", pa.int8(), "tiles in the bag after the play and our draw", "tiles"),
    _field("status", pa.string(), "finished, cut_off, unfinished or skipped"),
    _field(
        "points",
        pa.float64(),
        "weight won plus half the weight tied; null unless finished",
        "labelled draws",
        nullable=True,
    ),
    _field("wins", pa.int64(), "weight won; null unless finished", "labelled draws", nullable=True),
    _field("draws", pa.int64(), "weight tied; null unless finished", "labelled draws", nullable=True),
    _field("losses", pa.int64(), "weight lost; null unless finished", "labelled draws", nullable=True),
    _field("total", pa.int64(), "weight of all eventualities", "labelled draws"),
    _field(
        "found_losses",
        pa.float64(),
        "weight found lost plus half the weight found tied; a bound if unfinished",
        "labelled draws",
    ),
    _field("at_least", pa.float64(), "points won for certain so far", "labelled draws"),
    _field("at_most", pa.float64(), "points that the play may still have: total - found_losses", "labelled draws"),
    _field("estimate", pa.float64(), "points as estimated; null where no estimate was made", "labelled draws", True),
    _field("win_pct", pa.float64(), "100 * points / total; null unless finished", "percent", nullable=True),
    _field(
        "spread",
        pa.float64(),
        "average final spread in points, where the tie-break found it exactly",
        "points",
        nullable=True,
    ),
    _field("spread_at_least", pa.float64(), "the least that it may be; null where not known", "points", True),
    _field("spread_at_most", pa.float64(), "the most that it may be; null where not known", "points", True),
    _field(
        "rank",
        pa.int32(),
        "1 for the best play; null while the position is open, and where a play not finished may have more points",
        nullable=True,
    ),
    _field("proven", pa.bool_(), "all endgames were searched to the end of the game"),
    _field("endgames", pa.int64(), "endgames searched", "endgames"),
    _field("nodes", pa.int64(), "endgame nodes searched", "nodes"),
    _field("cpu_seconds", pa.float64(), "CPU time in seconds", "seconds"),
)

OUTCOMES = _schema(
    _POSITION_ID,
    _MOVE,
    _field("draw", pa.string(), "the eventuality: [AEG]I, we draw A, E and G in any order, the I stays"),
    _field("drawn", pa.string(), "the tiles that we draw, sorted"),
    _field("stays", pa.string(), "the tiles that stay in the bag, in draw order"),
    _field("weight", pa.int64(), "labelled draws that the eventuality covers", "labelled draws"),
    _field("outcome", pa.dictionary(pa.int8(), pa.string()), "W, D or L for the player on turn"),
    _field("certain", pa.bool_(), "nobody has to guess any more after the play"),
    _field("proven", pa.bool_(), "all endgames were searched to the end of the game"),
    _field(
        "spread",
        pa.int32(),
        "final spread in points under best play for spread, where known",
        "points",
        nullable=True,
    ),
    _field("reply", pa.string(), "a reply of the opponent that brings the tie or loss", nullable=True),
    _field("nodes", pa.int64(), "endgame nodes searched for the unit of work it came from", "nodes"),
)

PROGRESS = _schema(
    _POSITION_ID,
    _field("time", pa.timestamp("ms", tz="UTC"), "when it was so"),
    _field("seconds", pa.float64(), "of solving, over all sessions", "seconds"),
    _field("state", pa.string(), "open, answered or complete"),
    _field("at_least", pa.float64(), "points that the best play has at least, whichever it is", "labelled draws"),
    _field("at_most", pa.float64(), "points that it has at most", "labelled draws"),
    _field("finished", pa.int32(), "plays that are finished"),
    _field("cut_off", pa.int32(), "plays that were cut off"),
    _field("unfinished", pa.int32(), "plays that are neither"),
    _field("units_settled", pa.int64(), "units of work that are done"),
    _field("units_in_flight", pa.int64(), "units of work that were being worked on, or waited at a node for it"),
    _field("nodes", pa.int64(), "nodes searched, over all sessions", "nodes"),
    _field("nodes_per_second", pa.float64(), "nodes searched a second by all threads, over the last half minute"),
    _field("cpu_seconds", pa.float64(), "CPU time of the units that are done, over all sessions", "seconds"),
    _field("machines", pa.int32(), "nodes of the cluster that were ready for work"),
    _field("threads", pa.int32(), "solver threads on them; positions that are solved at the same time share them"),
    _field("left_at_least", pa.float64(), "CPU time until the answer, at least; null: unknown", "seconds", True),
    _field("left_at_most", pa.float64(), "CPU time until the answer, at most; null: unknown", "seconds", True),
)

# What pegray.runs.journal keeps has more columns; these are for readers.
UNITS = _schema(
    _field("problem", pa.string(), "key of the position with its options and lexicon"),
    _field("candidate", pa.int32(), "number of the play in the problem, from 0"),
    _field("draw", pa.int32(), "number of our draw among the draws of so many tiles, from 0"),
    _field("kind", pa.string(), "verdict, spread for the tie-break, or estimate of the points of a play (draw 0)"),
    _field("budget", pa.int64(), "nodes that the unit was given; 2**60: no limit", "nodes"),
    _field("finished", pa.bool_(), "all its outcomes were settled"),
    _field("out_of_budget", pa.bool_(), "it ran out of nodes, and is followed by a unit with a larger budget"),
    _field("nodes", pa.int64(), "nodes searched", "nodes"),
    _field("endgames", pa.int64(), "endgames searched", "endgames"),
    _field("cpu_seconds", pa.float64(), "CPU time of its thread and of those that helped", "seconds"),
    _field("seconds", pa.float64(), "from its start to its end", "seconds"),
)

# What a column of words may hold.
_WORDS = {"state": State, "status": Status, "outcome": WDL}


def checked_rows(table: pa.Table) -> pa.Table:
    """The table of one of these schemas, if its values are such as the schema allows. Raises ValueError."""
    for item in table.schema:
        column = table[item.name]
        if column.null_count and not item.nullable:
            raise ValueError(f"{item.name}: null")
        if item.name in _WORDS:
            words = pc.unique(column.cast(pa.string()))
            if not {*words.to_pylist()} <= {*_WORDS[item.name]}:
                raise ValueError(f"{item.name}: an unknown word")
    return table
