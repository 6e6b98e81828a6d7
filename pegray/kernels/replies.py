"""Which of the opponent's replies is looked into next while tiles are in the bag.

A reply that loses for us every order that could have made it spares all other replies. It pays to try those first that
did so after other plays and draws of ours, and that took few nodes: so each reply has a *bonus*, in points, that is
added to its score where replies are put in order. It is learned as the solve goes on, by the move, since most replies
are there after most of our plays. And of two such replies the one comes first that many of the orders allow which are
not lost yet: a few replies that need few tiles cover most of them.

Those that brought down something lately are tried before any list of replies is made, where they can be made as they
were (*good* replies). Then all race, as the plays of an endgame do (race.py): each gets a small budget at first, and
one that runs out of it is put off, since another whose answer comes cheaply may spare it.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pegray.kernels.arena import PLAY_WORDS, copy_play, play_score
from pegray.kernels.bits import ONE, ZERO, kernel, mix, plain
from pegray.kernels.game import fits
from pegray.kernels.moves import lane_of, tiles_laid
from pegray.kernels.orders import losable

_GOOD_REPLIES = 16  # that are remembered with all that it takes to make them
_SLOTS = 1 << 12
_SLOT_SHIFT = np.uint64(52)  # to one of them
_WHOLE = 1024
_PARTS = 16  # of a node, in the moving average of what a reply costs
_MEMORY = 8  # times that a reply was tried
_MEMORY_OF_ALL = 64
# a reply that refutes everything has so many points more if it takes a node, and less for each doubling of that; where
# replies are dear, if it takes three doublings less than usual: a dear one that refutes is better than none
_BONUS = 80.0
_LESS_BY_DOUBLING = 10.0
_CHEAP_DOUBLINGS = 3.0
_NO_REFUTATION = 20.0  # points less for one that refutes nothing
_MORE_BY_DOUBLING = 50.0  # for each doubling of what a reply may bring down
_LEAVES = 1e6  # points less for one that leaves tiles in the bag: those come last
_FAR = 1e8
_TRIED = -1e9

REPLIES = np.dtype(
    [
        ("share", "i8", (_SLOTS,)),  # of _WHOLE: what a reply refuted of what it might have
        ("nodes", "i8", (_SLOTS,)),  # what that took, in parts of a node
        ("bonus", "i8", (_SLOTS,)),  # what both are worth, in points
        ("usual_doublings", "f8"),  # of nodes, in a try of any reply: a moving average
        # some that have brought down something lately, as they were listed, and the state that their lanes were in
        ("good", "u8", (_GOOD_REPLIES, PLAY_WORDS)),
        ("good_lane_key", "u8", (_GOOD_REPLIES,)),
    ],
    align=True,
)
"""Of the opponent's replies, by a hash of the move: moving averages."""

FIRST_SHARE = 300
FIRST_NODES = 400
"""What is supposed of a reply that was never tried."""


@kernel
def reply_worth(replies, plays, i):
    """What one of ``plays`` is worth as a reply that all orders allow, in points: its score and what is known of it."""
    return play_score(plays[i, 2]) + replies.bonus[_slot(plays[i, 0])]


@kernel
def learn_reply(replies, move, lowered, possible, nodes):
    """A reply has cost us ``lowered`` of the ``possible`` half weights, and took so many nodes.

    ``lowered`` is 0 where it ran out of its budget: while another settles what it was tried for, it is of no use.
    """
    slot = _slot(move)
    share = _WHOLE * lowered // max(1, possible)
    replies.share[slot] += (share - replies.share[slot]) // _MEMORY
    replies.nodes[slot] += (_PARTS * nodes - replies.nodes[slot]) // _MEMORY
    replies.usual_doublings += (np.log2(max(1.0, np.float64(nodes))) - replies.usual_doublings) / _MEMORY_OF_ALL
    refutes = replies.share[slot] / _WHOLE
    doublings = np.log2(max(1.0, replies.nodes[slot] / _PARTS)) - max(0.0, replies.usual_doublings - _CHEAP_DOUBLINGS)
    bonus = refutes * (_BONUS - _LESS_BY_DOUBLING * doublings) - (1.0 - refutes) * _NO_REFUTATION
    replies.bonus[slot] = np.int64(bonus)


