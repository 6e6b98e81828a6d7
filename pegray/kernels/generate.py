"""All plays of one lane for one packed rack, from the GADDAG.

The algorithm is Gordon's (S. A. Gordon, "A Faster Scrabble Move Generation Algorithm", 1994): from an anchor the word
is spelt leftwards through the reversed prefix, then rightwards after the separator. A play that touches tiles of the
lane is spelt from the last tile of the first such run: the run's letters come first and leave few ways to go on. Any
other touches tiles across, and is spelt from the first square that does. So each play is found once. A one-tile play
that makes an across word belongs to its row.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from pegray.game.layout import DIMENSION
from pegray.game.rules import BINGO_BONUS, RACK_SIZE
from pegray.kernels.arena import NO_ROOM, PLAY_WORDS, SCORE_SHIFT, TILE_VALUE_SHIFT, add_play
from pegray.kernels.bits import ONE, ZERO, kernel, plain, words_of
from pegray.kernels.cross_sets import load_lane
from pegray.kernels.lanes import LAST, line
from pegray.kernels.moves import laid_for, start_of_move, tile_of, with_count, with_tile
from pegray.kernels.spelling import count_rack, fitting_letters, leads_on, put_back_tile, take_tile
from pegray.kernels.word_graph import SEPARATOR, WORD_END, child_with, has_child, lowest_letter


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
    workspace.arena.next = at
    workspace.arena.full = 0
    after_run = -1  # the square after the last run of tiles: what covers it goes through that run
    barrier = -1  # the same, or the last anchor between runs: what covers it has been spelt
    index = 0
    while index < DIMENSION:
        if workspace.spelling.letter[index] != 0:
            last = _end_of_run(workspace.spelling, index)
            _spell_from(workspace, last, after_run, plain(DIMENSION))
            after_run = barrier = last + 1
            index = last + 2
        else:
            if (anchors >> index) & 1 and (index == LAST or workspace.spelling.letter[index + 1] == 0):
                _spell_from(workspace, index, barrier, _end_of_gap(workspace.spelling, index))
                barrier = index
            index += 1
    if workspace.arena.full:
        return NO_ROOM
    return (workspace.arena.next - at) // PLAY_WORDS


@kernel
def _end_of_run(spelling, index):
    """The last of the tiles that stand from ``index`` on."""
    while index < LAST and spelling.letter[index + 1] != 0:
        index += 1
    return index


@kernel
def _end_of_gap(spelling, index):
    """The first square after ``index`` that no play may cover which touches no tile of the lane."""
    while index < DIMENSION and spelling.letter[index] == 0:
        index += 1
    return index if index == DIMENSION else index - 1


@kernel
def _spell_from(workspace, anchor, barrier, end):
    """Spell all words that cover ``anchor``, and squares between ``barrier`` and ``end`` else."""
    spelling = workspace.spelling
    graph = words_of(workspace.lexicon.graph)
    spelling.anchor = anchor
    spelling.barrier = barrier
    spelling.end = end
    node = graph[1]
    index = anchor
    while index >= 0 and spelling.letter[index] != 0:
        letter = np.int64(spelling.letter[index])
        if not has_child(node, letter):
            return
        node = child_with(graph, node, letter)
        index -= 1
    if index < anchor:
        _turn_right(workspace, index + 1, node, plain(0))
    if index > barrier:
        _extend_left(workspace, index, node, plain(0))


@kernel
def _extend_left(workspace, index, node, tiles):
    """Cover ``index``, at the anchor or left of it, with each letter that a child of ``node`` has.

    ``tiles`` have been laid so far. Few arguments, or each step would spend most of its time on passing them: a play is
    scored when it is complete.
    """
    spelling = workspace.spelling
    graph = words_of(workspace.lexicon.graph)
    goes_on = index - 1 > spelling.barrier and tiles + 1 < spelling.most_tiles
    fitting = fitting_letters(spelling, node, index)
    while fitting != ZERO:
        letter = lowest_letter(fitting)
        fitting &= fitting - ONE
        child = child_with(graph, node, letter)
        for blank in range(2):
            tile = 0 if blank else letter
            if spelling.count[tile] > 0:
                take_tile(spelling, tile)
                spelling.tile[index] = np.uint8(laid_for(letter, blank))
                _turn_right(workspace, index, child, tiles + 1)
                if goes_on and fitting_letters(spelling, child, index - 1) != ZERO:
                    _extend_left(workspace, index - 1, child, tiles + 1)
                put_back_tile(spelling, tile)
    spelling.tile[index] = np.uint8(0)


@kernel
def _turn_right(workspace, first, node, tiles):
    """A word begins at ``first`` with the letter of ``node``: record it, or spell on after the anchor."""
    spelling = workspace.spelling
    anchor = spelling.anchor
    spelling.first = first
    if tiles > 0 and node & WORD_END != ZERO and (anchor == LAST or spelling.letter[anchor + 1] == 0):
        _record(workspace, anchor, tiles)
    if anchor + 1 < spelling.end and has_child(node, SEPARATOR):
        turned = child_with(words_of(workspace.lexicon.graph), node, SEPARATOR)
        if leads_on(spelling, turned, anchor + 1, tiles):
            _extend_right(workspace, anchor + 1, turned, tiles)


@kernel
def _extend_right(workspace, index, node, tiles):
    """Cover ``index``, right of the anchor, with each letter that a child of ``node`` has."""
    spelling = workspace.spelling
    graph = words_of(workspace.lexicon.graph)
    while spelling.letter[index] != 0:
        letter = np.int64(spelling.letter[index])
        if not has_child(node, letter):
            return
        node = child_with(graph, node, letter)
        if node & WORD_END != ZERO and (index == LAST or spelling.letter[index + 1] == 0):
            _record(workspace, index, tiles)
        index += 1
        if index > LAST:
            return
    if tiles == spelling.most_tiles:
        return
    ends = index == LAST or spelling.letter[index + 1] == 0
    fitting = fitting_letters(spelling, node, index)
    while fitting != ZERO:
        letter = lowest_letter(fitting)
        fitting &= fitting - ONE
        child = child_with(graph, node, letter)
        for blank in range(2):
            tile = 0 if blank else letter
            if spelling.count[tile] > 0:
                take_tile(spelling, tile)
                spelling.tile[index] = np.uint8(laid_for(letter, blank))
                if ends and child & WORD_END != ZERO:
                    _record(workspace, index, tiles + 1)
                if index + 1 < spelling.end and leads_on(spelling, child, index + 1, tiles + 1):
                    _extend_right(workspace, index + 1, child, tiles + 1)
                put_back_tile(spelling, tile)
    spelling.tile[index] = np.uint8(0)


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
