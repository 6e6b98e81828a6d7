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

Sets of tiles have numbers (numbering.py). A word that touches nothing on the board needs tiles of P that lead to it;
where the rack has not so many, it is no placement (laid.py).

What depends on P is a *row* of numbers, by P: small ones, so that the machine adds or compares a row at once. Those of
sets that are no P, since N needs their tiles, are worked out too and then left out (``within``).

With more than _MOST_BY_NUMBER tiles there are too many P, and a row is by how many tiles P has: as if those were always
the ones that are needed. As numbers, sizes of two sets add up to that of both, so all else is the same.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from pegray.kernels.arena import LIST_WORDS, PLAY_WORDS, list_length, play_score
from pegray.kernels.bits import ONE, ZERO, kernel, plain, words_of
from pegray.kernels.intrinsics import add_words, raise_words, trailing_zeros
from pegray.kernels.joining import MOST_BETWEEN
from pegray.kernels.laid import (
    KIND_BITS,
    LAID,
    first_kind,
    first_laid,
    laid_face,
    laid_kinds,
    laid_lane,
    laid_number,
    laid_squares,
    lay_placements,
    tiles_between,
)
from pegray.kernels.lanes import LANES, crossing, line
from pegray.kernels.numbering import MOST_TILES, NUMBERING, SETS, number_sets, set_number

_MOST_BY_NUMBER = 5  # tiles of a rack whose rows are by set
_ROW = 1 << _MOST_BY_NUMBER
_CELLS = LANES << 4  # a square of a lane, by the lane and the place in it
_PLACES = 1 << 4

ALONE = np.dtype(
    [
        ("numbering", NUMBERING),
        ("laid", LAID),
        # of numbers by the set before: its length, as many as it has places or more; how far those of plays are apart
        ("row", "i8"),
        ("apart", "i8"),
        ("place", "i8", (SETS,)),  # in a row, by the number of the set before
        ("place_of_kind", "i8", (MOST_TILES,)),  # that of one tile
        # by tiles that lead to a word, set and row: _ANY for its parts that have so many, else _NEVER
        ("within", "i2", ((MOST_BETWEEN + 1) * SETS * _ROW,)),
        # best scores: of words across by kind of tile, cell and set before; of plays by set and set before; in all
        ("cross", "i2", (MOST_TILES * _CELLS * _ROW + _ROW,)),
        ("most", "i2", (SETS * _ROW + _ROW,)),
        ("gain", "i8", (SETS,)),
        # the choices of tiles in a placement
        ("chosen_score", "i8", (SETS,)),
        ("chosen_multiplier", "i8", (SETS,)),
        ("chosen_weight", "i8", (SETS,)),
        ("chosen_across", "i2", (SETS * _ROW,)),
        ("bounds", "i8"),  # asked for so far
    ],
    align=True,
)

