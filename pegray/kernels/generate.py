"""All plays of one lane for one packed rack, from the GADDAG.

The algorithm is Gordon's (S. A. Gordon, "A Faster Scrabble Move Generation Algorithm", 1994): from each anchor the
word is spelt leftwards through the reversed prefix, then rightwards after the separator, never placing a tile on an
anchor to the left, so that each play is found once. A one-tile play that makes an across word belongs to its row.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from pegray.kernels.bits import ONE, ZERO, halves_at, kernel, plain, words_at
from pegray.kernels.lanes import line, run_hash

ARC_MASK = np.uint32(0x3FFFFF)
LAST_SIBLING = np.uint32(1 << 22)
WORD_END = np.uint32(1 << 23)
TILE_SHIFT = np.uint32(24)
SEPARATOR = 0

PLAY_WORDS = 3  # a play in the arena: packed move, need, and score | tile value | reach
SCORE_SHIFT = np.uint64(32)
TILE_VALUE_SHIFT = np.uint64(48)
SIXTEEN_BITS = np.uint64(0xFFFF)
REACH_MASK = np.uint64(0x3FFFFFFF)
FULL_RACK = 7
BINGO_BONUS = 50
BLANK_FLAG = 0x80


@kernel
def child_arc(kwg, arc, letter):
    """Node among the siblings from ``arc`` that carries ``letter``, or -1."""
    if arc == 0:
        return -1
    while True:
        node = kwg[arc]
        if np.int64(node >> TILE_SHIFT) == letter:
            return arc
        if node & LAST_SIBLING:
            return -1
        arc += 1


@kernel
def _cross_set(kwg, board, start, step, index):
    """Letters (a bit each) that make a word with the tiles touching the empty square ``index`` of a line."""
    low = index
    while low > 0 and board[start + (low - 1) * step] != 0:
        low -= 1
    arc = np.int64(kwg[0] & ARC_MASK)
    for i in range(low, index):
        node = child_arc(kwg, arc, np.int64(board[start + i * step] & np.uint8(127)))
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
        while i < 15 and board[start + i * step] != 0:
            child = child_arc(kwg, below, np.int64(board[start + i * step] & np.uint8(127)))
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
def _load_lane(workspace, lane):
    """Fill the ``lane_*`` fields; returns a bit for each anchor."""
    board = workspace.board
    kwg = halves_at(workspace.kwg_address, workspace.kwg_length)
    cross = words_at(workspace.cross_address, workspace.cross_length)
    slots = np.uint64(workspace.cross_length // 2 - 1)
    start, step = line(lane)
    anchors = 0
    for index in range(15):
        square = start + index * step
        code = board[square]
        workspace.lane_letter[index] = code & np.uint8(127)
        workspace.lane_letter_multiplier[index] = workspace.letter_multiplier[square]
        workspace.lane_word_multiplier[index] = workspace.word_multiplier[square]
        workspace.lane_tile[index] = np.uint8(0)
        if code != 0:
            workspace.lane_cross_score[index] = (
                0 if code & np.uint8(BLANK_FLAG) else workspace.tile_value[np.int64(code)]
            )
            continue
        if lane < 15:
            cross_start, cross_step, position = index, 15, lane
            crossing_bit = 15 + index
            parallel = 0
        else:
            cross_start, cross_step, position = index * 15, 1, lane - 15
            crossing_bit = index
            parallel = 15
        reach = ONE << np.uint64(crossing_bit)
        low = position - 1
        total = 0
        while low >= 0 and board[cross_start + low * cross_step] != 0:
            tile = board[cross_start + low * cross_step]
            if not tile & np.uint8(BLANK_FLAG):
                total += workspace.tile_value[np.int64(tile)]
            low -= 1
        high = position + 1
        while high < 15 and board[cross_start + high * cross_step] != 0:
            tile = board[cross_start + high * cross_step]
            if not tile & np.uint8(BLANK_FLAG):
                total += workspace.tile_value[np.int64(tile)]
            high += 1
        if low >= 0:
            reach |= ONE << np.uint64(parallel + low)
        if high < 15:
            reach |= ONE << np.uint64(parallel + high)
        workspace.lane_reach[index] = reach
        if low == position - 1 and high == position + 1:
            workspace.lane_cross_score[index] = -1
            workspace.lane_cross_set[index] = ~ZERO
        else:
            workspace.lane_cross_score[index] = total
            key = run_hash(board, cross_start, cross_step, position)
            slot = np.int64(key & slots) * 2
            if cross[slot] != key:
                cross[slot + 1] = _cross_set(kwg, board, cross_start, cross_step, position)
                cross[slot] = key
            workspace.lane_cross_set[index] = cross[slot + 1]
            anchors |= 1 << index
    for index in range(15):
        if workspace.lane_letter[index] == 0:
            if index > 0 and workspace.lane_letter[index - 1] != 0:
                anchors |= 1 << index
            if index < 14 and workspace.lane_letter[index + 1] != 0:
                anchors |= 1 << index
    return anchors


@kernel
def count_rack(workspace, rack):
    """Unpack a rack into ``count``; returns the number of its tiles."""
    tiles = 0
    for k in range(workspace.kinds):
        count = np.int64((rack >> workspace.kind_shift[k]) & workspace.kind_mask[k])
        workspace.count[workspace.kind_tile[k]] = count
        tiles += count
    return tiles


@kernel
def generate_lane(workspace, lane, rack, at):
    """Write all plays of ``lane`` with ``rack`` to the arena from word ``at`` on.

    Returns their number, or -1 (``workspace.arena_full`` set) when the arena's half ends first.
    """
    anchors = _load_lane(workspace, lane)
    if anchors == 0:
        start, step = line(lane)
        opening = (workspace.start_square - start) // step
        if workspace.board_key[0] == ZERO and 0 <= opening < 15 and start + opening * step == workspace.start_square:
            anchors = 1 << opening
        else:
            return 0
    count_rack(workspace, rack)
    kwg = halves_at(workspace.kwg_address, workspace.kwg_length)
    arena = words_at(workspace.arena_address, workspace.arena_length)
    root = np.int64(kwg[1] & ARC_MASK)
    workspace.arena_next = at
    workspace.arena_full = 0
    for anchor in range(15):
        if anchors >> anchor & 1:
            # nothing goes on the anchors to the left of this one
            barrier = -1
            for index in range(anchor - 1, -1, -1):
                if anchors >> index & 1:
                    barrier = index
                    break
            _extend_left(
                workspace, kwg, arena, lane, anchor, barrier, anchor, root, plain(0), plain(0), plain(1), plain(0),
                plain(0), ZERO,
            )  # fmt: skip
    if workspace.arena_full:
        return -1
    return (workspace.arena_next - at) // PLAY_WORDS


@kernel
def _extend_left(
    workspace, kwg, arena, lane, anchor, barrier, index, arc, tiles, main, multiplier, cross, tile_value, need
):
    """Cover ``index`` (at or left of the anchor) with each letter among the siblings from ``arc``."""
    if arc == 0:
        return
    fixed = np.int64(workspace.lane_letter[index])
    if fixed != 0:
        arc = child_arc(kwg, arc, fixed)
        if arc < 0:
            return
        main += workspace.lane_cross_score[index]
        _turn_right(workspace, kwg, arena, lane, index, anchor, arc, tiles, main, multiplier, cross, tile_value, need)
        if index > 0 and index - 1 != barrier:
            below = np.int64(kwg[arc] & ARC_MASK)
            _extend_left(
                workspace, kwg, arena, lane, anchor, barrier, index - 1, below, tiles, main, multiplier, cross,
                tile_value, need,
            )  # fmt: skip
        return
    if tiles == FULL_RACK:
        return
    allowed = workspace.lane_cross_set[index]
    word = workspace.lane_word_multiplier[index]
    across = workspace.lane_cross_score[index]
    while True:
        node = kwg[arc]
        letter = np.int64(node >> TILE_SHIFT)
        if letter != SEPARATOR and allowed >> np.uint64(letter) & ONE:
            for blank in range(2):
                tile = 0 if blank else letter
                if workspace.count[tile] > 0:
                    value = 0 if blank else workspace.tile_value[letter]
                    scored = value * workspace.lane_letter_multiplier[index]
                    crossed = cross if across < 0 else cross + (across + scored) * word
                    workspace.count[tile] -= 1
                    workspace.lane_tile[index] = np.uint8(letter | (blank << 6))
                    _turn_right(
                        workspace, kwg, arena, lane, index, anchor, arc, tiles + 1, main + scored, multiplier * word,
                        crossed, tile_value + value, need + workspace.tile_unit[tile],
                    )  # fmt: skip
                    if index > 0 and index - 1 != barrier:
                        _extend_left(
                            workspace, kwg, arena, lane, anchor, barrier, index - 1, np.int64(node & ARC_MASK),
                            tiles + 1, main + scored, multiplier * word, crossed, tile_value + value,
                            need + workspace.tile_unit[tile],
                        )  # fmt: skip
                    workspace.count[tile] += 1
            workspace.lane_tile[index] = np.uint8(0)
        if node & LAST_SIBLING:
            return
        arc += 1


@kernel
def _turn_right(workspace, kwg, arena, lane, first, anchor, node_at, tiles, main, multiplier, cross, tile_value, need):
    """The letter at ``node_at`` covers ``first``: if a word may begin there, record it or spell on after the anchor."""
    if first > 0 and workspace.lane_letter[first - 1] != 0:
        return
    node = kwg[node_at]
    right_open = anchor == 14 or workspace.lane_letter[anchor + 1] == 0
    if right_open and node & WORD_END:
        _record(workspace, arena, lane, first, anchor, tiles, main, multiplier, cross, tile_value, need)
    arc = np.int64(node & ARC_MASK)
    if arc != 0 and anchor < 14 and kwg[arc] >> TILE_SHIFT == SEPARATOR:
        right = np.int64(kwg[arc] & ARC_MASK)
        _extend_right(
            workspace,
            kwg,
            arena,
            lane,
            first,
            anchor + 1,
            right,
            tiles,
            main,
            multiplier,
            cross,
            tile_value,
            need,
        )


@kernel
def _extend_right(workspace, kwg, arena, lane, first, index, arc, tiles, main, multiplier, cross, tile_value, need):
    """Cover ``index`` (right of the anchor) with each letter among the siblings from ``arc``."""
    if arc == 0:
        return
    fixed = np.int64(workspace.lane_letter[index])
    if fixed != 0:
        node_at = child_arc(kwg, arc, fixed)
        if node_at < 0:
            return
        main += workspace.lane_cross_score[index]
        if index == 14 or workspace.lane_letter[index + 1] == 0:
            if kwg[node_at] & WORD_END:
                _record(workspace, arena, lane, first, index, tiles, main, multiplier, cross, tile_value, need)
        if index < 14:
            below = np.int64(kwg[node_at] & ARC_MASK)
            _extend_right(
                workspace,
                kwg,
                arena,
                lane,
                first,
                index + 1,
                below,
                tiles,
                main,
                multiplier,
                cross,
                tile_value,
                need,
            )
        return
    if tiles == FULL_RACK:
        return
    allowed = workspace.lane_cross_set[index]
    ends = index == 14 or workspace.lane_letter[index + 1] == 0
    while True:
        node = kwg[arc]
        letter = np.int64(node >> TILE_SHIFT)
        if allowed >> np.uint64(letter) & ONE:
            for blank in range(2):
                tile = 0 if blank else letter
                if workspace.count[tile] > 0:
                    value = 0 if blank else workspace.tile_value[letter]
                    scored = value * workspace.lane_letter_multiplier[index]
                    word = workspace.lane_word_multiplier[index]
                    across = workspace.lane_cross_score[index]
                    crossed = cross if across < 0 else cross + (across + scored) * word
                    workspace.count[tile] -= 1
                    workspace.lane_tile[index] = np.uint8(letter | (blank << 6))
                    if ends and node & WORD_END:
                        _record(
                            workspace, arena, lane, first, index, tiles + 1, main + scored, multiplier * word, crossed,
                            tile_value + value, need + workspace.tile_unit[tile],
                        )  # fmt: skip
                    if index < 14:
                        _extend_right(
                            workspace, kwg, arena, lane, first, index + 1, np.int64(node & ARC_MASK), tiles + 1,
                            main + scored, multiplier * word, crossed, tile_value + value,
                            need + workspace.tile_unit[tile],
                        )  # fmt: skip
                    workspace.count[tile] += 1
            workspace.lane_tile[index] = np.uint8(0)
        if node & LAST_SIBLING:
            return
        arc += 1


@kernel
def _record(workspace, arena, lane, first, last, tiles, main, multiplier, cross, tile_value, need):
    """Append the play whose tiles stand in ``lane_tile[first..last]``."""
    if tiles == 1 and lane >= 15:
        for index in range(first, last + 1):
            if workspace.lane_tile[index] != 0 and workspace.lane_cross_score[index] >= 0:
                return  # it makes an across word as well, and belongs to its row
    at = workspace.arena_next
    if at + PLAY_WORDS > workspace.arena_end:
        workspace.arena_full = 1
        return
    reach = ONE << np.uint64(lane)
    crossing = 15 if lane < 15 else 0
    if first > 0:
        reach |= ONE << np.uint64(crossing + first - 1)
    if last < 14:
        reach |= ONE << np.uint64(crossing + last + 1)
    move = ZERO
    shift = 12
    start = -1
    for index in range(first, last + 1):
        tile = workspace.lane_tile[index]
        if tile != 0:
            if start < 0:
                start = index
            move |= np.uint64(tile) << np.uint64(shift)
            shift += 7
            reach |= workspace.lane_reach[index]
    move |= np.uint64(tiles | (start << 3) | (lane << 7))
    score = main * multiplier + cross
    if tiles == FULL_RACK:
        score += BINGO_BONUS
    arena[at] = move
    arena[at + 1] = need
    arena[at + 2] = reach | np.uint64(score) << SCORE_SHIFT | np.uint64(tile_value) << TILE_VALUE_SHIFT
    workspace.arena_next = at + PLAY_WORDS
