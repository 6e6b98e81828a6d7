"""``pegray query``: SQL over the tables and views of one or several runs."""

from __future__ import annotations

import argparse
import csv
import io
import json
import math
import os
import sys
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from pegray.commands.arguments import add_command, add_form_arguments, add_prior_argument, named_path
from pegray.commands.exit_codes import DONE
from pegray.commands.outputs import write_file
from pegray.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa

    from pegray.results.scan import Tables

FORMATS = ("table", "csv", "json", "parquet")

EXAMPLES = """\
  pegray query RUN "select move, points, spread from plays where rank <= 5 order by rank"
  pegray query RUN "select outcome, sum(weight) from outcomes where move = '13L ONYX' group by outcome"
  pegray query RUN "from best_plays" --format csv
  pegray query RUN "select move, draw, outcome from outcomes" --plain | grep -w L
  pegray query SURE RATIONAL "from sure_and_probable"
  pegray query RUN1 RUN2 "from hardest_positions limit 10" -o hardest.parquet
Tables: positions, plays, outcomes, units (of work), progress. Views: best_plays, non_emptying_wins,
top_score_not_best, hardest_positions, losing_draws, sure_and_probable. All but the last have the column run.
docs/results.md answers a dozen questions.
"""


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = add_command(commands, "query", "ask runs with SQL (DuckDB): tables positions, plays, outcomes", EXAMPLES)
    parser.add_argument("run_directories", metavar="RUN", nargs="+")
    parser.add_argument("sql", metavar="SQL")
    parser.add_argument("--format", choices=FORMATS, help="default: table, or what FILE ends in")
    parser.add_argument("-o", "--output", type=named_path, metavar="FILE", help="write csv, json or parquet there")
    add_prior_argument(parser)
    add_form_arguments(parser, "row")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the query and print or write its rows."""
    from pegray.display.console import results
    from pegray.display.plain import print_plain
    from pegray.display.query import query_rows
    from pegray.results.prior import RunWithPrior, read_prior
    from pegray.results.read import open_run
    from pegray.results.views import query_runs

    form = chosen_format(arguments)
    runs: list[Tables] = [open_run(directory) for directory in arguments.run_directories]
    if arguments.prior is not None:
        prior = read_prior(arguments.prior)
        runs = [RunWithPrior(open_run(directory), prior) for directory in arguments.run_directories]
    table = query_runs(runs, arguments.sql)
    if form == "plain":
        print_plain(table.column_names, [list(map(plain, row.values())) for row in table.to_pylist()])
    elif form == "table":
        results().print(query_rows(table))
    elif arguments.output:
        write_file(arguments.output, to_bytes(table, form))
    else:
        sys.stdout.write(to_bytes(table, form).decode())
    return DONE


def chosen_format(arguments: argparse.Namespace) -> str:
    """The format asked for, plain included, or that of the file's name; InputError where they do not agree."""
    form: str | None = arguments.format
    short = "json" if arguments.json else "plain" if arguments.plain else None
    if short:
        if form not in (None, short):
            raise InputError(f"--{short} and --format {form}: one of them")
        form = short
    if not arguments.output:
        if form == "parquet":
            raise InputError("--format parquet needs -o FILE")
        return form or "table"
    form = form or os.path.splitext(arguments.output)[1][1:].lower()
    if form not in FORMATS[1:]:
        raise InputError(f"-o {arguments.output}: say --format csv, json or parquet")
    return form


def to_bytes(table: pa.Table, form: str) -> bytes:
    """The rows as the content of a csv, json or parquet file."""
    if form == "parquet":
        import pyarrow as pa
        import pyarrow.parquet as pq

        sink = pa.BufferOutputStream()
        pq.write_table(table, sink, compression="zstd")
        content: bytes = sink.getvalue().to_pybytes()
        return content
    rows = [[plain(value) for value in row.values()] for row in table.to_pylist()]
    names = table.column_names
    if form == "json":
        records = [dict(zip(names, row, strict=True)) for row in rows]
        return (json.dumps(records, ensure_ascii=False, allow_nan=False) + "\n").encode()
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(names)
    writer.writerows(rows)
    return text.getvalue().encode()


def plain(value: Any) -> Any:
    """A value that JSON can hold: integral Decimals become int, dates text, NaN null."""
    if isinstance(value, Decimal):
        value = int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {str(name): plain(item) for name, item in value.items()}
    return value if value is None or isinstance(value, (bool, int, str)) else str(value)
