"""The pre-endgame recursion of the guaranteed-win model, on the board of the endgame kernels.

Three questions call one another until the bag is empty:

``emptied_verdict``  our play took the last tiles: one endgame, the opponent to move
``after_play``       our play left tiles in the bag: the worst for us of the opponent's replies, for every order
                     that the staying tiles may have
``nested_choice``    our turn again, tiles in the bag: we choose blind, by points, and ties fall the worst way

Verdicts are 2 (win), 1 (draw), 0 (loss) for side 0. A reply that empties the bag leads to the same endgame whichever
of the pool's tiles were in the bag, so each reply is searched once for all the splits that could have made it; one
that leaves tiles leads, for all its splits, to one decision of ours.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from pegray.kernels.bits import ZERO, kernel, mix, part_of_kernel, plain, words_at
from pegray.kernels.decisions import recall, remember
from pegray.kernels.draws import (
    KIND_BITS,
    draw_multisets,
    draw_sequences,
    fits,
    rack_points,
    sequence_multiset,
    without,
)
from pegray.kernels.generate import PLAY_WORDS
from pegray.kernels.lanes import COUNT_MASK, make_move
from pegray.kernels.lists import (
    HEADER_WORDS,
    begin_ply,
    lane_list,
    list_best_out,
    list_length,
    make_side_lists,
    play_reach,
    play_score,
    play_tile_value,
    widen_rack,
)
from pegray.kernels.taken import is_taken, leave, mark_of_play, take
from pegray.kernels.turns import take_back
from pegray.kernels.verdicts import DRAW, LOSS, WIN, at_least_draws, sign, verdict_on_turn

_RACK_FACTOR = np.uint64(0xD1B54A32D192ED03)
_POOL_FACTOR = np.uint64(0xAEF17502108EF2D9)
_KNOWN_FACTOR = np.uint64(0xF1357AEA2E62A9C5)

OURS = np.int64(0)
THEIRS = np.int64(1)

NO_LIMIT = 1 << 60


@kernel
def emptied_verdict(workspace, ply, spread, passed):
    """Verdict with the bag empty and the opponent on turn; ``spread`` is ours so far."""
    return WIN - verdict_on_turn(workspace, ply, plain(1), -spread, passed)


@kernel
def reply_verdict(workspace, ply, spread, passed, best_wanted):
    """Verdict with the bag empty and us on turn; a draw may be returned for a win when ``best_wanted`` is a draw."""
    if best_wanted == WIN:
        return verdict_on_turn(workspace, ply, plain(0), spread, passed)
    workspace.endgames += 1
    return DRAW if at_least_draws(workspace, ply, plain(0), spread, passed) else LOSS


@kernel
def gather_plays(workspace, ply, side):
    """All plays of a side but the pass, by falling score: uint64[n, 3], the words that a play has in the arena."""
    arena = words_at(workspace.arena_address, workspace.arena_length)
    number = 0
    for lane in range(30):
        number += list_length(arena, lane_list(workspace, ply, side, lane))
    plays = np.empty((number, PLAY_WORDS), np.uint64)
    keys = np.empty(number, np.int64)
    i = 0
    for lane in range(30):
        play = lane_list(workspace, ply, side, lane) + HEADER_WORDS
        for _ in range(list_length(arena, play - HEADER_WORDS)):
            for word in range(PLAY_WORDS):
                plays[i, word] = arena[play + word]
            keys[i] = (-play_score(plays[i, 2]) << 32) | i
            i += 1
            play += PLAY_WORDS
    keys.sort()
    ordered = np.empty((number, PLAY_WORDS), np.uint64)
    for i in range(number):
        source = keys[i] & 0xFFFFFFFF
        for word in range(PLAY_WORDS):
            ordered[i, word] = plays[source, word]
    return ordered


@kernel
def _place(workspace, ply, move, rack, pool):
    """Make ``move`` and set what both sides hold after it."""
    make_move(workspace, ply, move)
    begin_ply(workspace, ply + 1)
    workspace.rack[ply + 1, 0] = rack
    workspace.rack[ply + 1, 1] = pool
    workspace.rack_value[ply + 1, 0] = rack_points(workspace, rack)
    workspace.rack_value[ply + 1, 1] = rack_points(workspace, pool)


@part_of_kernel
def _opponent_turn(workspace, ply, bag, spread, passed, known, losses_allowed):
    """Verdict of each order of the ``bag`` tiles that stay, the opponent on turn.

    ``rack[ply, 0]`` is our rack, ``rack[ply, 1]`` the pool: the opponent's tiles and the bag together. ``known``
    are pool tiles that the opponent certainly holds. ``passed`` is 1 when our turn was a pass.

    Returns int8[n] verdicts and uint64[n] replies (a move that brings a draw or loss, 0 where there is none or it is
    the pass), by ascending sequence. When losses (in half weights) exceed ``losses_allowed`` the walk ends early with
    ``workspace.cut`` set: verdicts are then upper bounds.
    """
    pool = workspace.rack[ply, 1]
    sequences, weights = draw_sequences(workspace, pool - known, bag)
    number = sequences.shape[0]
    verdicts = np.full(number, WIN, np.int8)
    replies = np.zeros(number, np.uint64)
    stays = np.empty(number, np.uint64)
    for i in range(number):
        stays[i] = sequence_multiset(workspace, sequences[i], bag)
    workspace.cut = 0
    losses = 0
    arena = words_at(workspace.arena_address, workspace.arena_length)

    if passed == 1:
        # the opponent passes too: the game is over
        mine = workspace.rack_value[ply, 0]
        for i in range(number):
            verdict = sign(spread - mine + rack_points(workspace, pool - stays[i]))
            losses += (WIN - verdict) * weights[i]
            verdicts[i] = verdict
    if losses > losses_allowed:
        workspace.cut = 1
        return verdicts, replies

    plays = gather_plays(workspace, ply, plain(1))
    if workspace.stop:
        return verdicts, replies
    replies_listed = plays.shape[0] + 1
    key = _decision_key(workspace, ply, spread, passed, known)
    taken = np.zeros(replies_listed, np.bool_)
    for leaving in range(2):
        # replies that empty the bag first: they cost an endgame, the others a decision
        taken[:] = False
        for turn in range(2 * replies_listed):
            index = turn % replies_listed
            if turn >= replies_listed and not taken[index]:
                continue  # only those that another thread had taken are looked into again
            if index == plays.shape[0]:
                if leaving == 0 or passed == 1:
                    continue
                move = ZERO
                need = ZERO
                score = 0
                reach = ZERO
                left_value = workspace.rack_value[ply, 1]
            else:
                move = plays[index, 0]
                need = plays[index, 1]
                meta = plays[index, 2]
                score = play_score(meta)
                reach = play_reach(meta)
                left_value = workspace.rack_value[ply, 1] - play_tile_value(meta)
            tiles = np.int64(move & COUNT_MASK)
            if (tiles >= bag) == (leaving == 1) or tiles > workspace.opponent_rack_size:
                continue
            rest = pool - need
            # the best verdict among the splits that could make this reply
            best = plain(LOSS)
            for i in range(number):
                if verdicts[i] > best and fits(workspace, stays[i], rest):
                    best = verdicts[i]
            if best == LOSS:
                continue
            mark = mark_of_play(key, move)
            if workspace.helps and turn < replies_listed and is_taken(workspace, mark):
                taken[index] = True
                continue
            if leaving == 0:
                # if one of our plays out stands whatever they did, the game lasts no longer than that
                out = -1
                for lane in range(30):
                    if not (reach >> np.uint64(lane)) & np.uint64(1):
                        out = max(out, list_best_out(arena, lane_list(workspace, ply, plain(0), lane)))
                if out >= 0 and spread - score + out + 2 * left_value > 0:
                    continue
                _place(workspace, ply, move, workspace.rack[ply, 0], rest)
                take(workspace, mark)
                verdict = reply_verdict(workspace, ply + 1, spread - score, plain(0), best)
                leave(workspace, mark)
                take_back(workspace, ply)
                if workspace.stop:
                    return verdicts, replies
                if verdict == WIN:
                    continue
                for i in range(number):
                    if verdict < verdicts[i] and fits(workspace, stays[i], rest):
                        losses += (verdicts[i] - verdict) * weights[i]
                        verdicts[i] = verdict
                        replies[i] = move
            else:
                _place(workspace, ply, move, workspace.rack[ply, 0], rest)
                known_left = without(workspace, known, need)
                take(workspace, mark)
                nested, _ = value(
                    workspace,
                    ply + 1,
                    OURS,
                    bag - tiles,
                    spread - score,
                    np.int64(tiles == 0),
                    known_left,
                    plain(NO_LIMIT),
                )
                leave(workspace, mark)
                nested_sequences, _ = draw_sequences(workspace, rest - known_left, bag - tiles)
                take_back(workspace, ply)
                if workspace.stop:
                    return verdicts, replies
                tail = np.uint64(1) << (KIND_BITS * np.uint64(bag - tiles))
                for i in range(number):
                    if verdicts[i] > LOSS and fits(workspace, stays[i], rest):
                        at = np.searchsorted(nested_sequences, sequences[i] & (tail - np.uint64(1)))
                        verdict = np.int64(nested[at])
                        if verdict < verdicts[i]:
                            losses += (verdicts[i] - verdict) * weights[i]
                            verdicts[i] = verdict
                            replies[i] = move
            if losses > losses_allowed:
                workspace.cut = 1
                return verdicts, replies
    return verdicts, replies


@kernel
def _decision_key(workspace, ply, spread, passed, known):
    """Key of an information set of ours: all that the choice and its verdicts depend on."""
    key = workspace.board_key[ply]
    key ^= mix(workspace.rack[ply, 0] * _RACK_FACTOR)
    key ^= mix(workspace.rack[ply, 1] * _POOL_FACTOR + np.uint64(passed))
    key ^= mix(known * _KNOWN_FACTOR + np.uint64(spread + 4096))
    return mix(key)


@kernel
def _recall_verdicts(workspace, key, verdicts):
    """Fill ``verdicts`` from the memory of decisions; False if the decision is not there."""
    row = np.empty((verdicts.shape[0] + 31) >> 5, np.uint64)
    if not recall(workspace, key, plain(0), row):
        return False
    for i in range(verdicts.shape[0]):
        verdicts[i] = np.int8((row[i >> 5] >> np.uint64(2 * (i & 31))) & np.uint64(3))
    return True


@kernel
def _remember_verdicts(workspace, key, verdicts):
    """Keep a decision's verdicts, two bits each."""
    row = np.zeros((verdicts.shape[0] + 31) >> 5, np.uint64)
    for i in range(verdicts.shape[0]):
        row[i >> 5] |= np.uint64(verdicts[i]) << np.uint64(2 * (i & 31))
    remember(workspace, key, row)


