"""The root of an endgame: its plays race for the cheapest proof.

One play that reaches the target is enough, and of several that do, the proof of one may take a thousand times the nodes
of another's. Estimates do not tell which. So the plays are searched in turn with small budgets: the share of the
other side's replies that a play has refuted by then tells how many nodes the rest will take, and the play that seems
cheapest gets the next budget, a larger one, unless it seems dear enough to try a new one first. What was found out
already is in the table. The play that won the last race of a rack comes first, since it is often the same again; before
any race of a rack, the pass. Where the last endgame of a rack came to a race, the next one does sooner.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from pegray.kernels.answered import drop_answered
from pegray.kernels.bits import ZERO, kernel, mix, plain, words_of
from pegray.kernels.budgets import BUDGET_GROWTH
from pegray.kernels.endgame import node_key, search, search_play
from pegray.kernels.expand import open_plays
from pegray.kernels.limits import is_limited, out_of_own_budget, share_refuted
from pegray.kernels.order import bring_next, play_of
from pegray.kernels.picker import NOBODY
from pegray.kernels.table import learn_bound, mark_of, recall_bounds

NODES_BEFORE_RACE = 1000  # most endgames need fewer
_NODES_BEFORE_ANOTHER = 200  # where the last endgame of the rack came to a race
FIRST_BUDGET = 200  # nodes, of each play
RACK_SLOTS = 256
_MOST_DOUBLED = 20  # times: more than there are plays
_RACK_SHIFT = np.uint64(56)  # to one of RACK_SLOTS


RACE = np.dtype(
    [
        ("after", "i8"),  # so many nodes the plays race
        ("budget", "i8"),  # the first of each
        # by rack_slot: the winner of the last race of a rack, a packed move; and whether its last endgame came to one
        ("winner", "u8", (RACK_SLOTS,)),
        ("raced", "u1", (RACK_SLOTS,)),
        ("races", "i8"),
        ("nodes_left", "i8"),  # that the last one seemed to need when its budget had ended; 0 where nothing tells
    ],
    align=True,
)


@kernel
def rack_slot(rack):
    """Where the last endgames are remembered that this rack was on turn in: one of RACK_SLOTS."""
    return np.int64(mix(rack) >> _RACK_SHIFT)


@kernel
def race(workspace, ply, mover, passed, target):
    """As :func:`pegray.kernels.endgame.search`, where nothing is known yet about which play is best."""
    limit = workspace.limits.node_limit
    depth = workspace.limits.depth
    if is_limited(depth):
        return search(workspace, ply, mover, passed, target, depth)
    workspace.race.nodes_left = 0
    slot = rack_slot(workspace.position.rack[ply, mover])
    after = min(workspace.race.after, _NODES_BEFORE_ANOTHER) if workspace.race.raced[slot] else workspace.race.after
    workspace.limits.node_limit = min(limit, workspace.limits.nodes + after)
    value = search(workspace, ply, mover, passed, target, depth)
    workspace.limits.node_limit = limit
    if not out_of_own_budget(workspace.limits):
        if workspace.limits.stop == 0:
            workspace.race.raced[slot] = 0
        return value
    workspace.race.raced[slot] = 1
    base = workspace.order.next
    best, end = open_plays(workspace, ply, mover, passed, target, ZERO, depth, plain(0))
    if workspace.limits.stop == 0 and best < target:
        best, end = drop_answered(workspace, ply, mover, target, base, end, best)
    if workspace.limits.stop == 0 and best < target:
        workspace.picker.puts_off = mover
        best = _run(workspace, ply, mover, slot, target, base, end, best)
        workspace.picker.puts_off = NOBODY
    workspace.order.next = base
    return best


@kernel
def _run(workspace, ply, mover, slot, target, base, end, best):
    """The race of the plays in ``order[base:end]``, of a rack with this slot; returns the bound that it ends with."""
    workspace.race.races += 1
    order = words_of(workspace.order.stack)
    depth = workspace.limits.depth
    winner_leads = _put_first(workspace, ply, mover, base, end, workspace.race.winner[slot])
    front = base  # the plays from here on are not settled; of them the first ``tried`` are not new
    tried = plain(0)  # the new ones are brought into order as they are tried
    spent = np.zeros(end - base, np.int64)
    cost = np.zeros(end - base, np.float64)  # estimate of the nodes that the whole proof takes
    while front < end:
        runner = _next_runner(cost[front - base :], tried, end - front, workspace.race.budget) + front
        if runner == front + tried:
            if runner > base or not winner_leads:
                bring_next(workspace.order, base, runner, end)
            tried += 1
        move, score = play_of(workspace, ply, mover, order[runner])
        before = workspace.limits.nodes
        budget = max(workspace.race.budget, BUDGET_GROWTH * spent[runner - base])
        value, ran_out = search_play(workspace, ply, mover, move, score, target, depth, budget)
        if ran_out:
            spent[runner - base] = workspace.limits.nodes - before
            cost[runner - base] = spent[runner - base] / share_refuted(workspace.limits, ply + 1)
            continue
        if workspace.limits.stop:
            used = workspace.limits.nodes - before
            workspace.race.nodes_left = _nodes_left(
                workspace.limits, ply, used, cost[front - base :], spent[front - base :], tried
            )
            return best
        best = max(best, value)
        if value >= target:
            workspace.race.winner[slot] = move
            _learn(workspace, ply, mover, target, value, mark_of(move))
            return best
        for i in range(runner, front, -1):
            order[i] = order[i - 1]
            spent[i - base] = spent[i - 1 - base]
            cost[i - base] = cost[i - 1 - base]
        front += 1
        tried -= 1
    _learn(workspace, ply, mover, target, best, ZERO)
    return best


@kernel
def _nodes_left(limits, ply, used, cost, spent, tried):
    """How many nodes the race still needs that the budget has ended, as it seems: by the play that needs the fewest.

    ``used`` nodes went into the one that was at it last. Returns 0 where nothing tells.
    """
    least = np.inf
    if limits.replies_listed[ply + 1] > 0:
        least = used / share_refuted(limits, ply + 1) - used
    for i in range(tried):
        if cost[i] > 0:
            least = min(least, cost[i] - spent[i])
    return np.int64(least) if least < np.inf else plain(0)


@kernel
def _learn(workspace, ply, mover, target, value, mark):
    """Put a new bound into the table, beside the other one."""
    key = node_key(workspace.position, ply, mover, workspace.limits.depth)
    learn_bound(workspace.table, recall_bounds(workspace.table, key), target, value, mark)


@kernel
def _put_first(workspace, ply, mover, base, end, winner):
    """Move a play to the front of ``order[base:end]``; returns whether it is there."""
    order = words_of(workspace.order.stack)
    for i in range(base, end):
        entry = order[i]
        if play_of(workspace, ply, mover, entry)[0] == winner:
            order[i] = order[base]
            order[base] = entry
            return True
    return False


@kernel
def _next_runner(cost, tried, left, first_budget):
    """The play that seems cheapest to prove, or the next new one.

    The first ``tried`` of ``left`` plays are not new. The more have been tried, the dearer must the cheapest be for one
    more: twice as dear for each, until it costs more than trying all new ones.
    """
    cheapest = -1
    for i in range(tried):
        if cheapest < 0 or cost[i] < cost[cheapest]:
            cheapest = i
    new_ones = left - tried
    most_new = min(new_ones, 1 << min(tried, _MOST_DOUBLED))
    if cheapest < 0 or (new_ones > 0 and cost[cheapest] > most_new * first_budget):
        return tried
    return cheapest
