"""Reading a run directory: Arrow tables, results, SQL."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.fs as pafs
import pyarrow.parquet as pq

from pegray.errors import InputError, check_kind, first_line
from pegray.game.position import Position
from pegray.results.lock import is_left
from pegray.results.manifest import parse_manifest
from pegray.results.model import SolveResult, SolveStats, position_of
from pegray.results.play import Outcome, PlayResult
from pegray.results.schema import (
    OUTCOMES,
    PLAYS,
    POSITIONS,
    PROGRESS,
    READABLE_VERSIONS,
    SCHEMA_VERSION,
    UNITS,
    checked_rows,
)
from pegray.results.storage import MANIFEST, open_filesystem, parquet_files
from pegray.results.upgrade import ADDED, SPREAD_BOUNDS, points_won, state_of, upgraded_plays
from pegray.results.views import query_runs
from pegray.terms import Opponent, RunState, State

# Files read at a time: a batch has thousands, and in an object store each takes its time to answer.
READERS = 16

# Where the files of the tables are.
FOLDERS = {"plays": "plays", "outcomes": "outcomes", "units": "journal", "progress": "progress"}


def open_run(uri: str | os.PathLike[str]) -> Run:
    """Open a run directory. Raises InputError if it is none, or one of another schema version."""
    check_kind(uri, (str, os.PathLike), "the path of a run directory, or its URI")
    return Run(os.fspath(uri))


class Run:
    """A run directory, finished or still being written; every call reads what is there then."""

    def __init__(self, uri: str) -> None:
        self.uri = uri
        self._filesystem, self._path = open_filesystem(uri)
        schema = self.manifest.get("schema")
        if schema not in READABLE_VERSIONS:
            raise InputError(f"{uri}: run of schema version {schema}, this program reads {SCHEMA_VERSION}")

    @property
    def manifest(self) -> dict[str, Any]:
        """The manifest: options, lexicon, state and so on."""
        if not self._is_file(MANIFEST):
            raise InputError(f"{self.uri}: not a run directory (no {MANIFEST})")
        try:
            with self._filesystem.open_input_stream(posixpath.join(self._path, MANIFEST)) as stream:
                return parse_manifest(stream.read())
        except OSError as error:
            raise InputError(f"{self.uri}: {MANIFEST} cannot be read ({first_line(error)})") from None
        except ValueError as error:
            raise InputError(f"{self.uri}: {MANIFEST} is corrupted ({first_line(error)})") from None

    @property
    def state(self) -> str:
        """What the manifest says, but for a run whose process was killed: that is interrupted."""
        state = str(self.manifest.get("state", RunState.RUNNING))
        is_local = isinstance(self._filesystem, pafs.LocalFileSystem)
        return RunState.INTERRUPTED if state == RunState.RUNNING and is_local and is_left(self._path) else state

    @property
    def opponent(self) -> str:
        """The model of the opponent that the run is solved with: guaranteed or rational."""
        return _opponent(self.manifest)

    @property
    def no_exchange(self) -> bool:
        """Whether the run is solved as if nobody could exchange."""
        return _no_exchange(self.manifest)

    def known_rack(self, position_id: int) -> str:
        """The tiles that the opponent is known to hold in a position; none: nothing is known."""
        return _known_rack(self.manifest, position_id)

    @property
    def distribution(self) -> str:
        """The letter distribution that the run was asked to use, a file or a name; empty: that of each position."""
        return _distribution(self.manifest)

    def position(self, position_id: int, distribution: str | None = None) -> Position:
        """One of its positions, with another letter distribution if one is given.

        Raises InputError if there is none, or its letter distribution is gone.
        """
        return position_of(self._position(position_id)["cgp"], distribution or self.distribution)

    def positions(self) -> pa.Table:
        """The positions of the run."""
        name = "positions.parquet"
        # the manifest may be written before the first position
        if not self.manifest.get("positions") and not self._is_file(name):
            return POSITIONS.empty_table()
        return self._read([name], POSITIONS)

    def plays(self, position_id: int | None = None) -> pa.Table:
        """The plays of all positions, or of one, as far as they are settled."""
        return self._read(self._parts(FOLDERS["plays"], position_id), PLAYS)

    def outcomes(self, position_id: int | None = None) -> pa.Table:
        """The outcomes of all positions, or of one."""
        return self._read(self._parts(FOLDERS["outcomes"], position_id), OUTCOMES)

    def units(self) -> pa.Table:
        """The units of work in the journal, with what each has cost."""
        parts = self._parts(FOLDERS["units"], None)
        try:
            return self._read(parts, UNITS)
        except InputError:
            if self._parts(FOLDERS["units"], None) == parts:
                raise
        return self.units()  # a run that goes on has made one part of several

    def progress(self, position_id: int | None = None) -> pa.Table:
        """How all positions, or one, have come along: a row every few seconds of solving."""
        return self._read(self._parts(FOLDERS["progress"], position_id), PROGRESS)

    def local_files(self, table: str) -> dict[str, tuple[int, int]] | None:
        """Paths of the files of a table of FOLDERS, with the time (ns) and size (bytes) of each.

        None where other programs cannot open them, and where an earlier version has written them in another way.
        """
        is_old = table == "plays" and self.manifest.get("schema") != SCHEMA_VERSION
        if is_old or not isinstance(self._filesystem, pafs.LocalFileSystem):
            return None
        return {info.path: (info.mtime_ns, info.size) for info in self._files(FOLDERS[table])}

    def result(self, position_id: int) -> SolveResult:
        """One position's result as it was returned by the solve."""
        return self._result(self._position(position_id), self.manifest, self.outcomes(position_id))

    def overview(self, position_id: int) -> SolveResult:
        """The same for a table of the plays: of the outcomes one possible tie and one possible loss of each play."""
        outcomes = self.outcomes(position_id)
        certain, kinds = outcomes["certain"], outcomes["outcome"].cast(pa.string())
        possible = outcomes.filter(pc.and_(pc.invert(certain), pc.not_equal(kinds, "W")))
        rows = enumerate(zip(possible["move"].to_pylist(), possible["outcome"].to_pylist(), strict=True))
        one_each = {move_and_kind: row for row, move_and_kind in rows}
        taken = possible.take(pa.array(one_each.values(), pa.int64()))
        return self._result(self._position(position_id), self.manifest, taken)

    def outcomes_of(self, position_id: int, move: str) -> list[Outcome]:
        """The outcomes of one play, as far as they are settled."""
        outcomes = self.outcomes(position_id)
        return [outcome for _, outcome in _as_outcomes(outcomes.filter(pc.equal(outcomes["move"], move)))]

    def results(self) -> Iterator[tuple[dict[str, Any], SolveResult]]:
        """Every position's row and result, read one after another."""
        manifest = self.manifest
        for row in self.positions().to_pylist():
            yield row, self._result(row, manifest, self.outcomes(row["position_id"]))

    def sql(self, query: str) -> pa.Table:
        """Answer of a DuckDB query over tables and views (see pegray.results.views). Raises InputError on bad SQL."""
        check_kind(query, str, "a statement in SQL")
        return query_runs([self], query)

    def _position(self, position_id: int) -> dict[str, Any]:
        rows = [row for row in self.positions().to_pylist() if row["position_id"] == position_id]
        if not rows:
            raise InputError(f"{self.uri}: no position {position_id}")
        return dict(rows[0])

    def _result(self, position: dict[str, Any], manifest: dict[str, Any], settled: pa.Table) -> SolveResult:
        position_id = position["position_id"]
        outcomes: dict[str, list[Outcome]] = {}
        for move, outcome in _as_outcomes(settled):
            outcomes.setdefault(move, []).append(outcome)
        plays = []
        name = _part(FOLDERS["plays"], position_id)
        if position["state"] != State.OPEN and not self._is_file(name):
            raise InputError(f"{self.uri}: {name} is missing")
        for row in self.plays(position_id).to_pylist():
            del row["position_id"]
            plays.append(PlayResult(**row, outcomes=outcomes.get(row["move"], [])))
        stats = manifest.get("stats", {}).get(str(position_id))
        return SolveResult(
            cgp=position["cgp"],
            lexicon=position["lexicon"],
            bag=position["bag"],
            unseen=position["unseen"],
            total=position["total"],
            opponent=_opponent(manifest),
            state=position["state"],
            plays=plays,
            stats=SolveStats(**stats) if stats else _stats_of(plays),
            known_rack=_known_rack(manifest, position_id),
            no_exchange=_no_exchange(manifest),
            never_lose=bool(manifest.get("options", {}).get("never_lose", False)),
            answered_seconds=position["answered_seconds"],
            complete_seconds=position["complete_seconds"],
            distribution=_distribution(manifest),
        )

    def _is_file(self, name: str) -> bool:
        info = self._filesystem.get_file_info(posixpath.join(self._path, name))
        return bool(info.type == pafs.FileType.File)

    def _parts(self, folder: str, position_id: int | None) -> list[str]:
        if position_id is not None:
            name = _part(folder, position_id)
            return [name] if self._is_file(name) else []
        return [f"{folder}/{info.base_name}" for info in self._files(folder)]

    def _files(self, folder: str) -> list[pafs.FileInfo]:
        return parquet_files(self._filesystem, posixpath.join(self._path, folder))

    def _read(self, names: list[str], schema: pa.Schema) -> pa.Table:
        with ThreadPoolExecutor(READERS) as readers:
            tables = list(readers.map(lambda name: self._read_file(name, schema), names))
        return pa.concat_tables(tables) if tables else schema.empty_table()

    def _read_file(self, name: str, schema: pa.Schema) -> pa.Table:
        try:
            with self._filesystem.open_input_file(posixpath.join(self._path, name)) as file:
                table = pq.ParquetFile(file).read(schema.names, use_threads=False)
            table = checked_rows(table.cast(pa.schema([schema.field(name) for name in table.column_names])))
            if schema is PLAYS and "spread" in table.column_names:
                for column in {*SPREAD_BOUNDS} - {*table.column_names}:
                    table = table.append_column(column, table["spread"])
                table = table.select([name for name in schema.names if name in table.column_names])
            if schema.names != table.column_names and {*schema.names} - {*table.column_names} in ADDED:
                table = self._upgraded(name, table)
            return table.cast(schema)
        except (OSError, pa.ArrowException, LookupError, TypeError, ValueError) as error:
            raise InputError(f"{self.uri}: {name} is missing or corrupted ({type(error).__name__})") from None

    def _upgraded(self, name: str, table: pa.Table) -> pa.Table:
        """A table that an earlier version has written, as this one has it."""
        rows, options = table.to_pylist(), self.manifest.get("options", {})
        if name == "positions.parquet":
            for row in rows:
                row |= {"state": state_of(self.plays(row["position_id"]).to_pylist(), options)}
                row |= {"answered_seconds": None, "complete_seconds": None}
            return pa.Table.from_pylist(rows, schema=POSITIONS)
        outcomes: dict[str, list[dict[str, Any]]] = {}
        for row in self._read([name.replace("plays", "outcomes")], OUTCOMES).to_pylist():
            outcomes.setdefault(row["move"], []).append(row)
        won = {move: points_won(settled) for move, settled in outcomes.items()}
        return pa.Table.from_pylist(upgraded_plays(rows, won, options), schema=PLAYS)


