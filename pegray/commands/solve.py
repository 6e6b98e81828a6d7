"""``pegray solve``: the plays of a pre-endgame, ranked, with the outcome of every draw."""

from __future__ import annotations

import argparse
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import TYPE_CHECKING, Any

from pegray.commands.arguments import (
    add_command,
    add_form_arguments,
    add_option,
    add_position_arguments,
    add_rows_argument,
    listed_rows,
    named_path,
)
from pegray.commands.exit_codes import COULD_NOT_FINISH, DONE, INTERRUPTED
from pegray.commands.flags import in_flags
from pegray.commands.positions import NamedPosition, read_positions
from pegray.errors import InputError, PegrayError
from pegray.preendgame.options import SOLVE_OPTIONS, SolveOptions
from pegray.runs.options import RUN_OPTIONS, check_table

if TYPE_CHECKING:
    from pegray.preendgame.problem import Problem
    from pegray.results.model import SolveResult
    from pegray.results.write import RunWriter
    from pegray.runs.plan import Plan

EXAMPLES = """\
  pegray solve jobs/first.cgp
  pegray solve jobs/first.cgp --top 5 --time-limit 10m
  pegray solve jobs/first.cgp --until answer
  pegray solve jobs/first.cgp --only "13L ONYX" "N3 STEY" --known-rack AACEISU
  pegray solve game.gcg --turn 23 --lexicon NWL20 --json > answer.json
  pegray solve jobs/first.cgp --plain | awk -F'\\t' '$5 >= 4'
  pegray solve positions.cgp --address auto --out runs/positions
"""

