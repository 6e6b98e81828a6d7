"""``pegray moves``: every legal play of a rack."""

from __future__ import annotations

import argparse
from typing import Any

from pegray.commands.arguments import add_command, add_form_arguments, add_position_arguments
from pegray.commands.exit_codes import DONE
from pegray.commands.positions import read_position

EXAMPLES = """\
  pegray moves jobs/first.cgp
  pegray moves jobs/first.cgp --plain | cut -f 1,2 | head
  pegray moves game.gcg --turn 7 --lexicon NWL20 --json
"""


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = add_command(commands, "moves", "list all legal moves, best score first", EXAMPLES)
    add_position_arguments(parser)
    add_form_arguments(parser, "move")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """List the moves."""
    position = read_position(arguments.positions, arguments.turn, arguments.distribution).position

    from pegray.display.compiling import compiling
    from pegray.display.console import print_json
    from pegray.display.plain import print_plain
    from pegray.game.notation import format_move
    from pegray.lexicon.find import lexicon_for
    from pegray.preendgame.candidates import legal_moves

    with compiling(("words", "plays")) as compiled:
        lexicon = lexicon_for(position, arguments.lexicon)
        compiled()
        moves = legal_moves(position, lexicon)
    rows = [
        {"move": format_move(move, position.distribution), "score": score, "tiles": move.tiles_played}
        for move, score in moves
    ]
    if arguments.json:
        print_json({"moves": rows, "count": len(rows)})
    elif arguments.plain:
        print_plain(("move", "score", "tiles"), rows)
    else:
        for row in rows:
            print(f"{row['score']:>4}  {row['move']}")
    return DONE
