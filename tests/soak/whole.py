"""The whole solver, from a CGP line and a lexicon to ranks: candidates, ledger, cutoff and tie-break, Ray or not."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np

from pegray.game.notation import parse_draw, parse_move
from pegray.game.position import Position
from pegray.game.tiles import Distribution, load_distribution
from pegray.lexicon.lexicon import Lexicon
from pegray.preendgame.options import SolveOptions
from pegray.preendgame.problem import Problem
from pegray.results.model import SolveResult
from pegray.results.play import PlayResult
from pegray.runs import driver
from pegray.terms import State, Status
from tests.kernels.symbols import layout_of, name_of, squares_of, text_of, tiles_of, word_graph
from tests.reference.positions import RandomPosition
from tests.reference.reference import Play
from tests.soak.questions import Question

SMALL_TABLE_GIB, TINY_TABLE_GIB = 1 / 64, 0.0
MOST_COMPARED = 20  # plays that the tie-break compares
RAY = {"include_dashboard": False, "log_to_driver": False, "object_store_memory": 100 * 2**20, "num_cpus": 2}


def whole_differences(question: Question, expected: dict[str, Play]) -> list[str]:
    """What the solver says of the position that the reference does not."""
    chance = random.Random(question.choices)
    position = as_position(question.position)
    options = SolveOptions(
        known_rack=position.distribution.format_rack(position.distribution.count(tiles_of(question.position.known))),
        opponent=question.opponent,
        no_exchange=True,
        top=chance.choice([1, 1, 2, 3]),
        early_cutoff=chance.random() < 0.7,
        until=chance.choice(["answer", "level", "spread", "spread"]),
        tiebreak=chance.random() < 0.8,
        exact_spreads=chance.random() < 0.4,
    )
    lexicon = Lexicon.of_nodes("soak", word_graph(question.position.words))
    problem = Problem.create(position, lexicon, options)
    table_gib = chance.choice([SMALL_TABLE_GIB, TINY_TABLE_GIB])
    if question.way == "whole":
        result = driver.solve(problem, address="none", table_gib=table_gib)
    else:
        with joined_ray():
            result = driver.solve(problem, address="local", table_gib=table_gib)
    return [f"{fault} ({options})" for fault in Judgement(position, options, result, expected).faults()]


@contextmanager
def joined_ray() -> Iterator[None]:
    """A private Ray, started once in this process."""
    import ray

    if not ray.is_initialized():
        ray.init(address="local", **RAY)
    yield


def as_position(asked: RandomPosition) -> Position:
    """The position as a CGP line is read, under a distribution with just its tiles."""
    language = load_distribution(asked.language)
    board = squares_of(asked.board)
    on_board = np.bincount(np.where(board & 0x80, 0, board)[board != 0], minlength=language.size)
    in_play = language.count(tiles_of(asked.our_rack + asked.unseen))
    distribution: Distribution = replace(language, counts=(on_board + in_play).astype(np.int8))
    scores = (400 + asked.spread, 400)
    written = Position(
        board=board,
        rack=language.count(tiles_of(asked.our_rack)),
        opponent_rack=None,
        scores=scores,
        scoreless=asked.scoreless,
        distribution=distribution,
        layout=layout_of(asked.premiums),
    )
    read = Position.from_cgp(written.to_cgp(), distribution, written.layout)
    assert read.bag_size == asked.bag_size and (read.board == board).all() and (read.rack == written.rack).all()
    return read


class Judgement:
    """A result beside what the reference says of each play."""

    def __init__(
        self, position: Position, options: SolveOptions, result: SolveResult, expected: dict[str, Play]
    ) -> None:
        self.position, self.options, self.result, self.expected = position, options, result, expected
        self.best = max(play.points for play in expected.values())
        self.plays = {
            name_of(parse_move(play.move, position.board, position.distribution)): play for play in result.plays
        }

    def faults(self) -> Iterator[str]:
        """One line each."""
        if self.plays.keys() != self.expected.keys():
            yield f"plays {sorted(self.plays.keys() ^ self.expected.keys())}"
            return
        for name, play in self.plays.items():
            for fault in self._of_play(play, self.expected[name]):
                yield f"{name}: {fault}"
        yield from self._of_the_whole()

    def _of_play(self, play: PlayResult, truth: Play) -> Iterator[str]:
        if (play.score, play.tiles, play.total) != (truth.score, truth.tiles, truth.total):
            yield f"score, tiles, total {play.score}, {play.tiles}, {play.total}, expected {truth}"
        if not play.at_least <= truth.points <= play.at_most:
            yield f"{play.at_least} to {play.at_most} points, expected {truth.points}"
        found = {self._draw(outcome.draw): (outcome.weight, str(outcome.outcome)) for outcome in play.outcomes}
        if any(truth.outcomes.get(draw) != outcome for draw, outcome in found.items()):
            yield f"outcomes {found}, expected {truth.outcomes}"
        if any(outcome.certain != truth.certain for outcome in play.outcomes):
            yield f"certain should be {truth.certain}"
        if play.status == Status.FINISHED:
            weights = tuple(truth.weight(outcome) for outcome in "WDL")
            if len(found) != len(truth.outcomes) or play.points != truth.points:
                yield f"{play.points} points with {found}, expected {truth.points} with {truth.outcomes}"
            if (play.wins, play.draws, play.losses) != weights:
                yield f"{play.wins}, {play.draws}, {play.losses}, expected {weights}"
        elif not self.options.early_cutoff and self.options.until == "spread":
            yield f"is {play.status}, though nothing is cut off"
        elif truth.points > self.best:
            yield f"is {play.status}"
        if play.spread is not None and (truth.spread is None or abs(play.spread - truth.spread) > 1e-9):
            yield f"spread {play.spread}, expected {truth.spread}"
        if truth.spread is not None and not (
            (play.spread_at_least is None or play.spread_at_least <= truth.spread + 1e-9)
            and (play.spread_at_most is None or play.spread_at_most >= truth.spread - 1e-9)
        ):
            yield f"spread {play.spread_at_least} to {play.spread_at_most}, expected {truth.spread}"

    def _of_the_whole(self) -> Iterator[str]:
        best, options = self.result.best, self.options
        wanted = [State.COMPLETE] if options.until == "spread" else [State.ANSWERED, State.COMPLETE]
        if self.result.state not in wanted or best is None or best.points != self.best:
            yield f"{self.result.state}, best {best}, expected {self.best} points"
            return
        if options.until == "answer":
            return
        level = [play for play in self.plays.values() if play.points == self.best]
        truly = [name for name, play in self.expected.items() if play.points == self.best]
        if len(level) != len(truly):
            yield f"{len(level)} plays level at the top, expected {truly}"
        if options.until == "spread":
            yield from self._of_the_top(best)

    def _of_the_top(self, best: PlayResult) -> Iterator[str]:
        points = sorted((play.points for play in self.expected.values()), reverse=True)
        ranked = sorted(
            (play for play in self.plays.values() if play.rank is not None), key=lambda play: play.rank or 0
        )
        for place, play in enumerate(ranked[: self.options.top]):
            if play.points != points[place]:
                yield f"rank {place + 1} has {play.points} points, expected {points[place]}"
        compared = [play for play in self.expected.values() if play.points == self.best and play.spread is not None]
        if not self.options.tiebreak or not 1 < len(compared) <= MOST_COMPARED:
            return
        most = max(play.spread for play in compared if play.spread is not None)
        truth = self.expected[name_of(parse_move(best.move, self.position.board, self.position.distribution))]
        if truth.spread is not None and truth.spread < most - 1e-9:
            yield f"best {best.move} with spread {truth.spread}, another has {most}"

    def _draw(self, text: str) -> str:
        """A draw as the reference writes it."""
        tiles = text_of(parse_draw(text, self.position.distribution))
        stays = len(tiles) - self._drawn(text)
        cut = len(tiles) - stays
        return f"[{''.join(sorted(tiles[:cut]))}]{tiles[cut:]}"

    def _drawn(self, text: str) -> int:
        """How many of the tiles stand in the outer brackets."""
        depth = 0
        for at, character in enumerate(text):
            depth += {"[": 1, "]": -1}.get(character, 0)
            if depth == 0:
                return len(parse_draw(f"{text[: at + 1]}", self.position.distribution))
        raise AssertionError(f"no draw: {text}")
