"""The engine of one thread: settles work items of one position."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

import numpy as np

from pegray.game.layout import SQUARES, load_layout
from pegray.game.tiles import load_distribution
from pegray.kernels.entry import (
    list_multisets,
    list_sequences,
    root_plays,
    root_spread,
    set_root,
    settle_draw,
    settle_rational,
    settle_spread,
)
from pegray.kernels.memory import NO_BOUND, Memory, new_memory
from pegray.kernels.workspace import new_workspace, pack_rack
from pegray.preendgame.engine import root_workspace
from pegray.preendgame.eventualities import Eventualities
from pegray.preendgame.problem import Problem
from pegray.preendgame.work import Settled, WorkItem

STOPPED_BY_BUDGET = 1
STOPPED_BY_ARENA = 2
DEFAULT_ARENA_WORDS = 1 << 25


@dataclass
class Help:
    """What others have spent on an item: nodes, and seconds of CPU."""

    nodes: int = 0
    cpu_seconds: float = 0.0


def _alone(item: WorkItem) -> AbstractContextManager[Help]:
    return nullcontext(Help())


class PositionSolver:
    """Kernels and memory for one position in one thread.

    Threads share ``memory``, whose bound others may write at any time; everything else is the solver's own. Not
    thread-safe.
    """

    def __init__(
        self,
        problem: Problem,
        memory: Memory,
        arena_words: int = DEFAULT_ARENA_WORDS,
    ) -> None:
        self.problem = problem
        self.memory = memory
        self._halt = np.zeros(1, np.uint64)
        self._helps = False
        self.eventualities = Eventualities(problem.position, problem.known)
        self._start(arena_words)

    def _start(self, arena_words: int) -> None:
        problem = self.problem
        self._arena_words = arena_words
        self._workspace = root_workspace(problem.position, problem.nodes, self.memory, arena_words)
        self._workspace.point("halt", self._halt)
        self.record = self._workspace.record
        if problem.options.endgame_plies is not None:
            self.record["depth"] = problem.options.endgame_plies

    def settle(
        self, items: list[WorkItem], helped: Callable[[WorkItem], AbstractContextManager[Help]] = _alone
    ) -> list[Settled]:
        """Work on the items in turn. An item whose play the bound has cut off meanwhile comes back unfinished.

        helped: what other threads do while an item is worked on; their cost counts as the item's
        """
        lost: dict[int, int] = {}
        results = []
        for item in items:
            so_far = max(item.lost, lost.get(item.candidate, item.lost))
            with helped(item) as help:
                result = self._settle(item, so_far)
            result.nodes += help.nodes
            result.cpu_seconds += help.cpu_seconds
            if item.kind == "verdict" and item.lost >= 0:
                lost[item.candidate] = so_far + self._losses(result)
            results.append(result)
        return results

    def help(self, item: WorkItem) -> Settled:
        """Work on an item that another thread has begun, at whatever nobody works on."""
        self._helps = True
        try:
            return self.settle([item])[0]
        finally:
            self._helps = False

    def halt(self, wanted: bool) -> None:
        """Make what it works on, now or later, come back at once, unfinished; or no longer. From any thread."""
        self._halt[0] = wanted

    def _settle(self, item: WorkItem, lost: int) -> Settled:
        nodes, endgames = int(self.record["nodes"][0]), int(self.record["endgames"][0])
        started, cpu_started = time.perf_counter(), time.thread_time()
        bound = int(self.memory.bound[0])
        outcomes, spread, finished = b"", None, False
        replies: tuple[int, ...] = ()
        self.record["stop"] = 0
        self.record["helps"] = self._helps
        if lost <= bound:
            if item.kind == "spread":
                spread, finished = self._spread(item, nodes + item.budget)
            else:
                outcomes, replies, finished = self._verdicts(item, lost, bound, nodes + item.budget)
        stop = int(self.record["stop"][0])
        if stop == STOPPED_BY_ARENA:
            self._start(self._arena_words * 2)
            return self._settle(item, lost)
        return Settled(
            item=item,
            finished=finished,
            outcomes=outcomes,
            replies=replies,
            spread=spread,
            proven=self.problem.options.endgame_plies is None,
            nodes=int(self.record["nodes"][0]) - nodes,
            endgames=int(self.record["endgames"][0]) - endgames,
            cpu_seconds=time.thread_time() - cpu_started,
            seconds=time.perf_counter() - started,
            out_of_budget=stop == STOPPED_BY_BUDGET,
        )

    def _play(self, item: WorkItem) -> tuple[np.uint64, np.uint64, int, int]:
        """Packed move, packed draw, tiles that stay in the bag, our spread after the play."""
        candidates = self.problem.candidates
        drawn = self.eventualities.drawn(int(candidates.tiles[item.candidate]))
        draw = self.eventualities.draws(drawn).packed[item.draw]
        spread = self.problem.position.spread + int(candidates.scores[item.candidate])
        return candidates.moves[item.candidate], draw, self.problem.bag - drawn, spread

    def _verdicts(self, item: WorkItem, lost: int, bound: int, node_limit: int) -> tuple[bytes, tuple[int, ...], bool]:
        move, draw, stays, spread = self._play(item)
        ways = int(self.eventualities.draws(self.problem.bag - stays).weights[item.draw])
        allowed = NO_BOUND if bound >= NO_BOUND or lost < 0 else (bound - lost) // ways
        known = np.uint64(self.eventualities.known)
        scoreless = self.problem.position.scoreless
        ends_game = move == 0 and scoreless == 1
        rational = self.problem.options.opponent == "rational" and stays > 0 and not ends_game
        if rational:
            verdicts, complete = settle_rational(self.record, move, draw, stays, spread, known, lost, node_limit)
            replies = np.zeros(len(verdicts), np.uint64)
        else:
            verdicts, replies, complete = settle_draw(
                self.record, move, draw, stays, spread, scoreless, known, lost, allowed, node_limit
            )
        if not complete:
            # what was found bad can only get worse; the rest is open
            verdicts = np.where((verdicts < 2) & (stays > 0), verdicts, -1).astype(np.int8)
        # a rational opponent's replies are what it would choose, not what it can find: none is named
        packed = tuple(int(r) if 0 <= v < 2 and not rational else -1 for r, v in zip(replies, verdicts, strict=True))
        return verdicts.tobytes(), packed, bool(complete)

    def _spread(self, item: WorkItem, node_limit: int) -> tuple[int | None, bool]:
        move, draw, _, spread = self._play(item)
        guess = self.memory.spreads.get(item.draw, 0)  # plays that are level tend to end alike
        final, found = settle_spread(self.record, move, draw, spread, guess, node_limit)
        if not found:
            return None, False
        self.memory.spreads[item.draw] = int(final)
        return int(final), True

    def _losses(self, settled: Settled) -> int:
        item = settled.item
        drawn = self.eventualities.drawn(int(self.problem.candidates.tiles[item.candidate]))
        return self.eventualities.half_weights_lost(drawn, item.draw, settled.outcomes)


def warm_up() -> None:
    """Compile every kernel, or load it from this machine's cache: once per node, before work starts.

    They are called on an empty board with a word graph of no words, where each returns at once.
    """
    distribution = load_distribution("english")
    tiles = distribution.rack("ABCDEFG")
    workspace = new_workspace(
        distribution,
        load_layout(),
        (tiles * 2).astype(np.uint8),
        np.zeros(2, np.uint32),
        new_memory(0),
        1 << 16,
    )
    rack = np.uint64(pack_rack(workspace, tiles))
    nothing = np.uint64(0)
    board = np.zeros(SQUARES, np.uint8)
    board.flags.writeable = False  # as a position's is: to numba that is a type of its own
    set_root(workspace.record, board, rack, rack)
    root_plays(workspace.record, 0)
    list_multisets(workspace.record, rack, 1)
    list_sequences(workspace.record, rack, 1)
    settle_draw(workspace.record, nothing, nothing, 1, 0, 0, nothing, 0, NO_BOUND, NO_BOUND)
    settle_spread(workspace.record, nothing, nothing, 0, 0, NO_BOUND)
    root_spread(workspace.record, 0, NO_BOUND)