_EMPTY_CROSS = np.int16(0)
# so low that a sum with it is below 0, and that one of MOST_TILES is a number of 16 bits
_NO_CROSS = np.int16(-30000 // MOST_TILES)
_NO_PLAY = np.int16(-1)
_ANY = np.int16(32767)
_NEVER = np.int16(-32768)
_MOST_POINTS = int(_ANY)  # of a play
_SHORT_ROW = 8
_STEP = 16  # numbers of a longer row that are added at once, by the machine
_LEAST_ARENA = 1 << 20  # words; in a smaller one the lists of placements would leave no room for those of plays
NO_GUESS = 1 << 20


@kernel
def guess_alone(workspace, ply, side):
    """Guess what ``side``, on turn, gains alone, by letting it make each play of now after any other.

    Only plays that are listed count, so it may be too low. Returns NO_GUESS for a rack that is out of scope.
    """
    alone = workspace.alone
    if workspace.arena.words.length < _LEAST_ARENA or not _begin(workspace, workspace.position.rack[ply, side]):
        return NO_GUESS
    arena = words_of(workspace.arena.words)
    sets = alone.numbering.sets
    most = alone.most
    for played in range(sets):
        most[played * alone.apart] = -1
    for lane in range(LANES):
        at = workspace.lists.at[ply, side, lane]
        play = at + LIST_WORDS
        for _ in range(list_length(arena, at)):
            entry = set_number(alone.numbering, arena[play + 1]) * alone.apart
            most[entry] = max(most[entry], play_score(arena[play + 2]))
            play += PLAY_WORDS
    _walk(alone, workspace.position.rack_value[ply, 1 - side], plain(0))
    return alone.gain[sets - 1]


@kernel
def bound_alone(workspace, ply, side):
    """Bound what ``side``, on turn, gains from here on, in ``alone.gain``: for each set of tiles still held.

    False for a rack that is out of scope, or if there are too many placements (or the arena is too small for them).
    """
    alone = workspace.alone
    if not _begin(workspace, workspace.position.rack[ply, side]):
        return False
    alone.bounds += 1
    if not lay_placements(workspace, ply, side, alone.laid, alone.numbering):
        return False
    _start_crosses(alone)
    _gather_crosses(alone, workspace.game)
    _gather_plays(alone, workspace.game)
    _walk(alone, workspace.position.rack_value[ply, 1 - side], plain(1))
    return True


@kernel
def whole_gain(alone):
    """What is gained with all tiles, by the last bound."""
    return alone.gain[alone.numbering.sets - 1]


@kernel
def _begin(workspace, rack):
    """Number the sets of a rack, if that is not done; False for one that is out of scope.

    So is any where plays may score too much for rows of small numbers.
    """
    alone = workspace.alone
    if alone.numbering.numbered == rack:
        return alone.numbering.tiles > 0
    if workspace.game.most_points > _MOST_POINTS or number_sets(alone.numbering, workspace.game, rack) == 0:
        return False
    _set_rows(alone)
    return True


@kernel
def _set_rows(alone):
    """How long rows are, what is where in them, and what in the row of a set is about its parts, or large ones."""
    numbering = alone.numbering
    sets = numbering.sets
    by_number = numbering.tiles <= _MOST_BY_NUMBER
    for number in range(sets):
        alone.place[number] = number if by_number else numbering.size[number]
    for kind in range(numbering.kinds):
        alone.place_of_kind[kind] = alone.place[numbering.weight[kind]]
    places = alone.place[sets - 1] + 1
    alone.row = _SHORT_ROW if places <= _SHORT_ROW else _STEP if places <= _STEP else _ROW
    alone.apart = places
    for between in range(MOST_BETWEEN + 1):
        for whole in range(sets):
            row = (between * sets + whole) * alone.row
            alone.within[row : row + alone.row] = _NEVER
            for p in range(numbering.parts_at[whole], numbering.parts_at[whole + 1]):
                part = numbering.part[p]
                if numbering.size[part] >= between:
                    alone.within[row + alone.place[part]] = _ANY


@kernel
def _start_crosses(alone):
    """No word across is known: a tile that would touch one along a direction is not allowed yet, others are, for 0."""
    row = alone.row
    cross = alone.cross
    kinds = alone.numbering.kinds
    cross[: kinds * _CELLS * row] = _EMPTY_CROSS
    for lane in range(LANES):
        beside = alone.laid.joining.along[lane]
        while beside != ZERO:
            cell = (lane * _PLACES + np.int64(trailing_zeros(beside))) * row
            beside &= beside - ONE
            for _ in range(kinds):
                cross[cell : cell + row] = _NO_CROSS
                cell += _CELLS * row


@kernel
def _gather_crosses(alone, game):
    """Best scores of the words that one letter ends: by kind, square and the set of tiles played before."""
    numbering = alone.numbering
    row = alone.row
    across = alone.chosen_across
    across[:_STEP] = _EMPTY_CROSS  # none are added here
    for count in range(1, numbering.tiles + 1):
        for laid in range(first_laid(count), alone.laid.end[count]):
            word = alone.laid.word[laid]
            lane = laid_lane(word)
            start, step = line(lane)
            squares = laid_squares(word)
            kinds = laid_kinds(word)
            number = laid_number(word)
            face = laid_face(word)
            rest = (numbering.sets - 1 - number) * row
            for _ in range(count):
                kind = first_kind(kinds)
                kinds >>= KIND_BITS
                place = np.int64(trailing_zeros(squares))
                squares &= squares - ONE
                bonus, multiplier = _premium(game, start + place * step, numbering.tile[kind])
                score = (face + bonus) * multiplier
                cell = (kind * _CELLS + lane * _PLACES + place) * row
                cell += alone.place[number] - alone.place_of_kind[kind]
                if row == _SHORT_ROW:
                    raise_words(alone.cross, cell, across, 0, score, alone.within, rest, _SHORT_ROW)
                else:
                    for begin in range(0, row, _STEP):
                        raise_words(alone.cross, cell + begin, across, 0, score, alone.within, rest + begin, _STEP)


@kernel
def _premium(game, square, tile):
    """What a square adds to the face value of a word with a tile on it, and what it multiplies the sum by."""
    bonus = (np.int64(game.letter_multiplier[square]) - 1) * game.tile_value[tile]
    return bonus, np.int64(game.word_multiplier[square])


@kernel
def _gather_plays(alone, game):
    """Fill ``alone.most``: the most that a play of one set of tiles scores after another set."""
    numbering = alone.numbering
    sets = numbering.sets
    row = alone.row
    alone.most[: sets * alone.apart] = _NO_PLAY
    alone.chosen_multiplier[0] = 1
    alone.chosen_weight[0] = 0
    alone.chosen_across[:row] = _EMPTY_CROSS
    for count in range(1, numbering.tiles + 1):
        for laid in range(first_laid(count), alone.laid.end[count]):
            _gather_choices(alone, game, count, alone.laid.word[laid])


@kernel
def _gather_choices(alone, game, count, word):
    """The same for the plays of one placement: each choice of its tiles to play now, the others before."""
    numbering = alone.numbering
    sets = numbering.sets
    row = alone.row
    score_of = alone.chosen_score
    multiplier_of = alone.chosen_multiplier
    weight_of = alone.chosen_weight
    across = alone.chosen_across
    lane = laid_lane(word)
    start, step = line(lane)
    squares = laid_squares(word)
    kinds = laid_kinds(word)
    number = laid_number(word)
    rest = (tiles_between(alone.laid, word) * sets + sets - 1 - number) * row
    score_of[0] = laid_face(word)
    # each choice is one without its last tile, and that tile
    for last in range(count):
        bit = 1 << last
        kind = first_kind(kinds)
        kinds >>= KIND_BITS
        place = np.int64(trailing_zeros(squares))
        squares &= squares - ONE
        bonus, multiplier = _premium(game, start + place * step, numbering.tile[kind])
        weight = numbering.weight[kind]
        crossing_lane, crossing_place = crossing(lane, place)
        cross = (kind * _CELLS + crossing_lane * _PLACES + crossing_place) * row
        for chosen in range(bit, 2 * bit):
            less = chosen - bit
            score_of[chosen] = score_of[less] + bonus
            multiplier_of[chosen] = multiplier_of[less] * multiplier
            played = weight_of[less] + weight
            weight_of[chosen] = played
            score = score_of[chosen] * multiplier_of[chosen]
            # and the words across, by what may have been played before
            to = chosen * row
            most = played * alone.apart + alone.place[number] - alone.place[played]
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
    numbering = alone.numbering
    sets = numbering.sets
    alone.gain[0] = 2 * other_value
    for held in range(1, sets):
        best = other_value - numbering.value[held]
        before = ordered * alone.place[sets - 1 - held]
        for p in range(numbering.parts_at[held] + 1, numbering.parts_at[held + 1]):
            played = numbering.part[p]
            score = alone.most[played * alone.apart + before]
            if score >= 0:
                best = max(best, score + alone.gain[held - played])
        alone.gain[held] = best
