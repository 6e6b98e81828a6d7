"""All plays of a lane, spelt out square by square: nothing is kept from one lane, rack or board to the next.

From each square on where a word may begin, letters are laid as the word graph goes on, from left to right. There are no
anchors, no reversed prefixes and no cross-sets, and children are counted one by one: what stands on the board is looked
at again for each tile, and each word across is looked up letter by letter.
"""

from __future__ import annotations

import numpy as np

from pegray.game.layout import DIMENSION, SQUARES
from pegray.game.rules import BINGO_BONUS, RACK_SIZE
from pegray.game.tiles import BLANK_FLAG, LETTER_MASK, MAX_LETTERS
from pegray.kernels.arena import NO_ROOM, PLAY_WORDS, SCORE_SHIFT, TILE_VALUE_SHIFT, add_play
from pegray.kernels.bits import ONE, ZERO, kernel, plain, words_of
from pegray.kernels.game import fits, rack_size
from pegray.kernels.lanes import LAST, crossing, line
from pegray.kernels.moves import laid_for, on_board, start_of_move, tile_of, with_count, with_tile
from pegray.kernels.word_graph import WORD_END, child_letters, first_child

_ANY_LANE = np.uint64((1 << 2 * DIMENSION) - 1)  # a play may change the plays of every lane, for all that is said here
_TOUCHES_NOTHING = -1
_NO_WORD = -2


@kernel
def spell_lane(workspace, lane, rack, at):
    """Stands for :func:`pegray.kernels.generate.generate_lane`, and writes the same plays in another order."""
    workspace.arena.next = at
    workspace.arena.full = 0
    board = workspace.position.board
    start, step = line(lane)
    tiles = min(RACK_SIZE, rack_size(workspace.game, rack))
    opening = _is_empty(board)
    root = words_of(workspace.lexicon.graph)[0]
    for first in range(DIMENSION):
        begins = first == 0 or board[start + (first - 1) * step] == 0
        if begins and _comes_near(workspace, lane, first, tiles, opening):
            _spell(workspace, lane, plain(first), plain(first), root, rack, plain(0), opening, plain(0))
    if workspace.arena.full:
        return NO_ROOM
    return (workspace.arena.next - at) // PLAY_WORDS


@kernel
def _is_empty(board):
    tiles = 0
    for square in range(SQUARES):
        tiles += board[square]
    return tiles == 0


@kernel
def _comes_near(workspace, lane, first, tiles, opening):
    """Whether so many tiles, laid from ``first`` on, come to a square where a word is joined to the board."""
    start, step = line(lane)
    for index in range(first, min(first + tiles, DIMENSION)):
        if workspace.position.board[start + index * step] != 0 or _joins(workspace, lane, index, opening):
            return True
    after = first + tiles
    return after < DIMENSION and workspace.position.board[start + after * step] != 0


@kernel
def _joins(workspace, lane, index, opening):
    """Whether a tile on an empty square touches one across, or is on the square where the first word has to be."""
    if opening:
        start, step = line(lane)
        return start + index * step == workspace.game.start_square
    first, last = _run_across(workspace.position.board, lane, index)
    return first < last


@kernel
def _run_across(board, lane, index):
    """First and last place, in the crossing lane, of the tiles that touch a square, and of the square itself."""
    other, place = crossing(lane, index)
    start, step = line(other)
    first = place
    while first > 0 and board[start + (first - 1) * step] != 0:
        first -= 1
    last = place
    while last < LAST and board[start + (last + 1) * step] != 0:
        last += 1
    return first, last


@kernel
def _find(graph, node, letter):
    """The child of a node that carries ``letter``, or 0: each letter below it that leads on is a place."""
    letters = child_letters(node)
    if (letters >> np.uint64(letter)) & ONE == ZERO:
        return ZERO
    at = np.int64(first_child(node))
    for lower in range(letter):
        if (letters >> np.uint64(lower)) & ONE != ZERO:
            at += 1
    return graph[at]