@kernel
def _index_of(values, value):
    """Index of ``value`` in an ascending array that holds it."""
    return np.searchsorted(values, value)


@kernel
def _factorial(n):
    product = 1
    for i in range(2, n + 1):
        product *= i
    return product


@part_of_kernel
def _our_turn(workspace, ply, bag, spread, passed, known):
    """Verdicts of an information set of ours with ``bag`` tiles in the bag, for each order they may be in.

    ``rack[ply, 0]`` is our rack, ``rack[ply, 1]`` all tiles unseen to us, ``known`` those of them that the opponent
    certainly holds. Returns int8[n] verdicts and uint64[n] sequences (ascending): the worst over the plays that have
    the most points.

    The play with the fewest losses so far is always the one looked into next, at the draw that beat most others; a
    play is dropped once it has lost more than a finished one, and a play that never loses ends the search.
    """
    pool = workspace.rack[ply, 1]
    rack = workspace.rack[ply, 0]
    bag_pool = pool - known
    sequences, weights = draw_sequences(workspace, bag_pool, bag)
    number = sequences.shape[0]
    verdicts = np.empty(number, np.int8)
    no_replies = np.empty(0, np.uint64)
    key = _decision_key(workspace, ply, spread, passed, known)
    if _recall_verdicts(workspace, key, verdicts):
        workspace.decision_hits += 1
        return verdicts, no_replies
    workspace.decisions += 1

    plays = gather_plays(workspace, ply, plain(0))
    if workspace.stop:
        return verdicts, no_replies
    make_side_lists(workspace, ply, plain(1))
    _promote(workspace, bag, plays)
    candidates = plays.shape[0] + 1  # the pass is the last
    lost = np.zeros(candidates, np.int64)
    played = np.empty(candidates, np.int64)
    for c in range(candidates - 1):
        played[c] = min(bag, np.int64(plays[c, 0] & COUNT_MASK))
    played[candidates - 1] = 0
    # what a candidate may draw: one row of units for each number of tiles drawn
    first_unit = np.zeros(bag + 2, np.int64)
    for drawn in range(bag + 1):
        units, _ = draw_multisets(workspace, bag_pool, drawn)
        first_unit[drawn + 1] = first_unit[drawn] + units.shape[0]
    unit_draw = np.empty(first_unit[bag + 1], np.uint64)
    unit_weight = np.empty(first_unit[bag + 1], np.int64)
    unit_failures = np.zeros(first_unit[bag + 1], np.int64)
    most_units = 0
    for drawn in range(bag + 1):
        units, ways = draw_multisets(workspace, bag_pool, drawn)
        most_units = max(most_units, units.shape[0])
        for i in range(units.shape[0]):
            unit_draw[first_unit[drawn] + i] = units[i]
            unit_weight[first_unit[drawn] + i] = ways[i] * _factorial(drawn)
    settled = np.zeros((candidates, most_units), np.bool_)
    unsettled = np.empty(candidates, np.int64)
    for c in range(candidates):
        unsettled[c] = first_unit[played[c] + 1] - first_unit[played[c]]
    # for each order, the unit that it belongs to when ``drawn`` tiles are drawn
    unit_of = np.empty((bag + 1, number), np.int64)
    for drawn in range(bag + 1):
        units = unit_draw[first_unit[drawn] : first_unit[drawn + 1]]
        for i in range(number):
            head = sequences[i] >> (KIND_BITS * np.uint64(bag - drawn))
            unit_of[drawn, i] = _index_of(units, sequence_multiset(workspace, head, drawn))
    table = np.empty((candidates, number), np.int8)

    fewest = NO_LIMIT
    dropped = NO_LIMIT
    while True:
        chosen = -1
        for c in range(candidates):
            if unsettled[c] > 0 and lost[c] <= fewest:
                if (
                    chosen < 0
                    or lost[c] < lost[chosen]
                    or (lost[c] == lost[chosen] and played[c] == bag and played[chosen] < bag)
                ):
                    chosen = c
        if chosen < 0:
            break
        drawn = played[chosen]
        if chosen == candidates - 1:
            move = ZERO
            need = ZERO
            score = 0
        else:
            move = plays[chosen, 0]
            need = plays[chosen, 1]
            score = play_score(plays[chosen, 2])
        unit = -1
        for joining in range(2):
            # only where other threads have taken all draws of the play, one of these
            for u in range(first_unit[drawn], first_unit[drawn + 1]):
                if settled[chosen, u - first_unit[drawn]]:
                    continue
                if workspace.helps and joining == 0 and is_taken(workspace, mark_of_play(key + unit_draw[u], move)):
                    continue
                if unit < 0 or unit_failures[u] * unit_weight[u] > unit_failures[unit] * unit_weight[unit]:
                    unit = u
            if unit >= 0:
                break
        draw = unit_draw[unit]
        mark = mark_of_play(key + draw, move)
        failed = 0
        if chosen == candidates - 1 and passed == 1:
            # the game is over
            mine = rack_points(workspace, rack)
            for i in range(number):
                stays = sequence_multiset(workspace, sequences[i], bag)
                table[chosen, i] = sign(spread - mine + rack_points(workspace, pool - stays))
                failed += (WIN - table[chosen, i]) * weights[i]
        else:
            widen_rack(workspace, ply, plain(0), rack + draw)
            _place(workspace, ply, move, rack - need + draw, pool - draw)
            take(workspace, mark)
            if drawn == bag:
                verdict = emptied_verdict(workspace, ply + 1, spread + score, plain(0))
                leave(workspace, mark)
                take_back(workspace, ply)
                if workspace.stop:
                    return verdicts, no_replies
                failed = (WIN - verdict) * unit_weight[unit]
                for i in range(number):
                    if first_unit[drawn] + unit_of[drawn, i] == unit:
                        table[chosen, i] = verdict
            else:
                allowed = (fewest - lost[chosen]) // unit_weight[unit]
                after, _ = value(
                    workspace,
                    ply + 1,
                    THEIRS,
                    bag - drawn,
                    spread + score,
                    np.int64(drawn == 0),
                    known,
                    allowed,
                )
                leave(workspace, mark)
                take_back(workspace, ply)
                if workspace.stop:
                    return verdicts, no_replies
                if workspace.cut:
                    failed = dropped
                else:
                    tails, _ = draw_sequences(workspace, bag_pool - draw, bag - drawn)
                    mask = (np.uint64(1) << (KIND_BITS * np.uint64(bag - drawn))) - np.uint64(1)
                    for i in range(number):
                        if first_unit[drawn] + unit_of[drawn, i] == unit:
                            verdict = np.int64(after[_index_of(tails, sequences[i] & mask)])
                            table[chosen, i] = verdict
                            failed += (WIN - verdict) * weights[i]
        settled[chosen, unit - first_unit[drawn]] = True
        unsettled[chosen] -= 1
        lost[chosen] = min(dropped, lost[chosen] + failed)
        if failed > 0:
            unit_failures[unit] += 1
        if unsettled[chosen] == 0 and lost[chosen] < fewest:
            fewest = lost[chosen]
            workspace.good_move[bag] = move
            if fewest == 0:
                break

    for i in range(number):
        verdicts[i] = WIN
    for c in range(candidates):
        if unsettled[c] == 0 and lost[c] == fewest:
            for i in range(number):
                verdicts[i] = min(verdicts[i], table[c, i])
    workspace.cut = 0
    _remember_verdicts(workspace, key, verdicts)
    return verdicts, no_replies


@kernel
def value(workspace, ply, turn, bag, spread, passed, known, losses_allowed):
    """Verdicts with ``bag`` tiles in the bag for each order that they may be in: see the parts for the two turns."""
    if turn == THEIRS:
        return _opponent_turn(workspace, ply, bag, spread, passed, known, losses_allowed)
    return _our_turn(workspace, ply, bag, spread, passed, known)


@kernel
def _promote(workspace, bag, plays):
    """Put the play that was best in the last decision with so many tiles in the bag first."""
    wanted = workspace.good_move[bag]
    for i in range(plays.shape[0]):
        if plays[i, 0] == wanted:
            for word in range(PLAY_WORDS):
                kept = plays[i, word]
                for j in range(i, 0, -1):
                    plays[j, word] = plays[j - 1, word]
                plays[0, word] = kept
            return
