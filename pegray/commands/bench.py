"""``pegray bench``: what the named positions cost, and whether their answers are what is known."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import Any

from pegray.commands.arguments import add_command, add_json_argument
from pegray.commands.exit_codes import COULD_NOT_FINISH, DONE
from pegray.commands.measure import bench_positions, choose, measure, read_measurements

EXAMPLES = """\
  pegray bench
  pegray bench --only onyx q-stick
  pegray bench --json > before.json
  pegray bench --compare before.json
"""


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = add_command(commands, "bench", "measure the named positions, on one core without Ray", EXAMPLES)
    parser.add_argument("--only", nargs="+", metavar="NAME", help="just these positions")
    parser.add_argument("--all", action="store_true", help="the slow positions too (minutes each)")
    parser.add_argument("--list", action="store_true", help="list the positions and what they ask")
    parser.add_argument("--compare", metavar="OLD.json", help="ratios to an earlier `pegray bench --json`")
    add_json_argument(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Measure; exit code 1 if an answer is not as expected."""
    from pegray.display import bench as display
    from pegray.display.console import message, print_json, results

    positions = choose(bench_positions(), arguments.only, arguments.all or arguments.list)
    if arguments.list:
        results().print(display.positions_table(positions))
        return DONE
    old = read_measurements(arguments.compare) if arguments.compare else {}
    measurements = []
    for position in positions:
        message(f"{position.name}: {position.question}")
        measurements.append(measure(position))
    if arguments.json:
        print_json({"schema": 1, "positions": [asdict(measurement) for measurement in measurements]})
    else:
        results().print(display.measurements_table(measurements, old))
    for measurement in measurements:
        for difference in measurement.differs:
            message(f"{measurement.name}: {difference}")
    return COULD_NOT_FINISH if any(measurement.differs for measurement in measurements) else DONE
