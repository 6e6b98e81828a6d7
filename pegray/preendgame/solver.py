"""The engine of one thread: settles units of one position."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from itertools import groupby

import numpy as np
import numpy.typing as npt

from pegray.addresses import is_here
from pegray.kernels.catalogue import FOR_PROBLEMS
from pegray.kernels.entry import UNIT, restore_checkpoints, settle_draws, settle_rational, settle_spread, settle_staying
from pegray.kernels.limits import STOPPED_BY_BUDGET, STOPPED_BY_ROOM
from pegray.kernels.memory import NO_BOUND, Memory, new_memory
from pegray.kernels.table import INFINITE
from pegray.kernels.verdicts import DRAW, WIN
from pegray.kernels.workspace import give_arena
from pegray.preendgame.checkpoints import LEAST_BUDGET, packed, unpacked
from pegray.preendgame.engine import ask_about, begin_at, more_room, named_left, root_workspace
from pegray.preendgame.eventualities import Eventualities
from pegray.preendgame.options import SolveOptions
from pegray.preendgame.packed_moves import unpack_move
from pegray.preendgame.problem import Problem
from pegray.preendgame.quick_look import Estimator, look_units, problem_to_look_at
from pegray.preendgame.work import QUICK_BUDGET, Settled, Unit
from pegray.terms import Opponent, UnitKind, Until

DEFAULT_ARENA_WORDS = 1 << 21  # 16 MiB: what no longer fits the processor's cache costs more than lists made again
_MOST_ARENA_WORDS = 1 << 24  # but for lists of the root with many draws and a blank, which are long
_ROOT_SHARE = 1 / 4  # of all plays that are listed: so many are made again and again
_COLLECTIONS = 16  # before anything is said about that


@dataclass
class Help:
    """What others have spent on a unit: nodes, and seconds of CPU."""

    nodes: int = 0
    cpu_seconds: float = 0.0


def _alone(unit: Unit) -> AbstractContextManager[Help]:
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
        self._looker: PositionSolver | None = None
        self._estimator = Estimator(self.eventualities, problem.total)
        self._arena_words = arena_words
        self._workspace = root_workspace(problem.position, problem.nodes, memory, arena_words)
        self._workspace.point("limits", "halt", self._halt)
        self.record = self._workspace.record
        if problem.options.endgame_plies is not None:
            self._workspace.part("limits")["depth"] = problem.options.endgame_plies

    def settle(
        self, units: list[Unit], helped: Callable[[Unit], AbstractContextManager[Help]] = _alone
    ) -> list[Settled]:
        """Work on the units in turn. A unit whose play the bound has cut off meanwhile comes back unfinished.

        helped: what other threads do while a unit is worked on; their cost counts as the unit's
        """
        before: dict[int, list[Settled]] = {}
        results: list[Settled] = []
        for together in self._together(units):
            with helped(together[0]) as help:
                found = self._settle(together, before)
            found[0].nodes += help.nodes
            found[0].cpu_seconds += help.cpu_seconds
            results += found
        return results

    def help(self, unit: Unit) -> Settled:
        """Work on a unit that another thread has begun, at whatever nobody works on."""
        self._helps = True
        try:
            return self.settle([unit])[0]
        finally:
            self._helps = False

    def halt(self, wanted: bool) -> None:
        """Make what it works on, now or later, come back at once, unfinished; or no longer. From any thread."""
        self._halt[0] = wanted

    def _empties(self, unit: Unit) -> bool:
        """Whether it is about the outcome of a play that empties the bag, with the game going on."""
        candidates = self.problem.candidates
        empties = candidates.tiles[unit.candidate] >= self.problem.bag and not candidates.ends_game[unit.candidate]
        return unit.kind == UnitKind.VERDICT and bool(empties)

    def _is_quick(self, unit: Unit) -> bool:
        return unit.budget <= QUICK_BUDGET and self._empties(unit)

    def _together(self, units: list[Unit]) -> Iterator[list[Unit]]:
        """Quick units that follow one another, and each of the others alone."""
        for quick, some in groupby(units, self._is_quick):
            if quick:
                yield [*some]
            else:
                yield from ([unit] for unit in some)

    def _settle(self, units: list[Unit], before: dict[int, list[Settled]]) -> list[Settled]:
        """Work on one unit, or on several that are quick.

        before: by play, what came of its units before these; what comes of these is added
        """
        taken = self._workspace.part("taken")
        taken["helps"], taken["place"], taken["others"] = self._helps, *units[0].company
        self._workspace.part("checkpoints")["used"] = 0  # a unit that is cut off already does not get to a kernel
        if units[0].checkpoints:
            restore_checkpoints(self.record, unpacked(units[0].checkpoints))
        if units[0].kind == UnitKind.ESTIMATE:
            results = [self._look(units[0])]
        elif self._empties(units[0]):
            results = self._settle_emptied(units, [self._lost_so_far(unit, before) for unit in units])
        else:
            results = self._settle_one(units[0], self._lost_so_far(units[0], before))
        for result in results:
            before.setdefault(result.unit.candidate, []).append(result)
        if len(results) < len(units):
            self._make_room(more_room(self._arena_words))
            results += self._settle(units[len(results) :], before)
        elif self._is_crowded_by_root():
            self._make_room(_MOST_ARENA_WORDS)
        return results

    def _make_room(self, arena_words: int) -> None:
        """Go on with a larger arena; what was learned is kept."""
        self._arena_words = arena_words
        give_arena(self._workspace, arena_words)
        begin_at(self._workspace, self.problem.position)

    def _is_crowded_by_root(self) -> bool:
        """Whether a larger arena would spare lists of the root, one for each draw and lane, that are made again."""
        if self._arena_words >= _MOST_ARENA_WORDS or self._workspace.part("arena")["collections"][0] < _COLLECTIONS:
            return False
        lists = self._workspace.part("lists")
        return bool(lists["root_plays"][0] > _ROOT_SHARE * lists["plays"][0])

    def _settle_emptied(self, units: list[Unit], lost: list[int]) -> list[Settled]:
        """Outcomes of plays that empty the bag, up to one that the arena is too small for.

        By one call of a kernel for all: Python around each, and waiting for its lock, could take as long again.
        """
        started, cpu_started = time.perf_counter(), time.thread_time()
        plays, draws = [unit.candidate for unit in units], [unit.draw for unit in units]
        candidates, of_bag = self.problem.candidates, self.eventualities.draws(self.problem.bag)
        asked = np.empty(len(units), UNIT)
        asked["move"], asked["draw"] = candidates.moves[plays], of_bag.packed[draws]
        asked["spread"] = self.problem.position.spread + candidates.scores[plays]
        asked["weight"], asked["losses_found"] = of_bag.weights[draws], lost
        asked["budget"] = [unit.budget for unit in units]
        # nothing stays, so the arguments about that are not looked at
        verdicts, replies, ends = settle_draws(self.record, asked, bag=0, known=np.uint64(0), losses_allowed=0)
        # the time of all together is shared out by nodes
        all_nodes = int(ends[:, 0].sum()) + len(units)
        cpu_seconds, seconds = time.thread_time() - cpu_started, time.perf_counter() - started
        results: list[Settled] = []
        rows = zip(units, verdicts.tolist(), replies.tolist(), ends.tolist(), strict=True)
        for unit, verdict, reply, (nodes, endgames, stop, nodes_left, bounds) in rows:
            if stop == STOPPED_BY_ROOM:
                break
            share = (nodes + 1) / all_nodes
            results.append(
                Settled(
                    unit=unit,
                    finished=stop == 0,
                    outcomes=bytes([verdict & 0xFF]),
                    replies=(reply if 0 <= verdict < WIN else -1,),
                    spread=None,
                    proven=self.problem.options.endgame_plies is None,
                    nodes=nodes,
                    endgames=endgames,
                    cpu_seconds=share * cpu_seconds,
                    seconds=share * seconds,
                    out_of_budget=stop == STOPPED_BY_BUDGET,
                    checkpoints=self._checkpoints(unit, stop == 0),
                    nodes_left=nodes_left,
                    bounds=bounds,
                )
            )
        return results

    def _settle_one(self, unit: Unit, lost: int) -> list[Settled]:
        """Outcomes of a play that leaves tiles, or a spread; nothing if the arena is too small."""
        nodes, endgames = self._counters()
        started, cpu_started = time.perf_counter(), time.thread_time()
        bound = int(self.memory.bound[0])
        outcomes, finished = b"", False
        at_least, at_most = None, None
        replies: tuple[int, ...] = ()
        replies_left: tuple[int, ...] | None = None
        limits = self._workspace.part("limits")
        limits["stop"] = 0
        if lost <= bound:
            if unit.kind == UnitKind.SPREAD:
                at_least, at_most, finished = self._spread(unit, nodes + unit.budget)
            else:
                ask_about(self._workspace, unit.portion, unit.known[0], unit.names_left)
                outcomes, replies, finished = self._verdicts(unit, lost, bound)
                replies_left = None if finished else named_left(self._workspace)
        stop = int(limits["stop"][0])
        all_nodes, all_endgames = self._counters()
        if stop == STOPPED_BY_ROOM:
            return []
        result = Settled(
            unit=unit,
            finished=finished,
            outcomes=outcomes,
            replies=replies,
            spread=at_least if at_least == at_most else None,
            proven=self.problem.options.endgame_plies is None,
            nodes=all_nodes - nodes,
            endgames=all_endgames - endgames,
            cpu_seconds=time.thread_time() - cpu_started,
            seconds=time.perf_counter() - started,
            out_of_budget=stop == STOPPED_BY_BUDGET,
            spread_at_least=at_least,
            spread_at_most=at_most,
            replies_left=replies_left,
            untried=int(self._workspace.part("portion")["untried"][0]) if replies_left else 0,
            checkpoints=self._checkpoints(unit, finished),
        )
        return [result]

    def _look(self, unit: Unit) -> Settled:
        """An estimate of a play's points, from a solver that shares nothing with this one."""
        if self._looker is None:
            self._looker = PositionSolver(problem_to_look_at(self.problem), new_memory(0))
        drawn = self.eventualities.drawn(int(self.problem.candidates.tiles[unit.candidate]))
        found = self._looker.settle(look_units(unit.candidate, self.eventualities.draws(drawn).weights))
        return Settled(
            unit=unit,
            finished=True,
            outcomes=b"",
            replies=(),
            spread=None,
            proven=False,
            nodes=sum(result.nodes for result in found),
            endgames=sum(result.endgames for result in found),
            cpu_seconds=sum(result.cpu_seconds for result in found),
            seconds=sum(result.seconds for result in found),
            estimate=self._estimator.points(found, drawn),
        )

    def _checkpoints(self, unit: Unit, finished: bool) -> bytes:
        """What was settled on the way, if the unit is not."""
        if finished or unit.budget < LEAST_BUDGET:
            return b""
        used = int(self._workspace.part("checkpoints")["used"][0])
        return packed(self._workspace.arrays["checkpoints.rows"][:used])

    def _counters(self) -> tuple[int, int]:
        """Nodes and endgames so far."""
        return int(self._workspace.part("limits")["nodes"][0]), int(self._workspace.part("verdicts")["endgames"][0])

    def _play(self, unit: Unit) -> tuple[np.uint64, np.uint64, int, int]:
        """Packed move, packed draw, tiles that stay in the bag, our spread after the play."""
        candidates = self.problem.candidates
        drawn = self.eventualities.drawn(int(candidates.tiles[unit.candidate]))
        draw = self.eventualities.draws(drawn).packed[unit.draw]
        spread = self.problem.position.spread + int(candidates.scores[unit.candidate])
        return candidates.moves[unit.candidate], draw, self.problem.bag - drawn, spread

    def _verdicts(self, unit: Unit, lost: int, bound: int) -> tuple[bytes, tuple[int, ...], bool]:
        if self.problem.candidates.ends_game[unit.candidate]:
            verdicts = np.sign(self._spreads_now(unit)).astype(np.int8) + np.int8(DRAW)
            return verdicts.tobytes(), (-1,) * len(verdicts), True
        move, draw, stays, spread = self._play(unit)
        weight = self.eventualities.draws(self.problem.bag - stays).weights[unit.draw]
        allowed = NO_BOUND if bound >= NO_BOUND or lost < 0 else (bound - lost) // int(weight)
        known = np.uint64(self.eventualities.known)
        asked = np.array([(move, draw, spread, weight, lost, unit.budget)], UNIT)
        if self.problem.options.opponent == Opponent.RATIONAL:
            verdicts, complete = settle_rational(self.record, asked, stays, known, allowed)
            # what it replies is what it would choose; which reply brings a loss is not looked for
            replies = np.full(len(verdicts), -1)
        else:
            if move == 0 and stays == 1:
                verdicts, found, (end,) = settle_draws(self.record, asked, stays, known, allowed)
            else:
                verdicts, found, end = settle_staying(self.record, asked, stays, known, allowed)
            complete = end[2] == 0
            replies = found.view(np.int64)
        if not complete:
            # what was found bad can only get worse; the rest is open
            verdicts = np.where(verdicts < WIN, verdicts, -1).astype(np.int8)
        if unit.portion:
            brought, by = (np.frombuffer(unit.known[0], np.int8), np.array(unit.known[1], np.int64))
            replies = np.where((brought >= 0) & (brought <= verdicts), by, replies)
        named = np.where((verdicts >= 0) & (verdicts < WIN), replies, -1)
        return verdicts.tobytes(), tuple(named.tolist()), bool(complete)

    def _spreads_now(self, unit: Unit) -> npt.NDArray[np.int64]:
        """Our final spread for each order of the staying tiles, int64[n], if the game is over after the play.

        Each player loses what is on the rack; what is in the bag counts for nobody.
        """
        position, candidates, eventualities = self.problem.position, self.problem.candidates, self.eventualities
        values = position.distribution.values.astype(np.int64)
        drawn = eventualities.drawn(int(candidates.tiles[unit.candidate]))
        draw = values[eventualities.tiles_drawn(drawn, unit.draw)].sum()
        played = values[unpack_move(int(candidates.moves[unit.candidate]), position.board).rack_tiles()].sum()
        ours = position.rack @ values - played + draw
        sequences, _ = eventualities.stays(drawn, unit.draw)
        stays = [values[eventualities.tiles_staying(drawn, int(sequence))].sum() for sequence in sequences]
        spread = position.spread + int(candidates.scores[unit.candidate])
        return np.array(spread - ours + (position.unseen @ values - draw) - stays)

    def _spread(self, unit: Unit, node_limit: int) -> tuple[int | None, int | None, bool]:
        """The least and the most that the final spread may be, None where that was not found, and if it is enough."""
        if self.problem.candidates.ends_game[unit.candidate]:
            final = int(self._spreads_now(unit)[0])
            return final, final, True
        move, draw, _, spread = self._play(unit)
        guess = self.memory.spreads.get(unit.draw, 0)  # plays that are level tend to end alike
        at_least, at_most, found = settle_spread(
            self.record, move, draw, spread, guess, unit.least, unit.most, node_limit
        )
        if at_least == at_most:
            self.memory.spreads[unit.draw] = int(at_least)
        return (
            int(at_least) if at_least > -INFINITE else None,
            int(at_most) if at_most < INFINITE else None,
            bool(found),
        )

    def _lost_so_far(self, unit: Unit, before: dict[int, list[Settled]]) -> int:
        """Half weights that the play of a unit has lost, as far as is known here."""
        if unit.candidate not in before:
            return unit.lost
        drawn = self.eventualities.drawn(int(self.problem.candidates.tiles[unit.candidate]))
        lost = -NO_BOUND
        for result in before[unit.candidate]:
            # a portion finds again what others have lost
            if result.unit.kind == UnitKind.VERDICT and result.unit.lost >= 0 and not result.unit.portion:
                losses = self.eventualities.half_weights_lost(drawn, result.unit.draw, result.outcomes)
                lost = max(lost, result.unit.lost) + losses
        return max(lost, unit.lost)


def kernels_at(address: str, options: SolveOptions, most_in_bag: int) -> tuple[tuple[str, ...], ...]:
    """What has to be compiled on this machine for a solve at an address; what is solved elsewhere is compiled there."""
    return needed_kernels(options, most_in_bag) if is_here(address) else (FOR_PROBLEMS,)


def needed_kernels(options: SolveOptions, most_in_bag: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What a solve with at most so many tiles in the bag needs to have compiled, first and later: see the catalogue."""
    first = [*FOR_PROBLEMS, "verdicts"]
    if options.tiebreak and options.until == Until.SPREAD:
        first.append("spreads")
    if options.opponent == Opponent.RATIONAL:
        return tuple(first), ("rational",)
    leaves_tiles = most_in_bag > 1 and options.max_tiles_left != 0
    return tuple(first), ("staying",) if leaves_tiles else ()
