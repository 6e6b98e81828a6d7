"""The plays that a solve compares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pegray.errors import InputError
from pegray.game.move import Move
from pegray.game.notation import format_move
from pegray.game.position import Position
from pegray.lexicon.lexicon import Lexicon
from pegray.lexicon.prune import prune
from pegray.preendgame.engine import legal_plays
from pegray.preendgame.packed_moves import unpack_move


@dataclass(frozen=True, eq=False)
class Candidates:
    """Arrays over the candidate plays, those that look best first.

    moves: uint64[n] packed; scores: int32[n]; tiles: int8[n] tiles played; protected: bool[n] (never cut off);
    skipped: bool[n] (would leave more tiles in the bag than asked for: listed, not solved);
    ends_game: bool[n] (at once, by passes or scoreless turns).
    """

    moves: npt.NDArray[np.uint64]
    scores: npt.NDArray[np.int32]
    tiles: npt.NDArray[np.int8]
    protected: npt.NDArray[np.bool_]
    skipped: npt.NDArray[np.bool_]
    ends_game: npt.NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.moves)


def choose_candidates(
    position: Position,
    nodes: npt.NDArray[np.uint32],
    only: Sequence[int] = (),
    protect: Sequence[int] = (),
    max_tiles_left: int | None = None,
    passed: bool = False,
) -> Candidates:
    """All legal plays (or just ``only``), ordered by a first guess of their worth; InputError on an illegal one.

    passed: the turn before was a pass made inside the solve
    """
    moves, scores = legal_plays(position, nodes)
    for option, wanted in (("only", only), ("protect", protect)):
        for move in wanted:
            if not (moves == np.uint64(move)).any():
                text = format_move(unpack_move(move, position.board), position.distribution)
                raise InputError("not a legal play here", option, text)
    if only:
        keep = np.isin(moves, np.array([*only, *protect], np.uint64))
        moves, scores = moves[keep], scores[keep]
    tiles = (moves & np.uint64(7)).astype(np.int8)
    left = np.maximum(position.bag_size - tiles, 0)
    # plays that leave tiles in the bag cost far more to solve and are seldom best: they come after those that do not
    order = np.lexsort((moves, -scores, left > 0))
    skipped = left > max_tiles_left if max_tiles_left is not None else np.zeros(len(moves), np.bool_)
    ends_game = (moves == 0) & passed | (scores == 0) & position.ends_if_scoreless
    return Candidates(
        moves[order],
        scores[order].astype(np.int32),
        tiles[order],
        np.isin(moves, np.array(protect, np.uint64))[order],
        skipped[order],
        ends_game[order],
    )


def legal_moves(position: Position, lexicon: Lexicon, most: int | None = None) -> list[tuple[Move, int]]:
    """Every legal play of the rack with its score, best score first, the pass last; or just the first ``most``."""
    moves, scores = legal_plays(position, prune(lexicon.nodes, position.board, position.rack))
    order = np.lexsort((moves, -scores, moves == 0))
    return [(unpack_move(int(moves[i]), position.board), int(scores[i])) for i in order[:most]]
