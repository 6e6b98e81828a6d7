"""All plays of one lane for one packed rack, from the GADDAG.

The algorithm is Gordon's (S. A. Gordon, "A Faster Scrabble Move Generation Algorithm", 1994): from each anchor the
word is spelt leftwards through the reversed prefix, then rightwards after the separator, never placing a tile on an
anchor to the left, so that each play is found once. A one-tile play that makes an across word belongs to its row.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from pegray.game.layout import DIMENSION
from pegray.game.rules import BINGO_BONUS, RACK_SIZE
from pegray.game.tiles import BLANK_FLAG, LETTER_MASK
from pegray.kernels.arena import NO_ROOM, PLAY_WORDS, SCORE_SHIFT, TILE_VALUE_SHIFT, add_play
from pegray.kernels.bits import ONE, ZERO, halves_of, kernel, plain, words_of
from pegray.kernels.lanes import LAST, line, run_hash
from pegray.kernels.moves import laid_for, start_of_move, tile_of, with_count, with_tile
from pegray.kernels.siblings import (
    ARC_MASK,
    LAST_SIBLING,
    SEPARATOR,
    TILE_SHIFT,
    WORD_END,
    child_arc,
    lowest_letter,
    sibling_letters,
    sibling_with,
)
from pegray.kernels.spelling import count_rack, put_back_tile, take_tile, usable_letters


@kernel
def _cross_set(lexicon, board, start, step, index):
    """Letters (a bit each) that make a word with the tiles touching the empty square ``index`` of a line."""
    kwg = halves_of(lexicon.kwg)
    low = index
    while low > 0 and board[start + (low - 1) * step] != 0:
        low -= 1
    arc = np.int64(kwg[0] & ARC_MASK)
    for i in range(low, index):
        node = child_arc(lexicon, arc, np.int64(board[start + i * step] & np.uint8(LETTER_MASK)))
        if node < 0:
            return ZERO
        arc = np.int64(kwg[node] & ARC_MASK)
    letters = ZERO
    if arc == 0:
        return letters
    while True:
        node = kwg[arc]
        ends = node & WORD_END != 0
        below = np.int64(node & ARC_MASK)
        i = index + 1
        while i < DIMENSION and board[start + i * step] != 0:
            child = child_arc(lexicon, below, np.int64(board[start + i * step] & np.uint8(LETTER_MASK)))
            if child < 0:
                ends = False
                break
            ends = kwg[child] & WORD_END != 0
            below = np.int64(kwg[child] & ARC_MASK)
            i += 1
        if ends:
            letters |= ONE << np.uint64(node >> TILE_SHIFT)
        if node & LAST_SIBLING:
            return letters
        arc += 1


@kernel
def load_lane(workspace, lane):  # noqa: C901, PLR0915 (in parts it made small positions 3 % dearer)
    """Fill the fields of ``spelling`` by place; returns a bit for each anchor."""
    board = workspace.position.board
    cross = words_of(workspace.lexicon.cross_sets)
    slots = np.uint64(workspace.lexicon.cross_sets.length // 2 - 1)
    start, step = line(lane)
    anchors = 0
    for index in range(DIMENSION):
        square = start + index * step
        code = board[square]
        workspace.spelling.letter[index] = code & np.uint8(LETTER_MASK)
        if code != 0:
            workspace.spelling.cross_score[index] = (
                0 if code & np.uint8(BLANK_FLAG) else workspace.game.tile_value[np.int64(code)]
            )
            continue
        if lane < DIMENSION:
            cross_start, cross_step, position = index, DIMENSION, lane
            crossing_bit = DIMENSION + index
            parallel = 0
        else:
            cross_start, cross_step, position = index * DIMENSION, 1, lane - DIMENSION
            crossing_bit = index
            parallel = DIMENSION
        reach = ONE << np.uint64(crossing_bit)
        low = position - 1
        total = 0
        while low >= 0 and board[cross_start + low * cross_step] != 0:
            tile = board[cross_start + low * cross_step]
            if not tile & np.uint8(BLANK_FLAG):
                total += workspace.game.tile_value[np.int64(tile)]
            low -= 1
        high = position + 1
        while high < DIMENSION and board[cross_start + high * cross_step] != 0:
            tile = board[cross_start + high * cross_step]
            if not tile & np.uint8(BLANK_FLAG):
                total += workspace.game.tile_value[np.int64(tile)]
            high += 1
        if low >= 0:
            reach |= ONE << np.uint64(parallel + low)
        if high < DIMENSION:
            reach |= ONE << np.uint64(parallel + high)
        workspace.spelling.reach[index] = reach
        if low == position - 1 and high == position + 1:
            workspace.spelling.cross_score[index] = -1
            workspace.spelling.cross_set[index] = ~ZERO
        else:
            workspace.spelling.cross_score[index] = total
            key = run_hash(board, cross_start, cross_step, position)
            slot = np.int64(key & slots) * 2
            if cross[slot] != key:
                cross[slot + 1] = _cross_set(workspace.lexicon, board, cross_start, cross_step, position)
                cross[slot] = key
            workspace.spelling.cross_set[index] = cross[slot + 1]
            anchors |= 1 << index
    for index in range(DIMENSION):
        if workspace.spelling.letter[index] == 0:
            if index > 0 and workspace.spelling.letter[index - 1] != 0:
                anchors |= 1 << index
            if index < LAST and workspace.spelling.letter[index + 1] != 0:
                anchors |= 1 << index
    return anchors


@kernel
def generate_lane(workspace, lane, rack, at):
    """Write all plays of ``lane`` with ``rack`` to the arena from word ``at`` on.

    Returns their number, or NO_ROOM when the arena's half ends first.
    """
    anchors = load_lane(workspace, lane)
    if anchors == 0:
        start, step = line(lane)
        opening = (workspace.game.start_square - start) // step
        if (
            workspace.position.board_key[0] == ZERO
            and 0 <= opening < DIMENSION
            and start + opening * step == workspace.game.start_square
        ):
            anchors = 1 << opening
        else:
            return 0
    workspace.spelling.lane = lane
    workspace.spelling.most_tiles = min(RACK_SIZE, count_rack(workspace.spelling, workspace.game, rack))
    kwg = halves_of(workspace.lexicon.kwg)
    root = np.int64(kwg[1] & ARC_MASK)
    workspace.arena.next = at
    workspace.arena.full = 0
    workspace.spelling.barrier = -1
    for anchor in range(DIMENSION):
        if anchors >> anchor & 1:
            workspace.spelling.anchor = anchor
            _extend_left(workspace, anchor, root, plain(0))
            # nothing of a later play goes on this anchor
            workspace.spelling.barrier = anchor
    if workspace.arena.full:
        return NO_ROOM
    return (workspace.arena.next - at) // PLAY_WORDS


@kernel
def _extend_left(workspace, index, arc, tiles):
    """Cover ``index`` (at or left of the anchor) with each letter among the siblings from ``arc``.

    ``tiles`` have been laid so far. Few arguments, or each step would spend most of its time on passing them: a play is
    scored when it is complete.
    """
    kwg = halves_of(workspace.lexicon.kwg)
    while workspace.spelling.letter[index] != 0:
        node_at = child_arc(workspace.lexicon, arc, np.int64(workspace.spelling.letter[index]))
        if node_at < 0:
            return
        begins = index == 0 or workspace.spelling.letter[index - 1] == 0
        if begins:
            _turn_right(workspace, index, node_at, tiles)
        index -= 1
        if index < 0 or index == workspace.spelling.barrier:
            return
        arc = np.int64(kwg[node_at] & ARC_MASK)
    if arc == 0 or tiles == workspace.spelling.most_tiles:
        return
    letters = sibling_letters(workspace.lexicon, arc)
    fitting = letters & workspace.spelling.cross_set[index] & usable_letters(workspace.spelling)
    begins = index == 0 or workspace.spelling.letter[index - 1] == 0
    goes_on = index > 0 and index - 1 != workspace.spelling.barrier
    while fitting != ZERO:
        letter = lowest_letter(fitting)
        fitting &= fitting - ONE
        node_at = sibling_with(arc, letters, letter)
        for blank in range(2):
            tile = 0 if blank else letter
            if workspace.spelling.count[tile] > 0:
                take_tile(workspace.spelling, tile)
                workspace.spelling.tile[index] = np.uint8(laid_for(letter, blank))
                if begins:
                    _turn_right(workspace, index, node_at, tiles + 1)
                if goes_on:
                    _extend_left(workspace, index - 1, np.int64(kwg[node_at] & ARC_MASK), tiles + 1)
                put_back_tile(workspace.spelling, tile)
    workspace.spelling.tile[index] = np.uint8(0)


@kernel
def _turn_right(workspace, first, node_at, tiles):
    """A word begins at ``first`` with the letter at ``node_at``: record it, or spell on after the anchor."""
    kwg = halves_of(workspace.lexicon.kwg)
    node = kwg[node_at]
    anchor = workspace.spelling.anchor
    workspace.spelling.first = first
    if node & WORD_END and (anchor == LAST or workspace.spelling.letter[anchor + 1] == 0):
        _record(workspace, anchor, tiles)
    arc = np.int64(node & ARC_MASK)
    if arc != 0 and anchor < LAST and kwg[arc] >> TILE_SHIFT == SEPARATOR:
        _extend_right(workspace, anchor + 1, np.int64(kwg[arc] & ARC_MASK), tiles)


@kernel
def _extend_right(workspace, index, arc, tiles):
    """Cover ``index`` (right of the anchor) with each letter among the siblings from ``arc``."""
    kwg = halves_of(workspace.lexicon.kwg)
    while workspace.spelling.letter[index] != 0:
        node_at = child_arc(workspace.lexicon, arc, np.int64(workspace.spelling.letter[index]))
        if node_at < 0:
            return
        if kwg[node_at] & WORD_END and (index == LAST or workspace.spelling.letter[index + 1] == 0):
            _record(workspace, index, tiles)
        index += 1
        if index > LAST:
            return
        arc = np.int64(kwg[node_at] & ARC_MASK)
    if arc == 0 or tiles == workspace.spelling.most_tiles:
        return
    letters = sibling_letters(workspace.lexicon, arc)
    fitting = letters & workspace.spelling.cross_set[index] & usable_letters(workspace.spelling)
    ends = index == LAST or workspace.spelling.letter[index + 1] == 0
    while fitting != ZERO:
        letter = lowest_letter(fitting)
        fitting &= fitting - ONE
        node = kwg[sibling_with(arc, letters, letter)]
        for blank in range(2):
            tile = 0 if blank else letter
            if workspace.spelling.count[tile] > 0:
                take_tile(workspace.spelling, tile)
                workspace.spelling.tile[index] = np.uint8(laid_for(letter, blank))
                if ends and node & WORD_END:
                    _record(workspace, index, tiles + 1)
                if index < LAST:
                    _extend_right(workspace, index + 1, np.int64(node & ARC_MASK), tiles + 1)
                put_back_tile(workspace.spelling, tile)
    workspace.spelling.tile[index] = np.uint8(0)


@kernel
def _record(workspace, last, tiles):
    """Append the play of ``tiles`` tiles that stands in ``spelling.tile`` from ``spelling.first`` to ``last``."""
    lane = workspace.spelling.lane
    first = workspace.spelling.first
    if tiles == 1 and lane >= DIMENSION:
        for index in range(first, last + 1):
            if workspace.spelling.tile[index] != 0 and workspace.spelling.cross_score[index] >= 0:
                return  # it makes an across word as well, and belongs to its row
    line_start, step = line(lane)
    reach = ONE << np.uint64(lane)
    crossing = DIMENSION if lane < DIMENSION else 0
    if first > 0:
        reach |= ONE << np.uint64(crossing + first - 1)
    if last < LAST:
        reach |= ONE << np.uint64(crossing + last + 1)
    move = ZERO
    need = ZERO
    laid = 0
    main = 0
    multiplier = 1
    cross = 0
    tile_value = 0
    for index in range(first, last + 1):
        letter = workspace.spelling.tile[index]
        across = workspace.spelling.cross_score[index]
        if letter == 0:
            main += across  # the value of a tile on the board
            continue
        if laid == 0:
            move = start_of_move(index, lane)
        move = with_tile(move, laid, letter)
        laid += 1
        reach |= workspace.spelling.reach[index]
        tile = tile_of(np.uint64(letter))
        value = workspace.game.tile_value[tile]
        square = line_start + index * step
        scored = value * np.int64(workspace.game.letter_multiplier[square])
        word = np.int64(workspace.game.word_multiplier[square])
        main += scored
        multiplier *= word
        if across >= 0:
            cross += (across + scored) * word
        tile_value += value
        need += workspace.game.tile_unit[tile]
    score = main * multiplier + cross
    if tiles == RACK_SIZE:
        score += BINGO_BONUS
    meta = reach | np.uint64(score) << SCORE_SHIFT | np.uint64(tile_value) << TILE_VALUE_SHIFT
    add_play(workspace.arena, with_count(move, tiles), need, meta)
