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

from pegray.kernels.arena import PLAY_WORDS, play_score
from pegray.kernels.bits import ZERO, kernel, mix, part_of_kernel, plain
from pegray.kernels.decisions import recall, remember
from pegray.kernels.draws import draw_sequences, head_multiset, sequence_multiset, tail
from pegray.kernels.game import rack_points, without
from pegray.kernels.lists import begin_ply
from pegray.kernels.moves import tiles_laid
from pegray.kernels.position import make_move
from pegray.kernels.preendgame import NO_LIMIT, gather_plays
from pegray.kernels.turns import take_back
from pegray.kernels.verdicts import LOSS, WIN, sign, verdict_on_turn

STATE = np.int64(0)
CHOICE = np.int64(1)
_RACK_FACTOR = np.uint64(0xC2B2AE3D27D4EB4F)
_POOL_FACTOR = np.uint64(0x9E6C63D0876A46BD)
_KNOWN_FACTOR = np.uint64(0x165667B19E3779F9)


@kernel
def _hold(workspace, ply, side, rack, other_rack):
    """What the two sides hold at ``ply``; their lists are made anew."""
    begin_ply(workspace.lists, ply)
    workspace.position.rack[ply, side] = rack
    workspace.position.rack[ply, 1 - side] = other_rack
    workspace.position.rack_value[ply, side] = rack_points(workspace.game, rack)
    workspace.position.rack_value[ply, 1 - side] = rack_points(workspace.game, other_rack)


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
    _hold(workspace, ply, side, rack, other_rack + sequence_multiset(workspace.game, sequence, bag))
    known_to_side = known if side == valued else ZERO
    best = rational_value(workspace, ply, CHOICE, side, bag, ZERO, spread, passed, side, known_to_side)
    if workspace.limits.stop:
        return answer
    worst = plain(WIN)
    for i in range(best.shape[0]):
        move = best[i, 0]
        need = best[i, 1]
        if move == ZERO and passed == 1:
            verdict = sign(spread - rack_points(workspace.game, rack) + rack_points(workspace.game, other_rack))
            if side != valued:
                verdict = WIN - verdict
        else:
            drawn = min(bag, tiles_laid(move))
            score = np.int64(0) if move == ZERO else play_score(best[i, 2])
            make_move(workspace.position, ply, move)
            held = rack - need + head_multiset(workspace.game, sequence, bag, drawn)
            _hold(workspace, ply + 1, side, held, other_rack)
            after = rational_value(
                workspace, ply + 1, STATE, 1 - side, bag - drawn, tail(sequence, bag - drawn), -(spread + score),
                np.int64(move == ZERO), valued, known if side == valued else without(workspace.game, known, need),
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
    sequences, weights = draw_sequences(workspace.game, pool - known, bag)
    plays = gather_plays(workspace, ply, side, plain(0))
    count = plays.shape[0] + 1
    lost = np.full(count, NO_LIMIT, np.int64)
    fewest = NO_LIMIT
    for c in range(count):
        is_pass = c == count - 1
        move = ZERO if is_pass else plays[c, 0]
        need = ZERO if is_pass else plays[c, 1]
        score = np.int64(0) if is_pass else play_score(plays[c, 2])
        drawn = min(bag, tiles_laid(move))
        found = 0
        for i in range(sequences.shape[0]):
            theirs = pool - sequence_multiset(workspace.game, sequences[i], bag)
            if is_pass and passed == 1:
                verdict = sign(spread - rack_points(workspace.game, rack) + rack_points(workspace.game, theirs))
            else:
                make_move(workspace.position, ply, move)
                held = rack - need + head_multiset(workspace.game, sequences[i], bag, drawn)
                _hold(workspace, ply + 1, side, held, theirs)
                after = rational_value(
                    workspace, ply + 1, STATE, 1 - side, bag - drawn, tail(sequences[i], bag - drawn),
                    -(spread + score), np.int64(is_pass), side, known,
                )  # fmt: skip
                take_back(workspace, ply)
                if workspace.limits.stop:
                    return remembered
                verdict = np.int64(after[0, 0])
            found += (WIN - verdict) * weights[i]
            if found > fewest:
                break
        if found <= fewest:
            fewest = found
            lost[c] = found
    number = 0
    for c in range(count):
        if lost[c] == fewest:
            number += 1
    best = np.zeros((number, PLAY_WORDS), np.uint64)
    number = 0
    for c in range(count):
        if lost[c] == fewest:
            if c < count - 1:
                for word in range(PLAY_WORDS):
                    best[number, word] = plays[c, word]
            number += 1
    _remember_moves(workspace.decisions, key, best)
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
    number = np.empty(1, np.uint64)
    if not recall(decisions, key, plain(0), number):
        return np.empty((0, PLAY_WORDS), np.uint64)
    moves = np.empty((np.int64(number[0]), PLAY_WORDS), np.uint64)
    if not recall(decisions, key, plain(1), moves.reshape(-1)):
        return np.empty((0, PLAY_WORDS), np.uint64)
    return moves


@kernel
def _remember_moves(decisions, key, moves):
    """Keep the best moves of an information set, after their number."""
    row = np.empty(1 + moves.size, np.uint64)
    row[0] = np.uint64(moves.shape[0])
    row[1:] = moves.reshape(-1)
    remember(decisions, key, row)


@kernel
def rational_after_play(workspace, ply, bag, spread, passed, known):
    """Verdict for us of each order of the ``bag`` tiles that stay after our play, the opponent on turn.

    ``rack[ply, 0]`` is our rack, ``rack[ply, 1]`` the pool. int8[n], by ascending sequence.
    """
    rack = workspace.position.rack[ply, 0]
    pool = workspace.position.rack[ply, 1]
    sequences, _ = draw_sequences(workspace.game, pool - known, bag)
    verdicts = np.full(sequences.shape[0], WIN, np.int8)
    for i in range(sequences.shape[0]):
        _hold(workspace, ply, plain(0), rack, pool - sequence_multiset(workspace.game, sequences[i], bag))
        answer = rational_value(workspace, ply, STATE, plain(1), bag, sequences[i], -spread, passed, plain(0), known)
        if workspace.limits.stop:
            break
        verdicts[i] = np.int8(answer[0, 0])
    return verdicts
