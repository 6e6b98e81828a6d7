"""The kernels that Python calls: each takes a workspace record array of shape (1,)."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from pegray.game.layout import SQUARES
from pegray.kernels.alone import bound_alone
from pegray.kernels.arena import LIST_WORDS, PLAY_WORDS, list_length, play_score
from pegray.kernels.bits import ZERO, entry_kernel, kernel, plain, words_of
from pegray.kernels.draws import draw_multisets, draw_sequences
from pegray.kernels.endgame import best_move, proving_move, search
from pegray.kernels.game import rack_points
from pegray.kernels.lanes import LANES
from pegray.kernels.limits import STOPPED_BY_BOUND, STOPPED_BY_ROOM, go_on
from pegray.kernels.lists import begin_ply, forget_lists, lane_list, make_side_lists, widen_rack
from pegray.kernels.moves import move_tiles
from pegray.kernels.position import MAX_PLIES, make_move, set_root_keys
from pegray.kernels.preendgame import NO_LIMIT, THEIRS, emptied_verdict, value, value_after_pass
from pegray.kernels.rational import rational_after_play
from pegray.kernels.table import INFINITE
from pegray.kernels.turns import place_move, take_back
from pegray.kernels.verdicts import LOSS, WIN, gain_within


@entry_kernel
def set_root(record, board, rack, pool):
    """Start from a position: uint8[225] board, our packed rack, the packed tiles of the other side (or the pool)."""
    workspace = record[0]
    for square in range(SQUARES):
        workspace.position.board[square] = board[square]
    forget_lists(workspace)
    set_root_keys(workspace.position)
    begin_ply(workspace.lists, plain(0))
    workspace.position.root_rack = rack
    workspace.position.rack[0, 0] = rack
    workspace.position.rack[0, 1] = pool
    workspace.position.rack_value[0, 0] = rack_points(workspace.game, rack)
    workspace.position.rack_value[0, 1] = rack_points(workspace.game, pool)
    workspace.order.next = 0
    go_on(workspace.limits)


@entry_kernel
def root_plays(record, side):
    """All plays of a side at the root but the pass: uint64[n] moves and int64[n] scores, lane by lane.

    None where ``stop`` says that there is no room for them.
    """
    workspace = record[0]
    go_on(workspace.limits)
    arena = words_of(workspace.arena.words)
    widen_rack(workspace, plain(0), plain(0), workspace.position.root_rack)
    number = 0
    for lane in range(LANES):
        number += list_length(arena, lane_list(workspace, plain(0), side, lane))
    if workspace.limits.stop:
        return np.empty(0, np.uint64), np.empty(0, np.int64)
    moves = np.empty(number, np.uint64)
    scores = np.empty(number, np.int64)
    i = 0
    for lane in range(LANES):
        at = lane_list(workspace, plain(0), side, lane) + LIST_WORDS
        for _ in range(list_length(arena, at - LIST_WORDS)):
            moves[i] = arena[at]
            scores[i] = play_score(arena[at + 2])
            i += 1
            at += PLAY_WORDS
    return moves, scores


@entry_kernel
def gains_alone(record, side):
    """Bounds on what a side gains from the root if the other only passes, for each set of its tiles still held.

    uint64[n] packed sets and int64[n] bounds; both empty where the side's rack is out of scope (see alone.py).
    """
    workspace = record[0]
    sets = 0
    if bound_alone(workspace, plain(0), side):
        sets = workspace.alone.sets
    return workspace.alone.rack[:sets].copy(), workspace.alone.gain[:sets].copy()


@entry_kernel
def list_sequences(record, pool, count):
    """See :func:`pegray.kernels.draws.draw_sequences`."""
    return draw_sequences(record[0].game, pool, count)


@entry_kernel
def list_multisets(record, pool, count):
    """See :func:`pegray.kernels.draws.draw_multisets`."""
    return draw_multisets(record[0].game, pool, count)


@kernel
def _play_and_draw(workspace, move, draw):
    """Make our play at the root and draw; the pool loses what we draw."""
    need, _ = move_tiles(workspace.game, move)
    workspace.lists.live_ply = 0
    workspace.order.next = 0
    go_on(workspace.limits)
    workspace.preendgame.cut = 0
    rack = workspace.position.root_rack
    widen_rack(workspace, plain(0), plain(0), rack + draw)
    make_side_lists(workspace, plain(0), plain(1))
    make_move(workspace.position, plain(0), move)
    begin_ply(workspace.lists, plain(1))
    workspace.position.rack[1, 0] = rack - need + draw
    workspace.position.rack[1, 1] = workspace.position.rack[0, 1] - draw
    workspace.position.rack_value[1, 0] = rack_points(workspace.game, workspace.position.rack[1, 0])
    workspace.position.rack_value[1, 1] = rack_points(workspace.game, workspace.position.rack[1, 1])


@entry_kernel
def settle_draws(record, moves, draws, spreads, weights, losses_found, node_budgets, bag, known, losses_allowed):
    """Verdicts of root plays after which no decision of ours comes with tiles in the bag.

    They are plays after each of which we draw the whole bag (``bag`` 0), or the pass with one tile in it (``bag`` 1).
    None of them ends the game.

    moves, draws: uint64[n]; spreads: int64[n], ours after the play; weights: int64[n], of the draws
    losses_found: int64[n], what each play has lost already in half weights (running kernels compare it with the shared
    bound); what a play loses here is added for those of its draws that come after
    node_budgets: int64[n], of each
    losses_allowed: what the pass may lose more before it is certainly cut off

    Returns int8[] verdicts and uint64[] replies (by play, or after the pass the staying tiles, ascending), and
    int64[n, 3]: the nodes and endgames that each took, and why it is not settled (0: it is).
    """
    workspace = record[0]
    ends = np.zeros((moves.shape[0], 3), np.int64)
    if bag > 0:
        workspace.limits.losses_found = losses_found[0]
        _begin_draw(workspace, moves[0], draws[0], node_budgets[0], ends[0])
        verdicts, replies = value_after_pass(workspace, plain(1), spreads[0], known, losses_allowed)
        _end_draw(workspace, ends[0])
        return verdicts, replies, ends
    bound = words_of(workspace.limits.bound)
    verdicts = np.full(moves.shape[0], -1, np.int8)
    replies = np.zeros(moves.shape[0], np.uint64)
    for i in range(moves.shape[0]):
        workspace.limits.losses_found = losses_found[i]
        if losses_found[i] > np.int64(bound[0]):
            ends[i, 2] = STOPPED_BY_BOUND
            continue
        _begin_draw(workspace, moves[i], draws[i], node_budgets[i], ends[i])
        verdict = emptied_verdict(workspace, plain(1), spreads[i], plain(0))
        if verdict < WIN and workspace.limits.stop == 0:
            wanted = spreads[i] + (1 if verdict == LOSS else 0)
            replies[i] = proving_move(workspace, plain(1), plain(1), wanted, workspace.limits.depth)
        _end_draw(workspace, ends[i])
        if workspace.limits.stop == STOPPED_BY_ROOM:
            ends[i:, 2] = STOPPED_BY_ROOM
            break
        if workspace.limits.stop != 0:
            continue
        verdicts[i] = verdict
        for later in range(i + 1, moves.shape[0]):
            if moves[later] == moves[i]:
                losses_found[later] += (WIN - verdict) * weights[i]
    return verdicts, replies, ends


@entry_kernel
def settle_staying(record, move, draw, spread, losses_found, node_budget, bag, known, losses_allowed):
    """Like :func:`settle_draws` for one play after which ``bag`` tiles stay in the bag, whatever comes then.

    Returns int8[n] verdicts and uint64[n] replies for the orders of the staying tiles, ascending, and int64[3].
    (A kernel of its own: it takes as long again to compile, and with one tile in the bag it is not needed.)
    """
    workspace = record[0]
    end = np.zeros(3, np.int64)
    workspace.limits.losses_found = losses_found
    _begin_draw(workspace, move, draw, node_budget, end)
    is_pass = 1 if move == ZERO else 0
    verdicts, replies = value(workspace, plain(1), THEIRS, bag, spread, is_pass, known, losses_allowed)
    _end_draw(workspace, end)
    return verdicts, replies, end


@kernel
def _begin_draw(workspace, move, draw, node_budget, end):
    """Make a play and draw; ``end`` (int64[3]) keeps the nodes and endgames so far."""
    end[0] = -workspace.limits.nodes
    end[1] = -workspace.verdicts.endgames
    workspace.limits.node_limit = workspace.limits.nodes + node_budget
    _play_and_draw(workspace, move, draw)


@kernel
def _end_draw(workspace, end):
    """Take the play back; ``end`` (int64[3]) says what it took, and why it is not settled."""
    take_back(workspace, plain(0))
    end[0] += workspace.limits.nodes
    end[1] += workspace.verdicts.endgames
    end[2] = STOPPED_BY_BOUND if workspace.limits.stop == 0 and workspace.preendgame.cut else workspace.limits.stop


@entry_kernel
def settle_rational(record, move, draw, bag, spread, known, losses_found, node_limit):
    """Like :func:`settle_staying` under the rational model, for a play that leaves tiles and does not end the game.

    Returns int8[n] verdicts and whether all is settled. (A kernel of its own: most solves never need to compile it.)
    """
    workspace = record[0]
    workspace.limits.node_limit = node_limit
    workspace.limits.losses_found = losses_found
    _play_and_draw(workspace, move, draw)
    verdicts = rational_after_play(workspace, plain(1), bag, spread, np.int64(move == ZERO), known)
    take_back(workspace, plain(0))
    return verdicts, workspace.limits.stop == 0


@entry_kernel
def settle_spread(record, move, draw, spread, guess, least, most, node_limit):
    """Bounds on the final spread under best play of a root play that empties the bag.

    guess: a final spread to begin the search with: the nearer, the fewer searches
    least, most: which spreads to tell apart; of others it is enough to know that they lie below or above

    Returns the least and the most that it may be, -INFINITE and INFINITE where that was not found, and whether that
    is all that was asked: they are equal, or both not between ``least`` and ``most``.
    """
    workspace = record[0]
    workspace.limits.node_limit = node_limit
    workspace.limits.losses_found = 0
    _play_and_draw(workspace, move, draw)
    workspace.verdicts.endgames += 1
    lower, upper = gain_within(workspace, plain(1), plain(1), plain(0), spread - guess, spread - most, spread - least)
    take_back(workspace, plain(0))
    at_least = spread - upper if upper < INFINITE else plain(-INFINITE)
    at_most = spread - lower if lower > -INFINITE else plain(INFINITE)
    return at_least, at_most, workspace.limits.stop == 0


@kernel
def _begin_endgame(workspace, node_limit):
    """Nothing is searched yet, and no play at the root has lost anything."""
    workspace.limits.node_limit = node_limit
    workspace.limits.losses_found = 0
    go_on(workspace.limits)
    workspace.order.next = 0
    workspace.lists.live_ply = 0


@entry_kernel
def root_spread(record, pass_ends, node_limit):
    """What side 0, on turn at the root with the bag empty, gains; and whether it was found in the budget.

    pass_ends: 1 if a pass would end the game at once, else 0
    """
    workspace = record[0]
    _begin_endgame(workspace, node_limit)
    workspace.verdicts.endgames += 1
    gain, _ = gain_within(workspace, plain(0), plain(0), pass_ends, plain(0), plain(-INFINITE), plain(INFINITE))
    return gain, workspace.limits.stop == 0


@entry_kernel
def root_bound(record, pass_ends, target):
    """A bound on what side 0, on turn at the root with the bag empty, gains: a lower one if that reaches ``target``."""
    workspace = record[0]
    _begin_endgame(workspace, plain(NO_LIMIT))
    return search(workspace, plain(0), plain(0), pass_ends, target, workspace.limits.depth)


@entry_kernel
def best_line(record, pass_ends, gain):
    """Packed moves (uint64[]) of a line of best play from the root, whose value for side 0 is ``gain``.

    The moves stay made: set the root anew before using the workspace again. Where ``stop`` is set it is not to be used.
    """
    workspace = record[0]
    _begin_endgame(workspace, plain(NO_LIMIT))
    line = np.zeros(MAX_PLIES, np.uint64)
    ply = plain(0)
    passed = pass_ends
    while ply < MAX_PLIES - 2 and ply < workspace.limits.depth:
        mover = ply & 1
        move, score, over = best_move(workspace, ply, mover, passed, gain, workspace.limits.depth - ply)
        if workspace.limits.stop:
            break
        line[ply] = move
        if over:
            ply += 1
            break
        place_move(workspace, ply, mover, move)
        passed = np.int64(move == ZERO)
        gain = score - gain
        ply += 1
    return line[:ply].copy()
