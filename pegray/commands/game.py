"""``pegray game``: what every late turn of a game, or of many, gave away."""

from __future__ import annotations

import argparse
import itertools
import os
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pegray.commands.arguments import (
    add_command,
    add_distribution_argument,
    add_json_argument,
    add_lexicon_argument,
    add_option,
    at_least,
    named_path,
)
from pegray.commands.exit_codes import COULD_NOT_FINISH, DONE, INTERRUPTED
from pegray.commands.positions import STANDARD_INPUT, standard_input
from pegray.errors import InputError
from pegray.game.rules import PREENDGAME_BAG
from pegray.preendgame.options import SOLVE_OPTIONS, SolveOptions
from pegray.runs.options import RUN_OPTIONS, check_table
from pegray.terms import Until
from pegray.text.numbers import count

if TYPE_CHECKING:
    from pegray.display.game import JudgedTurn
    from pegray.game.gcg import Game
    from pegray.game.tiles import Distribution
    from pegray.runs.plan import Plan
    from pegray.runs.review import AskedTurn

EXAMPLES = """\
  pegray game jobs/games/close.gcg
  pegray game jobs/games/close.gcg --max-bag 0 --gcg annotated.gcg --report report.html
  pegray game jobs/games/*.gcg --max-bag 1 --out runs/games --json > games.json
"""

MAX_BAG = 2
TIME_LIMIT = 300.0
# The options of what is asked, beside --until.
ASKED = ("opponent", "no_exchange")


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = add_command(commands, "game", "what every late turn of a game gave away, of both players", EXAMPLES)
    parser.add_argument("games", metavar="GAME.gcg", nargs="+", help="GCG files, or - for one on standard input")
    parser.add_argument(
        "--max-bag",
        type=at_least(0),
        default=MAX_BAG,
        metavar="K",
        help=f"pre-endgames with at most K tiles in the bag, 0 to 6; 0: endgames alone (default {MAX_BAG}: each "
        "further tile makes a turn some ten times as dear)",
    )
    add_lexicon_argument(parser, default="the game's #lexicon, else the bundled ENABLE")
    add_distribution_argument(parser, default="english")
    for name in ASKED:
        add_option(parser, SOLVE_OPTIONS[name])
    add_option(parser, SOLVE_OPTIONS["until"], default=Until.LEVEL.value, note="(default: level)")
    for option in RUN_OPTIONS.values():
        if option.name == "time_limit":
            add_option(parser, option, default=TIME_LIMIT, note="(default: 5m for each turn)")
        else:
            add_option(parser, option)
    parser.add_argument(
        "--out",
        type=named_path,
        metavar="DIR",
        help="run directory; with one that is there it goes on (default: runs/<time>-<name>)",
    )
    parser.add_argument(
        "--gcg", type=named_path, metavar="FILE", help="write the game with notes there; of several games a folder"
    )
    parser.add_argument("--report", type=named_path, metavar="FILE", help="write the positions as one HTML file")
    add_json_argument(parser)
    parser.set_defaults(run=run)


@dataclass(frozen=True, eq=False)
class Record:
    """A game as it was read: its name, its text, and what is in it."""

    name: str
    data: bytes
    game: Game


def run(arguments: argparse.Namespace) -> int:
    """Read the games, solve their late turns, and say what each gave away."""
    from pegray.display.compiling import compiling
    from pegray.display.console import message
    from pegray.display.resume import say_how_to_resume
    from pegray.game.turns import late_turns
    from pegray.kernels.catalogue import FOR_PROBLEMS
    from pegray.runs.directories import RUNS, new_directory
    from pegray.runs.plan import ProblemMaker, absolute_distribution
    from pegray.runs.review import ask_turns

    if arguments.max_bag > PREENDGAME_BAG[-1]:
        raise InputError(f"--max-bag {arguments.max_bag}: expected at most {PREENDGAME_BAG[-1]}")
    check_table(arguments.address, arguments.table_gib)
    check_outputs(arguments, several=len(arguments.games) > 1)
    plan = empty_plan(arguments)
    distribution = absolute_distribution(arguments.distribution)
    with compiling(FOR_PROBLEMS) as compiled:
        maker = ProblemMaker(plan.lexicon, distribution, plan.options)
        records = read_records(arguments.games, maker.distribution)
        turns = [turn for record in records for turn in late_turns(record.game, record.name, arguments.max_bag)]
        if not turns:
            names = ", ".join(record.game.source for record in records)
            raise InputError(f"{names}: no turn with at most {arguments.max_bag} tiles in the bag (see --max-bag)")
        for turn in turns:
            if turn.position is not None:
                maker.lexicon_of(turn.position)  # a wrong one is no fault of each turn
        message(f"turns with at most {count(arguments.max_bag, 'tile')} in the bag (--max-bag): {len(turns)}")
        compiled()
        asked, plan = ask_turns(turns, maker, plan)
    directory = arguments.out or new_directory(RUNS, records[0].name if len(records) == 1 else "games")
    stop = threading.Event()
    judged = solved_turns(directory, plan, asked, stop)
    print_games(arguments, directory, records, judged)
    write_outputs(arguments, directory, records, judged)
    if not any(one.is_open for one in judged):
        return DONE
    say_how_to_resume(directory)
    return INTERRUPTED if stop.is_set() else COULD_NOT_FINISH


