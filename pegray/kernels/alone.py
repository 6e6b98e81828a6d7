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
sum of the numbers, and that of the whole rack is ``alone_sets - 1``. The *parts* of a set are the sets within it.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from pegray.kernels.bits import ZERO, kernel, plain, words_at
from pegray.kernels.generate import PLAY_WORDS, count_rack
from pegray.kernels.lanes import (
    BLANK_BIT,
    COUNT_MASK,
    FIRST_MASK,
    FIRST_SHIFT,
    TILE_BITS,
    TILE_MASK,
    TILES_SHIFT,
    line,
)
from pegray.kernels.lists import HEADER_WORDS, PLACEMENTS, lane_list, list_length, play_score
from pegray.kernels.workspace import ALONE_FILLS, ALONE_PLACEMENTS, ALONE_SETS, ALONE_TILES

_EMPTY_CROSS = np.int16(0)
_NO_CROSS = np.int16(-8000)  # so low that a sum with it is below 0
_SQUARES = 450  # of both directions
_TILES_WITH_BLANK = 4
_LEAST_ARENA = 1 << 20  # words; in a smaller one the lists of placements would leave no room for those of plays
NO_GUESS = 1 << 20


@kernel
def guess_alone(workspace, ply, side):
    """Guess what ``side``, on turn, gains alone, by letting it make each play of now after any other.

    Its plays must be listed. Numbers the sets of its tiles. Returns NO_GUESS for a rack that is out of scope.
    """
    if workspace.arena_length < _LEAST_ARENA or number_sets(workspace, workspace.rack[ply, side]) == 0:
        return NO_GUESS
    arena = words_at(workspace.arena_address, workspace.arena_length)
    sets = workspace.alone_sets
    most = workspace.alone_most
    for played in range(sets):
        most[played * sets] = -1
    for lane in range(30):
        at = workspace.list_at[ply, side, lane]
        play = at + HEADER_WORDS
        for _ in range(list_length(arena, at)):
            entry = set_number(workspace, arena[play + 1]) * sets
            most[entry] = max(most[entry], play_score(arena[play + 2]))
            play += PLAY_WORDS
    _walk(workspace, workspace.rack_value[ply, 1 - side], plain(0))
    return workspace.alone_gain[sets - 1]


@kernel
def bound_alone(workspace, ply, side):
    """Bound what ``side``, on turn, gains from here on, in ``alone_gain``: for each set of tiles still held.

    The sets of its tiles are numbered. False if there are too many placements (or the arena is too small for them).
    """
    workspace.alone_bounds += 1
    placements = _lay_placements(workspace, ply, side)
    if placements < 0:
        return False
    _start_crosses(workspace)
    placements = _gather_crosses(workspace, placements)
    _gather_plays(workspace, placements)
    _walk(workspace, workspace.rack_value[ply, 1 - side], plain(1))
    return True


@kernel
def set_number(workspace, need):
    """Number of a set of tiles, part of the rack that was numbered last."""
    number = 0
    for kind in range(workspace.kinds):
        count = np.int64((need >> workspace.kind_shift[kind]) & workspace.kind_mask[kind])
        number += count * workspace.alone_weight[workspace.kind_tile[kind]]
    return number


@kernel
def number_sets(workspace, rack):
    """Number the sets of tiles of a rack and list their parts; returns how many tiles it has.

    Returns 0 for a rack that is out of scope: one tile, more than ALONE_TILES (or 4 with a blank), or two blanks.
    """
    tiles = count_rack(workspace, rack)
    blanks = workspace.count[0]
    if tiles < 2 or tiles > (_TILES_WITH_BLANK if blanks else ALONE_TILES) or blanks > 1:
        return 0
    sets = 1
    columns = 0
    workspace.alone_rack[0] = ZERO
    workspace.alone_value[0] = 0
    for kind in range(workspace.kinds):
        tile = workspace.kind_tile[kind]
        count = workspace.count[tile]
        workspace.alone_weight[tile] = sets
        if count > 0:
            workspace.alone_column[tile] = columns
            columns += 1
        for number in range(sets, sets * (count + 1)):
            workspace.alone_rack[number] = workspace.alone_rack[number - sets] + workspace.tile_unit[tile]
            workspace.alone_value[number] = workspace.alone_value[number - sets] + workspace.tile_value[tile]
        sets *= count + 1
    workspace.alone_sets = sets
    workspace.alone_columns = columns
    guard = workspace.guard
    at = 0
    for whole in range(sets):
        workspace.alone_parts_at[whole] = at
        for part in range(whole + 1):
            if ((workspace.alone_rack[whole] | guard) - workspace.alone_rack[part]) & guard == guard:
                workspace.alone_part[at] = part
                at += 1
    workspace.alone_parts_at[sets] = at
    return tiles


