"""``pegray query``: SQL over the tables of a run."""

from __future__ import annotations

import argparse
import math
from decimal import Decimal
from typing import Any

from pegray.commands.arguments import add_command, add_json_argument
from pegray.commands.exit_codes import DONE

EXAMPLES = """\
  pegray query RUN "select move, points, spread from plays where rank <= 5 order by rank"
  pegray query RUN "select outcome, sum(weight) from outcomes where move = '13L ONYX' group by outcome"
"""


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = add_command(commands, "query", "ask a run with SQL (DuckDB): tables positions, plays, outcomes", EXAMPLES)
    parser.add_argument("run_directory", metavar="RUN")
    parser.add_argument("sql", metavar="SQL")
    add_json_argument(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the query and print its rows."""
    from pegray.display.console import print_json, results
    from pegray.display.query import rows_table
    from pegray.results.read import open_run

    table = open_run(arguments.run_directory).sql(arguments.sql)
    if arguments.json:
        print_json([{name: plain(value) for name, value in row.items()} for row in table.to_pylist()])
    else:
        results().print(rows_table(table))
    return DONE


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
