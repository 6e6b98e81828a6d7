"""One thread's kernels set up for one position."""

from __future__ import annotations

import os

import numpy as np
import numpy.typing as npt

from pegray.errors import PegrayError
from pegray.game.position import Position
from pegray.kernels.entry import root_plays, set_root
from pegray.kernels.memory import Memory, new_memory
from pegray.kernels.portions import MOST_LEFT, NOT_NAMED
from pegray.kernels.verdicts import WIN
from pegray.kernels.workspace import Workspace, new_workspace, pack_rack
from pegray.lexicon.prune import prune

ARENA_WORDS = 1 << 24
_PLAYS_ARENA_WORDS = 1 << 22
_MOST_ARENA_WORDS = 1 << 30  # 8 GiB


SMALL_TABLE_GIB = 0.5
"""For one play, or one endgame."""


def default_table_gib() -> float:
    """An eighth of the machine's memory, 4 GiB at the most."""
    return min(4.0, machine_gib() / 8)


def machine_gib() -> float:
    """GiB of memory of this machine."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30


def tiles_in_play(position: Position) -> npt.NDArray[np.uint8]:
    """Our rack and everything unseen, uint8[distribution.size]."""
    return (position.rack + position.unseen).astype(np.uint8)


def prune_lexicon(position: Position, nodes: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint32]:
    """The word graph with only the words that can still be played in this position."""
    return prune(nodes, position.board, tiles_in_play(position))


def more_room(arena_words: int) -> int:
    """The size of the next larger arena, for a search that one of ``arena_words`` was too small for.

    Raises PegrayError where it would be larger than any machine should need.
    """
    if arena_words >= _MOST_ARENA_WORDS:
        raise PegrayError(f"the plays of one line of this position do not fit into {arena_words >> 27} GiB")
    return arena_words * 2


def root_workspace(
    position: Position,
    pruned_nodes: npt.NDArray[np.uint32],
    memory: Memory,
    arena_words: int = ARENA_WORDS,
) -> Workspace:
    """A workspace whose root is ``position``: side 0 its rack, side 1 all unseen tiles."""
    workspace = new_workspace(
        position.distribution,
        position.layout,
        tiles_in_play(position),
        pruned_nodes,
        memory,
        arena_words,
    )
    begin_at(workspace, position)
    return workspace


def begin_at(workspace: Workspace, position: Position) -> None:
    """Make ``position`` the root of a workspace for the tiles in play in it; lists of plays are forgotten."""
    rack = pack_rack(workspace, position.rack)
    unseen = pack_rack(workspace, position.unseen)
    set_root(workspace.record, position.board, np.uint64(rack), np.uint64(unseen))


def ask_about(workspace: Workspace, portion: tuple[int, ...], known: bytes, names_left: bool) -> None:
    """Say which of the opponent's replies to our first play the kernels are asked about: see ``Unit``."""
    outcomes = np.frombuffer(known, np.int8)
    verdicts = np.where(outcomes < 0, WIN, outcomes).astype(np.uint64)
    workspace.point("portion", "asked", np.sort(np.array(portion, np.int64).view(np.uint64)))
    workspace.point("portion", "verdicts", verdicts)
    workspace.point("portion", "left", np.zeros(MOST_LEFT if names_left else 0, np.uint64))
    workspace.part("portion")["number_left"] = NOT_NAMED


def named_left(workspace: Workspace) -> tuple[int, ...] | None:
    """The replies that a walk which ended early has named as left; None if it named none, or there are too many."""
    number = int(workspace.part("portion")["number_left"][0])
    left = workspace.arrays["portion.left"]
    return None if number == NOT_NAMED or not len(left) else tuple(left[:number].view(np.int64).tolist())


def legal_plays(
    position: Position, nodes: npt.NDArray[np.uint32]
) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int64]]:
    """All plays of the rack, the pass last: uint64[n] packed moves and int64[n] scores."""
    arena_words = _PLAYS_ARENA_WORDS
    while True:
        workspace = new_workspace(
            position.distribution, position.layout, position.rack, nodes, new_memory(0), arena_words
        )
        set_root(workspace.record, position.board, np.uint64(pack_rack(workspace, position.rack)), np.uint64(0))
        moves, scores = root_plays(workspace.record, 0)
        if not workspace.part("limits")["stop"][0]:
            break
        arena_words = more_room(arena_words)
    return np.append(moves, np.uint64(0)), np.append(scores, 0)
