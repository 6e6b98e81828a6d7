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

What depends on P is a row of numbers, by P (rows.py). ``most`` is that of the best lane; those of a lane depend on its
placements and on what crosses it (crosses.py), and are kept (lane_memory.py).
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from pegray.kernels.arena import LIST_WORDS, PLAY_WORDS, list_length, play_score
from pegray.kernels.bits import NUMBERS_OF_WORD, ONE, ZERO, kernel, numbers_of, plain, words_of
from pegray.kernels.crosses import CROSSES, find_crosses, lay_crosses, row_of, sum_crosses
from pegray.kernels.intrinsics import add_words, outdo_words, raise_words, trailing_zeros
from pegray.kernels.joining import across_of, squares_spelt, turn_spelt
from pegray.kernels.laid import (
    KIND_BITS,
    LAID,
    first_kind,
    laid_face,
    laid_from,
    laid_kinds,
    laid_lane,
    laid_number,
    laid_squares,
    laid_until,
    lay_placements,
    tiles_between,
)
from pegray.kernels.lane_memory import NO_BLOCK, is_known, keep_block, known_block, longer_key, slot_of
from pegray.kernels.lanes import LANES, line
from pegray.kernels.numbering import NUMBERING, SETS, number_sets, set_number
from pegray.kernels.rows import MOST_POINTS, ROWS, SHORT_ROW, STEP, copy_row, length_after, premium, set_rows

ALONE = np.dtype(
    [
        ("numbering", NUMBERING),
        ("rows", ROWS),
        ("laid", LAID),
        ("crosses", CROSSES),
        # best scores: of plays by set and set before, of all lanes and of one (NO_PLAY but while that is looked into);
        # in all
        ("most", "i2", ((SETS + 1) * SETS,)),
        ("lane_most", "i2", ((SETS + 1) * SETS,)),
        ("gain", "i8", (SETS,)),
        # the choices of tiles in a placement
        ("chosen_score", "i8", (SETS,)),
        ("chosen_multiplier", "i8", (SETS,)),
        ("chosen_weight", "i8", (SETS,)),
        ("chosen_across", "i2", (SETS * SETS,)),
        ("bounds", "i8"),  # asked for so far
    ],
    align=True,
)

NO_PLAY = np.int16(-1)
_LEAST_ARENA = 1 << 20  # words; in a smaller one the lists of placements would leave no room for those of plays
NO_GUESS = 1 << 20
_PLAYS = ONE << np.uint64(63)  # no key of placements (laid.py) has this bit in a word that makes it longer


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
        most[played * sets] = -1
    for lane in range(LANES):
        at = workspace.lists.at[ply, side, lane]
        play = at + LIST_WORDS
        for _ in range(list_length(arena, at)):
            entry = set_number(alone.numbering, arena[play + 1]) * sets
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
    find_crosses(workspace)
    _gather_plays(workspace)
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
    if workspace.game.most_points > MOST_POINTS or number_sets(alone.numbering, workspace.game, rack) == 0:
        return False
    set_rows(alone.rows, alone.numbering)
    return True


@kernel
def _gather_plays(workspace):
    """Fill ``alone.most``: the most that a play of one set of tiles scores after another set."""
    alone = workspace.alone
    laid = alone.laid
    memory = workspace.lane_memory
    alone.most[: alone.numbering.sets * alone.numbering.sets] = NO_PLAY
    turn_spelt(laid.joining, alone.numbering.kinds)
    sum_crosses(workspace)
    for lane in range(LANES):
        if laid.block[lane] != NO_BLOCK:
            beside = across_of(laid.joining, lane) & squares_spelt(laid.joining, lane, alone.numbering.kinds)
            laid.key[lane] = longer_key(longer_key(laid.key[lane], beside | _PLAYS), alone.crosses.sum[lane])
            laid.slot[lane] = slot_of(memory, laid.key[lane])
    for lane in range(LANES):
        if laid.block[lane] != NO_BLOCK:
            if not is_known(memory, laid.slot[lane], laid.key[lane]):
                _gather_plays_of_lane(workspace, lane)
            _add_plays(alone, memory, known_block(memory, laid.slot[lane]))


