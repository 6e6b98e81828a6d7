"""``pegray apply``: the position after one or several moves, as CGP for this or another engine."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pegray.commands.arguments import add_command, add_json_argument, add_position_arguments
from pegray.commands.exit_codes import DONE
from pegray.commands.positions import read_position
from pegray.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pegray.game.line import Ply
    from pegray.game.position import Position
    from pegray.lexicon.lexicon import Lexicon

EXAMPLES = """\
  pegray apply jobs/first.cgp "13L ONYX" --draw Y
  pegray apply jobs/first.cgp "13L ONYX" "2A CAI.UE" --draw Y
  pegray apply jobs/first.cgp pass --draw "[]E" --json
  pegray apply jobs/first.cgp "13L ONYX" --draw Y | pegray endgame -

The line printed has the opponent of the last mover on turn, that player's rack first. It keeps lex, ld and the other
opcodes. A rack that cannot be known stays empty: the opponent's, unless --draw gives the whole bag or it is empty.
Without --draw nothing is drawn. Words are looked up only with --lexicon, which the line then names.
"""


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = add_command(commands, "apply", "the position after moves, as a CGP line", EXAMPLES)
    add_position_arguments(parser, lexicon_default="words are not looked up")
    parser.add_argument("moves", metavar="MOVE", nargs="+", help="moves of both sides in turn, as in 13L ONYX")
    parser.add_argument(
        "--draw", default="", metavar="ORDER", help="the bag in draw order, [AEG]I or AEGI, or just what the play draws"
    )
    add_json_argument(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the CGP after the last move; with --json the one after every move."""
    position = read_position(arguments.positions, arguments.turn, arguments.distribution).position

    from pegray.display.console import message, print_json
    from pegray.game.line import play_line
    from pegray.lexicon.find import lexicon_for

    lexicon = None
    if arguments.lexicon is not None:
        lexicon = lexicon_for(position, arguments.lexicon)
        position = replace(position, opcodes={**position.opcodes, "lex": lexicon.name})
    plies = play_line(position, arguments.moves, arguments.draw)
    if lexicon is not None:
        check_words(position, plies, lexicon)
    last = plies[-1].after
    if arguments.json:
        moves = [{"move": ply.move, "score": ply.score, "draw": ply.draw, "cgp": ply.after.to_cgp()} for ply in plies]
        print_json({"schema": 1, "cgp": last.to_cgp(), "over": last.is_over, "moves": moves})
        return DONE
    print(last.to_cgp())
    if last.is_over:
        message("The game ends here; what is left on the racks is not settled in the scores.")
    return DONE


def check_words(position: Position, plies: Sequence[Ply], lexicon: Lexicon) -> None:
    """Raise InputError for the first word formed that the lexicon does not have."""
    from pegray.game.notation import parse_move
    from pegray.game.scoring import words_formed

    distribution = position.distribution
    for ply in plies:
        for word in words_formed(position.board, parse_move(ply.move, position.board, distribution)):
            if not lexicon.contains(word):
                raise InputError(f"{ply.move}: {distribution.format_tiles(word)} is not in {lexicon.name}")
        position = ply.after