@kernel
def remember_good(replies, position, ply, plays, index):
    """One of ``plays`` has brought down something as a reply: it may do so again after other plays and draws of ours.

    It takes the place of the one that is worth least.
    """
    move = plays[index, 0]
    place = plain(0)
    for i in range(_GOOD_REPLIES):
        if replies.good[i, 0] == move:
            place = plain(i)
            break
        if replies.bonus[_slot(replies.good[i, 0])] < replies.bonus[_slot(replies.good[place, 0])]:
            place = plain(i)
    copy_play(replies.good, place, plays, index)
    replies.good_lane_key[place] = position.lane_key[ply, lane_of(move)]


@kernel
def next_good(replies, position, game, stakes, ply, bag, tried):
    """Index among ``good`` of the reply that is worth most here, or -1 where none promises much.

    It is none of ``tried`` (a bit each), empties the bag, and is as it was when it was listed, since its lane is.
    """
    pool = position.rack[ply, 1]
    most = _TRIED
    found = plain(-1)
    for i in range(_GOOD_REPLIES):
        move, need = replies.good[i, 0], replies.good[i, 1]
        if (tried >> np.uint64(i)) & ONE or replies.bonus[_slot(move)] <= 0 or tiles_laid(move) < bag:
            continue
        if replies.good_lane_key[i] != position.lane_key[ply, lane_of(move)] or not fits(game, need, pool):
            continue
        possible = losable(game, stakes, pool - need)
        if possible > 0:
            worth = reply_worth(replies, replies.good, i) + _MORE_BY_DOUBLING * np.log2(possible / stakes.everything)
            if worth > most:
                most = worth
                found = plain(i)
    return found


@kernel
def _slot(move):
    return np.int64(mix(move) >> _SLOT_SHIFT)


class ReplyRace(NamedTuple):
    """The replies of one turn, by index, of which some are tried and put off."""

    worth_alone: npt.NDArray[np.float64]  # points, falling: what a reply is worth that all orders allow
    worth: npt.NDArray[np.float64]  # what it is worth at most now; _TRIED where it is not new any more
    new: npt.NDArray[np.int64]  # a heap of the indices of new ones, what is worth most on top; empty at first
    spent: npt.NDArray[np.int64]  # nodes of the last try; 0 before the first
    cost: npt.NDArray[np.float64]  # nodes that one put off may take yet
    put_off: npt.NDArray[np.int64]  # the indices of those put off come first
    tally: npt.NDArray[np.int64]  # see below


_PUT_OFF = 0  # how many are put off
_SPENT_FIRST = 1  # nodes on first tries, in all
_SPENT_AGAIN = 2  # nodes on later ones
_ASKED = 3  # how often a new one was asked for
_NEW = 4  # how many are in the heap
_TALLIES = 5

_HEAP_AFTER = 8  # new ones are looked for one by one: most turns need no more

_TAKEN = 1e15  # nodes: after all others


@kernel
def begin_race(replies, plays, number, bag):
    """A race of the first ``number`` of ``plays`` with ``bag`` tiles in the bag: :class:`ReplyRace`.

    Those that empty the bag come first in it, the pass last, and each kind by falling worth.
    """
    worth_alone = np.empty(number, np.float64)
    for i in range(number):
        worth_alone[i] = reply_worth(replies, plays, i)
        if plays[i, 0] == ZERO:
            worth_alone[i] = -_FAR
        elif tiles_laid(plays[i, 0]) < bag:
            worth_alone[i] -= _LEAVES
    return ReplyRace(
        worth_alone,
        worth_alone.copy(),
        np.empty(number, np.int64),
        np.zeros(number, np.int64),
        np.zeros(number, np.float64),
        np.empty(number, np.int64),
        np.zeros(_TALLIES, np.int64),
    )


@kernel
def next_reply(race, game, stakes, plays, pool):
    """Index of the reply whose turn it is, or -1 where none is left.

    It is the new one that is worth most, or that of those put off which seems cheapest: about as many nodes are spent
    on either.
    """
    cheapest = -1
    for i in range(race.tally[_PUT_OFF]):
        if cheapest < 0 or race.cost[race.put_off[i]] < race.cost[race.put_off[cheapest]]:
            cheapest = i
    again = (
        cheapest >= 0
        and race.tally[_SPENT_AGAIN] <= race.tally[_SPENT_FIRST]
        and race.cost[race.put_off[cheapest]] < _TAKEN
    )
    if not again:
        fresh = _take_new(race, game, stakes, plays, pool)
        if fresh >= 0:
            return fresh
    if cheapest < 0:
        return plain(-1)
    index = race.put_off[cheapest]
    race.tally[_PUT_OFF] -= 1
    race.put_off[cheapest] = race.put_off[race.tally[_PUT_OFF]]
    return index


