"""Traces: the journals of real solves, each with the problem that was solved, without its lexicon."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from pegray.game.position import Position
from pegray.lexicon.find import find_lexicon
from pegray.preendgame.candidates import Candidates
from pegray.preendgame.options import SolveOptions
from pegray.preendgame.problem import Problem
from pegray.preendgame.work import Settled
from pegray.runs.directories import take_up
from pegray.runs.journal import Journal

TRACES = Path(__file__).parents[1] / "traces"
_META = b"pegray"
TRACE = pa.schema(
    [
        ("candidate", pa.int16()),
        ("draw", pa.int16()),
        ("kind", pa.dictionary(pa.int8(), pa.string())),
        ("budget", pa.int64()),
        ("portion", pa.list_(pa.int64())),
        ("finished", pa.bool_()),
        ("out_of_budget", pa.bool_()),
        ("outcomes", pa.binary()),
        ("replies", pa.list_(pa.int64())),
        ("replies_left", pa.list_(pa.int64())),
        ("untried", pa.int32()),
        ("nodes", pa.int64()),
        ("cpu_seconds", pa.float32()),
    ]
)


def record(run: str, path: str) -> None:
    """Keep the journal of a run of one position as a trace."""
    out, plan = take_up(run)
    problem = plan.maker().of(plan.positions[0])
    assert isinstance(problem, Problem)
    write_trace(problem, Journal(out, problem.key).load(), path)


def write_trace(problem: Problem, rows: Sequence[Settled], path: str) -> None:
    """Keep what came of the units of a solve, and the plays that it compared."""
    plays = problem.candidates
    asked = {
        "cgp": problem.position.to_cgp(),
        "lexicon": problem.lexicon_name,
        "options": {"until": problem.options.until, "early_cutoff": problem.options.early_cutoff},
        "moves": plays.moves.tolist(),
        "scores": plays.scores.tolist(),
        "tiles": plays.tiles.tolist(),
    }
    table = pa.Table.from_pylist([row.to_row() for row in rows], schema=TRACE.with_metadata({_META: json.dumps(asked)}))
    pq.write_table(table, path, compression="zstd", compression_level=19)


def read_trace(path: Path) -> tuple[Problem, list[Settled]]:
    """The problem of a trace, without its lexicon, and what came of its units."""
    table = pq.read_table(path)
    asked = json.loads(table.schema.metadata[_META])
    position = Position.from_cgp(asked["cgp"])
    none = np.zeros(len(asked["moves"]), np.bool_)
    plays = Candidates(
        np.array(asked["moves"], np.uint64),
        np.array(asked["scores"], np.int32),
        np.array(asked["tiles"], np.int8),
        protected=none,
        skipped=none,
        ends_game=none,
    )
    options = SolveOptions(**asked["options"], tiebreak=False)
    known = np.zeros_like(position.unseen)
    problem = Problem(position, asked["lexicon"], "", np.zeros(0, np.uint32), known, options, plays)
    unset = dict.fromkeys(
        ("spread", "spread_at_least", "spread_at_most", "estimate", "checkpoints", "nodes_left", "bounds")
    )
    kept = {"lost": 0, "endgames": 0, "seconds": 0.0, "proven": True, **unset}
    return problem, [Settled.from_row(kept | row) for row in table.to_pylist()]


def read_solved(path: Path) -> tuple[Problem, list[Settled]]:
    """The problem of a trace with its lexicon, and what came of its units, by the numbers that its plays have now.

    Raises:
        InputError: the lexicon cannot be found.
    """
    traced, rows = read_trace(path)
    lexicon = find_lexicon(traced.lexicon_name, traced.position.distribution)
    problem = Problem.create(traced.position, lexicon, traced.options)
    places = {move: place for place, move in enumerate(problem.candidates.moves.tolist())}
    numbers = [places[move] for move in traced.candidates.moves.tolist()]
    return problem, [replace(row, unit=row.unit._replace(candidate=numbers[row.unit.candidate])) for row in rows]