@kernel
def _add_plays(alone, memory, block):
    """Raise the best scores by those of the plays of a lane."""
    numbers = numbers_of(memory.words)
    sets = alone.numbering.sets
    some = words_of(memory.words)[block]
    at = NUMBERS_OF_WORD * (block + 1)
    while some != ZERO:
        number = np.int64(trailing_zeros(some))
        some &= some - ONE
        to = number * sets
        length = length_after(alone.rows, sets, number)
        if length == SHORT_ROW:
            outdo_words(alone.most, to, numbers, at, SHORT_ROW)
        else:
            for i in range(0, length, STEP):
                outdo_words(alone.most, to + i, numbers, at + i, STEP)
        at += length


@kernel
def _gather_plays_of_lane(workspace, lane):
    """Find the best scores of plays of a lane, and keep them.

    Their block is a mask of the sets of tiles that have a play, and the rows of these.
    """
    alone = workspace.alone
    laid = alone.laid
    memory = workspace.lane_memory
    words = words_of(memory.words)
    alone.chosen_multiplier[0] = 1
    alone.chosen_weight[0] = 0
    alone.chosen_across[: alone.rows.length] = 0
    lay_crosses(workspace, lane)
    laid_sets = ZERO
    for count in range(1, alone.numbering.tiles + 1):
        for at in range(laid_from(words, laid.block[lane], count), laid_until(words, laid.block[lane], count)):
            laid_sets |= ONE << np.uint64(laid_number(words[at]))
            _gather_choices(alone, workspace.game, count, words[at])
    block = memory.next
    words[block] = _parts_of(alone.numbering, laid_sets)
    keep_block(memory, laid.slot[lane], laid.key[lane], _keep_plays(alone, memory, words[block], block + 1))


@kernel
def _parts_of(numbering, sets):
    """A mask of all sets of tiles that are a part of one of ``sets``, but that of no tiles."""
    parts = ZERO
    while sets != ZERO:
        number = np.int64(trailing_zeros(sets))
        sets &= sets - ONE
        for p in range(numbering.parts_at[number] + 1, numbering.parts_at[number + 1]):
            parts |= ONE << np.uint64(numbering.part[p])
    return parts


@kernel
def _keep_plays(alone, memory, sets, to):
    """Move the rows of some sets from ``lane_most`` to a word of the memory on; returns the word after them."""
    numbers = numbers_of(memory.words)
    rest = sets
    while rest != ZERO:
        number = np.int64(trailing_zeros(rest))
        rest &= rest - ONE
        length = length_after(alone.rows, alone.numbering.sets, number)
        copy_row(length, numbers, NUMBERS_OF_WORD * to, alone.lane_most, number * alone.numbering.sets)
        to += length // NUMBERS_OF_WORD
    while sets != ZERO:
        number = np.int64(trailing_zeros(sets))
        sets &= sets - ONE
        at = number * alone.numbering.sets
        alone.lane_most[at : at + length_after(alone.rows, alone.numbering.sets, number)] = NO_PLAY
    return to


@kernel
def _gather_choices(alone, game, count, word):
    """The plays of one placement: each choice of its tiles to play now, the others before."""
    numbering = alone.numbering
    sets = numbering.sets
    row = alone.rows.length
    score_of = alone.chosen_score
    multiplier_of = alone.chosen_multiplier
    weight_of = alone.chosen_weight
    across = alone.chosen_across
    start, step = line(laid_lane(word))
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
        bonus, multiplier = premium(game, start + place * step, numbering.tile[kind])
        weight = numbering.weight[kind]
        cross = row_of(alone.rows, kind, place)
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
            if row == SHORT_ROW:
                add_words(across, to, across, less * row, alone.crosses.row, cross, SHORT_ROW)
                raise_words(alone.lane_most, most, across, to, score, alone.rows.within, rest, SHORT_ROW)
            else:
                for i in range(0, sets - number, STEP):
                    add_words(across, to + i, across, less * row + i, alone.crosses.row, cross + i, STEP)
                    raise_words(alone.lane_most, most + i, across, to + i, score, alone.rows.within, rest + i, STEP)


@kernel
def _walk(alone, other_value, ordered):
    """Fill ``alone.gain`` from no tiles held upwards; ``ordered``: 1 if ``alone.most`` tells what was played before."""
    numbering = alone.numbering
    sets = numbering.sets
    alone.gain[0] = 2 * other_value
    for held in range(1, sets):
        best = other_value - numbering.value[held]
        before = ordered * (sets - 1 - held)
        for p in range(numbering.parts_at[held] + 1, numbering.parts_at[held + 1]):
            played = numbering.part[p]
            score = alone.most[played * sets + before]
            if score >= 0:
                best = max(best, score + alone.gain[held - played])
        alone.gain[held] = best
