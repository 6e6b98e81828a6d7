"""``pegray explain``: why a play has its outcome in one order of the bag."""

from __future__ import annotations

import argparse
from typing import Any

from pegray.commands.arguments import add_command, add_form_arguments
from pegray.commands.exit_codes import DONE
from pegray.commands.question import add_question_arguments, read_question
from pegray.terms import Opponent

EXAMPLES = """\
  pegray explain jobs/first.cgp --play "13L ONYX" --draw Y
  pegray explain jobs/first.cgp --play pass --draw "[]E"
  pegray explain runs/20260102-030405-first --play "13L ONYX" --draw "[Y]" --json
  pegray explain jobs/first.cgp --play "13L ONYX" --draw Y --plain | cut -f 2,5
"""


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = add_command(commands, "explain", "show why a play wins, ties or loses for one order of the bag", EXAMPLES)
    add_question_arguments(parser, "explain")
    parser.add_argument(
        "--draw", required=True, metavar="ORDER", help="the bag in draw order: [AEG]I, or plain AEGI; [A] for one tile"
    )
    add_form_arguments(parser, "move of the line that decides")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Explain, from a position or from a run that holds it."""
    from pegray.display.compiling import compiling
    from pegray.display.console import message, print_json, results
    from pegray.display.explained_line import explained_plies
    from pegray.display.plain import print_plain
    from pegray.interruptible import interruptible
    from pegray.lexicon.find import lexicon_for
    from pegray.preendgame.explain import checked_question, explain, needed_kernels

    asked = read_question(arguments)
    if asked.opponent != Opponent.GUARANTEED:
        message(f"this is the line of guaranteed wins, not of the run's {asked.opponent} opponent")
    position = asked.position
    about = (arguments.play, arguments.draw, asked.known_rack, asked.no_exchange)
    with compiling(*needed_kernels(position.bag_size)) as compiled:
        checked_question(position, *about)
        lexicon = lexicon_for(position, asked.lexicon)
        compiled()
        explanation = interruptible(lambda: explain(position, lexicon, *about))
    if arguments.json:
        print_json({**explanation.to_json(), "plies": explained_plies(explanation, position.distribution)})
    elif arguments.plain:
        print_plain(("player", "move", "score", "draw", "cgp"), explained_plies(explanation, position.distribution))
    else:
        results().print(explanation)
    return DONE
