"""``pegray bench``: what the named positions cost, or whole positions, and whether answers are what is known."""

from __future__ import annotations

import argparse
import datetime
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pegray.commands.arguments import add_command, add_json_argument, add_option, duration, named_path
from pegray.commands.exit_codes import COULD_NOT_FINISH, DONE
from pegray.commands.positions import NamedPosition, read_positions
from pegray.errors import InputError
from pegray.preendgame.options import SOLVE_OPTIONS
from pegray.terms import Until

if TYPE_CHECKING:
    from pegray.bench.record import WholeRun
    from pegray.lexicon.lexicon import Lexicon

EXAMPLES = """\
  pegray bench
  pegray bench --only onyx q-stick
  pegray bench --json > before.json
  pegray bench --compare before.json
  pegray bench --whole --cap 60s
  pegray bench --whole my.cgp --only 3 5 --until answer --out my.json
"""

_UNTIL, _CAP = Until.LEVEL, 600.0


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = add_command(commands, "bench", "measure positions, on one core without Ray", EXAMPLES)
    parser.add_argument(
        "--only", nargs="+", metavar="NAME", help="just these positions; of whole ones the line in the file will do"
    )
    parser.add_argument("--all", action="store_true", help="the slow positions too (minutes each)")
    parser.add_argument("--list", action="store_true", help="list the positions and what they ask")
    parser.add_argument("--compare", metavar="OLD.json", help="ratios to an earlier `pegray bench --json`")
    add_json_argument(parser)
    whole = parser.add_argument_group("whole positions: every play, until the best is proven")
    whole.add_argument(
        "--whole", nargs="*", metavar="FILE.cgp", help="measure the positions of these files, else those that ship"
    )
    whole.add_argument("--cap", type=duration, metavar="TIME", help="CPU time for each, such as 60s (default 600s)")
    add_option(whole, SOLVE_OPTIONS["until"], default=None, note=f"(default: {_UNTIL})")
    whole.add_argument(
        "--out",
        type=named_path,
        metavar="FILE.json",
        help="keep what is measured there after each position; what it has already stays",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Measure; exit code 1 if an answer is not as expected, or not as before."""
    if arguments.whole is not None:
        return _run_whole(arguments)
    for flag, given in (("--cap", arguments.cap), ("--until", arguments.until), ("--out", arguments.out)):
        if given is not None:
            raise InputError(f"{flag}: only with --whole")
    return _run_named(arguments)


def _run_named(arguments: argparse.Namespace) -> int:
    from dataclasses import asdict

    from pegray.bench.measure import kernels_for, measure, read_measurements
    from pegray.bench.positions import bench_positions, choose
    from pegray.display import bench as display
    from pegray.display.compiling import compiling
    from pegray.display.console import message, print_json, results

    positions = choose(bench_positions(), arguments.only, arguments.all or arguments.list)
    if arguments.list:
        results().print(display.positions_table(positions))
        return DONE
    old = read_measurements(arguments.compare) if arguments.compare else {}
    measurements = []
    with compiling(kernels_for(positions)) as compiled:
        compiled()
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


def _run_whole(arguments: argparse.Namespace) -> int:
    from pegray.bench.record import differences, read_run, write_run
    from pegray.bench.whole import measure_whole
    from pegray.display import bench_whole as display
    from pegray.display.compiling import compiling
    from pegray.display.console import message, results
    from pegray.kernels.catalogue import FOR_SOLVING

    if arguments.all:
        raise InputError("--all: not with --whole, which leaves none out")
    positions = choose_whole(whole_positions(arguments.whole), arguments.only)
    if arguments.list:
        rows = [(named.name, named.source, named.position) for named in positions]
        results().print(display.whole_positions_table(rows))
        return DONE
    old = read_run(arguments.compare) if arguments.compare else None
    lexica = _lexica(positions)
    done = _begun(arguments)
    if arguments.out:
        write_run(done, arguments.out)  # so that a file that cannot be written is known now
    for named in positions:
        lexicon = lexica[named.source]
        if (named.position.to_cgp(), lexicon.name) in done.by_position():
            continue
        message(f"{named.name}: {named.position.bag_size} in the bag ...")
        with compiling(FOR_SOLVING) as compiled:
            compiled()
            measured = measure_whole(named.name, named.position, lexicon, done.until, done.cap_cpu_seconds)
        done = done.adding(measured)
        if arguments.out:
            write_run(done, arguments.out)
        message(display.line(measured, done))
    if arguments.json:
        print(done.to_json(), end="")
    else:
        results().print(display.whole_table(done, old))
        results().print(display.summary_table(done))
    differ = differences(done, old) if old else []
    for difference in differ:
        message(difference)
    return COULD_NOT_FINISH if differ else DONE


def whole_positions(files: list[str]) -> list[NamedPosition]:
    """The positions of the files, or those that ship. Raises InputError, also for what is no pre-endgame."""
    from pegray.game.rules import is_preendgame

    if files:
        positions = read_positions(files)
    else:
        with resources.as_file(resources.files("pegray") / "data" / "bench" / "whole.cgp") as path:
            positions = read_positions([str(path)])
    for named in positions:
        if not is_preendgame(named.position.bag_size):
            raise InputError(f"{named.source}: {named.position.bag_size} tiles in the bag: pre-endgames have 1 to 6")
    return positions


def choose_whole(positions: list[NamedPosition], only: list[str] | None) -> list[NamedPosition]:
    """Those that are named, or whose line in their file is; all if none is asked for. Raises InputError on others."""
    if not only:
        return positions
    for wanted in only:
        if not any(wanted in _names(named) for named in positions):
            names = ", ".join(named.name for named in positions)
            raise InputError(f"--only {wanted}: no position of that name or line (there are {names})")
    return [named for named in positions if _names(named) & set(only)]


def _names(named: NamedPosition) -> set[str]:
    return {named.name, named.source.rpartition(":")[2]}


def _lexica(positions: list[NamedPosition]) -> dict[str, Lexicon]:
    """The lexicon of each position by its source; found before anything is measured. Raises InputError."""
    from pegray.preendgame.options import SolveOptions
    from pegray.runs.plan import ProblemMaker

    maker = ProblemMaker(None, None, SolveOptions())
    lexica: dict[str, Lexicon] = {}
    for named in positions:
        try:
            lexica[named.source] = maker.lexicon_of(named.position)
        except InputError as error:
            raise InputError(f"{named.source}: {error}") from None
    return lexica


def _begun(arguments: argparse.Namespace) -> WholeRun:
    """The run that the file of --out holds, else a new one. Raises InputError if it was measured otherwise."""
    from pegray.bench.record import WholeRun, read_run
    from pegray.version import __version__

    until, cap = Until(arguments.until or _UNTIL), arguments.cap or _CAP
    if arguments.out and Path(arguments.out).exists():
        begun = read_run(arguments.out)
        if (begun.until, begun.cap_cpu_seconds) != (until, cap):
            was = f"--until {begun.until} --cap {begun.cap_cpu_seconds:g}s"
            raise InputError(f"--out {arguments.out}: measured with {was}: give these, or another file")
        return begun
    today = datetime.date.today().isoformat()
    return WholeRun(version=__version__, date=today, until=until, cap_cpu_seconds=cap)
