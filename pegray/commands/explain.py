"""``pegray explain``: why a play has its outcome in one order of the bag."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from pegray.commands.arguments import (
    add_command,
    add_form_arguments,
    add_option,
    add_position_arguments,
    at_least,
)
from pegray.commands.exit_codes import DONE
from pegray.commands.positions import read_position
from pegray.commands.show import numbered_row
from pegray.preendgame.options import SOLVE_OPTIONS

EXAMPLES = """\
  pegray explain jobs/first.cgp --play "13L ONYX" --draw Y
  pegray explain jobs/first.cgp --play pass --draw "[]E"
  pegray explain runs/20260102-030405-first --play "13L ONYX" --draw "[Y]" --json
  pegray explain jobs/first.cgp --play "13L ONYX" --draw Y --plain | cut -f 2,5
"""


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = add_command(commands, "explain", "show why a play wins, ties or loses for one order of the bag", EXAMPLES)
    add_position_arguments(parser)
    parser.add_argument("--play", required=True, metavar="MOVE", help="the play to explain, as in 13L ONYX")
    parser.add_argument(
        "--draw", required=True, metavar="ORDER", help="the bag in draw order: [AEG]I, or plain AEGI; [A] for one tile"
    )
    add_option(parser, SOLVE_OPTIONS["known_rack"], default=None)
    parser.add_argument("--position", type=at_least(1), default=1, metavar="K", help="the K-th position of a run")
    add_option(parser, SOLVE_OPTIONS["no_exchange"])
    add_form_arguments(parser, "move of the line that decides")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Explain, from a position or from a run that holds it."""
    from pegray.display.batch import known_rack_text
    from pegray.display.compiling import compiling
    from pegray.display.console import message, print_json, results
    from pegray.display.explained_line import explained_plies
    from pegray.display.plain import print_plain
    from pegray.game.position import Position
    from pegray.game.tiles import load_distribution
    from pegray.lexicon.find import lexicon_for
    from pegray.preendgame.explain import checked_question, explain, needed_kernels
    from pegray.preendgame.problem import FROM_THE_GAME, known_tiles
    from pegray.results.read import open_run

    argument = arguments.positions[0]
    known = arguments.known_rack
    no_exchange = arguments.no_exchange
    name = arguments.lexicon
    if Path(argument, "manifest.json").is_file() or "://" in argument:
        stored = open_run(argument)
        row = numbered_row(stored, arguments.position)
        job = stored.manifest.get("job", {})
        distribution = arguments.distribution or job.get("distribution")
        position = Position.from_cgp(row["cgp"], load_distribution(distribution) if distribution else None)
        name = name or job.get("lexicon") or row["lexicon"]
        no_exchange = no_exchange or stored.no_exchange
        if known is None:
            known = stored.known_rack(arguments.position - 1)
    else:
        position = read_position(arguments.positions, arguments.turn, arguments.distribution).position
    if known == FROM_THE_GAME:
        known = known_tiles(position, known)
        message(known_rack_text(known))
    with compiling(*needed_kernels(position.bag_size)) as compiled:
        checked_question(position, arguments.play, arguments.draw, known or "", no_exchange)
        lexicon = lexicon_for(position, name)
        compiled()
        explanation = explain(position, lexicon, arguments.play, arguments.draw, known or "", no_exchange)
    if arguments.json:
        print_json({**explanation.to_json(), "plies": explained_plies(explanation, position.distribution)})
    elif arguments.plain:
        print_plain(("player", "move", "score", "draw", "cgp"), explained_plies(explanation, position.distribution))
    else:
        results().print(explanation)
    return DONE
