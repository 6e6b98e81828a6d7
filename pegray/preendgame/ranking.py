"""From the ledger to the result: outcomes by name, plays ranked."""

from __future__ import annotations

import math

import numpy as np

from pegray.game.move import Move
from pegray.game.notation import format_move
from pegray.kernels.verdicts import DRAW
from pegray.preendgame.ledger import Ledger
from pegray.preendgame.packed_moves import unpack_move
from pegray.preendgame.problem import Problem
from pegray.preendgame.work import WDL_OF_VERDICT, Settled
from pegray.results.model import SolveResult, SolveStats
from pegray.results.play import Outcome, PlayResult, put_in_order
from pegray.results.state import Milestones
from pegray.terms import WDL, State, Status


def build_result(ledger: Ledger, stats: SolveStats, reached: Milestones | None = None) -> SolveResult:
    """The result as far as the ledger is settled: ranked plays first, then the others by their bound.

    reached: when the position was answered, and complete
    """
    problem = ledger.problem
    state = ledger.state
    reached = Milestones() if reached is None else reached
    book = ledger.book
    finished = book.finished_mask()
    cut = book.cut_mask()
    plays = []
    for candidate in range(len(problem.candidates)):
        if problem.candidates.skipped[candidate]:
            status = Status.SKIPPED
        elif finished[candidate]:
            status = Status.FINISHED
        else:
            status = Status.CUT_OFF if cut[candidate] else Status.UNFINISHED
        plays.append(_play_result(ledger, candidate, status))
    if state != State.OPEN:
        compared = {plays[candidate].move for candidate in ledger.tiebreak.compared()}
        _rank([plays[candidate] for candidate in np.flatnonzero(book.ranked_mask())], compared)
    put_in_order(plays, state)
    distribution = problem.position.distribution
    return SolveResult(
        cgp=problem.position.to_cgp(),
        lexicon=problem.lexicon_name,
        bag=problem.bag,
        unseen=distribution.format_rack(problem.position.unseen),
        total=problem.total,
        opponent=problem.options.opponent,
        state=state,
        plays=plays,
        stats=stats,
        known_rack=problem.options.known_rack,
        no_exchange=problem.options.no_exchange,
        never_lose=problem.options.never_lose,
        answered_seconds=reached.answered,
        complete_seconds=reached.complete,
        distribution=distribution.file,
    )


def _rank(plays: list[PlayResult], compared: set[str]) -> None:
    """By points, then by the tie-break, then by score.

    compared: moves of the plays that the tie-break compares; those whose order it need not decide go by the least, then
    by the most, that their spread may be
    """

    def place(play: PlayResult) -> tuple[object, ...]:
        least, most = play.spread_at_least, play.spread_at_most
        known = (-math.inf if least is None else least, math.inf if most is None else most)
        return (play.found_losses, play.move not in compared, -known[0], -known[1], -play.score, play.move)

    plays.sort(key=place)
    for rank, play in enumerate(plays, 1):
        play.rank = rank


def _play_result(ledger: Ledger, candidate: int, status: Status) -> PlayResult:
    problem = ledger.problem
    book, tiebreak = ledger.book, ledger.tiebreak
    candidates = problem.candidates
    move = unpack_move(int(candidates.moves[candidate]), problem.position.board)
    tiles = int(candidates.tiles[candidate])
    drawn = book.drawn[candidate]
    draws = range(book.draws(candidate))
    settled = [book.settled[candidate, draw] for draw in draws if (candidate, draw) in book.settled]
    partial = [book.partial[candidate, draw] for draw in draws if (candidate, draw) in book.partial]
    spreads = [tiebreak.results[candidate, draw] for draw in draws if (candidate, draw) in tiebreak.results]
    outcomes = []
    weights: dict[WDL, float] = dict.fromkeys(WDL, 0)
    replies = _Replies(problem, move)
    for result in settled + partial:
        for outcome in _outcomes(ledger, candidate, replies, result):
            outcomes.append(outcome)
            weights[outcome.outcome] += outcome.weight
    outcomes.sort(key=lambda outcome: outcome.draw)
    is_finished = status == Status.FINISHED
    points = sum(weight * outcome.points for outcome, weight in weights.items())
    spread_at_least, spread_at_most = tiebreak.average(candidate)
    estimate = float(book.estimates[candidate])
    return PlayResult(
        rank=None,
        move=format_move(move, problem.position.distribution),
        score=int(candidates.scores[candidate]),
        tiles=tiles,
        tiles_left=problem.bag - drawn,
        status=status,
        total=problem.total,
        points=points if is_finished else None,
        wins=weights[WDL.WIN] if is_finished else None,
        draws=weights[WDL.TIE] if is_finished else None,
        losses=weights[WDL.LOSS] if is_finished else None,
        win_pct=100 * points / problem.total if is_finished else None,
        found_losses=int(book.lost[candidate]) / 2,
        at_least=int(book.won[candidate]) / 2,
        at_most=problem.total - int(book.lost[candidate]) / 2,
        estimate=None if math.isnan(estimate) else estimate,
        spread=spread_at_least if spread_at_least == spread_at_most else None,
        spread_at_least=spread_at_least,
        spread_at_most=spread_at_most,
        proven=all(result.proven for result in settled + partial + spreads),
        endgames=book.endgames_of[candidate],
        nodes=book.nodes_of[candidate],
        cpu_seconds=book.cpu_seconds_of[candidate],
        outcomes=outcomes,
    )


class _Replies:
    """Names the replies to a play, each once: a few of them answer thousands of draws."""

    def __init__(self, problem: Problem, move: Move) -> None:
        self._board = move.on(problem.position.board)
        self._distribution = problem.position.distribution
        self._names: dict[int, str | None] = {-1: None}

    def name(self, packed: int) -> str | None:
        """None for -1, which stands for no reply."""
        if packed not in self._names:
            self._names[packed] = format_move(unpack_move(packed, self._board), self._distribution)
        return self._names[packed]


def _outcomes(ledger: Ledger, candidate: int, replies: _Replies, settled: Settled) -> list[Outcome]:
    """The outcomes of one draw that are certain to stay as they are."""
    problem = ledger.problem
    eventualities = ledger.book.eventualities
    drawn = ledger.book.drawn[candidate]
    draw = settled.unit.draw
    ways = int(eventualities.draws(drawn).weights[draw])
    drawn_text = eventualities.drawn_text(drawn, draw)
    certain = drawn == problem.bag or bool(problem.candidates.ends_game[candidate])
    spread = ledger.tiebreak.spread(candidate, draw)
    sequences, weights = eventualities.stays(drawn, draw)
    verdicts = np.frombuffer(settled.outcomes, np.int8)
    outcomes = []
    for i, verdict in enumerate(verdicts.tolist()):
        if verdict < 0 or (verdict == DRAW and not settled.finished):
            continue
        stays = eventualities.stays_text(drawn, int(sequences[i]))
        outcomes.append(
            Outcome(
                draw=f"[{drawn_text}]{stays}",
                drawn=drawn_text,
                stays=stays,
                weight=int(weights[i]) * ways,
                outcome=WDL_OF_VERDICT[verdict],
                certain=certain,
                proven=settled.proven,
                spread=spread,
                reply=replies.name(settled.replies[i]),
                nodes=settled.nodes,
            )
        )
    return outcomes
