"""The kernels that Python calls: each takes a workspace record array of shape (1,)."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from pegray.game.layout import SQUARES
from pegray.kernels.alone import bound_alone
from pegray.kernels.arena import play_score
from pegray.kernels.best_line import best_move, proving_move
from pegray.kernels.bits import ZERO, entry_kernel, kernel, plain, words_of
from pegray.kernels.checkpoints import restore
from pegray.kernels.draws import draw_multisets, draw_sequences
from pegray.kernels.endgame import search
from pegray.kernels.limits import NO_LIMIT, STOPPED_BY_BOUND, STOPPED_BY_ROOM, go_on
from pegray.kernels.lists import forget_lists, make_side_lists, side_plays, widen_rack
from pegray.kernels.moves import move_tiles
from pegray.kernels.position import MAX_PLIES, set_root_keys
from pegray.kernels.preendgame import value_after_pass, value_after_play
from pegray.kernels.rational import rational_after_play
from pegray.kernels.table import INFINITE
from pegray.kernels.turns import hold, place_and_hold, place_move, take_back
from pegray.kernels.verdicts import LOSS, WIN, emptied_verdict, gain_within


@entry_kernel
def set_root(record, board, rack, pool):
    """Start from a position: uint8[225] board, our packed rack, the packed tiles of the other side (or the pool)."""
    workspace = record[0]
    for square in range(SQUARES):
        workspace.position.board[square] = board[square]
    forget_lists(workspace)
    set_root_keys(workspace.position)
    workspace.position.root_rack = rack
    hold(workspace, plain(0), plain(0), rack, pool)
    workspace.order.next = 0
    go_on(workspace.limits)


@entry_kernel
def root_plays(record, side):
    """All plays of a side at the root but the pass: uint64[n] moves and int64[n] scores, lane by lane.

    None where ``stop`` says that there is no room for them.
    """
    workspace = record[0]
    go_on(workspace.limits)
    widen_rack(workspace, plain(0), plain(0), workspace.position.root_rack)
    plays = side_plays(workspace, plain(0), side)[:-1]
    scores = np.empty(plays.shape[0], np.int64)
    for i in range(plays.shape[0]):
        scores[i] = play_score(plays[i, 2])
    return plays[:, 0].copy(), scores


@entry_kernel
def gains_alone(record, side):
    """Bounds on what a side gains from the root if the other only passes, for each set of its tiles still held.

    uint64[n] packed sets and int64[n] bounds; both empty where the side's rack is out of scope (see alone.py).
    """
    workspace = record[0]
    sets = 0
    if bound_alone(workspace, plain(0), side):
        sets = workspace.alone.numbering.sets
    return workspace.alone.numbering.rack[:sets].copy(), workspace.alone.gain[:sets].copy()


@entry_kernel
def list_sequences(record, pool, count):
    """See :func:`pegray.kernels.draws.draw_sequences`."""
    return draw_sequences(record[0].game, pool, count)


@entry_kernel
def list_multisets(record, pool, count):
    """See :func:`pegray.kernels.draws.draw_multisets`."""
    return draw_multisets(record[0].game, pool, count)


UNIT = np.dtype(
    [
        ("move", "u8"),
        ("draw", "u8"),  # what we draw after it, packed
        ("spread", "i8"),  # ours after the play
        ("weight", "i8"),  # of the draw
        ("losses_found", "i8"),  # half weights that the play has lost already: kernels compare it with the bound
        ("budget", "i8"),  # nodes
    ],
    align=True,
)
"""What a kernel is asked to settle: a play at the root with one draw. The play does not end the game."""


@entry_kernel
def settle_draws(record, units, bag, known, losses_allowed):
    """Verdicts of units after which no decision of ours comes with tiles in the bag.

    units: UNIT[n]: either all draw the whole bag (``bag`` 0), or it is the pass with one tile in the bag (``bag`` 1).
    What a play loses here is added to ``losses_found`` of those of its units that come after.
    known, losses_allowed: as for :func:`settle_staying`; not looked at where nothing stays

    Returns int8[] verdicts and uint64[] replies (by unit, or after the pass the staying tiles, ascending), and
    int64[n, 5]: the nodes and endgames that each unit took, why it is not settled (0: it is), if its budget has run out
    the nodes that it seems to need yet (0: nothing tells), and, after a play that empties the bag, the bounds on a
    player alone that it took.

    (One kernel for both, since it has the endgame in it: two would take a third longer to compile.)
    """
    if bag > 0:
        return _settle_pass(record[0], units[0], known, losses_allowed)
    return _settle_emptied(record[0], units)


@entry_kernel
def restore_checkpoints(record, rows):
    """Enter checkpoints of an earlier try at a unit (uint64[]) into the memory: see checkpoints.py."""
    restore(record[0], rows)


@kernel
def _settle_pass(workspace, unit, known, losses_allowed):
    """The verdicts of our pass with one tile in the bag."""
    ends = np.zeros((1, 5), np.int64)
    _begin_unit(workspace, unit, ends[0])
    verdicts, replies = value_after_pass(workspace, unit.spread, known, losses_allowed)
    _end_unit(workspace, ends[0])
    return verdicts, replies, ends


@kernel
def _settle_emptied(workspace, units):
    """The verdicts of plays that empty the bag, one after another, up to one that finds no room."""
    number = len(units)
    bound = words_of(workspace.limits.bound)
    verdicts = np.full(number, -1, np.int8)
    replies = np.zeros(number, np.uint64)
    ends = np.zeros((number, 5), np.int64)
    for i in range(number):
        unit = units[i]
        if unit.losses_found > np.int64(bound[0]):
            ends[i, 2] = STOPPED_BY_BOUND
            continue
        _begin_unit(workspace, unit, ends[i])
        bounds = workspace.alone.bounds
        verdict = emptied_verdict(workspace, plain(1), plain(0), unit.spread, plain(0))
        if verdict < WIN and workspace.limits.stop == 0:
            wanted = unit.spread + (1 if verdict == LOSS else 0)
            replies[i] = proving_move(workspace, plain(1), plain(1), wanted, workspace.limits.depth)
        _end_unit(workspace, ends[i])
        ends[i, 4] = workspace.alone.bounds - bounds
        if workspace.limits.stop == STOPPED_BY_ROOM:
            ends[i:, 2] = STOPPED_BY_ROOM
            break
        if workspace.limits.stop != 0:
            ends[i, 3] = workspace.race.nodes_left
            continue
        verdicts[i] = verdict
        for later in range(i + 1, number):
            if units[later].move == unit.move:
                units[later].losses_found += (WIN - verdict) * unit.weight
    return verdicts, replies, ends


@entry_kernel
def settle_staying(record, units, bag, known, losses_allowed):
    """Verdicts of one unit after which ``bag`` tiles stay in the bag, whatever comes then.

    units: UNIT[1]
    known: tiles that the opponent certainly holds, packed
    losses_allowed: what the play may lose more at this draw, in half weights of it, before it is certainly cut off

    Returns int8[n] verdicts and uint64[n] replies for the orders of the staying tiles, ascending, and int64[3] as
    :func:`settle_draws`. (A kernel of its own: it takes as long again to compile, and with one tile in the bag it is
    not needed.)
    """
    workspace = record[0]
    unit = units[0]
    end = np.zeros(3, np.int64)
    _begin_unit(workspace, unit, end)
    passed = np.int64(unit.move == ZERO)
    verdicts, replies = value_after_play(workspace, bag, unit.spread, passed, known, losses_allowed)
    _end_unit(workspace, end)
    return verdicts, replies, end


@entry_kernel
def settle_rational(record, units, bag, known, losses_allowed):
    """Like :func:`settle_staying` under the rational model.

    Returns int8[n] verdicts and whether all is settled. (A kernel of its own: most solves never need to compile it.)
    """
    workspace = record[0]
    unit = units[0]
    end = np.zeros(3, np.int64)
    _begin_unit(workspace, unit, end)
    passed = np.int64(unit.move == ZERO)
    verdicts = rational_after_play(workspace, plain(1), bag, unit.spread, passed, known, losses_allowed)
    _end_unit(workspace, end)
    return verdicts, end[2] == 0


@kernel
def _begin_unit(workspace, unit, end):
    """Make a unit's play and draw; ``end`` (int64[3] at the least) keeps the nodes and endgames so far."""
    end[0] = -workspace.limits.nodes
    end[1] = -workspace.verdicts.endgames
    workspace.limits.losses_found = unit.losses_found
    workspace.limits.node_limit = workspace.limits.nodes + unit.budget
    _play_and_draw(workspace, unit.move, unit.draw)


@kernel
def _end_unit(workspace, end):
    """Take the play back; ``end`` (int64[3] at the least) says what the unit took, and why it is not settled."""
    take_back(workspace, plain(0))
    end[0] += workspace.limits.nodes
    end[1] += workspace.verdicts.endgames
    end[2] = STOPPED_BY_BOUND if workspace.limits.stop == 0 and workspace.preendgame.cut else workspace.limits.stop


@kernel
def _play_and_draw(workspace, move, draw):
    """Make our play at the root and draw; the pool loses what we draw."""
    need, _ = move_tiles(workspace.game, move)
    workspace.lists.live_ply = 0
    workspace.order.next = 0
    workspace.checkpoints.used = 0
    go_on(workspace.limits)
    workspace.preendgame.cut = 0
    rack = workspace.position.root_rack
    widen_rack(workspace, plain(0), plain(0), rack + draw)
    make_side_lists(workspace, plain(0), plain(1))
    pool = workspace.position.rack[0, 1]
    place_and_hold(workspace, plain(0), plain(0), move, rack - need + draw, pool - draw)


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
