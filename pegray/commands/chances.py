"""``pegray chances``: how easily the opponent finds what refutes a play."""

from __future__ import annotations

import argparse
from typing import Any

from pegray.commands.arguments import add_command, add_json_argument, at_least
from pegray.commands.exit_codes import DONE
from pegray.commands.question import add_question_arguments, read_question

EXAMPLES = """\
  pegray chances jobs/first.cgp --play "13J EXON"
  pegray chances jobs/first.cgp --play "13J EXON" --draw U
  pegray chances jobs/first.cgp --play pass --draw "[]Y"
  pegray chances runs/20260102-030405-first --play "13L ONYX" --top 10 --json
"""

TOP = 5


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = add_command(commands, "chances", "how many replies refute a play, and how easily they are found", EXAMPLES)
    add_question_arguments(parser, "look into; it may leave two tiles in the bag at the most")
    parser.add_argument("--draw", metavar="TILES", help="only this draw, as in [AE]I: with all replies that refute it")
    parser.add_argument(
        "--top",
        type=at_least(1),
        default=TOP,
        metavar="K",
        help=f"count what is lost to one of the K highest-scoring replies (default {TOP})",
    )
    add_json_argument(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Count the refutations, from a position or from a run that holds it."""
    from pegray.display.chances import print_chances
    from pegray.display.compiling import compiling
    from pegray.display.console import print_json, results
    from pegray.interruptible import interruptible
    from pegray.lexicon.find import lexicon_for
    from pegray.preendgame.chances import find_chances
    from pegray.preendgame.explain import needed_kernels
    from pegray.preendgame.options import SolveOptions
    from pegray.preendgame.problem import checked

    asked = read_question(arguments)
    with compiling(*needed_kernels(asked.position.bag_size)) as compiled:
        checked(asked.position, SolveOptions(known_rack=asked.known_rack, no_exchange=asked.no_exchange))
        lexicon = lexicon_for(asked.position, asked.lexicon)
        compiled()
        about = (arguments.play, arguments.draw, asked.known_rack, asked.no_exchange, arguments.top)
        chances = interruptible(lambda: find_chances(asked.position, lexicon, *about))
    if arguments.json:
        print_json(chances.to_json())
    else:
        print_chances(results(), chances, in_full=arguments.draw is not None)
    return DONE