@kernel
def _start_crosses(workspace):
    """No word across is known: a tile that would touch one along a direction is not allowed yet, others are, for 0."""
    board = workspace.board
    sets = workspace.alone_sets
    cross = workspace.alone_cross
    cross[: workspace.alone_columns * _SQUARES * sets] = _EMPTY_CROSS
    for square in range(225):
        if board[square] != 0:
            continue
        across = square % 15
        for direction in range(2):
            if direction == 0:
                touches = (across > 0 and board[square - 1] != 0) or (across < 14 and board[square + 1] != 0)
            else:
                touches = (square >= 15 and board[square - 15] != 0) or (square < 210 and board[square + 15] != 0)
            if touches:
                for column in range(workspace.alone_columns):
                    cell = (column * _SQUARES + direction * 225 + square) * sets
                    cross[cell : cell + sets] = _NO_CROSS


@kernel
def _lay_placements(workspace, ply, side):
    """Decode all placements of a side into the ``laid_*`` and ``fill_*`` fields, and note their letters on the squares.

    Returns the number of placements, or -1 if there are too many (or the arena is too small: ``workspace.stop``).
    """
    arena = words_at(workspace.arena_address, workspace.arena_length)
    board = workspace.board
    sets = workspace.alone_sets
    reached = workspace.alone_reached
    reached[: workspace.alone_columns * _SQUARES] = 0
    laid = 0
    fill = 0
    for lane in range(30):
        at = lane_list(workspace, ply, side + PLACEMENTS, lane)
        if workspace.stop:
            return -1
        direction = 0 if lane < 15 else 1
        own = direction * 225
        other = 225 - own
        start, step = line(lane)
        placement = at + HEADER_WORDS
        for _ in range(list_length(arena, at)):
            move = arena[placement]
            face = play_score(arena[placement + 2])
            placement += PLAY_WORDS
            count = np.int64(move & COUNT_MASK)
            if laid == ALONE_PLACEMENTS or fill + count > ALONE_FILLS:
                return -1
            square = start + np.int64((move >> FIRST_SHIFT) & FIRST_MASK) * step
            tiles = move >> TILES_SHIFT
            number = 0
            for i in range(fill, fill + count):
                while board[square] != 0:
                    square += step
                tile = 0 if tiles & BLANK_BIT else np.int64(tiles & TILE_MASK)
                tiles >>= TILE_BITS
                cell = np.int64(workspace.alone_column[tile]) * _SQUARES + square
                workspace.fill_own[i] = (cell + own) * sets
                workspace.fill_cross[i] = (cell + other) * sets
                more = np.int64(workspace.letter_multiplier[square]) - 1
                workspace.fill_bonus[i] = more * workspace.tile_value[tile]
                workspace.fill_multiplier[i] = workspace.word_multiplier[square]
                workspace.fill_weight[i] = workspace.alone_weight[tile]
                number += workspace.alone_weight[tile]
                reached[cell + own] = 1
                square += step
            workspace.laid_count[laid] = count
            workspace.laid_face[laid] = face
            workspace.laid_number[laid] = number
            laid += 1
            fill += count
    return laid


