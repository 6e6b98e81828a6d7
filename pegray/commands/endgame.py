"""``pegray endgame``: the exact spread and the best line with the bag empty."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from pegray.commands.arguments import add_command, add_form_arguments, add_option, add_position_arguments
from pegray.commands.exit_codes import DONE
from pegray.commands.positions import read_position
from pegray.preendgame.options import SOLVE_OPTIONS

if TYPE_CHECKING:
    from pegray.game.position import Position
    from pegray.preendgame.solve_endgame import EndgameResult

EXAMPLES = """\
  pegray endgame position.cgp
  pegray endgame game.gcg --turn 25 --lexicon NWL20 --json
  pegray endgame position.cgp --plain | cut -f 5
"""


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = add_command(commands, "endgame", "exact spread and best line with the bag empty", EXAMPLES)
    add_position_arguments(parser)
    add_option(parser, SOLVE_OPTIONS["endgame_plies"])
    add_form_arguments(parser, "move of the best line")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Solve the endgame and print the spread and the line."""
    position = read_position(arguments.positions, arguments.turn, arguments.distribution).position

    from pegray.display.best_line import print_endgame
    from pegray.display.compiling import compiling
    from pegray.display.console import print_json, results
    from pegray.display.plain import print_plain
    from pegray.game.line import play_line, player
    from pegray.interruptible import interruptible
    from pegray.lexicon.find import lexicon_for
    from pegray.preendgame.solve_endgame import NEEDED_KERNELS, check_is_endgame, solve_endgame

    with compiling(NEEDED_KERNELS) as compiled:
        check_is_endgame(position)
        lexicon = lexicon_for(position, arguments.lexicon)
        compiled()
        result = interruptible(lambda: solve_endgame(position, lexicon, plies=arguments.endgame_plies))
    if arguments.json:
        print_json(to_json(position, lexicon.name, result))
    elif arguments.plain:
        plies = enumerate(play_line(position, result.moves, is_solved=True), start=1)
        records = [(number, player(number), ply.move, ply.score, ply.after.to_cgp()) for number, ply in plies]
        print_plain(("ply", "player", "move", "score", "cgp"), records)
    else:
        print_endgame(results(), position, result)
    return DONE


def to_json(position: Position, lexicon: str, result: EndgameResult) -> dict[str, Any]:
    """The JSON document of the command."""
    return {
        "schema": 1,
        "cgp": position.to_cgp(),
        "lexicon": lexicon,
        "spread": result.spread,
        "score_gain": result.score_gain,
        "pv": result.pv,
        "proven": result.proven,
        "stats": {"seconds": result.seconds, "nodes": result.nodes},
    }
