"""The recursion of the rational model: whoever is on turn with tiles in the bag is blind and chooses by points.

Two questions call one another:

``STATE``   what comes of a state whose bag order is known to us (not to the players): the player on turn makes one of
            its best moves, the one that is worst for the player whose play is being valued
``CHOICE``  the best moves of an information set: each legal move gets its points over all orders of the bag that its
            owner cannot tell apart, each order's outcome being that of the state that the move leads to, valued for
            the owner

So the opponent values its own moves as we value ours, and knows nothing of what we happen to know of its rack.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from pegray.kernels.arena import PLAY_WORDS, copy_play, play_at
from pegray.kernels.bits import ZERO, kernel, mix, part_of_kernel, plain
from pegray.kernels.choices import list_candidates, list_units
from pegray.kernels.choosing import Choice, race_candidates
from pegray.kernels.decisions import recall, remember
from pegray.kernels.draws import draw_sequences, head_multiset, sequence_multiset, tail
from pegray.kernels.game import rack_points, without
from pegray.kernels.lists import make_side_lists
from pegray.kernels.moves import tiles_laid
from pegray.kernels.orders import all_orders
from pegray.kernels.preendgame import gather_plays
from pegray.kernels.turns import hold, place_and_hold, take_back
from pegray.kernels.verdicts import LOSS, WIN, sign, verdict_on_turn

STATE = np.int64(0)
CHOICE = np.int64(1)
_RACK_FACTOR = np.uint64(0xC2B2AE3D27D4EB4F)
_POOL_FACTOR = np.uint64(0x9E6C63D0876A46BD)
_KNOWN_FACTOR = np.uint64(0x165667B19E3779F9)
_NUMBER_MASK = np.uint64(0xFFFF)


@kernel
def _endgame(workspace, ply, side, spread, valued):
    """Verdict for ``valued`` with the bag empty and ``side`` on turn; ``spread`` is the latter's."""
    verdict = verdict_on_turn(workspace, ply, side, spread, plain(0))
    return verdict if side == valued else WIN - verdict


@part_of_kernel
def _state(workspace, ply, side, bag, sequence, spread, passed, valued, known):
    """Verdict for ``valued`` of a state, as the first word of the answer; the racks at ``ply`` are the true ones."""
    answer = np.zeros((1, PLAY_WORDS), np.uint64)
    if bag == 0:
        answer[0, 0] = np.uint64(_endgame(workspace, ply, side, spread, valued))
        return answer
    rack = workspace.position.rack[ply, side]
    other_rack = workspace.position.rack[ply, 1 - side]
    hold(workspace, ply, side, rack, other_rack + sequence_multiset(workspace.game, sequence, bag))
    known_to_side = known if side == valued else ZERO
    best = rational_value(workspace, ply, CHOICE, side, bag, ZERO, spread, passed, side, known_to_side)
    if workspace.limits.stop:
        return answer
    worst = plain(WIN)
    for i in range(best.shape[0]):
        play = play_at(best, i)
        if play.move == ZERO and passed == 1:
            verdict = sign(spread - rack_points(workspace.game, rack) + rack_points(workspace.game, other_rack))
            if side != valued:
                verdict = WIN - verdict
        else:
            drawn = min(bag, tiles_laid(play.move))
            held = rack - play.need + head_multiset(workspace.game, sequence, bag, drawn)
            place_and_hold(workspace, ply, side, play.move, held, other_rack)
            after = rational_value(
                workspace, ply + 1, STATE, 1 - side, bag - drawn, tail(sequence, bag - drawn), -(spread + play.score),
                np.int64(play.move == ZERO), valued,
                known if side == valued else without(workspace.game, known, play.need),
            )  # fmt: skip
            take_back(workspace, ply)
            if workspace.limits.stop:
                return answer
            verdict = np.int64(after[0, 0])
        worst = min(worst, verdict)
        if worst == LOSS:
            break
    answer[0, 0] = np.uint64(worst)
    return answer


@part_of_kernel
def _each_order(workspace, ply, side, bag, sequences, weights, spread, passed, known, allowed):
    """Verdict for ``side``, whose turn is over, of each order that the tiles in the bag may have: int8[n].

    ``rack[ply, side]`` is its rack, ``rack[ply, 1 - side]`` all that it does not see; ``spread`` is its own. Ends early
    once more half weights are lost than ``allowed``, which the second value tells: verdicts are then upper bounds.
    """
    rack, pool = workspace.position.rack[ply, side], workspace.position.rack[ply, 1 - side]
    verdicts = np.full(sequences.shape[0], WIN, np.int8)
    lost = plain(0)
    for i in range(sequences.shape[0]):
        hold(workspace, ply, side, rack, pool - sequence_multiset(workspace.game, sequences[i], bag))
        answer = rational_value(workspace, ply, STATE, 1 - side, bag, sequences[i], -spread, passed, side, known)
        if workspace.limits.stop:
            break
        verdicts[i] = np.int8(answer[0, 0])
        lost += (WIN - np.int64(verdicts[i])) * weights[i]
        if lost > allowed:
            break
    return verdicts, lost > allowed