@kernel
def _gather_crosses(workspace, placements):
    """Best scores of the words that one letter ends; placements whose tiles cannot form words across are dropped.

    By direction, square, letter and the set of tiles played before. Returns the number of placements left.
    """
    sets = workspace.alone_sets
    fill = 0
    kept = 0
    kept_fill = 0
    for laid in range(placements):
        count = np.int64(workspace.laid_count[laid])
        first = fill
        fill += count
        crossed = True
        for i in range(first, fill):
            cross = np.int64(workspace.fill_cross[i])
            if workspace.alone_cross[cross] < 0 and workspace.alone_reached[cross // sets] == 0:
                crossed = False
                break
        if not crossed:
            continue
        number = np.int64(workspace.laid_number[laid])
        face = np.int64(workspace.laid_face[laid])
        rest = sets - 1 - number
        begin = workspace.alone_parts_at[rest]
        end = workspace.alone_parts_at[rest + 1]
        for i in range(first, fill):
            score = (face + np.int64(workspace.fill_bonus[i])) * np.int64(workspace.fill_multiplier[i])
            cell = np.int64(workspace.fill_own[i]) + number - np.int64(workspace.fill_weight[i])
            for p in range(begin, end):
                at = cell + workspace.alone_part[p]
                if score > workspace.alone_cross[at]:
                    workspace.alone_cross[at] = score
            workspace.fill_own[kept_fill] = workspace.fill_own[i]
            workspace.fill_cross[kept_fill] = workspace.fill_cross[i]
            workspace.fill_bonus[kept_fill] = workspace.fill_bonus[i]
            workspace.fill_multiplier[kept_fill] = workspace.fill_multiplier[i]
            workspace.fill_weight[kept_fill] = workspace.fill_weight[i]
            kept_fill += 1
        workspace.laid_count[kept] = count
        workspace.laid_face[kept] = face
        workspace.laid_number[kept] = number
        kept += 1
    return kept


@kernel
def _gather_plays(workspace, placements):
    """Fill ``alone_most``: the most that a play of one set of tiles scores after another set."""
    sets = workspace.alone_sets
    most = workspace.alone_most
    for i in range(sets * sets):
        most[i] = -1
    score_of = workspace.chosen_score
    multiplier_of = workspace.chosen_multiplier
    weight_of = workspace.chosen_weight
    across = workspace.chosen_across
    multiplier_of[0] = 1
    weight_of[0] = 0
    for part in range(sets):
        across[part] = 0
    fill = 0
    for laid in range(placements):
        count = np.int64(workspace.laid_count[laid])
        number = np.int64(workspace.laid_number[laid])
        rest = sets - 1 - number
        begin = workspace.alone_parts_at[rest]
        end = workspace.alone_parts_at[rest + 1]
        score_of[0] = workspace.laid_face[laid]
        # each choice of the tiles to play now is one without its last tile, and that tile
        for i in range(count):
            bit = 1 << i
            bonus = np.int64(workspace.fill_bonus[fill])
            multiplier = np.int64(workspace.fill_multiplier[fill])
            weight = np.int64(workspace.fill_weight[fill])
            cross = np.int64(workspace.fill_cross[fill])
            fill += 1
            for chosen in range(bit, 2 * bit):
                less = chosen - bit
                score_of[chosen] = score_of[less] + bonus
                multiplier_of[chosen] = multiplier_of[less] * multiplier
                played = weight_of[less] + weight
                weight_of[chosen] = played
                score = score_of[chosen] * multiplier_of[chosen]
                at = played * sets + number - played
                for p in range(begin, end):
                    part = np.int64(workspace.alone_part[p])
                    words = across[less * sets + part] + np.int64(workspace.alone_cross[cross + part])
                    across[chosen * sets + part] = words
                    if words >= 0 and score + words > most[at + part]:
                        most[at + part] = score + words


@kernel
def _walk(workspace, other_value, ordered):
    """Fill ``alone_gain`` from no tiles held upwards; ``ordered``: 1 if ``alone_most`` tells what was played before."""
    sets = workspace.alone_sets
    workspace.alone_gain[0] = 2 * other_value
    for held in range(1, sets):
        best = other_value - workspace.alone_value[held]
        before = ordered * (sets - 1 - held)
        for p in range(workspace.alone_parts_at[held] + 1, workspace.alone_parts_at[held + 1]):
            played = workspace.alone_part[p]
            score = workspace.alone_most[played * sets + before]
            if score >= 0:
                best = max(best, score + workspace.alone_gain[held - played])
        workspace.alone_gain[held] = best


assert ALONE_SETS == 1 << ALONE_TILES
