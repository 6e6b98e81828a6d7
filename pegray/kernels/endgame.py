"""Endgames: the bag is empty, both racks are known, and the search goes to the end of the game.

The question is always a null window: does the player on turn gain at least ``target`` from here on? The pre-endgame
needs two such questions for a verdict; an exact spread is found by asking until the bounds meet (as MTD(f), A. Plaat).

What keeps the tree small, in order of effect (docs/performance.md has the measurements):

- the *standing out*: if the opponent can play out on squares that our play leaves alone, the game lasts no longer than
  that, which bounds our play's value without making it;
- plays that set up going out next turn come first;
- the rest are ordered by score less the best reply that they leave standing;
- where we seem to fall short even if the opponent only passed, or played once and then passed, a bound proves it, for
  all or for some of our plays (hopeless.py);
- of the best-looking plays, the one whose replies seem to be the least work to refute is searched first;
- what refuted one play refutes most others, which bounds prove without making them (answered.py, hopeless.py).

And what keeps a node cheap: a play that settled another node of this ply is tried before any list of ours is made, and
so are the best plays in lanes whose lists are there already (standing.py).
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from pegray.kernels.answered import drop_answered
from pegray.kernels.bits import ZERO, kernel, mix, part_of_kernel, plain, words_of
from pegray.kernels.checkpoints import begin_checkpoint, keep_bound
from pegray.kernels.expand import open_plays
from pegray.kernels.foreseen import bound_before_lists
from pegray.kernels.game import rack_size
from pegray.kernels.hopeless import drop_refuted_alike
from pegray.kernels.killers import KILLERS_OF_PLY, is_plainly_legal, remember_killer
from pegray.kernels.limits import count_node, is_limited, out_of_own_budget
from pegray.kernels.order import ESTIMATE_BIAS, ESTIMATE_SHIFT, PASS_LANE, entry_lane, play_of, put_best_at
from pegray.kernels.picker import begin_picking, goes_on, pick, put_down, put_off, share_of_node, tell_progress
from pegray.kernels.position import gain_if_over
from pegray.kernels.standing import choose_standing, is_worth_trying, learn_try
from pegray.kernels.table import INFINITE, Known, endgame_key, learn_bound, mark_of, recall_bounds
from pegray.kernels.turns import place_move, take_back

_EASIEST_BONUS = 1 << 18
_LEAST_TRIED = 4
_MOST_TRIED = 16
_MOST_TRIED_LATE = 6  # where the other side has so few tiles that bounds settle most replies anyway
_LATE_TILES = 4
_FEW_REPLIES = 3  # no easier play is looked for
_HALVES_WORK = 40  # points that the other side has to gain more: then each of its replies is half the work
_REFUTED = 1 << 30


@kernel
def node_key(position, ply, mover, depth):
    """Table key of a position; what is searched to a limited depth is kept apart.

    Whether the turn before was a pass is not part of it, nor is the score: docs/architecture.md proves that they need
    not be ("What an entry of the transposition table is about").
    """
    key = endgame_key(position.board_key[ply], position.rack[ply, mover], position.rack[ply, 1 - mover])
    if is_limited(depth):
        key ^= mix(np.uint64(depth + 1))
    return key


@kernel
def _look_up(workspace, ply, mover, passed, target, depth):
    """What is known of a node before it is searched: :class:`Known`. Where a second pass reaches ``target``, that."""
    if passed == 0:
        return recall_bounds(workspace.table, node_key(workspace.position, ply, mover, depth))
    ended = gain_if_over(workspace.position, ply, mover)
    if ended >= target:
        return Known(ZERO, ended, plain(INFINITE), ZERO)
    known = recall_bounds(workspace.table, node_key(workspace.position, ply, mover, depth))
    return Known(known.key, known.lower, max(known.upper, ended), known.mark)


@kernel
def _replies_left(workspace, ply, mover, move, score, target, depth):
    """How many replies may still refute a play: 0 if it reaches ``target``, _REFUTED if it cannot; and a bound.

    The bound is what the play gains at least (where 0 replies are left) or at most (_REFUTED).
    """
    workspace.limits.nodes += 1
    other = 1 - mover
    passed = np.int64(move == ZERO)
    reply_target = score - target + 1
    place_move(workspace, ply, mover, move)
    known = _look_up(workspace, ply + 1, other, passed, reply_target, depth - 1)
    bound = plain(0)
    if known.lower >= reply_target:
        left = plain(_REFUTED)
        bound = score - known.lower
    elif known.upper < reply_target:
        left = plain(0)
        bound = score - known.upper
    else:
        base = workspace.order.next
        end = base
        best = bound_before_lists(workspace, ply + 1, other, reply_target)
        if best >= reply_target and workspace.limits.stop == 0:
            best, end = open_plays(workspace, ply + 1, other, passed, reply_target, ZERO, depth - 1, plain(1))
        workspace.order.next = base
        left = plain(_REFUTED) if best >= reply_target else end - base
        if workspace.limits.stop == 0 and (left == _REFUTED or left == 0):
            bound = score - best
            learn_bound(workspace.table, known, reply_target, best, ZERO)
    take_back(workspace, ply)
    return left, bound


@kernel
def _killer_bound(workspace, ply, mover, target, depth):
    """Try the killers of this ply that are plain to be legal: the gain and the mark of one that leaves no reply.

    Returns a bound below ``target`` if there is none.
    """
    for i in range(KILLERS_OF_PLY):
        if not is_plainly_legal(workspace, ply, mover, ply, i):
            continue
        move = workspace.killers.move[ply, i]
        left, bound = _replies_left(workspace, ply, mover, move, workspace.killers.score[ply, i], target, depth)
        if workspace.limits.stop:
            break
        if left == 0:
            return bound, mark_of(move)
    return target - 1, ZERO


@kernel
def _standing_bound(workspace, ply, mover, target, depth):
    """Try the best plays that are listed already (standing.py); returns as :func:`_killer_bound`."""
    standing = workspace.standing
    tiles = rack_size(workspace.game, workspace.position.rack[ply, mover])
    if not is_worth_trying(standing, mover, tiles, plain(0)):
        return target - 1, ZERO
    for place in range(choose_standing(workspace, ply, mover)):
        if place > 0 and not is_worth_trying(standing, mover, tiles, place):
            break
        move, score = standing.move[place], standing.score[place]
        left, bound = _replies_left(workspace, ply, mover, move, score, target, depth)
        if workspace.limits.stop:
            break
        learn_try(standing, mover, tiles, place, left == 0)
        if left == 0:
            remember_killer(workspace.killers, workspace.position, ply, move, score)
            return bound, mark_of(move)
    return target - 1, ZERO


@kernel
def _work_left(workspace, ply, mover, score, left):
    """How much work it seems to be to refute the ``left`` replies to the play that was looked at last, for comparison.

    The more the other side has to gain, the sooner each of its replies is refuted: that goes with the play's score, and
    with what the tiles count against the mover that it has still to play.
    """
    if left == _REFUTED:
        return np.inf
    ahead = score - 2 * workspace.position.rack_value[ply + 1, mover]
    return left * np.exp2(-ahead / _HALVES_WORK)


@kernel
def _put_easiest_first(workspace, ply, mover, target, base, end, depth):
    """Raise the estimate of the play in ``order[base:end]`` whose replies seem to be the least work to refute.

    The plays with the best estimates are tried, and the pass, which holds more than its estimate says where
    somebody is stuck with a tile.
    """
    order = words_of(workspace.order.stack)
    fewest = plain(_REFUTED)
    least = np.inf
    chosen = plain(-1)
    last = end
    if entry_lane(order[end - 1]) == PASS_LANE:
        last -= 1
    late = rack_size(workspace.game, workspace.position.rack[ply, 1 - mover]) <= _LATE_TILES
    limit = base + (_MOST_TRIED_LATE if late else _MOST_TRIED)
    looked = base
    while looked < last and looked < limit and fewest > _FEW_REPLIES:
        put_best_at(workspace.order, looked, last)
        estimate = np.int64(order[looked] >> ESTIMATE_SHIFT) - ESTIMATE_BIAS
        if estimate < target and looked >= base + _LEAST_TRIED:
            break
        move, score = play_of(workspace, ply, mover, order[looked])
        left, _ = _replies_left(workspace, ply, mover, move, score, target, depth)
        if workspace.limits.stop:
            return
        work = _work_left(workspace, ply, mover, score, left)
        if work < least:
            least = work
            chosen = looked
        fewest = min(fewest, left)
        looked += 1
    if last < end and fewest > _FEW_REPLIES:
        left, _ = _replies_left(workspace, ply, mover, ZERO, plain(0), target, depth)
        if _work_left(workspace, ply, mover, plain(0), left) < least:
            chosen = last
    if chosen >= 0:
        order[chosen] += np.uint64(_EASIEST_BONUS) << ESTIMATE_SHIFT


@part_of_kernel
def search_play(workspace, ply, mover, move, score, target, depth, most_nodes):
    """Search one play of a node with ``most_nodes`` at the most.

    Returns a bound on what it gains, as :func:`search`, and whether it has run out of these nodes: then it means
    nothing, but the search may go on elsewhere.
    """
    limits = workspace.limits
    limit = limits.node_limit
    limits.node_limit = limits.nodes + min(most_nodes, limit - limits.nodes)
    limits.replies_listed[ply + 1] = 0
    place_move(workspace, ply, mover, move)
    value = score - search(workspace, ply + 1, 1 - mover, np.int64(move == ZERO), score - target + 1, depth - 1)
    take_back(workspace, ply)
    limits.node_limit = limit
    return value, out_of_own_budget(limits)


@part_of_kernel
def _search_plays(workspace, ply, mover, target, depth, known, base, end, best):
    """Search the plays in ``order[base:end]`` until one reaches ``target``.

    Returns the bound that it ends with (``best`` bounds all other plays), and the mark of the best move.
    """
    picker, limits = workspace.picker, workspace.limits
    begin_picking(picker, ply, base, end, share_of_node(picker, limits, mover))
    tried = tried_before = ZERO  # answers to all plays left
    while True:
        picked = pick(workspace, ply, mover, known.key)
        if not picked.found:
            return best, known.mark
        while True:
            value, ran_out = search_play(
                workspace, ply, mover, picked.move, picked.score, target, depth, picker.share[ply]
            )
            if not (ran_out and goes_on(picker, limits, ply)):
                break
        put_down(workspace.taken, picked)
        if ran_out:
            put_off(picker, workspace.order, ply)
            continue
        if limits.stop:
            tell_progress(limits, picker, ply)
            return best, known.mark
        if value >= target:
            remember_killer(workspace.killers, workspace.position, ply, picked.move, picked.score)
            return value, mark_of(picked.move)
        best = max(best, value)
        answer = workspace.killers.move[ply + 1, 0]
        if depth > 3 and answer != tried and answer != tried_before:
            tried_before, tried = tried, answer
            best, picker.end[ply] = drop_answered(
                workspace, ply, mover, target, picker.next[ply], picker.end[ply], best
            )
            if limits.stop == 0:
                best, picker.end[ply] = drop_refuted_alike(
                    workspace, ply, mover, target, picker.next[ply], picker.end[ply], best
                )


@kernel
def search(workspace, ply, mover, passed, target, depth):
    """Bound on what the player on turn (``mover``: side 0 or 1) gains from here to the end of the game.

    Returns a lower bound if it is at least ``target``, else an upper bound; meaningless when ``limits.stop`` is set.
    ``passed`` is 1 when the turn before was a pass. ``depth`` is the number of plies left to search.
    """
    count_node(workspace.limits)
    if workspace.limits.stop:
        return 0
    known = _look_up(workspace, ply, mover, passed, target, depth)
    if known.lower >= target:
        return known.lower
    if known.upper < target:
        return known.upper
    if depth <= 0:
        return gain_if_over(workspace.position, ply, mover)  # the estimate at the horizon: nobody scores any more
    begun = begin_checkpoint(workspace)
    best, mark = target - 1, ZERO
    if depth > 1:
        best, mark = _killer_bound(workspace, ply, mover, target, depth)
        if best < target and workspace.limits.stop == 0:
            best, mark = _standing_bound(workspace, ply, mover, target, depth)
    if best < target and workspace.limits.stop == 0:
        base = workspace.order.next
        best, end = open_plays(workspace, ply, mover, passed, target, known.mark, depth, plain(0))
        mark = known.mark if best < target else ZERO  # going out needs none: best_line.py
        if workspace.limits.stop == 0 and end > base + 1 and depth > 1:
            _put_easiest_first(workspace, ply, mover, target, base, end, depth)
        if workspace.limits.stop == 0 and best < target:
            best, mark = _search_plays(workspace, ply, mover, target, depth, known, base, end, best)
        workspace.order.next = base
    if workspace.limits.stop:
        return 0
    keep_bound(workspace, begun, known.key, learn_bound(workspace.table, known, target, best, mark))
    return best