@part_of_kernel
def _after_draw(workspace, choice, play, left, tails, weights, allowed):
    """What comes of a play and its draw, for each order of the tiles that stay in the bag: see choosing.py."""
    spread, passed = choice.spread + play.score, np.int64(play.move == ZERO)
    return _each_order(
        workspace, choice.ply + 1, choice.side, left, tails, weights, spread, passed, choice.known, allowed
    )


@part_of_kernel
def _choice(workspace, ply, side, bag, spread, passed, known):
    """The moves with the most points of an information set, three words each (the pass is all zeros).

    ``rack[ply, side]`` is its owner's rack, ``rack[ply, 1 - side]`` all that the owner does not see.
    """
    rack = workspace.position.rack[ply, side]
    pool = workspace.position.rack[ply, 1 - side]
    key = workspace.position.board_key[ply] ^ mix(rack * _RACK_FACTOR + np.uint64(side))
    key ^= mix(pool * _POOL_FACTOR + np.uint64(passed)) ^ mix(known * _KNOWN_FACTOR + np.uint64(spread + 4096))
    key = mix(key)
    remembered = _recall_moves(workspace.decisions, key)
    if remembered.shape[0] > 0:
        workspace.decisions.recalled += 1
        return remembered
    workspace.decisions.made += 1
    plays = gather_plays(workspace, ply, side, bag)
    if workspace.limits.stop:
        return remembered
    make_side_lists(workspace, ply, 1 - side)
    orders = all_orders(workspace.game, pool - known, bag)
    units = list_units(workspace.game, orders.sequences, pool - known, bag)
    candidates = list_candidates(plays, units, bag)
    choice = Choice(ply, side, bag, spread, passed, known, rack, pool, key)
    # That one never loses is not enough: what we know of the opponent's rack may make our answer to it better than the
    # opponent thinks, unless it empties the bag.
    fewest, _, _ = race_candidates(workspace, choice, plays, orders, candidates, units, plain(0), _after_draw)
    if workspace.limits.stop:
        return remembered
    best = _with_fewest(plays, candidates, fewest)
    _remember_moves(workspace.decisions, key, best)
    return best


@kernel
def _with_fewest(plays, candidates, fewest):
    """Those of the plays that are settled and have lost ``fewest``."""
    number = 0
    for c in range(plays.shape[0]):
        if candidates.unsettled[c] == 0 and candidates.lost[c] == fewest:
            number += 1
    best = np.empty((number, PLAY_WORDS), np.uint64)
    number = 0
    for c in range(plays.shape[0]):
        if candidates.unsettled[c] == 0 and candidates.lost[c] == fewest:
            copy_play(best, number, plays, c)
            number += 1
    return best


@kernel
def rational_value(workspace, ply, question, side, bag, sequence, spread, passed, valued, known):
    """The answer to either question (see the parts): uint64[n, 3]."""
    if question == CHOICE:
        return _choice(workspace, ply, side, bag, spread, passed, known)
    return _state(workspace, ply, side, bag, sequence, spread, passed, valued, known)


@kernel
def _recall_moves(decisions, key):
    """The best moves remembered for an information set, none if it is not there."""
    head = np.empty(1, np.uint64)
    if not recall(decisions, key, plain(0), head):
        return np.empty((0, PLAY_WORDS), np.uint64)
    moves = np.empty((np.int64(head[0] & _NUMBER_MASK), PLAY_WORDS), np.uint64)
    if not recall(decisions, key, plain(1), moves.reshape(-1)) or head[0] != _head_of(moves):
        return np.empty((0, PLAY_WORDS), np.uint64)
    return moves


@kernel
def _head_of(moves):
    """The word before some moves: their number, and a hash of all of them.

    Each word of a row is marked by itself: of two threads that write other moves at once some words of each may stay.
    """
    code = ZERO
    for word in moves.reshape(-1):
        code = mix(code ^ word)
    return (code & ~_NUMBER_MASK) | np.uint64(moves.shape[0])


@kernel
def _remember_moves(decisions, key, moves):
    """Keep the best moves of an information set, after their number and a hash of them all."""
    row = np.empty(1 + moves.size, np.uint64)
    row[0] = _head_of(moves)
    row[1:] = moves.reshape(-1)
    remember(decisions, key, row)


@kernel
def rational_after_play(workspace, ply, bag, spread, passed, known, losses_allowed):
    """Verdict for us of each order of the ``bag`` tiles that stay after our play, the opponent on turn.

    ``rack[ply, 0]`` is our rack, ``rack[ply, 1]`` the pool. int8[n], by ascending sequence. When losses (in half
    weights) exceed ``losses_allowed`` it ends early with ``preendgame.cut`` set: verdicts are then upper bounds.
    """
    sequences, weights = draw_sequences(workspace.game, workspace.position.rack[ply, 1] - known, bag)
    verdicts, lost_too_much = _each_order(
        workspace, ply, plain(0), bag, sequences, weights, spread, passed, known, losses_allowed
    )
    workspace.preendgame.cut = np.int64(lost_too_much)
    return verdicts
