"""``pegray apply``: the position after one or several moves, as CGP for this or another engine."""

from __future__ import annotations

import argparse
from typing import Any

from pegray.commands.arguments import add_command, add_distribution_argument, add_json_argument, at_least
from pegray.commands.exit_codes import DONE
from pegray.commands.positions import read_position

EXAMPLES = """\
  pegray apply jobs/first.cgp "13L ONYX" --draw Y
  pegray apply jobs/first.cgp "13L ONYX" "2A CAI.UE" --draw Y
  pegray apply jobs/first.cgp pass --draw "[]E" --json

The line printed has the opponent of the last mover on turn, that player's rack first. It keeps lex, ld and the other
opcodes. A rack that cannot be known stays empty: the opponent's, unless --draw gives the whole bag or it is empty.
Without --draw nothing is drawn. Words are not looked up.
"""


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = add_command(commands, "apply", "the position after moves, as a CGP line", EXAMPLES)
    parser.add_argument("position", metavar="POSITION", help="a CGP string, a file of one CGP line, or a GCG file")
    parser.add_argument("moves", metavar="MOVE", nargs="+", help="moves of both sides in turn, as in 13L ONYX")
    parser.add_argument(
        "--draw", default="", metavar="ORDER", help="the bag in draw order, [AEG]I or AEGI, or just what the play draws"
    )
    parser.add_argument("--turn", type=at_least(1), metavar="N", help="the position before the N-th play of a GCG file")
    add_distribution_argument(parser, default="the position's ld, else english")
    add_json_argument(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the CGP after the last move; with --json the one after every move."""
    position = read_position([arguments.position], arguments.turn, arguments.distribution).position

    from pegray.display.console import message, print_json
    from pegray.game.line import play_line

    plies = play_line(position, arguments.moves, arguments.draw)
    last = plies[-1].after
    if arguments.json:
        moves = [{"move": ply.move, "score": ply.score, "draw": ply.draw, "cgp": ply.after.to_cgp()} for ply in plies]
        print_json({"schema": 1, "cgp": last.to_cgp(), "over": last.is_over, "moves": moves})
        return DONE
    print(last.to_cgp())
    if last.is_over:
        message("The game ends here; what is left on the racks is not settled in the scores.")
    return DONE
