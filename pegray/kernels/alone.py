"""A bound on what a player still gains if the other side does nothing but pass.

Passing is always allowed, so nobody gains more than this. It settles the endings in which a search by plays drowns: one
side is stuck with a tile, the other has a handful of small tiles, nobody can go out soon, and the target is out of
reach whatever the order in which the small tiles are played.

While the other side passes, every word that the player makes is a placement (see placements.py) on the board of now.
A play takes a set of tiles N from the rack, after a set P has been played before, and scores at most

    most[N, P] = max over the placements and the choices of N in them that leave their other tiles to P:
                 the score of the word + for each tile of N that of the best word across that the rest of P allows

so all that is gained is bounded by a walk over the sets of tiles still held, from none upwards:

    gain[held] = max(what it is worth to stop here, max over N in held: most[N, all - held] + gain[held - N])

A set of tiles is a number in mixed radix, with a digit for each kind of tile on the rack: the number of a union is the
sum of the numbers, and that of the whole rack is ``sets - 1``. The *parts* of a set are the sets within it.

What depends on P is a *row* of numbers, by P: small ones, so that the machine adds or compares a row at once. Those of
sets that are no P, since N needs their tiles, are worked out too and then left out (``within``).
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from pegray.game.layout import DIMENSION, SQUARES
from pegray.game.tiles import MAX_LETTERS
from pegray.kernels.arena import LIST_WORDS, PLAY_WORDS, list_length, play_score
from pegray.kernels.bits import ZERO, kernel, plain, words_of
from pegray.kernels.game import blanks_in, count_of, fits, rack_size
from pegray.kernels.intrinsics import add_words, raise_words
from pegray.kernels.lanes import LANES, LAST, line
from pegray.kernels.lists import PLACEMENTS, lane_list
from pegray.kernels.moves import TILE_BITS, all_laid, first_place, tile_of, tiles_laid

ALONE_TILES = 5  # most tiles of a rack that is looked at
_SETS = 1 << ALONE_TILES
_ROW = _SETS
_PLACEMENTS = 1 << 15  # with more there is no bound
_FILLS = 1 << 17  # nor with more
_DIRECTIONS = 2

ALONE = np.dtype(
    [
        ("numbered", "u8"),  # the rack whose sets of tiles are numbered
        ("tiles", "i8"),  # how many it has; 0 where it is out of scope
        # sets by number, and the parts of each, ascending
        ("sets", "i8"),
        ("weight", "i8", (MAX_LETTERS + 1,)),  # what each tile adds to the number of a set
        ("rack", "u8", (_SETS,)),  # packed
        ("value", "i8", (_SETS,)),  # points of the tiles
        ("parts_at", "i8", (_SETS + 1,)),  # where the parts of a set begin in ``part``
        ("part", "i8", (_SETS * _SETS,)),
        ("row", "i8"),  # of numbers by the set before: its length, as many as there are sets or more
        ("within", "i2", (_SETS * _ROW,)),  # by set and row: _ANY for its parts, else _NEVER
        # best scores: across by kind of tile (a column), direction, square and set before; of plays by set and set
        # before; in all
        ("columns", "i8"),
        ("column", "u1", (MAX_LETTERS + 1,)),  # of each tile
        ("reached", "u1", (ALONE_TILES * _DIRECTIONS * SQUARES,)),
        ("cross", "i2", (ALONE_TILES * _DIRECTIONS * SQUARES * _ROW + _ROW,)),
        ("most", "i2", (_SETS * _SETS + _ROW,)),
        ("gain", "i8", (_SETS,)),
        # the placements, their tiles one after the other, and the choices of tiles in one of them
        ("laid_count", "u1", (_PLACEMENTS,)),
        ("laid_face", "i2", (_PLACEMENTS,)),
        ("laid_number", "u1", (_PLACEMENTS,)),
        ("fill_own", "i4", (_FILLS,)),
        ("fill_cross", "i4", (_FILLS,)),
        ("fill_bonus", "i2", (_FILLS,)),
        ("fill_multiplier", "u1", (_FILLS,)),
        ("fill_weight", "u1", (_FILLS,)),
        ("chosen_score", "i8", (_SETS,)),
        ("chosen_multiplier", "i8", (_SETS,)),
        ("chosen_weight", "i8", (_SETS,)),
        ("chosen_across", "i2", (_SETS * _ROW,)),
        ("bounds", "i8"),  # asked for so far
    ],
    align=True,
)

_EMPTY_CROSS = np.int16(0)
_NO_CROSS = np.int16(-6000)  # so low that a sum with it is below 0, and that one of five is a number of 16 bits
_NO_PLAY = np.int16(-1)
_ANY = np.int16(32767)
_NEVER = np.int16(-32768)
_MOST_POINTS = int(_ANY)  # of a play
_SHORT_ROW = 8
_STEP = 16  # numbers of a longer row that are added at once, by the machine
_CELLS = _DIRECTIONS * SQUARES
_TILES_WITH_BLANK = 4
_LEAST_ARENA = 1 << 20  # words; in a smaller one the lists of placements would leave no room for those of plays
NO_GUESS = 1 << 20


@kernel
def guess_alone(workspace, ply, side):
    """Guess what ``side``, on turn, gains alone, by letting it make each play of now after any other.

    Its plays must be listed. Returns NO_GUESS for a rack that is out of scope.
    """
    if (
        workspace.arena.words.length < _LEAST_ARENA
        or number_sets(workspace.alone, workspace.game, workspace.position.rack[ply, side]) == 0
    ):
        return NO_GUESS
    arena = words_of(workspace.arena.words)
    sets = workspace.alone.sets
    most = workspace.alone.most
    for played in range(sets):
        most[played * sets] = -1
    for lane in range(LANES):
        at = workspace.lists.at[ply, side, lane]
        play = at + LIST_WORDS
        for _ in range(list_length(arena, at)):
            entry = set_number(workspace.alone, workspace.game, arena[play + 1]) * sets
            most[entry] = max(most[entry], play_score(arena[play + 2]))
            play += PLAY_WORDS
    _walk(workspace.alone, workspace.position.rack_value[ply, 1 - side], plain(0))
    return workspace.alone.gain[sets - 1]


@kernel
def bound_alone(workspace, ply, side):
    """Bound what ``side``, on turn, gains from here on, in ``alone.gain``: for each set of tiles still held.

    False for a rack that is out of scope, or if there are too many placements (or the arena is too small for them).
    """
    if number_sets(workspace.alone, workspace.game, workspace.position.rack[ply, side]) == 0:
        return False
    workspace.alone.bounds += 1
    placements = _lay_placements(workspace, ply, side)
    if placements < 0:
        return False
    _start_crosses(workspace.alone, workspace.position.board)
    placements = _gather_crosses(workspace.alone, placements)
    _gather_plays(workspace.alone, placements)
    _walk(workspace.alone, workspace.position.rack_value[ply, 1 - side], plain(1))
    return True


@kernel
def set_number(alone, game, need):
    """Number of a set of tiles, part of the rack that was numbered last."""
    number = 0
    for kind in range(game.kinds):
        number += count_of(game, need, kind) * alone.weight[game.kind_tile[kind]]
    return number


@kernel
def number_sets(alone, game, rack):
    """Number the sets of tiles of a rack and list their parts, if that is not done; returns how many tiles it has.

    Returns 0 for a rack that is out of scope: one tile, more than ALONE_TILES (or 4 with a blank), or two blanks; and
    for any rack where plays may score too much for rows of small numbers.
    """
    if rack == alone.numbered:
        return alone.tiles
    alone.numbered = rack
    alone.tiles = 0
    tiles = rack_size(game, rack)
    blanks = blanks_in(game, rack)
    if tiles < 2 or tiles > (_TILES_WITH_BLANK if blanks else ALONE_TILES) or blanks > 1:
        return plain(0)
    if game.most_points > _MOST_POINTS:
        return plain(0)
    sets = 1
    columns = 0
    alone.rack[0] = ZERO
    alone.value[0] = 0
    for kind in range(game.kinds):
        tile = game.kind_tile[kind]
        count = count_of(game, rack, kind)
        alone.weight[tile] = sets
        if count > 0:
            alone.column[tile] = columns
            columns += 1
        for number in range(sets, sets * (count + 1)):
            alone.rack[number] = alone.rack[number - sets] + game.tile_unit[tile]
            alone.value[number] = alone.value[number - sets] + game.tile_value[tile]
        sets *= count + 1
    alone.sets = sets
    alone.columns = columns
    at = 0
    for whole in range(sets):
        alone.parts_at[whole] = at
        for part in range(whole + 1):
            if fits(game, alone.rack[part], alone.rack[whole]):
                alone.part[at] = part
                at += 1
    alone.parts_at[sets] = at
    _set_rows(alone)
    alone.tiles = tiles
    return tiles


@kernel
def _set_rows(alone):
    """How long rows are, and what in the row of a set is about its parts."""
    sets = alone.sets
    alone.row = _SHORT_ROW if sets <= _SHORT_ROW else _STEP if sets <= _STEP else _ROW
    for whole in range(sets):
        row = whole * alone.row
        alone.within[row : row + alone.row] = _NEVER
        for p in range(alone.parts_at[whole], alone.parts_at[whole + 1]):
            alone.within[row + alone.part[p]] = _ANY


@kernel
def _start_crosses(alone, board):
    """No word across is known: a tile that would touch one along a direction is not allowed yet, others are, for 0."""
    row = alone.row
    cross = alone.cross
    cross[: alone.columns * _CELLS * row] = _EMPTY_CROSS
    for square in range(SQUARES):
        if board[square] != 0:
            continue
        across = square % DIMENSION
        for direction in range(2):
            if direction == 0:
                touches = (across > 0 and board[square - 1] != 0) or (across < LAST and board[square + 1] != 0)
            else:
                touches = (square >= DIMENSION and board[square - DIMENSION] != 0) or (
                    square < SQUARES - DIMENSION and board[square + DIMENSION] != 0
                )
            if touches:
                for column in range(alone.columns):
                    cell = (column * _CELLS + direction * SQUARES + square) * row
                    cross[cell : cell + row] = _NO_CROSS


@kernel
def _lay_placements(workspace, ply, side):
    """Decode all placements of a side into the ``laid_*`` and ``fill_*`` fields, and note their letters on the squares.

    Returns the number of placements, or -1 if there are too many (or the arena is too small: the search is stopped).
    """
    arena = words_of(workspace.arena.words)
    board = workspace.position.board
    row = workspace.alone.row
    reached = workspace.alone.reached
    reached[: workspace.alone.columns * _CELLS] = 0
    laid = 0
    fill = 0
    for lane in range(LANES):
        at = lane_list(workspace, ply, side + PLACEMENTS, lane)
        if workspace.limits.stop:
            return -1
        direction = 0 if lane < DIMENSION else 1
        own = direction * SQUARES
        other = SQUARES - own
        start, step = line(lane)
        placement = at + LIST_WORDS
        for _ in range(list_length(arena, at)):
            move = arena[placement]
            face = play_score(arena[placement + 2])
            placement += PLAY_WORDS
            count = tiles_laid(move)
            if laid == _PLACEMENTS or fill + count > _FILLS:
                return -1
            square = start + first_place(move) * step
            laid_tiles = all_laid(move)
            number = 0
            for i in range(fill, fill + count):
                while board[square] != 0:
                    square += step
                tile = tile_of(laid_tiles)
                laid_tiles >>= TILE_BITS
                cell = np.int64(workspace.alone.column[tile]) * _CELLS + square
                workspace.alone.fill_own[i] = (cell + own) * row
                workspace.alone.fill_cross[i] = (cell + other) * row
                more = np.int64(workspace.game.letter_multiplier[square]) - 1
                workspace.alone.fill_bonus[i] = more * workspace.game.tile_value[tile]
                workspace.alone.fill_multiplier[i] = workspace.game.word_multiplier[square]
                workspace.alone.fill_weight[i] = workspace.alone.weight[tile]
                number += workspace.alone.weight[tile]
                reached[cell + own] = 1
                square += step
            workspace.alone.laid_count[laid] = count
            workspace.alone.laid_face[laid] = face
            workspace.alone.laid_number[laid] = number
            laid += 1
            fill += count
    return laid


@kernel
def _gather_crosses(alone, placements):
    """Best scores of the words that one letter ends; placements whose tiles cannot form words across are dropped.

    By direction, square, letter and the set of tiles played before. Returns the number of placements left.
    """
    row = alone.row
    across = alone.chosen_across
    across[:_STEP] = _EMPTY_CROSS  # none are added here
    fill = 0
    kept = 0
    kept_fill = 0
    for laid in range(placements):
        count = np.int64(alone.laid_count[laid])
        first = fill
        fill += count
        crossed = True
        for i in range(first, fill):
            cross = np.int64(alone.fill_cross[i])
            if alone.cross[cross] < 0 and alone.reached[cross // row] == 0:
                crossed = False
                break
        if not crossed:
            continue
        number = np.int64(alone.laid_number[laid])
        face = np.int64(alone.laid_face[laid])
        rest = (alone.sets - 1 - number) * row
        for i in range(first, fill):
            score = (face + np.int64(alone.fill_bonus[i])) * np.int64(alone.fill_multiplier[i])
            cell = np.int64(alone.fill_own[i]) + number - np.int64(alone.fill_weight[i])
            if row == _SHORT_ROW:
                raise_words(alone.cross, cell, across, 0, score, alone.within, rest, _SHORT_ROW)
            else:
                for begin in range(0, row, _STEP):
                    raise_words(alone.cross, cell + begin, across, 0, score, alone.within, rest + begin, _STEP)
            alone.fill_own[kept_fill] = alone.fill_own[i]
            alone.fill_cross[kept_fill] = alone.fill_cross[i]
            alone.fill_bonus[kept_fill] = alone.fill_bonus[i]
            alone.fill_multiplier[kept_fill] = alone.fill_multiplier[i]
            alone.fill_weight[kept_fill] = alone.fill_weight[i]
            kept_fill += 1
        alone.laid_count[kept] = count
        alone.laid_face[kept] = face
        alone.laid_number[kept] = number
        kept += 1
    return kept


@kernel
def _gather_plays(alone, placements):
    """Fill ``alone.most``: the most that a play of one set of tiles scores after another set."""
    sets = alone.sets
    row = alone.row
    alone.most[: sets * sets] = _NO_PLAY
    score_of = alone.chosen_score
    multiplier_of = alone.chosen_multiplier
    weight_of = alone.chosen_weight
    multiplier_of[0] = 1
    weight_of[0] = 0
    across = alone.chosen_across
    across[:row] = _EMPTY_CROSS
    fill = 0
    for laid in range(placements):
        count = np.int64(alone.laid_count[laid])
        number = np.int64(alone.laid_number[laid])
        rest = (sets - 1 - number) * row
        score_of[0] = alone.laid_face[laid]
        # each choice of the tiles to play now is one without its last tile, and that tile
        for last in range(count):
            bit = 1 << last
            bonus = np.int64(alone.fill_bonus[fill])
            multiplier = np.int64(alone.fill_multiplier[fill])
            weight = np.int64(alone.fill_weight[fill])
            cross = np.int64(alone.fill_cross[fill])
            fill += 1
            for chosen in range(bit, 2 * bit):
                less = chosen - bit
                score_of[chosen] = score_of[less] + bonus
                multiplier_of[chosen] = multiplier_of[less] * multiplier
                played = weight_of[less] + weight
                weight_of[chosen] = played
                score = score_of[chosen] * multiplier_of[chosen]
                # and the words across, by what may have been played before
                to = chosen * row
                most = played * sets + number - played
                if row == _SHORT_ROW:
                    add_words(across, to, across, less * row, alone.cross, cross, _SHORT_ROW)
                    raise_words(alone.most, most, across, to, score, alone.within, rest, _SHORT_ROW)
                else:
                    for i in range(0, row, _STEP):
                        add_words(across, to + i, across, less * row + i, alone.cross, cross + i, _STEP)
                        raise_words(alone.most, most + i, across, to + i, score, alone.within, rest + i, _STEP)


@kernel
def _walk(alone, other_value, ordered):
    """Fill ``alone.gain`` from no tiles held upwards; ``ordered``: 1 if ``alone.most`` tells what was played before."""
    sets = alone.sets
    alone.gain[0] = 2 * other_value
    for held in range(1, sets):
        best = other_value - alone.value[held]
        before = ordered * (sets - 1 - held)
        for p in range(alone.parts_at[held] + 1, alone.parts_at[held + 1]):
            played = alone.part[p]
            score = alone.most[played * sets + before]
            if score >= 0:
                best = max(best, score + alone.gain[held - played])
        alone.gain[held] = best
