"""A pre-endgame to be solved: the position, the word graph and the options, checked once and picklable."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from pegray.errors import InputError
from pegray.game.notation import parse_move
from pegray.game.position import Position
from pegray.game.rules import PREENDGAME_BAG, RACK_SIZE, is_preendgame
from pegray.lexicon.lexicon import Lexicon
from pegray.preendgame.candidates import Candidates, choose_candidates
from pegray.preendgame.engine import legal_plays, prune_lexicon
from pegray.preendgame.options import SolveOptions
from pegray.preendgame.packed_moves import pack_move

FROM_THE_GAME = "auto"
HIGHEST = "highest"


@dataclass(frozen=True, eq=False)
class Problem:
    """What defines a solve; two problems with equal ``key`` have the same answer.

    ``nodes`` is the word graph pruned to the position (uint32[]), small enough to travel with every actor.
    """

    position: Position
    lexicon_name: str
    lexicon_hash: str
    nodes: npt.NDArray[np.uint32]
    known: npt.NDArray[np.uint8]
    options: SolveOptions
    candidates: Candidates

    @classmethod
    def create(cls, position: Position, lexicon: Lexicon, options: SolveOptions, passed: bool = False) -> Problem:
        """Check everything and find the candidate plays. Raises InputError, one line that says what and where.

        passed: the turn before was a pass made inside the solve, so that a pass of ours ends the game
        """
        options, known = checked(position, options)
        nodes = prune_lexicon(position, lexicon.nodes)
        candidates = choose_candidates(
            position,
            nodes,
            only=named_plays(position, nodes, options.only, "only"),
            protect=named_plays(position, nodes, options.protect, "protect"),
            max_tiles_left=options.max_tiles_left,
            passed=passed,
        )
        return cls(position, lexicon.name, lexicon.hash, nodes, known, options, candidates)

    @cached_property
    def key(self) -> str:
        """Hex digest of all that defines the answer; how far to go does not."""
        options = asdict(self.options)
        del options["until"], options["exact_spreads"]
        if not self.options.no_exchange:
            del options["no_exchange"]  # it was not there in older runs, whose keys stay the same
        text = json.dumps([self.position.to_cgp(), self.lexicon_hash, options], sort_keys=True)
        digest = hashlib.sha256(text.encode())
        distribution, layout = self.position.distribution, self.position.layout
        for array in (
            distribution.counts,
            distribution.values,
            layout.letter_multipliers,
            layout.word_multipliers,
        ):
            digest.update(array.tobytes())
        if not self.position.board.any():
            digest.update(f"begins on square {layout.start_square}".encode())
        if self.position.scoreless:  # these get other keys than in older runs, since the field's meaning has changed
            digest.update(b"only the last scoreless turn counts")
        if self.candidates.ends_game.any():
            digest.update(self.candidates.ends_game.tobytes())
        return digest.hexdigest()

    @cached_property
    def bag(self) -> int:
        """Tiles in the bag."""
        return self.position.bag_size

    @cached_property
    def total(self) -> int:
        """Weight of all eventualities: labelled draws of the whole bag from what may be in it."""
        return total_weight(self.position, self.known)


def total_weight(position: Position, known: npt.NDArray[np.uint8]) -> int:
    """Weight of all eventualities of a position, with the counts of the tiles that the opponent is known to hold."""
    pool = int(position.unseen.sum() - known.sum())
    return math.prod(range(pool - position.bag_size + 1, pool + 1))


def checked(position: Position, options: SolveOptions) -> tuple[SolveOptions, npt.NDArray[np.uint8]]:
    """The options with the known rack spelt out, and its counts: all that can be checked before kernels are compiled.

    Raises InputError.
    """
    bag = position.bag_size
    if bag < 1:
        raise InputError("the bag is empty: this is an endgame (see pegray endgame)")
    if not is_preendgame(bag):
        raise InputError(f"{bag} tiles in the bag: pre-endgames are solved with 1 to {PREENDGAME_BAG[-1]}")
    rules = position.rules
    if rules.allows_exchange(bag) and not options.no_exchange:
        raise InputError(
            f"needed here, to solve as if nobody could exchange: {position.distribution.name} rules allow it while "
            f"{rules.exchange_from} {'tile is' if rules.exchange_from == 1 else 'tiles are'} in the bag, "
            "and exchanges are not solved",
            "no_exchange",
        )
    options = replace(options, known_rack=known_tiles(position, options.known_rack))
    return options, known_rack(position, options.known_rack)


def known_tiles(position: Position, asked: str) -> str:
    """The tiles that a known rack stands for: itself or, where it is ``auto``, what the game has shown of it.

    Raises InputError where no game is known.
    """
    if asked != FROM_THE_GAME:
        return asked
    if position.known is None:
        fault = "a CGP does not tell which plays were taken back, only a game (GCG) does"
        raise InputError(fault, "known_rack", asked)
    return position.distribution.format_rack(position.known)


def known_rack(position: Position, text: str) -> npt.NDArray[np.uint8]:
    """Counts of the tiles the opponent is known to hold; InputError if the opponent cannot hold them."""
    try:
        known = position.distribution.rack(text)
    except InputError as error:
        raise InputError(str(error), "known_rack", text) from None
    if known.sum() > RACK_SIZE:
        raise InputError(f"more than {RACK_SIZE} tiles", "known_rack", text)
    missing = np.flatnonzero(known > position.unseen)
    if missing.size:
        tile = position.distribution.tiles[missing[0]]
        fault = f"{known[missing[0]]} x {tile}, but {position.unseen[missing[0]]} unseen"
        raise InputError(fault, "known_rack", text)
    return known


def named_plays(position: Position, nodes: npt.NDArray[np.uint32], texts: Iterable[str], option: str) -> list[int]:
    """Packed moves of the plays that an option names, not checked to be legal; ``highest``: those of the highest score.

    Raises InputError for a text that is no move.
    """
    packed: list[int] = []
    for text in texts:
        if text == HIGHEST:
            moves, scores = legal_plays(position, nodes)
            packed += moves[scores == scores.max()].tolist()
            continue
        try:
            packed.append(pack_move(parse_move(text, position.board, position.distribution)))
        except InputError as error:
            raise InputError(str(error), option, text) from None
    return packed