@kernel
def _take_new(race, game, stakes, plays, pool):
    """Index of the new reply that is worth most, which is new no longer; or -1.

    What a reply can still bring down only becomes less, so what it was worth before bounds what it is worth now.
    """
    race.tally[_ASKED] += 1
    if race.tally[_ASKED] > _HEAP_AFTER:
        if race.tally[_ASKED] == _HEAP_AFTER + 1:
            _fill_heap(race)
        return _take_from_heap(race, game, stakes, plays, pool)
    chosen = plain(-1)
    most = _TRIED
    for i in range(race.worth.shape[0]):
        if race.worth_alone[i] <= most:
            break
        if race.worth[i] > most:
            race.worth[i] = _worth_now(race, game, stakes, plays, pool, i)
            if race.worth[i] > most:
                most = race.worth[i]
                chosen = i
    if chosen >= 0:
        race.worth[chosen] = _TRIED
    return chosen


@kernel
def _worth_now(race, game, stakes, plays, pool, i):
    """What a new reply is worth by what of everything it can still bring down; _TRIED where that is nothing."""
    possible = losable(game, stakes, pool - plays[i, 1])
    if possible == 0:
        return _TRIED
    return race.worth_alone[i] + _MORE_BY_DOUBLING * np.log2(possible / stakes.everything)


@kernel
def _take_from_heap(race, game, stakes, plays, pool):
    """As :func:`_take_new`: what is on top and still worth as much as before is the one."""
    while race.tally[_NEW] > 0:
        top = race.new[0]
        worth = _worth_now(race, game, stakes, plays, pool, top)
        found = worth == race.worth[top]
        if found or worth == _TRIED:
            race.worth[top] = _TRIED
            race.tally[_NEW] -= 1
            race.new[0] = race.new[race.tally[_NEW]]
        else:
            race.worth[top] = worth
        _sift(race.new, race.worth, plain(0), race.tally[_NEW])
        if found:
            return top
    return plain(-1)


@kernel
def _fill_heap(race):
    """Put all new replies into the heap."""
    number = 0
    for i in range(race.worth.shape[0]):
        if race.worth[i] > _TRIED:
            race.new[number] = i
            number += 1
    race.tally[_NEW] = number
    for at in range(number // 2 - 1, -1, -1):
        _sift(race.new, race.worth, at, number)


@kernel
def _sift(new, worth, at, number):
    """Let a reply in a heap of so many sink to its place."""
    while 2 * at + 1 < number:
        child = 2 * at + 1
        if child + 1 < number and _comes_before(worth, new[child + 1], new[child]):
            child += 1
        if not _comes_before(worth, new[child], new[at]):
            return
        new[at], new[child] = new[child], new[at]
        at = child


@kernel
def _comes_before(worth, one, other):
    """Whether a new reply is worth more than another, or as much and comes before it."""
    if worth[one] != worth[other]:
        return worth[one] > worth[other]
    return one < other


@kernel
def none_tried(race):
    """Whether no node was spent on any reply yet."""
    return race.tally[_SPENT_FIRST] == 0


@kernel
def count_try(race, index, nodes):
    """So many nodes were spent on a reply."""
    race.tally[_SPENT_FIRST if race.spent[index] == 0 else _SPENT_AGAIN] += nodes


@kernel
def put_off(race, index, nodes, cost):
    """A reply is not settled by so many nodes, and may take as many as ``cost``."""
    race.spent[index] = nodes
    race.cost[index] = cost
    race.put_off[race.tally[_PUT_OFF]] = index
    race.tally[_PUT_OFF] += 1


@kernel
def leave_to_others(race, index):
    """Another thread is at a reply: it comes after all others."""
    put_off(race, index, plain(1), _TAKEN)


@kernel
def unsettled_replies(race):
    """Indices of the replies that are not settled: those put off, the cheapest first, then the new ones; and how many
    of them are put off.
    """
    tried = race.tally[_PUT_OFF]
    indices = np.empty(race.worth.shape[0], np.int64)
    for i in range(tried):  # sorted by hand: numpy's own takes two seconds to compile
        index = race.put_off[i]
        at = i
        while at > 0 and race.cost[indices[at - 1]] > race.cost[index]:
            indices[at] = indices[at - 1]
            at -= 1
        indices[at] = index
    count = tried
    for i in range(race.worth.shape[0]):
        if race.worth[i] > _TRIED:
            indices[count] = i
            count += 1
    return indices[:count], tried
