"""A play of a position, or of one that a run holds: what ``explain`` and ``chances`` are asked about."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pegray.commands.arguments import add_option, add_position_arguments, at_least
from pegray.commands.positions import read_position
from pegray.commands.stored import numbered_row
from pegray.preendgame.options import SOLVE_OPTIONS
from pegray.terms import Opponent

if TYPE_CHECKING:
    from pegray.game.position import Position


@dataclass(frozen=True)
class Question:
    """A position with what is known and asked of it.

    lexicon: as it was named, None for the position's own
    opponent: of the run that holds it, against whom its plays are ranked; guaranteed wins where it is of none
    """

    position: Position
    lexicon: str | None
    known_rack: str
    no_exchange: bool
    opponent: str


def add_question_arguments(parser: argparse.ArgumentParser, play: str) -> None:
    """POSITION or RUN, --play, and what belongs to them. play: what is to be done with the play"""
    add_position_arguments(parser, or_run=True)
    parser.add_argument("--play", required=True, metavar="MOVE", help=f"the play to {play}, as in 13L ONYX")
    add_option(parser, SOLVE_OPTIONS["known_rack"], default=None)
    parser.add_argument("--position", type=at_least(1), default=1, metavar="K", help="the K-th position of a run")
    add_option(parser, SOLVE_OPTIONS["no_exchange"])


def read_question(arguments: argparse.Namespace) -> Question:
    """The question of the arguments; a run answers what they leave open. Says what a game has shown of a rack."""
    from pegray.display.batch import known_rack_text
    from pegray.display.console import message
    from pegray.preendgame.problem import FROM_THE_GAME, known_tiles
    from pegray.results.read import open_run

    argument = arguments.positions[0]
    known = arguments.known_rack
    no_exchange = arguments.no_exchange
    name = arguments.lexicon
    opponent = Opponent.GUARANTEED.value
    if Path(argument, "manifest.json").is_file() or "://" in argument:
        stored = open_run(argument)
        row = numbered_row(stored, arguments.position)
        job = stored.manifest.get("job", {})
        position = stored.position(row["position_id"], arguments.distribution)
        name = name or job.get("lexicon") or row["lexicon"]
        no_exchange = no_exchange or stored.no_exchange
        opponent = stored.opponent
        if known is None:
            known = stored.known_rack(arguments.position - 1)
    else:
        position = read_position(arguments.positions, arguments.turn, arguments.distribution).position
    if known == FROM_THE_GAME:
        known = known_tiles(position, known)
        message(known_rack_text(known))
    return Question(position, name, known or "", no_exchange, opponent)
