"""Every way to lay tiles of a rack into a lane so that a word stands there, now or later.

A *placement* asks for much less than a play: a word of the lexicon that agrees with the tiles of the lane, ends at
empty squares or the edge, and takes its other letters from the rack. Whether the tiles would touch any, what words
they would make across, and in how many plays they would come, is left open. So whatever word a player makes in the
lane with these tiles in the rest of the game, while nobody else adds a tile to it, is among the placements of now.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from pegray.game.layout import DIMENSION
from pegray.game.tiles import LETTER_MASK
from pegray.kernels.arena import NO_ROOM, PLAY_WORDS, SCORE_SHIFT, add_play
from pegray.kernels.bits import ONE, ZERO, kernel, mix, plain, words_of
from pegray.kernels.game import points_on_board
from pegray.kernels.lanes import LAST, line
from pegray.kernels.moves import laid_for, start_of_move, with_count, with_tile
from pegray.kernels.spelling import count_rack, fitting_letters, leads_on, put_back_tile, take_tile
from pegray.kernels.word_graph import WORD_END, child_with, has_child, lowest_letter

_SQUARES_MASK = np.uint64((1 << DIMENSION) - 1)
_ANY_LETTER = ~ZERO
_SLOTS = 1 << 12
_PROBES = 8

SEEN = np.dtype([("placement", "u8", (_SLOTS,))], align=True)
"""While the placements of a lane are listed: those with the blank that are in the list, by hash; it forgets."""


@kernel
def generate_placements(workspace, lane, rack, at):
    """Write all placements of ``lane`` with ``rack`` to the arena from word ``at`` on.

    A placement has the words of a play (see generate.py), with the face value of its whole word in place of the score,
    no tile value, and the mask of its squares in the lane in place of the reach. What letter a blank stands for is left
    out: placements that differ in nothing else, often dozens, are one. Returns their number, or NO_ROOM when the
    arena's half ends first.
    """
    board = workspace.position.board
    start, step = line(lane)
    for index in range(DIMENSION):
        code = board[start + index * step]
        workspace.spelling.letter[index] = code & np.uint8(LETTER_MASK)
        workspace.spelling.cross_set[index] = _ANY_LETTER
        workspace.spelling.cross_score[index] = points_on_board(workspace.game, code)
    workspace.spelling.most_tiles = count_rack(workspace.spelling, workspace.game, rack)
    graph = words_of(workspace.lexicon.graph)
    workspace.arena.next = at
    workspace.arena.full = 0
    if workspace.spelling.count[0] > 0:
        workspace.seen.placement[:] = ZERO
    root = graph[0]
    for first in range(LAST):
        if first == 0 or workspace.spelling.letter[first - 1] == 0:
            _spell(workspace, first, root, plain(0), start_of_move(plain(0), lane), ZERO, ZERO)
    if workspace.arena.full:
        return NO_ROOM
    return (workspace.arena.next - at) // PLAY_WORDS


@kernel
def squares_of(meta):
    """Mask of the squares in its lane that a placement lays tiles on, from its third arena word."""
    return meta & _SQUARES_MASK


@kernel
def _spell(workspace, index, node, laid, move, meta, need):  # noqa: C901 (in parts it would be called more often)
    """Cover ``index`` with each letter that a child of ``node`` has; ``laid`` tiles have been laid.

    ``meta`` is the third word of a placement, so far.
    """
    graph = words_of(workspace.lexicon.graph)
    while workspace.spelling.letter[index] != 0:
        letter = np.int64(workspace.spelling.letter[index])
        if not has_child(node, letter):
            return
        node = child_with(graph, node, letter)
        meta += np.uint64(workspace.spelling.cross_score[index]) << SCORE_SHIFT
        if laid > 0 and node & WORD_END != ZERO and (index == LAST or workspace.spelling.letter[index + 1] == 0):
            _record(workspace, laid, move, meta, need)
        index += 1
        if index > LAST:
            return
    if laid == workspace.spelling.most_tiles:
        return
    if laid == 0:
        move |= start_of_move(index, plain(0))
    ends = index == LAST or workspace.spelling.letter[index + 1] == 0
    fitting = fitting_letters(workspace.spelling, node, index)
    while fitting != ZERO:
        letter = lowest_letter(fitting)
        fitting &= fitting - ONE
        child = child_with(graph, node, letter)
        for blank in range(2):
            tile = 0 if blank else letter
            if workspace.spelling.count[tile] > 0:
                take_tile(workspace.spelling, tile)
                longer = with_tile(move, laid, laid_for(0 if blank else letter, blank))
                more = meta + (np.uint64(workspace.game.tile_value[tile]) << SCORE_SHIFT) + (ONE << np.uint64(index))
                taken = need + workspace.game.tile_unit[tile]
                if ends and child & WORD_END != ZERO:
                    _record(workspace, laid + 1, longer, more, taken)
                if index < LAST and leads_on(workspace.spelling, child, index + 1, laid + 1):
                    _spell(workspace, index + 1, child, laid + 1, longer, more, taken)
                put_back_tile(workspace.spelling, tile)


@kernel
def _seen(seen, placement):
    """Whether a placement with the blank is in the list already, as far as is remembered."""
    slot = np.int64(mix(placement) & np.uint64(_SLOTS - 1))
    for _ in range(_PROBES):
        if seen.placement[slot] == placement:
            return True
        if seen.placement[slot] == ZERO:
            seen.placement[slot] = placement
            return False
        slot = (slot + 1) & (_SLOTS - 1)
    return False


@kernel
def _record(workspace, laid, move, meta, need):
    if need & workspace.game.tile_unit[0] != ZERO and _seen(workspace.seen, with_count(move, laid)):
        return
    add_play(workspace.arena, with_count(move, laid), need, meta)
