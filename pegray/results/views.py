"""SQL over one or several runs: the tables of a run directory and ready views over them.

Every table and view has the column ``run``, the name of the directory, so that positions of several runs are
told apart: join by ``using (run, position_id)``. positions also has ``opponent``, the model of the run.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Sequence

import pyarrow as pa

from pegray.errors import InputError, first_line
from pegray.results.scan import TABLES, Source, Tables, create_table

# How often a query is run while files that it reads are replaced, before pyarrow reads them instead.
_TRIES = 3

VIEWS = {
    # the best play of every position that is answered: of an open one no play is known to be the best
    "best_plays": """
        select run, position_id, name, move, score, tiles, tiles_left, points, plays.total, win_pct, spread, proven,
               state, answered_seconds
        from plays join positions using (run, position_id)
        where state <> 'open' and rank = 1 order by run, position_id""",
    # answered positions where a play that leaves tiles in the bag has more points than any that empties it may have;
    # the emptying play that may have most, and its points if it is finished
    "non_emptying_wins": """
        select best.run, position_id, name, best.move, best.tiles_left, best.points,
               emptying.move as emptying_move, emptying.points as emptying_points,
               emptying.at_most as emptying_at_most, best.total
        from best_plays best left join (
            from plays where tiles_left = 0 and status <> 'skipped'
            qualify row_number() over (partition by run, position_id order by at_most desc, points, move) = 1
        ) emptying using (run, position_id)
        where best.tiles_left > 0 and best.points > coalesce(emptying.at_most, -1) order by best.run, position_id""",
    # answered positions where the best play has more points than the one with the highest score may have
    "top_score_not_best": """
        select best.run, position_id, name, best.move, best.score, best.points,
               top.move as top_move, top.score as top_score, top.status as top_status,
               top.at_most as top_at_most, best.total
        from best_plays best join (
            from plays where status <> 'skipped'
            qualify row_number() over (partition by run, position_id order by score desc, at_most desc, move) = 1
        ) top using (run, position_id)
        where top.at_most < best.points order by best.run, position_id""",
    # what every position cost, the dearest first
    "hardest_positions": """
        select run, position_id, name, any_value(state) as state, any_value(bag) as bag, count(*) as plays,
               count(*) filter (status = 'finished') as finished,
               sum(nodes)::bigint as nodes, sum(endgames)::bigint as endgames, sum(cpu_seconds) as cpu_seconds
        from plays join positions using (run, position_id)
        group by run, position_id, name order by nodes desc, run, position_id""",
    # the draws that a play loses, of ranked plays and others; L? is a possible loss
    "losing_draws": """
        select run, position_id, name, rank, move, draw, weight,
               case when certain then 'L' else 'L?' end as outcome, reply
        from outcomes join plays using (run, position_id, move) join positions using (run, position_id)
        where outcomes.outcome = 'L' order by run, position_id, rank nulls last, move, weight desc, draw""",
    # what every play is sure of, whatever the opponent does, next to what it probably gets of a rational one: of runs
    # of both models together, where the position is answered; points are null where a play is not finished, at_most is
    # what it may at most have
    "sure_and_probable": """
        with valued as (
            select opponent, cgp, lexicon, name, move, score, tiles_left, points, at_most, plays.total
            from plays join positions using (run, position_id) where status <> 'skipped' and state <> 'open'
        )
        select coalesce(sure.name, probable.name) as name, move, coalesce(sure.score, probable.score) as score,
               coalesce(sure.tiles_left, probable.tiles_left) as tiles_left,
               sure.points as sure, sure.at_most as sure_at_most,
               probable.points as probable, probable.at_most as probable_at_most, total
        from (from valued where opponent = 'guaranteed') sure
        full join (from valued where opponent = 'rational') probable using (cgp, lexicon, total, move)
        order by name, cgp, sure desc nulls last, probable desc nulls last, sure_at_most desc nulls last, move""",
}


def query_runs(runs: Sequence[Tables], query: str) -> pa.Table:
    """Answer of a DuckDB query over the tables and views of all the runs. Raises InputError on bad SQL."""
    import duckdb

    try:
        query.encode()
    except UnicodeEncodeError:
        raise InputError("query: characters that are no text in UTF-8 (is the locale one of UTF-8?)") from None
    names = run_names([run.uri for run in runs])
    needed = _needed(query)
    tables = [table for table in TABLES if table in needed]
    try:
        for _ in range(_TRIES):
            sources = [Source.scanned(run, name, tables) for run, name in zip(runs, names, strict=True)]
            try:
                answer = _answer(sources, needed, query)
            except duckdb.Error:
                if all(source.is_as_it_was() for source in sources):
                    raise
            else:
                if all(source.is_as_it_was() for source in sources):
                    return answer
        # files change faster than DuckDB reads them: pyarrow opens each of them only once
        return _answer([Source(run, name) for run, name in zip(runs, names, strict=True)], needed, query)
    except duckdb.Error as error:
        if isinstance(error, (duckdb.InvalidInputException, duckdb.IOException)):
            for source in sources:
                source.check_files()
        raise InputError(f"query: {first_line(error)}") from None


def _answer(sources: Sequence[Source], needed: set[str], query: str) -> pa.Table:
    """The answer from the tables and views ``needed``. Raises duckdb.Error."""
    import duckdb

    with duckdb.connect() as connection:
        connection.execute("set python_enable_replacements = false")  # no variable of this program is a table
        if "positions" in needed:
            connection.register("positions", pa.concat_tables(map(_positions, sources)))
        for table in TABLES:
            if table in needed:
                create_table(connection, table, sources)
        for view, definition in VIEWS.items():
            if view in needed:
                connection.execute(f"create view {view} as {definition}")
        if not connection.extract_statements(query):
            raise InputError("query: it asks for nothing")
        relation = connection.sql(query)
        return pa.table({}) if relation is None else _with_unique_names(relation.to_arrow_table())


def run_names(uris: Sequence[str]) -> list[str]:
    """Names of runs: of their directories where these differ, else their whole paths. Raises InputError."""
    doubled = [uri for uri, times in Counter(uris).items() if times > 1]
    if doubled:
        raise InputError(f"{doubled[0]}: named twice")
    short = [posixpath.basename(uri.rstrip("/")) or uri for uri in uris]
    times = Counter(short)
    return [name if times[name] == 1 else uri for name, uri in zip(short, uris, strict=True)]


def _needed(query: str) -> set[str]:
    """Tables and views that a query may ask for, with those that they are made of; all of them if it names none.

    Each costs a look into all its files, of which a long batch has thousands.
    """
    needed = _mentioned(query) or {"positions", *TABLES, *VIEWS}
    for view in reversed(VIEWS):  # a view is made of tables and of views before it
        if view in needed:
            needed |= _mentioned(VIEWS[view])
    return needed


def _mentioned(sql: str) -> set[str]:
    words = set(re.findall(r"\w+", sql.lower()))
    return words & {"positions", *TABLES, *VIEWS}


def _with_unique_names(table: pa.Table) -> pa.Table:
    """Columns of one name told apart as move, move_1, move_2: records can hold each only once."""
    names: list[str] = []
    for name in table.column_names:
        taken = [name, *(f"{name}_{number}" for number in range(1, len(names) + 1))]
        names.append(next(free for free in taken if free not in names))
    return table.rename_columns(names)


def _positions(source: Source) -> pa.Table:
    """The positions of a run, with its name and its model of the opponent."""
    rows = source.run.positions()
    for column, value in (("run", source.name), ("opponent", source.run.opponent)):
        rows = rows.append_column(column, pa.array([value] * rows.num_rows, pa.string()))
    return rows
