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

A word that touches nothing on the board needs tiles of P that lead to it (see joining.py); where the rack has not so
many, it is no placement.

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
from pegray.kernels.joining import FAR, JOINING, count_between, find_beside, find_live
from pegray.kernels.lanes import LANES, line
from pegray.kernels.lists import PLACEMENTS, lane_list
from pegray.kernels.moves import TILE_BITS, all_laid, first_place, tile_of, tiles_laid

ALONE_TILES = 5  # most tiles of a rack that is looked at
_SETS = 1 << ALONE_TILES
_ROW = _SETS
_PLACEMENTS = 1 << 15  # with more there is no bound
_FILLS = 1 << 17  # nor with more
_DIRECTIONS = 2
_LEAST_APART = 2  # tiles of a word that touches nothing
_ROUNDS = 2  # a third drops little more
_MOST_BETWEEN = ALONE_TILES - _LEAST_APART

ALONE = np.dtype(
    [
        ("numbered", "u8"),  # the rack whose sets of tiles are numbered
        ("tiles", "i8"),  # how many it has; 0 where it is out of scope
        # sets by number, and the parts of each, ascending
        ("sets", "i8"),
        ("weight", "i8", (MAX_LETTERS + 1,)),  # what each tile adds to the number of a set
        ("rack", "u8", (_SETS,)),  # packed
        ("size", "i8", (_SETS,)),
        ("value", "i8", (_SETS,)),  # points of the tiles
        ("parts_at", "i8", (_SETS + 1,)),  # where the parts of a set begin in ``part``
        ("part", "i8", (_SETS * _SETS,)),
        ("row", "i8"),  # of numbers by the set before: its length, as many as there are sets or more
        # by tiles that lead to a word, set and row: _ANY for its parts that have so many, else _NEVER
        ("within", "i2", ((_MOST_BETWEEN + 1) * _SETS * _ROW,)),
        ("joining", JOINING),
        # best scores: across by kind of tile (a column), direction, square and set before; of plays by set and set
        # before; in all
        ("columns", "i8"),
        ("column", "u1", (MAX_LETTERS + 1,)),  # of each tile
        ("column_tile", "u1", (ALONE_TILES,)),
        ("cross", "i2", (ALONE_TILES * _DIRECTIONS * SQUARES * _ROW + _ROW,)),
        ("most", "i2", (_SETS * _SETS + _ROW,)),
        ("gain", "i8", (_SETS,)),
        # the placements, their tiles one after the other, and the choices of tiles in one of them
        ("laid_count", "u1", (_PLACEMENTS,)),
        ("laid_across", "u1", (_PLACEMENTS,)),  # SQUARES if words across are columns, else 0
        ("laid_face", "i2", (_PLACEMENTS,)),
        ("laid_number", "u1", (_PLACEMENTS,)),
        ("laid_between", "u1", (_PLACEMENTS,)),
        ("fill_square", "u1", (_FILLS,)),
        ("fill_column", "u1", (_FILLS,)),
        ("fill_bonus", "i2", (_FILLS,)),
        ("fill_multiplier", "u1", (_FILLS,)),
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
    find_beside(workspace.alone.joining, workspace.position.board)
    count_between(workspace.alone.joining, workspace.alone.tiles - _LEAST_APART)
    placements = _lay_placements(workspace, ply, side)
    if placements < 0:
        return False
    placements = _drop_impossible(workspace.alone, placements)
    _start_crosses(workspace.alone)
    _gather_crosses(workspace.alone, workspace.game, placements)
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
    alone.size[0] = 0
    alone.value[0] = 0
    for kind in range(game.kinds):
        tile = game.kind_tile[kind]
        count = count_of(game, rack, kind)
        alone.weight[tile] = sets
        if count > 0:
            alone.column[tile] = columns
            alone.column_tile[columns] = tile
            columns += 1
        for number in range(sets, sets * (count + 1)):
            alone.rack[number] = alone.rack[number - sets] + game.tile_unit[tile]
            alone.size[number] = alone.size[number - sets] + 1
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
    """How long rows are, and what in the row of a set is about its parts, or those of some tiles or more."""
    sets = alone.sets
    alone.row = _SHORT_ROW if sets <= _SHORT_ROW else _STEP if sets <= _STEP else _ROW
    for between in range(_MOST_BETWEEN + 1):
        for whole in range(sets):
            row = (between * sets + whole) * alone.row
            alone.within[row : row + alone.row] = _NEVER
            for p in range(alone.parts_at[whole], alone.parts_at[whole + 1]):
                part = alone.part[p]
                if alone.size[part] >= between:
                    alone.within[row + part] = _ANY


@kernel
def _lay_placements(workspace, ply, side):
    """Decode all placements of a side into the ``laid_*`` and ``fill_*`` fields, but those that are too far away.

    Returns the number of placements, or -1 if there are too many (or the arena is too small: the search is stopped).
    """
    arena = words_of(workspace.arena.words)
    board = workspace.position.board
    between = workspace.alone.joining.between
    laid = 0
    fill = 0
    for lane in range(LANES):
        at = lane_list(workspace, ply, side + PLACEMENTS, lane)
        if workspace.limits.stop:
            return -1
        across = SQUARES if lane < DIMENSION else 0
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
            least = plain(FAR)
            for i in range(fill, fill + count):
                while board[square] != 0:
                    square += step
                tile = tile_of(laid_tiles)
                laid_tiles >>= TILE_BITS
                workspace.alone.fill_square[i] = square
                workspace.alone.fill_column[i] = workspace.alone.column[tile]
                least = min(least, np.int64(between[square]))
                number += workspace.alone.weight[tile]
                square += step
            if least <= workspace.alone.tiles - count:
                workspace.alone.laid_count[laid] = count
                workspace.alone.laid_across[laid] = across
                workspace.alone.laid_face[laid] = face
                workspace.alone.laid_number[laid] = number
                laid += 1
                fill += count
    return laid


@kernel
def _drop_impossible(alone, placements):
    """Drop placements of which a tile cannot form a word across, or that too few other tiles of the rack can lead to.

    What is dropped forms no words across for others, and leads nowhere: so it is done again. Returns how many are left.
    """
    for _ in range(_ROUNDS):
        _note_spelt(alone, placements)
        find_live(alone.joining)
        count_between(alone.joining, alone.tiles - _LEAST_APART)
        kept = _keep_possible(alone, placements)
        if kept == placements:
            break
        placements = kept
    return placements


@kernel
def _note_spelt(alone, placements):
    """Note the tiles of the placements on their squares."""
    spelt = alone.joining.spelt
    spelt[:] = 0
    fill = 0
    for laid in range(placements):
        count = np.int64(alone.laid_count[laid])
        own = SQUARES - np.int64(alone.laid_across[laid])
        for i in range(fill, fill + count):
            spelt[own + np.int64(alone.fill_square[i])] |= np.uint8(1 << np.int64(alone.fill_column[i]))
        fill += count


@kernel
def _keep_possible(alone, placements):
    """One round of it."""
    possible = alone.joining.possible
    fill = 0
    kept = 0
    kept_fill = 0
    for laid in range(placements):
        count = np.int64(alone.laid_count[laid])
        across = np.int64(alone.laid_across[laid])
        between = plain(FAR)
        crossed = 1
        for i in range(fill, fill + count):
            square = np.int64(alone.fill_square[i])
            crossed &= np.int64(possible[across + square]) >> np.int64(alone.fill_column[i])
            between = min(between, np.int64(alone.joining.between[square]))
        if crossed != 0 and between <= alone.tiles - count:
            for i in range(fill, fill + count):
                alone.fill_square[kept_fill] = alone.fill_square[i]
                alone.fill_column[kept_fill] = alone.fill_column[i]
                kept_fill += 1
            alone.laid_count[kept] = count
            alone.laid_across[kept] = across
            alone.laid_face[kept] = alone.laid_face[laid]
            alone.laid_number[kept] = alone.laid_number[laid]
            alone.laid_between[kept] = between
            kept += 1
        fill += count
    return kept


@kernel
def _start_crosses(alone):
    """No word across is known: a tile that would touch one along a direction is not allowed yet, others are, for 0."""
    row = alone.row
    cross = alone.cross
    cross[: alone.columns * _CELLS * row] = _EMPTY_CROSS
    for place in range(_CELLS):
        if alone.joining.beside[place] != 0:
            for column in range(alone.columns):
                cell = (column * _CELLS + place) * row
                cross[cell : cell + row] = _NO_CROSS


@kernel
def _gather_crosses(alone, game, placements):
    """Best scores of the words that one letter ends: by direction, square, letter and the set of tiles played before.

    What each tile of a placement scores is worked out on the way.
    """
    row = alone.row
    across = alone.chosen_across
    across[:_STEP] = _EMPTY_CROSS  # none are added here
    fill = 0
    for laid in range(placements):
        count = np.int64(alone.laid_count[laid])
        number = np.int64(alone.laid_number[laid])
        face = np.int64(alone.laid_face[laid])
        own = SQUARES - np.int64(alone.laid_across[laid])
        rest = (alone.sets - 1 - number) * row
        for i in range(fill, fill + count):
            square = np.int64(alone.fill_square[i])
            column = np.int64(alone.fill_column[i])
            tile = alone.column_tile[column]
            bonus = (np.int64(game.letter_multiplier[square]) - 1) * game.tile_value[tile]
            multiplier = np.int64(game.word_multiplier[square])
            alone.fill_bonus[i] = bonus
            alone.fill_multiplier[i] = multiplier
            score = (face + bonus) * multiplier
            cell = (column * _CELLS + own + square) * row + number - alone.weight[tile]
            if row == _SHORT_ROW:
                raise_words(alone.cross, cell, across, 0, score, alone.within, rest, _SHORT_ROW)
            else:
                for begin in range(0, row, _STEP):
                    raise_words(alone.cross, cell + begin, across, 0, score, alone.within, rest + begin, _STEP)
        fill += count


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
        place = np.int64(alone.laid_across[laid])
        rest = (np.int64(alone.laid_between[laid]) * sets + sets - 1 - number) * row
        score_of[0] = alone.laid_face[laid]
        # each choice of the tiles to play now is one without its last tile, and that tile
        for last in range(count):
            bit = 1 << last
            bonus = np.int64(alone.fill_bonus[fill])
            multiplier = np.int64(alone.fill_multiplier[fill])
            column = np.int64(alone.fill_column[fill])
            weight = alone.weight[alone.column_tile[column]]
            cross = (column * _CELLS + place + np.int64(alone.fill_square[fill])) * row
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
