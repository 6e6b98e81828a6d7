"""The tables of runs in DuckDB, which scans the Parquet files of local runs itself: only the columns and rows it needs.

Files of other filesystems are read by pyarrow, whole. Either way the tables have the same columns and types.

DuckDB opens a file more than once for a query. The files of a run that goes on are replaced now and then, and what is
read of one then belongs to neither the old nor the new: who asks has to look whether they are as they were.
"""

from __future__ import annotations

import glob
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

import pyarrow as pa
import pyarrow.parquet as pq

from pegray.errors import InputError
from pegray.results.schema import OUTCOMES, PLAYS, PROGRESS, UNITS

if TYPE_CHECKING:
    import duckdb

TABLES = {"plays": PLAYS, "outcomes": OUTCOMES, "units": UNITS, "progress": PROGRESS}
_RUN = pa.field("run", pa.string())


class Tables(Protocol):
    """A run as it is asked: :class:`pegray.results.read.Run`."""

    uri: str

    @property
    def opponent(self) -> str:
        """The model of the opponent."""

    def positions(self) -> pa.Table:
        """The positions of the run."""

    def plays(self) -> pa.Table:
        """Their plays."""

    def outcomes(self) -> pa.Table:
        """The outcomes of these."""

    def units(self) -> pa.Table:
        """The units of work."""

    def progress(self) -> pa.Table:
        """How they have come along."""

    def local_files(self, table: str) -> dict[str, tuple[int, int]] | None:
        """Files of a table that other programs can open."""


@dataclass(frozen=True)
class Source:
    """A run that is asked.

    name: what it is called in the column ``run``
    files: of each table that DuckDB scans itself the files with the time (ns) and size (bytes) of each; the other
    tables are read by pyarrow, which opens a file only once
    """

    run: Tables
    name: str
    files: Mapping[str, Mapping[str, tuple[int, int]]] = field(default_factory=dict)

    @classmethod
    def scanned(cls, run: Tables, name: str, tables: Iterable[str]) -> Source:
        """A run of which these tables are scanned by DuckDB, if it is local; with the files that are there now."""
        found = {table: run.local_files(table) for table in tables}
        return cls(run, name, {table: files for table, files in found.items() if files is not None})

    def is_as_it_was(self) -> bool:
        """Whether the files are still the same; others may have come."""
        now = {table: self.run.local_files(table) or {} for table in self.files}
        return all(now[table].get(path) == stamp for table in now for path, stamp in self.files[table].items())

    def check_files(self) -> None:
        """Raises InputError naming a file that is not whole, as whoever reads it with pyarrow is told."""
        for files in self.files.values():
            for path in files:
                try:
                    pq.read_metadata(path)
                except (OSError, pa.ArrowException) as error:
                    name = "/".join(path.split("/")[-2:])
                    text = f"{self.run.uri}: {name} is missing or corrupted ({type(error).__name__})"
                    raise InputError(text) from None


def create_table(connection: duckdb.DuckDBPyConnection, table: str, sources: Sequence[Source]) -> None:
    """Make one of TABLES, of all the runs, known to DuckDB, with one more column: ``run``, the run's name.

    Raises InputError for a file that pyarrow cannot read, duckdb.Error for one that DuckDB cannot.
    """
    # an empty table first: the view has its columns and types, also where no run has a file yet
    read, scans = [TABLES[table].empty_table().append_column(_RUN, pa.array([], pa.string()))], []
    for source in sources:
        files = source.files.get(table)
        if files is None:
            rows = getattr(source.run, table)()
            read.append(rows.append_column(_RUN, pa.array([source.name] * rows.num_rows, pa.string())))
        elif files:
            scans.append(f"select *, {_quoted(source.name)} as run from {_scan(files)}")
    # weights with a prior are no whole numbers
    connection.register(f"_{table}", pa.concat_tables(read, promote_options="permissive"))
    columns = ", ".join([*TABLES[table].names, _RUN.name])
    union = " union all by name ".join([f"from _{table}", *scans])
    connection.execute(f"create view {table} as select {columns} from ({union})")


def _scan(files: Iterable[str]) -> str:
    """Rows of local Parquet files; a column that some of them do not have is null there."""
    paths = ", ".join(_quoted(glob.escape(file)) for file in files)
    # else DuckDB would make a column of a directory named bag=2
    return f"read_parquet([{paths}], union_by_name = true, hive_partitioning = false)"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