def empty_plan(arguments: argparse.Namespace) -> Plan:
    """The plan that the arguments ask for, without positions."""
    from pegray.runs.plan import Plan, absolute_distribution, absolute_lexicon

    chosen = {name: getattr(arguments, name) for name in (*ASKED, "until")}
    return Plan(
        name="games",
        positions=(),
        options=SolveOptions.of(chosen),
        lexicon=absolute_lexicon(arguments.lexicon),
        distribution=absolute_distribution(arguments.distribution),
        per_position=arguments.time_limit,
        address=arguments.address,
        workers=arguments.workers,
        table_gib=arguments.table_gib,
    )


def read_records(names: Sequence[str], tiles: Distribution | None) -> list[Record]:
    """The games of the arguments, ``-2`` after the name of a second one. Raises InputError naming the line at fault."""
    from pegray.game.gcg import parse_gcg

    records: list[Record] = []
    for name in names:
        if name == STANDARD_INPUT:
            data, source, stem = standard_input(), "standard input", "stdin"
        else:
            source, stem = name, Path(name).stem
            try:
                data = Path(name).read_bytes()
            except OSError as error:
                raise InputError(f"{name}: {error.strerror}") from None
        taken = {record.name for record in records}
        free = itertools.chain([stem], (f"{stem}-{number}" for number in itertools.count(2)))
        records.append(Record(next(name for name in free if name not in taken), data, parse_gcg(data, source, tiles)))
    return records


def solved_turns(directory: str, plan: Plan, asked: Sequence[AskedTurn], stop: threading.Event) -> list[JudgedTurn]:
    """Solve what is left of the turns, and judge them by what is there then. ``stop``: set when that is interrupted."""
    from pegray.commands.plans import solve_and_tell
    from pegray.display.game import JudgedTurn
    from pegray.results.judgement import judge
    from pegray.results.read import open_run
    from pegray.runs.directories import open_batch

    if not plan.positions:
        return [JudgedTurn(one, None) for one in asked]
    out, whole = open_batch(directory, plan)
    solve_and_tell(directory, out, whole, stop)
    results = (result for _, result in open_run(directory).results())
    answers = dict(zip(whole.positions, results, strict=False))
    judged = []
    for one in asked:
        judgement = None
        if one.planned is not None and one.turn.position is not None:
            turn, tiles = one.turn, one.turn.position.distribution
            move = turn.counted_as if one.is_legal else None
            judgement = judge(answers[one.planned], move, tiles, turn.drawn, turn.stayed)
        judged.append(JudgedTurn(one, judgement))
    return judged


def check_outputs(arguments: argparse.Namespace, several: bool) -> None:
    """Raise InputError for what could not be written in the end, before hours of work.

    several: --gcg is a folder, for the record of each game
    """
    for name, path, is_folder in (("--gcg", arguments.gcg, several), ("--report", arguments.report, False)):
        if path and not os.path.isdir(os.path.dirname(os.path.abspath(path))):
            raise InputError(f"{name} {path}: there is no folder for it")
        if path and os.path.exists(path) and os.path.isdir(path) != is_folder:
            raise InputError(f"{name} {path}: {'not a folder' if is_folder else 'a folder'}")


def write_outputs(
    arguments: argparse.Namespace, directory: str, records: Sequence[Record], judged: Sequence[JudgedTurn]
) -> None:
    """The annotated records and the report, as far as they are asked for."""
    from pegray.commands.outputs import write_file
    from pegray.display.console import message
    from pegray.display.game import turn_note, turns_page_table
    from pegray.game.annotate import annotated

    if arguments.gcg:
        for record in records:
            own = [one for one in judged if one.asked.turn.game == record.name]
            notes = {one.asked.turn.line: note for one in own if (note := turn_note(one)) is not None}
            path = arguments.gcg if len(records) == 1 else os.path.join(arguments.gcg, f"{record.name}.gcg")
            if len(records) > 1:
                make_folder(arguments.gcg)
            write_file(path, annotated(record.data, record.game.source, notes))
            message(f"wrote {path}")
    if arguments.report and any(one.judgement is not None for one in judged):
        from pegray.commands.report import write_report

        tables = [
            turns_page_table(record.name, [one for one in judged if one.asked.turn.game == record.name])
            for record in records
        ]
        write_report(directory, arguments.report, before=tables)


def make_folder(path: str) -> None:
    """Make a folder if it is not there. Raises InputError."""
    try:
        os.makedirs(path, exist_ok=True)
    except OSError as error:
        raise InputError(f"--gcg {path}: {error.strerror}") from None


def print_games(
    arguments: argparse.Namespace, directory: str, records: Sequence[Record], judged: Sequence[JudgedTurn]
) -> None:
    """A table for each game, and what each player gave away in all."""
    from pegray.display.console import print_json, results
    from pegray.display.game import mistakes_table, notes, player_rows, players_table, turn_json, turns_table

    if arguments.json:
        games = [
            {
                "name": record.name,
                "source": record.game.source,
                "players": record.game.players,
                "turns": [turn_json(one) for one in judged if one.asked.turn.game == record.name],
            }
            for record in records
        ]
        document = {"schema": 1, "run": directory, "max_bag": arguments.max_bag, "games": games}
        print_json({**document, "players": player_rows(judged)})
        return
    console = results()
    for record in records:
        own = [one for one in judged if one.asked.turn.game == record.name]
        console.print(f"{record.name}: {' - '.join(record.game.players)} ({record.game.source})", style="bold")
        if own:
            console.print(turns_table(own))
        else:
            console.print(f"No turn with at most {arguments.max_bag} tiles in the bag.\n")
    for note in notes(judged, arguments.max_bag):
        console.print(note)
    if len(records) > 1 and any(one.is_mistake for one in judged):
        console.print("\nMistakes", style="bold")
        console.print(mistakes_table(judged))
    console.print(players_table(judged))