# The options of what is asked, as the help groups them.
GROUPS = {
    "plays": (
        "only",
        "protect",
        "max_tiles_left",
        "top",
        "early_cutoff",
        "never_lose",
        "tiebreak",
        "exact_spreads",
        "until",
    ),
    "model": ("known_rack", "opponent", "no_exchange", "endgame_plies"),
}


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = add_command(commands, "solve", "rank the plays of a pre-endgame, with proof", EXAMPLES)
    add_position_arguments(parser, several=True)

    for title, names in GROUPS.items():
        group = parser.add_argument_group(title)
        for name in names:
            add_option(group, SOLVE_OPTIONS[name])
    run_group = parser.add_argument_group("run")
    for option in RUN_OPTIONS.values():
        add_option(run_group, option)
    run_group.add_argument("--out", type=named_path, metavar="DIR", help="run directory (default: runs/<time>-<name>)")
    add_rows_argument(run_group)
    add_form_arguments(parser, "play")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Read every position, then check and solve them."""
    check_table(arguments.address, arguments.table_gib)
    sources = read_positions(arguments.positions, arguments.turn, arguments.distribution)

    from pegray.display.compiling import compiling
    from pegray.preendgame.solver import kernels_at

    most_in_bag = max(source.position.bag_size for source in sources)
    with compiling(*kernels_at(arguments.address, solve_options(arguments), most_in_bag)) as compiled:
        return solve(arguments, sources, compiled)


def solve(arguments: argparse.Namespace, sources: Sequence[NamedPosition], compiled: Callable[[], None]) -> int:
    """Check every position, then solve one after another. ``compiled`` returns when kernels can be called."""
    from pegray.display.batch import known_rack_lines
    from pegray.display.console import message
    from pegray.display.progress import SolveProgress
    from pegray.display.resume import resumable, say_how_to_resume
    from pegray.results.events import events_of
    from pegray.runs.directories import RUNS, new_directory
    from pegray.runs.driver import solve_at
    from pegray.runs.workplace import workplace

    problems = create_problems(sources, arguments.lexicon, solve_options(arguments), compiled)
    directory = arguments.out or new_directory(RUNS, sources[0].name)
    plan = plan_of(arguments, sources, problems)
    out = new_run(directory, plan, problems)
    message(f"results in {directory}")
    for line in known_rack_lines(plan.positions):
        message(line)
    answers = []
    stop = threading.Event()
    with (
        resumable(directory),
        events_of(out),
        workplace(arguments.address, arguments.workers, arguments.table_gib, most=1, tell=message) as place,
    ):
        for position_id, (source, problem) in enumerate(zip(sources, problems, strict=True)):
            with SolveProgress(source.name, problem) as progress:
                answer = solve_at(
                    place,
                    problem,
                    out=out,
                    time_limit=arguments.time_limit,
                    on_progress=progress.update,
                    name=source.name,
                    source=source.source,
                    position_id=position_id,
                    stop=stop,
                )
            answers.append(answer)
            print_answer(arguments, source, answer, several=len(sources) > 1)
            if stop.is_set():
                break
    print_all(arguments, sources, answers)
    if len(answers) < len(sources) or any(answer.stats.interrupted for answer in answers):
        say_how_to_resume(directory)
        return INTERRUPTED if stop.is_set() else COULD_NOT_FINISH
    return DONE


def print_answer(arguments: argparse.Namespace, source: NamedPosition, answer: SolveResult, several: bool) -> None:
    """Print the answer to one position as soon as it is there, for people."""
    from pegray.display.console import results
    from pegray.display.tables import print_solve

    if arguments.json or arguments.plain:
        return
    if several:
        results().print(f"\n{source.name} ({source.source})")
    print_solve(results(), source.position, answer, listed_rows(arguments), detailed=arguments.top)


def print_all(arguments: argparse.Namespace, sources: Sequence[NamedPosition], answers: Sequence[SolveResult]) -> None:
    """Print all answers as one document, for programs. An interrupted run has fewer answers than positions."""
    from pegray.display.console import print_json
    from pegray.display.plain import PLAY_NAMES, play_records, print_plain

    if arguments.json:
        documents = [answer.to_json() for answer in answers]
        print_json(documents if len(sources) > 1 else documents[0])
    elif arguments.plain:
        named = zip(sources, answers, strict=False)
        records = (play_records(source.name, answer, listed_rows(arguments)) for source, answer in named)
        print_plain(PLAY_NAMES, chain.from_iterable(records))


def solve_options(arguments: argparse.Namespace) -> SolveOptions:
    """The options of the solve, from the command line."""
    return SolveOptions.of({name: getattr(arguments, name) for name in SOLVE_OPTIONS})


def create_problems(
    sources: Sequence[NamedPosition], lexicon: str | None, options: SolveOptions, compiled: Callable[[], None]
) -> list[Problem]:
    """The problems of all positions. Raises InputError naming the position that cannot be solved.

    compiled: returns when kernels can be called; what can be checked without them comes before
    """
    from pegray.preendgame.problem import checked
    from pegray.runs.plan import ProblemMaker

    @contextmanager
    def named(source: NamedPosition) -> Iterator[None]:
        try:
            yield
        except InputError as error:
            where = f"{source.source}: " if len(sources) > 1 else ""
            raise InputError(where + in_flags(error)) from None

    maker = ProblemMaker(lexicon, None, options)
    for source in sources:
        with named(source):
            checked(source.position, options)
            maker.lexicon_of(source.position)
    compiled()
    problems = []
    for source in sources:
        with named(source):
            problems.append(maker.make(source.position))
    return problems


def plan_of(arguments: argparse.Namespace, sources: Sequence[NamedPosition], problems: Sequence[Problem]) -> Plan:
    """All that ``pegray resume`` has to know."""
    from pegray.runs.plan import Plan, PlannedPosition, absolute_distribution, absolute_lexicon

    options = solve_options(arguments)
    named = zip(sources, problems, strict=True)
    return Plan(
        name=sources[0].name,
        positions=tuple(PlannedPosition.of(source.name, source.source, problem, options) for source, problem in named),
        options=options,
        lexicon=absolute_lexicon(arguments.lexicon),
        distribution=absolute_distribution(arguments.distribution),
        hashes={problem.lexicon_name: problem.lexicon_hash for problem in problems},
        per_position=arguments.time_limit,
        address=arguments.address,
        workers=arguments.workers,
        table_gib=arguments.table_gib,
    )


def new_run(directory: str, plan: Plan, problems: Sequence[Problem]) -> RunWriter:
    """Make the run directory of a plan. Raises InputError if it cannot be written or holds a run already."""
    from pegray.runs.directories import begin

    try:
        return begin(directory, plan, problems)
    except PegrayError as error:
        raise InputError(f"--out {error}") from None