def _as_outcomes(rows: pa.Table) -> Iterator[tuple[str, Outcome]]:
    """Rows of outcomes.parquet, each with its play."""
    for row in rows.to_pylist():
        del row["position_id"]
        yield row.pop("move"), Outcome(**row)


def _part(folder: str, position_id: int) -> str:
    """The file of a table that has one for each position."""
    return f"{folder}/{position_id:06d}.parquet"


def _opponent(manifest: dict[str, Any]) -> str:
    return str(manifest.get("options", {}).get("opponent", Opponent.GUARANTEED))


def _distribution(manifest: dict[str, Any]) -> str:
    return str(manifest.get("job", {}).get("distribution") or "")


def _known_rack(manifest: dict[str, Any], position_id: int) -> str:
    """The tiles that the opponent is known to hold in a position: its own, or those of the whole run."""
    planned = manifest.get("job", {}).get("positions", [])
    own = planned[position_id].get("known_rack") if position_id < len(planned) else None
    return str(manifest.get("options", {}).get("known_rack", "") if own is None else own)


def _no_exchange(manifest: dict[str, Any]) -> bool:
    return bool(manifest.get("options", {}).get("no_exchange", False))


def _stats_of(plays: list[PlayResult]) -> SolveStats:
    """What can be said of the cost while the solve has not ended."""
    cpu = sum(play.cpu_seconds for play in plays)
    return SolveStats(cpu, cpu, sum(play.endgames for play in plays), sum(play.nodes for play in plays), True)
