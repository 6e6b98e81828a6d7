"""Stands for the kernels: units of work end as a real solve has found them to."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from pegray.kernels.checkpoints import NODES_SHIFT
from pegray.preendgame import checkpoints, schedule
from pegray.preendgame.book import Book
from pegray.preendgame.problem import Problem
from pegray.preendgame.walks import Walk
from pegray.preendgame.work import Settled, Unit
from pegray.terms import UnitKind

_KEPT = 0.56
"""Share of a try's nodes that its checkpoints spare whoever has nothing else of it; `benchmarks/legs.py` measures it.

Of `10F EX`: 2.76 million nodes in one go are 4.89 with an empty memory after each leg."""

_UNKNOWN = 0xFF  # of an order
_MOST_NODES = (1 << 32) - 1  # of a checkpoint
_NAMES = itertools.count()  # of checkpoints: the positions of a batch share the memory of nodes

Memory = dict[int, int]
"""What a node remembers: of the checkpoints that were made there, by name, the nodes of the whole try."""


@dataclass
class Reply:
    """One reply to a play and draw: its nodes, the budget that a try needs at the least, and what it brings."""

    nodes: int
    least: int
    outcomes: bytes
    replies: tuple[int, ...]


class Recorded:
    """Stands for the kernels: answers units as a real solve has found them.

    A unit, or a reply, is settled by a budget that it has not run out of, in as many nodes as its last try took; with
    less it comes back as one that had no more than that.

    What runs out of a try with checkpoints goes on from there: at the node of that try from where it was, at others
    from a share of it; and whoever keeps a reply company spares it as much. So the nodes of those tries are part of
    what it takes.

    slower: how many times as long each node takes; larger: how many times as many nodes everything takes. Both stand
    for a larger position, and only the second for longer units too
    """

    def __init__(self, problem: Problem, rows: Sequence[Settled], slower: float, larger: int = 1) -> None:
        book = Book(problem)
        self._eventualities, self._drawn = book.eventualities, book.drawn
        self._wholes: dict[tuple[int, int], dict[int, Settled]] = {}
        self._replies: dict[tuple[int, int], dict[int, Reply]] = {}
        self._run_out: dict[tuple[int, int, int], int] = {}  # the largest budget that a reply has run out of
        self._gone_on: Counter[tuple[int, int, int]] = Counter()  # nodes of tries of a reply that left checkpoints
        nodes, seconds = 0, 0.0
        for row in rows:
            if row.unit.kind != UnitKind.VERDICT:
                continue
            nodes += row.nodes
            seconds += row.cpu_seconds
            row = replace(row, unit=row.unit._replace(budget=row.unit.budget * larger), nodes=row.nodes * larger)
            where = (row.unit.candidate, row.unit.draw)
            if row.unit.portion:
                self._keep_replies(where, row)
            else:
                self._keep_whole(where, row)
        self._seconds_per_node = slower * seconds / max(1, nodes)
        self._needs: dict[int, list[int]] = {drawn: [] for drawn in set(self._drawn)}
        for where, settled in self._wholes.items():
            needs = [row.nodes for row in settled.values() if row.finished]
            self._needs[self._drawn[where[0]]] += sorted(needs)[:1]
        self._nodes_of_replies = sorted(
            reply.nodes for replies in self._replies.values() for reply in replies.values()
        ) or [schedule.SPLIT_BUDGET]

    def _keep_whole(self, where: tuple[int, int], row: Settled) -> None:
        """Of several with the same budget the one that knows most."""
        rows = self._wholes.setdefault(where, {})
        known = rows.get(row.unit.budget)
        if known is None or (row.finished, row.replies_left is not None) > (
            known.finished,
            known.replies_left is not None,
        ):
            rows[row.unit.budget] = row

    def _keep_replies(self, where: tuple[int, int], row: Settled) -> None:
        replies = self._replies.setdefault(where, {})
        left = () if row.finished else row.replies_left
        if left is None:
            return
        done = [reply for reply in row.unit.portion if reply not in left]
        for reply in done:
            nodes = max(1, row.nodes // len(done)) + self._gone_on[*where, reply]
            least = min(self._run_out.get((*where, reply), 0) + 1, checkpoints.LEAST_BUDGET)
            replies[reply] = Reply(nodes, least, row.outcomes, row.replies)
        if row.out_of_budget and len(row.unit.portion) == 1:
            self._run_out[*where, row.unit.portion[0]] = row.unit.budget
            if row.unit.budget >= checkpoints.LEAST_BUDGET:
                self._gone_on[*where, row.unit.portion[0]] += row.nodes

    def seconds(self, nodes: int) -> float:
        """What so many nodes take."""
        return nodes * self._seconds_per_node

    def settle(self, unit: Unit, memory: Memory) -> Settled:
        """What comes of a unit at a node with such a memory, with the nodes it takes."""
        return self._portion(unit, memory) if unit.portion else self._whole(unit, memory)

    def _whole(self, unit: Unit, memory: Memory) -> Settled:
        where = (unit.candidate, unit.draw)
        rows = self._wholes.get(where, {})
        least, gone_on = 0, 0
        spared = _spared(unit, memory)
        for budget in sorted(rows):
            row = rows[budget]
            nodes = max(1, row.nodes + gone_on - spared)
            if row.finished and max(nodes, least) <= unit.budget:
                return replace(row, unit=unit, nodes=nodes)
            if not row.finished:
                least = min(budget + 1, checkpoints.LEAST_BUDGET)
                gone_on += row.nodes if budget >= checkpoints.LEAST_BUDGET else 0
        orders = len(self._eventualities.stays(self._drawn[unit.candidate], unit.draw)[0])
        if not any(row.finished for row in rows.values()) and where not in self._replies:
            needs = max(self._usual_needs(where), max(rows, default=0) + 1)
            if needs - spared <= unit.budget:
                nodes = max(1, needs - spared)
                return Settled(unit, True, bytes(orders), (-1,) * orders, None, True, nodes, 1, 0.0, 0.0)
        known = [budget for budget in rows if budget <= unit.budget and not rows[budget].finished]
        found = self._unfinished(unit, unit.budget, True)
        found.outcomes, found.replies = bytes([_UNKNOWN] * orders), (-1,) * orders
        if known:
            found.outcomes, found.replies = rows[max(known)].outcomes, rows[max(known)].replies
        naming = [budget for budget, row in rows.items() if row.replies_left is not None and not row.finished]
        if unit.names_left and naming:
            # a smaller budget leaves all of them, and more
            named = rows[max((budget for budget in naming if budget <= unit.budget), default=min(naming))]
            found.replies_left, found.untried = named.replies_left, named.untried
        found.checkpoints = self._left_behind(unit, memory)
        return found

    def _portion(self, unit: Unit, memory: Memory) -> Settled:
        where = (unit.candidate, unit.draw)
        replies = self._replies.get(where, {})
        orders = len(self._eventualities.stays(self._drawn[unit.candidate], unit.draw)[0])
        walk = Walk(unit.candidate, unit.draw, orders)
        walk.take(Settled(unit, False, unit.known[0], unit.known[1], None, True, 0, 0, 0.0, 0.0))
        nodes, left = 0, []
        spared = _spared(unit, memory)
        for reply in unit.portion:
            found = replies.get(reply)
            cost = max(1, (self._usual_nodes(reply) if found is None else found.nodes) - spared)
            if max(nodes + cost, 0 if found is None else found.least) > unit.budget:
                left.append(reply)
            else:
                nodes += cost
                if found is not None:
                    walk.take(Settled(unit, False, found.outcomes, found.replies, None, True, 0, 0, 0.0, 0.0))
        outcomes, by = walk.known()
        if not left:
            settled = bytes(2 if outcome == _UNKNOWN else outcome for outcome in outcomes)
            return Settled(unit, True, settled, by, None, True, nodes, 1, 0.0, 0.0)
        return replace(
            self._unfinished(unit, unit.budget, True),
            outcomes=outcomes,
            replies=by,
            replies_left=tuple(left),
            checkpoints=self._left_behind(unit, memory),
        )

    def _left_behind(self, unit: Unit, memory: Memory) -> bytes:
        """The checkpoints of a try that has run out of its nodes."""
        if unit.budget < checkpoints.LEAST_BUDGET or len(unit.portion) > 1:
            return b""
        name = next(_NAMES)
        memory[name] = unit.budget
        kept = min(int(_KEPT * unit.budget), _MOST_NODES)
        return checkpoints.packed(np.array([kept << NODES_SHIFT, name], np.uint64))

    def _usual_needs(self, where: tuple[int, int]) -> int:
        """Of a draw that no recorded solve has settled: as many nodes as some other took."""
        usual = self._needs[self._drawn[where[0]]] or [schedule.FIRST_UNCUT_BUDGET]
        return usual[hash(where) % len(usual)]

    def _usual_nodes(self, reply: int) -> int:
        """Of a reply that the real solve never settled: as many as some other took."""
        return self._nodes_of_replies[hash(reply) % len(self._nodes_of_replies)]

    def _unfinished(self, unit: Unit, nodes: int, out_of_budget: bool) -> Settled:
        return Settled(unit, False, b"", (), None, True, nodes, 0, 0.0, 0.0, out_of_budget)

    def stopped(self, unit: Unit, nodes: int) -> Settled:
        """A unit that was stopped after so many nodes."""
        return self._unfinished(unit, nodes, False)


def _spared(unit: Unit, memory: Memory) -> int:
    """Nodes of a unit that were searched before and need not be searched again."""
    return sum(memory.get(name, kept) for kept, name in checkpoints.rows_kept(unit.checkpoints))