@kernel
def _points_across(workspace, lane, index, letter):
    """Points of the tiles that a letter touches across, _TOUCHES_NOTHING, or _NO_WORD where they make none with it."""
    board = workspace.position.board
    graph = words_of(workspace.lexicon.graph)
    first, last = _run_across(board, lane, index)
    if first == last:
        return plain(_TOUCHES_NOTHING)
    other, place = crossing(lane, index)
    start, step = line(other)
    points = plain(0)
    node = graph[0]
    for i in range(first, last + 1):
        code = np.int64(board[start + i * step])
        node = _find(graph, node, letter if i == place else code & LETTER_MASK)
        if node == ZERO:
            return plain(_NO_WORD)
        if i != place and not code & BLANK_FLAG:
            points += workspace.game.tile_value[code]
    return points if node & WORD_END != ZERO else plain(_NO_WORD)


@kernel
def _spell(workspace, lane, first, index, node, rack, laid, opening, joined):
    """Cover ``index`` with each letter that a child of ``node`` has; the word began at ``first``."""
    graph = words_of(workspace.lexicon.graph)
    game = workspace.game
    start, step = line(lane)
    square = start + index * step
    code = np.int64(workspace.position.board[square])
    ends = index == LAST or workspace.position.board[square + step] == 0
    joins = np.int64(joined or code != 0 or _joins(workspace, lane, index, opening))
    letters = child_letters(node)
    at = np.int64(first_child(node))
    for letter in range(1, MAX_LETTERS + 1):
        if (letters >> np.uint64(letter)) & ONE == ZERO:
            continue
        child = graph[at]
        at += 1
        if code != 0:
            if letter == code & LETTER_MASK:
                if ends and laid > 0 and child & WORD_END != ZERO:
                    _enter(workspace, lane, first, index, laid)
                if index < LAST:
                    _spell(workspace, lane, first, index + 1, child, rack, laid, opening, joins)
        elif laid < RACK_SIZE:
            for blank in range(2):
                unit = game.tile_unit[0 if blank else letter]
                if unit == ZERO or not fits(game, unit, rack):
                    continue
                if _points_across(workspace, lane, index, letter) == _NO_WORD:
                    break
                workspace.spelling.tile[index] = np.uint8(laid_for(letter, blank))
                if ends and joins and child & WORD_END != ZERO:
                    _enter(workspace, lane, first, index, laid + 1)
                if index < LAST:
                    _spell(workspace, lane, first, index + 1, child, rack - unit, laid + 1, opening, joins)


@kernel
def _enter(workspace, lane, first, last, tiles):
    """Append the play of ``tiles`` tiles whose word stands from ``first`` to ``last``, unless it belongs to a row."""
    board = workspace.position.board
    game = workspace.game
    start, step = line(lane)
    move = ZERO
    need = ZERO
    laid = plain(0)
    word = 0
    others = 0
    multiplier = 1
    tile_value = 0
    for index in range(first, last + 1):
        square = start + index * step
        code = np.int64(board[square])
        if code != 0:
            word += 0 if code & BLANK_FLAG else game.tile_value[code]
            continue
        as_laid = np.uint64(workspace.spelling.tile[index])
        tile = tile_of(as_laid)
        scored = game.tile_value[tile] * np.int64(game.letter_multiplier[square])
        across = _points_across(workspace, lane, index, np.int64(on_board(as_laid)) & LETTER_MASK)
        if across != _TOUCHES_NOTHING:
            if tiles == 1 and lane >= DIMENSION:
                return
            others += (across + scored) * np.int64(game.word_multiplier[square])
        if laid == 0:
            move = start_of_move(index, lane)
        move = with_tile(move, laid, as_laid)
        laid += 1
        word += scored
        multiplier *= np.int64(game.word_multiplier[square])
        tile_value += game.tile_value[tile]
        need += game.tile_unit[tile]
    score = word * multiplier + others
    if tiles == RACK_SIZE:
        score += BINGO_BONUS
    meta = _ANY_LANE | np.uint64(score) << SCORE_SHIFT | np.uint64(tile_value) << TILE_VALUE_SHIFT
    add_play(workspace.arena, with_count(move, tiles), need, meta)
