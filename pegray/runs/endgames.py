"""Endgames as positions of a run: what the best play comes to, and the plays that were asked about."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from pegray.game.notation import format_move, parse_move
from pegray.game.position import Position
from pegray.preendgame.candidates import legal_moves
from pegray.preendgame.problem import HIGHEST
from pegray.preendgame.solve_endgame import EndgameProblem, EndgameResult, HaltedError, solve_after, solve_endgame
from pegray.results.model import SolveResult, SolveStats
from pegray.results.play import Outcome, PlayResult
from pegray.results.write import RunWriter
from pegray.runs.recorder import record_result
from pegray.runs.underway import Underway
from pegray.terms import WDL, State, Status


class SolvingEndgame(Underway):
    """An endgame on its way: the thread searches it; what it has found before it is stopped is not kept.

    out, position_id: where its result is recorded, if anywhere
    """

    def __init__(
        self,
        endgame: EndgameProblem,
        out: RunWriter | None,
        position_id: int = 0,
        stop: threading.Event | None = None,
        time_limit: float | None = None,
        ended: threading.Event | None = None,
    ) -> None:
        super().__init__(stop or threading.Event(), time.monotonic(), time_limit, ended)
        self._endgame = endgame
        self._out = out
        self._position_id = position_id
        self._halt = np.zeros(1, np.uint64)
        self._answer: SolveResult | None = None
        self.begin()

    def stop_kernels(self) -> None:
        """Make its search come back at once."""
        self._halt[0] = 1

    def _found(self) -> SolveResult:
        assert self._answer is not None
        return self._answer

    def _solve(self) -> None:
        endgame = self._endgame
        worths: list[EndgameResult] = []
        cpu_started = time.thread_time()
        halted = False
        try:
            for worth in endgame_worths(endgame, self._halt):
                worths.append(worth)
        except HaltedError:
            halted = True
        stats = SolveStats(
            seconds=time.monotonic() - self._started,
            cpu_seconds=time.thread_time() - cpu_started,
            endgames=len(worths),
            nodes=sum(worth.nodes for worth in worths),
            interrupted=halted,
            until=endgame.options.until,
        )
        self._answer = endgame_answer(endgame, worths, stats)
        if self._out is not None:
            record_result(self._out, endgame, self._position_id, self._answer)


def endgame_worths(endgame: EndgameProblem, halt: npt.NDArray[np.uint64] | None = None) -> Iterator[EndgameResult]:
    """What the best play is worth, then each of the protected ones. Raises HaltedError where it was told to stop."""
    position, lexicon = endgame.position, endgame.lexicon
    best = solve_endgame(position, lexicon, halt=halt)
    yield best
    for text in endgame.options.protect:
        if text == HIGHEST:
            move = legal_moves(position, lexicon, 1)[0][0]
        else:
            move = parse_move(text, position.board, position.distribution)
        if move != best.moves[0]:
            yield solve_after(position, move, lexicon, halt=halt)


def endgame_answer(endgame: EndgameProblem, worths: Sequence[EndgameResult], stats: SolveStats) -> SolveResult:
    """The result of an endgame: one draw, of nothing, for which each play has its outcome and its final spread.

    worths: of the best play, first, and of others; nothing while it is open
    """
    plays = [_play(endgame.position, worth) for worth in worths]
    plays.sort(key=lambda play: -(play.spread or 0.0))  # stable: the best stays first among its equals
    if plays:
        plays[0].rank = 1  # how many of the plays that nobody asked about rank before the others is not known
    position = endgame.position
    return SolveResult(
        cgp=position.to_cgp(),
        lexicon=endgame.lexicon_name,
        bag=0,
        unseen=position.distribution.format_rack(position.unseen),
        total=endgame.total,
        opponent=endgame.options.opponent,
        state=State.ANSWERED if plays else State.OPEN,
        plays=plays,
        stats=stats,
        no_exchange=endgame.options.no_exchange,
        answered_seconds=stats.seconds if plays else None,
        distribution=position.distribution.file,
    )


def _play(position: Position, worth: EndgameResult) -> PlayResult:
    move = worth.moves[0]
    outcome = WDL.of_spread(worth.spread)
    reply = worth.pv[1] if outcome != WDL.WIN and len(worth.pv) > 1 else None
    return PlayResult(
        rank=None,
        move=format_move(move, position.distribution),
        score=position.score(move),
        tiles=move.tiles_played,
        tiles_left=0,
        status=Status.FINISHED,
        total=1,
        points=outcome.points,
        wins=int(outcome is WDL.WIN),
        draws=int(outcome is WDL.TIE),
        losses=int(outcome is WDL.LOSS),
        win_pct=100 * outcome.points,
        found_losses=1 - outcome.points,
        at_least=outcome.points,
        at_most=outcome.points,
        spread=float(worth.spread),
        proven=worth.proven,
        endgames=1,
        nodes=worth.nodes,
        cpu_seconds=worth.seconds,
        outcomes=[Outcome("[]", "", "", 1, outcome, True, worth.proven, worth.spread, reply, worth.nodes)],
    )
